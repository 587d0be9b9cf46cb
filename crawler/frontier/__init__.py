"""Which URLs a site has, which of them belong to the crawl, and which come next.
May import `config` and `reading`."""
