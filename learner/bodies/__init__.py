"""Which element holds the text of a page, and what in it is none of it.
May import `page` and `site`."""
