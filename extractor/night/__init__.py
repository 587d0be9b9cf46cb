"""A night: what each site is due for, sites side by side.
May import `health`, `records`, `report` and `versions`."""
