"""What is learned of a layout: the pattern, its scores, its history, in words.
May import `bylines`, `kinds` and `page`."""
