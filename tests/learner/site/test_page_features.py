from itertools import combinations
from math import log

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from learner.site.page_features import CLUSTER_SIMILARITY, Skeletons
from tests.handmade import Story, article, comments, layout, listing, page, stories

skeletons = st.lists(st.sets(st.integers(0, 9), max_size=7), min_size=1, max_size=7)
shares = st.sampled_from([0.2, 0.35, 0.5, 0.65, 0.8])


def slow_similarity(pages, i, j):
    """Weighted Jaccard, feature by feature; those of one page or of all do not count."""
    weights = {}
    for feature in set().union(*pages):
        count = sum(feature in page for page in pages)
        if 2 <= count < len(pages):
            weights[feature] = log((len(pages) + 1) / (count + 0.5))
    shared = sum(weights.get(f, 0.0) for f in pages[i] & pages[j])
    either = sum(weights.get(f, 0.0) for f in pages[i] | pages[j])
    return shared / either if either else 1.0


def slow_clusters(pages, threshold):
    """Average linkage by its definition: join the two most similar clusters, as long as the mean
    similarity of their pages reaches the threshold."""
    clusters = [[i] for i in range(len(pages))]
    while len(clusters) > 1:
        joins = []
        for a, b in combinations(range(len(clusters)), 2):
            pairs = [slow_similarity(pages, i, j) for i in clusters[a] for j in clusters[b]]
            joins.append((sum(pairs) / len(pairs), a, b))
        best, a, b = max(joins)
        rivals = sorted(mean for mean, _, _ in joins)
        assume(abs(best - threshold) > 1e-4)
        if best < threshold:
            break
        # Which of two equal joins comes first is left open, unless all pages of them are equal.
        assume(len(rivals) < 2 or best - rivals[-2] > 1e-4 or best > 1 - 1e-4)
        clusters[a] += clusters.pop(b)
    return sorted(sorted(cluster) for cluster in clusters)


@given(skeletons)
def test_similarity_is_weighted_jaccard(pages):
    similar = Skeletons(pages).similarities()
    for i in range(len(pages)):
        for j in range(len(pages)):
            assert similar[i, j] == pytest.approx(slow_similarity(pages, i, j), abs=1e-5)


@settings(max_examples=150)
@given(skeletons, shares)
def test_clusters_are_those_of_average_linkage(pages, threshold):
    found = Skeletons(pages).clusters(threshold)
    assert sorted(map(sorted, found)) == slow_clusters(pages, threshold)


@given(skeletons, shares)
def test_every_page_is_in_one_cluster_and_the_largest_comes_first(pages, threshold):
    found = Skeletons(pages).clusters(threshold)
    assert sorted(page for cluster in found for page in cluster) == list(range(len(pages)))
    assert [len(c) for c in found] == sorted((len(c) for c in found), reverse=True)


def test_what_stands_on_all_pages_or_on_one_is_no_column():
    found = Skeletons([{1, 2, 3}, {1, 2}, {1, 4}])
    assert found.columns == {2: 0}
    assert found.rows.tolist() == [[1], [1], [0]]


def test_a_rare_feature_weighs_more():
    found = Skeletons([{1, 2}, {1, 2}, {1}, {3}])
    assert found.weights[found.columns[2]] > found.weights[found.columns[1]]


def test_no_page_no_cluster():
    assert Skeletons([]).clusters() == []
    assert Skeletons([{1}]).clusters() == [[0]]


def test_articles_and_lists_fall_apart():
    told = stories(8)
    pages = [page(story) for story in told] + [listing(n, told[n : n + 4]) for n in (1, 2, 3)]
    trees = [layout(each.html.decode()) for each in pages]
    found = Skeletons([tree.skeleton for tree in trees]).clusters()
    assert found == [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10]]


def test_comments_do_not_part_the_pages_of_a_template():
    def commented(story: Story) -> str:
        return article(story) + (comments(story, story.number) if story.number % 2 else "")

    told = stories(8)
    pages = [page(story, commented) for story in told]
    pages += [listing(n, told[n : n + 4]) for n in (1, 2, 3)]
    trees = [layout(each.html.decode()) for each in pages]
    found = Skeletons([tree.skeleton for tree in trees]).clusters(CLUSTER_SIMILARITY)
    together = [{8, 9, 10} & set(cluster) for cluster in found]
    assert [8, 9, 10] in found and sum(map(bool, together)) == 1
