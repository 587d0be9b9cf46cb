"""What a page may be called, of which day and by whom: candidates, a row of features each."""
