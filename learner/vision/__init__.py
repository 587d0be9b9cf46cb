"""What a page looks like, in a browser too: its blocks, which element holds its text, what it sells.
May import `dom` and `page`."""
