"""JSON and pages over HTTP: what a page says, stored articles, sites and how they are.
May import `analysis`, `records` and `report`."""
