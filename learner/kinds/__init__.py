"""Whether a page is an article or a list.
May import `bylines`, `page`, `site` and `titles`."""
