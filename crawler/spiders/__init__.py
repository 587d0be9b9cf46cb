"""The crawl of a site: its spider, what that yields, how it is stored, how it goes on.
May import `command`, `config`, `fetching`, `frontier`, `reading`, `storage` and `usage`."""
