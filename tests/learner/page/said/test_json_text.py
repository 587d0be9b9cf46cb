import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.page.said.json_text import json_values

ARTICLE = {"@type": "NewsArticle", "headline": "Ice, on the lake", "author": ["Ann"]}
WRITTEN = json.dumps(ARTICLE)


@pytest.mark.parametrize(
    "script",
    [
        WRITTEN,
        f"\ufeff{WRITTEN}",
        f"{WRITTEN};",
        f"{WRITTEN[:-1]},}}",
        WRITTEN.replace('"Ann"', '"Ann", '),
        f"<!--\n{WRITTEN}\n-->",
        f"\n//<![CDATA[\n{WRITTEN}\n//]]>\n",
        f"/*<![CDATA[*/{WRITTEN}/*]]>*/",
        f"// said for {{machines}}\n{WRITTEN}",
        WRITTEN.replace(', "head', ', /* "its name" */ "head'),
        WRITTEN.replace('"', "&quot;"),
    ],
)
def test_what_stands_around_json_or_too_much_in_it(script):
    assert list(json_values(script)) == [ARTICLE]


def test_strings_that_are_not_escaped():
    said = r'{"a": "say "no" to it", "b": "it\'s", "c": "//d", "e": "f\\", }'
    assert list(json_values(said)) == [{"a": 'say "no" to it', "b": "it's", "c": "//d", "e": "f\\"}]


def test_several_values_in_a_row():
    assert list(json_values(f'{{"@type": "WebSite"}}\n{WRITTEN} {{"cut')) == [
        {"@type": "WebSite"},
        ARTICLE,
    ]


@given(st.text('"\\/*{}[],: a<!->\n', max_size=40))
def test_no_script_breaks_it(script):
    list(json_values(script))


@pytest.mark.parametrize("part", ['"', '{"', "/*", '" ', "\\", '{"a":', "{}", ",", "&quot;"])
def test_long_scripts_take_no_long_time(part):
    start = process_time()
    list(json_values('{"a": "' + part * (200_000 // len(part))))
    assert process_time() - start < 2
