"""Which element of a drawn page holds its text: its large boxes, by what stands in them."""
