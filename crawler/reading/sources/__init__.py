"""Feeds and sitemaps: what a site itself names of its pages."""
