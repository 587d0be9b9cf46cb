"""What a page looks like, and what can be told from it: the name, price and picture of a product.
May import `page`."""
