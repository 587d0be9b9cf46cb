"""What else is read from a page that fits: dates, authors, language.
May import no other room."""
