"""Name, price and main picture of the product that a page sells."""
