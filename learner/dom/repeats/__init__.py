"""Which blocks of a page repeat a text: what it says for machines, or what was taken from it."""
