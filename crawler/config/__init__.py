"""pipelines.yaml as a frozen, typed tree; mistakes with file, line and column.
May import `reading` and `storage`."""
