"""What a response says: its charset, its elements, its links, the page its URL names.
May import `storage`, for the types of records."""
