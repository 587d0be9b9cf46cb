"""What comes of a page: the article's record, its outcome, and runs of them on disk.
May import `structure`."""
