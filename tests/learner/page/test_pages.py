import pytest

from learner.page.pages import Page


def test_text_for_bytes_is_refused_where_it_is_given():
    with pytest.raises(TypeError, match="html of x: expected bytes as they were sent, got text"):
        Page(url="x", html="<p>Text</p>")  # type: ignore[arg-type]
