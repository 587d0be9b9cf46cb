"""What came of a day: its figures, and whether they fell.
May import `records`."""
