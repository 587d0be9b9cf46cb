"""Between a request and its response: robots.txt, redirects, pauses, cookies, guarded hosts.
May import `config` and `reading`."""
