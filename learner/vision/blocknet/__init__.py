"""Block Net: a rendered page as a network of blocks, and which of them are its content."""
