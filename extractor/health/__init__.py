"""What came of a day, and how a site is night after night: its state, the cause and since when.
May import `records`."""
