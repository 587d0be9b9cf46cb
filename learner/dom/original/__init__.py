"""domextract's way (2018) to read a page: 78 features of single text nodes, and a random forest.
Kept for comparison with the page model."""
