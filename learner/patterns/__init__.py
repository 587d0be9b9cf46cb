"""What is learned of a layout: the pattern, its scores, its history, in words.
May import `bodies`, `bylines`, `kinds`, `page`, `site`, `titles` and `topics`."""
