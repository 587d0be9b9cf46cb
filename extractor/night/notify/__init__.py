"""Who is told when the state of a site changes, and how."""
