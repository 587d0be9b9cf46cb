"""How a site is, night after night: its state, the cause and since when.
May import `figures`."""
