"""A page as Chromium draws it, without a browser: its DOM snapshot, read, checked, as arrays."""
