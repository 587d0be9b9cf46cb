"""The preset of 2005, whole and apart: its blocks, its clusters, its titles, its files.
May import `kinds`, `page`, `patterns` and `site`."""
