"""Commands that show what the tables hold, or write it elsewhere.
May import every room of all stages, those of learner and extractor inside functions only."""
