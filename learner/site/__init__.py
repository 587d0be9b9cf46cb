"""The pages of a site side by side: samples, links among them, frames, what recurs.
May import `page`."""
