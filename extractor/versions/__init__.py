"""Each article once: its newest text, its versions, its other addresses.
May import `records`."""
