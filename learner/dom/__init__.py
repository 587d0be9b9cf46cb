"""What a page says of itself that nobody has learned yet, from its blocks alone.
May import `ensembles`, `page` and `site`."""
