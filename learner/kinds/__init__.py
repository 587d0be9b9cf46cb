"""Whether a page is an article or a list.

May import `page`, `site`, `titles` and `bylines`.
"""
