"""Labels that patterns and models propose for a drawn page, before a person looks at it."""
