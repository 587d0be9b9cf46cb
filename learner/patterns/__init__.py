"""What is learned of a layout: the pattern, its history, how it is told to people.

May import every other room of the learner but `webstemmer`.
"""
