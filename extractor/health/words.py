"""Words for people."""


def many(number: int, what: str) -> str:
    """A number of something.

    >>> many(1, "site"), many(2, "new article")
    ('1 site', '2 new articles')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
