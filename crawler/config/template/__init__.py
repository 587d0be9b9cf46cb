"""What a new project begins with, copied by `webstem init`.
May import nothing."""
