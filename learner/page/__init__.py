"""One page: its blocks of text, what it says for machines, its dates, its address.
May import no other room."""
