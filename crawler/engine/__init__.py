"""Work on many sites at once: tasks, and what runs them side by side.

May import `config` and `storage`.
"""
