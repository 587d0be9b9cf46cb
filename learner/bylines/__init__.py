"""When a page was published, and by whom.

May import `page`, `site` and `bodies`.
"""
