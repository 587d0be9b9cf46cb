"""What a person says of drawn pages: boxes for labelImg out, labels of elements in.
May import `dom`, `page` and `vision`."""
