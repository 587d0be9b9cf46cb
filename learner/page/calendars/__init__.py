"""How dates are written: names of months and their spellings, numbers, calendars."""
