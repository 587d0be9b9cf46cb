"""Commands that fill the tables.
May import every room of all stages, those of learner and extractor inside functions only."""
