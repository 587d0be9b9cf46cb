"""The pages for people: what became of the blocks of a page, how sites are."""
