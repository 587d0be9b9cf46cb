"""Extraction by the preset of 2005, and its forms of text.
May import `records`."""
