"""Commands about a project and its sites: made, added, examined.
May import every room of all stages, those of learner and extractor inside functions only."""
