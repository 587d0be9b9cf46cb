"""Work on many sites at once: tasks, and what runs them side by side.
May import `command`, `config`, `storage` and `usage`."""
