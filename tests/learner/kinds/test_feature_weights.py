from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from learner.kinds.feature_weights import (
    CERTAIN_EVIDENCE,
    MOST_WITNESSES,
    SAME_COLUMNS,
    find_kind_features,
)
from learner.site.kind_features import KindFeatures, page_features
from learner.site.page_features import Skeletons
from tests.handmade import HOST, layout

ARTICLES = [{1, 2, 3, n} for n in range(10, 18)]
LISTS = [{1, 2, 4, n} for n in range(20, 24)]


def learn(articles, lists):
    evidence = [-CERTAIN_EVIDENCE] * len(articles) + [CERTAIN_EVIDENCE] * len(lists)
    return find_kind_features(Skeletons([*articles, *lists]), evidence)


def test_evidence_is_the_sum_of_the_weights_that_are_there():
    witnesses = KindFeatures({1: 0.5, 2: -2.0, 3: 4.0}, bias=0.25)
    assert witnesses.testify({1, 2, 99}) == -1.25
    assert witnesses.testify(set()) == 0.25


def test_pages_of_one_kind_need_no_witness():
    assert learn(ARTICLES, []) == KindFeatures({}, -1.0)
    assert learn([], LISTS) == KindFeatures({}, 1.0)
    assert find_kind_features(Skeletons([]), []).weights == {}


def test_what_only_one_kind_has_tells_a_new_page():
    witnesses = learn(ARTICLES, LISTS)
    assert witnesses.weights[3] < 0 < witnesses.weights[4]
    assert witnesses.testify({1, 2, 3, 77}) < 0 < witnesses.testify({1, 2, 4, 77})
    assert 1 not in witnesses.weights  # on all pages: says nothing


@settings(max_examples=20)
@given(st.permutations(range(12)))
def test_the_order_of_the_pages_decides_nothing(order):
    pages = [*ARTICLES, *LISTS]
    told = [CERTAIN_EVIDENCE if i >= 8 else -CERTAIN_EVIDENCE for i in order]
    shuffled = find_kind_features(Skeletons([pages[i] for i in order]), told)
    usual = learn(ARTICLES, LISTS)
    for page in pages:
        assert abs(shuffled.testify(page) - usual.testify(page)) < 1e-3


def test_features_of_the_very_same_pages_are_kept_a_few_times_only():
    twins = set(range(100, 140))
    witnesses = learn([page | twins for page in ARTICLES], LISTS)
    assert len(twins & set(witnesses.weights)) + (3 in witnesses.weights) == SAME_COLUMNS


def test_only_the_strongest_are_kept_and_the_bias_makes_up_for_the_rest():
    random = Random(1)
    articles = [set(random.sample(range(100), 25)) for _ in range(40)]
    lists = [set(random.sample(range(100, 200), 25)) for _ in range(20)]
    witnesses = learn(articles, lists)
    assert len(witnesses.weights) == MOST_WITNESSES
    assert all(witnesses.testify(page) < 0 for page in articles)
    assert all(witnesses.testify(page) > 0 for page in lists)


def test_two_lists_among_many_articles_are_heard():
    articles = [{1, 2, 3, n} for n in range(10, 70)]
    lists = [{1, 2, 4, n} for n in range(80, 82)]
    witnesses = learn(articles, lists)
    assert witnesses.testify({1, 2, 4}) > 0 > witnesses.testify({1, 2, 3})


def test_a_page_that_is_doubtful_teaches_little():
    pages = [{1, 3, n} for n in range(10, 18)] + [{2, 4}, {2, 4}, {2, 5}, {2, 5}]
    evidence = [-3.0] * 8 + [3.0, 3.0, 0.1, 0.1]
    weights = find_kind_features(Skeletons(pages), evidence).weights
    assert weights[4] > 5 * abs(weights.get(5, 0.0))


def test_of_two_pages_that_look_alike_the_address_tells():
    def page(path):
        return page_features(layout("<h1>Rain</h1><p>Text</p>", url=f"{HOST}{path}"))

    articles = [page(f"/2021/{n}.html") for n in range(6)]
    lists = [page(f"/tag/{n}/") for n in range(3)]
    witnesses = learn(articles, lists)
    assert witnesses.testify(page("/2022/99.html")) < 0 < witnesses.testify(page("/tag/99/"))
