"""Whether a page is an article or a list.
May import `bylines`, `dom`, `page`, `site` and `titles`."""
