"""What the rule of a pattern's kind says of a page that fits it."""

import pytest
from lxml.html import document_fromstring as parse

from learner.kinds.rule import SCRAP_EVIDENCE, KindRule
from learner.page.tree import build_tree
from learner.site.model import SiteModel
from tests.handmade import words


@pytest.mark.parametrize(
    ("n_text", "n_beside", "expected"),
    [
        (10, 60, SCRAP_EVIDENCE),
        (10, 2, 0),  # a short note
        (100, 600, 0),  # a text above its comments
    ],
)
def test_a_short_text_in_a_container_of_other_things_is_a_scrap(n_text, n_beside, expected):
    beside = "".join(f"<p>{words(n, 10)}</p>" for n in range(n_beside // 10))
    tree = build_tree(parse(f"<body><p>{words('text', n_text)}</p>{beside}<p>end</p></body>"))
    body, inside = tree.blocks[:1], tree.blocks
    usual = KindRule(usual_part=0.9, usual_weight=400.0)
    found = usual.evidence(tree, inside, body, SiteModel())
    assert found - KindRule().evidence(tree, inside, body, SiteModel()) == expected
