"""The crawl of a site: its spider, the items it yields, the pipeline that stores them.

May import every other room of the crawler but `commands`, `engine` and `exchange`.
"""
