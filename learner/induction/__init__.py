"""Learning in order: clusters, the pattern of each, the job on stored pages.
May import `bodies`, `bylines`, `dom`, `kinds`, `page`, `patterns`, `site`, `titles`, `topics` and
`webstemmer`."""
