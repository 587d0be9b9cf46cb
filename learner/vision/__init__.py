"""A page as a browser draws it: its boxes, styles and texts, and what can be told from them.
May import no other room."""
