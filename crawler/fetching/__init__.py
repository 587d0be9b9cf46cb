"""Between a request and its response: robots.txt, redirects, cookies, guarded hosts.
May import `reading`."""
