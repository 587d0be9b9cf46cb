"""The head and the body of a request: who may ask, for what, with how much."""
