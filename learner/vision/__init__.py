"""What a page looks like, in a browser too: its blocks, and what it sells by what stands where.
May import `dom` and `page`."""
