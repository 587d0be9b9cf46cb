"""What is measured of the leaf blocks of a page: how they look, and where they stand."""
