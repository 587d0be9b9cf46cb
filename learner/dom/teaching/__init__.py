"""How a page model is taught: lessons, weights of words, pages with gold. For training alone."""
