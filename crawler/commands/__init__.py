"""The commands, one a file: options, one call, what is printed.
May import every room of all stages, those of learner and extractor inside functions only."""
