from learner.site.sampling import evenly_spaced
from learner.webstemmer.clusters import folder_distance, greedy_clusters


def same(i, j):
    return 1.0


def test_a_page_must_be_similar_to_every_page_of_its_cluster():
    numbers = [0, 1, 2]
    similarity = lambda i, j: 1 - abs(numbers[i] - numbers[j])  # noqa: E731
    assert greedy_clusters(["http://a/"] * 3, similarity, 0.0) == [[0, 1], [2]]


def test_the_threshold_is_inclusive():
    assert greedy_clusters(["http://a/"] * 2, lambda i, j: 0.97, 0.97) == [[0, 1]]


def test_clusters_of_near_folders_are_tried_first():
    urls = ["http://a/news/1", "http://a/blog/1", "http://a/blog/2"]
    likes = {(1, 0): 0, (2, 0): 1, (2, 1): 1}
    clusters = greedy_clusters(urls, lambda i, j: likes[i, j], 1.0)
    assert clusters == [[0], [1, 2]]


def test_a_sample_limits_the_comparisons():
    compared = []

    def similarity(i, j):
        compared.append((i, j))
        return 1.0

    greedy_clusters(["http://a/"] * 10, similarity, 1.0, sample_size=2)
    assert len(compared) == 1 + 2 * 8


def test_a_sample_is_spread_evenly():
    assert evenly_spaced(range(10), 0) == range(10)
    assert evenly_spaced(range(10), 5) == [0, 2, 4, 6, 8]


def test_hosts_weigh_more_than_folders():
    other_host = folder_distance(("a", "x", "y"), ("b", "x", "y"))
    other_folders = folder_distance(("a", "x", "y"), ("a", "z", "w"))
    assert other_host > other_folders > folder_distance(("a", "x"), ("a", "x", "y")) > 0


def test_no_pages_give_no_clusters():
    assert greedy_clusters([], same, 1.0) == []
