"""Extraction as a job over stored pages.
May import `articles`, `extraction`, `figures`, `outcomes`, `record_runs` and `versions`."""
