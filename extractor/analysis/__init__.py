"""One page, one answer: what it is, what it says, where it says so, and how sure that is.
May import `extraction`, `fields`, `records`, `report` and `structure`."""
