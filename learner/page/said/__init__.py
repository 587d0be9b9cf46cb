"""What a page says of itself for machines."""
