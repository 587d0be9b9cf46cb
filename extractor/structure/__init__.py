"""An article's text as HTML and Markdown: headings, lists, tables, code, links and pictures.
May import no other room."""
