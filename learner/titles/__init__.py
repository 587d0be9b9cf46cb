"""What a page is called, and where it says so.

May import `page`, `site` and `bodies`.
"""
