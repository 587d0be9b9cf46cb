"""What a page looks like, in a browser too: its blocks, where its text stands, what it sells.
May import `dom`, `ensembles` and `page`."""
