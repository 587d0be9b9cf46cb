"""What else is read from a page: dates, authors, language; all of one that no pattern fits.
May import `structure`."""
