"""A night: what each site is due for, sites side by side.
May import `copies`, `health`, `notify`, `records` and `report`."""
