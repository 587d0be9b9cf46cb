"""Which pattern a page fits, and where its title and text are.
May import no other room."""
