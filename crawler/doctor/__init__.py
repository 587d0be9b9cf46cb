"""What would keep a night from working, found before it does: on this machine, and on a site.
May import `command`, `config`, `fetching`, `frontier`, `reading`, `spiders` and `storage`."""
