import pytest

from learner.site.addresses import address_features, folder, slug


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("a.example/", ("", "")),
        ("a.example/rain.html", ("", "rain")),
        ("a.example/tag/rain/", ("tag", "rain")),
        ("a.example/2021/05/the-rain.html?page=2", ("0/0", "the-rain")),
        ("a.example/%E9%9B%A8/%E9%9B%A8%E9%9B%A8", ("雨", "雨雨")),
    ],
)
def test_where_a_page_lies_and_what_it_is_called_there(key, expected):
    assert (folder(key), slug(key)) == expected


def test_pages_of_one_folder_and_form_have_the_same_features():
    first, second = (address_features(f"a.example/issue{n}/text{n}.html") for n in (1, 42))
    assert first == second


def test_pages_of_different_folders_or_forms_do_not():
    keys = ["a.example/tag/a/", "a.example/tag/a", "a.example/by/a/", "a.example/a/"]
    features = [frozenset(address_features(key)) for key in keys]
    assert len(set(features)) == len(keys)


def test_an_address_without_a_path_is_that_of_the_root():
    assert "address ends in /" in address_features("a.example/").values()
    assert "address ends in " in address_features("a.example/rain").values()
