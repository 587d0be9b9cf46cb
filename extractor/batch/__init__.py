"""Extraction as a job over stored pages.
May import `extraction`, `figures`, `records` and `versions`."""
