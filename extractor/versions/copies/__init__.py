"""Articles of several sites that say nearly the same: agencies' texts, taken over."""
