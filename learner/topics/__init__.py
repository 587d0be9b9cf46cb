"""What a layout's pages are about: the section and the tags that they show.
May import `page` and `site`."""
