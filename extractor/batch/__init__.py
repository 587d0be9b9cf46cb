"""Extraction as a job over stored pages; what they teach, and propose to a person (`labelling`).
May import `analysis`, `extraction`, `fields`, `health`, `records` and `versions`."""
