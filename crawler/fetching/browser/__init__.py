"""A page as Chromium draws it; what it asks for is answered from elsewhere."""
