"""Extraction while a site is crawled, in a process of its own.
May import `batch` and `health`."""
