"""What a page is called, and where it says so.
May import `bodies`, `page` and `site`."""
