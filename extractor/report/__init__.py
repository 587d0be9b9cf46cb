"""What a person is shown of all sites.
May import `health` and `records`."""
