"""What a response says: its charset, its elements, its links; what its URL is known by.

May import `storage` for the types of records.
"""
