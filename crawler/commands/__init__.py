"""The commands of `scrapy`, one a file: options, one call, what is printed.

The only room that sees all stages; it imports them inside `run`.
"""
