"""One page: its elements as blocks of text, what it says for machines, its dates, its address.

May import no other room of the learner.
"""
