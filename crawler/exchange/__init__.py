"""Crawls in formats of others: archives in and out, tables for other programs.
May import `config`, `frontier`, `reading`, `spiders` and `storage`."""
