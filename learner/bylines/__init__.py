"""When a page was published, and by whom.
May import `bodies`, `page` and `site`."""
