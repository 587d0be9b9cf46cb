"""Extraction as a job over stored pages.
May import `articles`, `extraction` and `figures`."""
