"""Extraction as a job over stored pages.
May import `extraction`, `health`, `records` and `versions`."""
