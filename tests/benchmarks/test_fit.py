import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.fit import main
from benchmarks.measures import fit_texts
from benchmarks.measures.fit_pages import (
    NAMES,
    Half,
    fit_coefficients,
    left_out,
    measure_halves,
    page_weights,
)
from benchmarks.measures.fit_texts import JudgedCluster, errors_by_group, judge_left_out
from learner.dom.model import shipped_model


def half(site: str, lists: list[int], spread: float = 1.0, seed: int = 0) -> Half:
    """A half whose first measure tells lists from articles; the others are noise."""
    dice = np.random.default_rng(seed)
    is_list = np.array(lists, np.float64)
    measures = dice.normal(size=(len(lists), len(NAMES)))
    measures[:, 0] = spread * (is_list - is_list.mean()) + measures[:, 0] * spread * 0.1
    clusters = [[i for i, each in enumerate(lists) if each is kind] for kind in (0, 1)]
    return Half(site, measures - measures.mean(0), is_list, clusters, {})


def test_the_measure_that_tells_lists_gets_the_weight():
    fit = fit_coefficients([half("a", [0, 0, 0, 1, 1] * 8), half("b", [0, 1, 1] * 8, seed=1)])
    assert fit.coefficients[0] > 1
    assert all(abs(other) < fit.coefficients[0] / 3 for other in fit.coefficients[1:])


def test_coefficients_are_in_the_units_of_the_measures():
    small, large = (fit_coefficients([half("a", [0, 1] * 20, spread)]) for spread in (1.0, 100.0))
    assert small.coefficients[0] == pytest.approx(100 * large.coefficients[0], rel=0.01)


def test_sites_and_kinds_have_the_same_weight():
    halves = [half("a", [0] * 9 + [1]), half("b", [0, 1]), half("b", [1, 1])]
    weights = page_weights(halves)
    is_list = np.concatenate([each.is_list for each in halves])
    assert weights.sum() == pytest.approx(1)
    assert weights[:10][is_list[:10] == 0].sum() == pytest.approx(0.25)
    assert weights[10:][is_list[10:] == 1].sum() == pytest.approx(0.25)


def test_each_site_is_judged_by_the_others():
    errors = left_out([half("a", [0, 0, 1, 1] * 9), half("b", [0, 1] * 20, seed=1)])
    assert errors.keys() == {"a", "b"}
    for page, shared in errors.values():
        assert page.articles <= 0.1
        assert page.lists <= 0.1
        # Articles and lists stand in a cluster each: shared, the evidence is right.
        assert shared.articles == shared.lists == 0


def test_a_site_is_measured_in_two_halves(archive: Path) -> None:
    halves = measure_halves(archive)
    assert len(halves) == 2
    for each in halves:
        assert each.measures.shape == (len(each.is_list), len(NAMES))
        assert np.allclose(each.measures.mean(0), 0)


def test_it_needs_two_sites(archive: Path, capsys) -> None:
    assert main(["pages", str(archive)]) == 2
    assert "at least 2 sites" in capsys.readouterr().err


def test_it_prints_the_fit(archive: Path, tmp_path: Path, capsys) -> None:
    other = tmp_path / "other"
    other.symlink_to(archive, target_is_directory=True)
    assert main(["pages", str(archive), str(other), "--json", str(tmp_path / "out.json")]) == 0
    shown = capsys.readouterr().out
    assert "linked_headings" in shown
    assert "mean of 2 sites" in shown
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert set(NAMES) <= figures.keys()
    assert figures["cluster_articles_wrong"] <= 0.05


def cluster(site: str, listing: float, articles: int = 0, lists: int = 0) -> JudgedCluster:
    measures = [0.0] * len(fit_texts.NAMES)
    measures[-1] = listing
    return JudgedCluster(site, "news", tuple(measures), articles, lists)


def test_clusters_of_a_site_are_judged_by_the_others():
    sites = [f"s{n}" for n in range(6)]
    clusters = [cluster(site, -2.0, articles=9) for site in sites]
    clusters += [cluster(site, 2.0, lists=60) for site in sites[1:]]
    clusters.append(cluster("s0", -2.0, lists=60))  # whom the page model takes for articles
    are_lists = judge_left_out(clusters)
    assert are_lists == [False] * 6 + [True] * 5 + [False]
    wrong = errors_by_group(clusters, are_lists)
    assert wrong == {"news_articles_wrong": 0, "news_lists_wrong": pytest.approx(1 / 6)}


def test_clusters_of_an_archive_are_measured(archive: Path, shipped_models: list[Path]) -> None:
    found = fit_texts.measure_clusters(archive, shipped_models)
    assert {len(each.measures) for each in found} == {len(fit_texts.NAMES)}
    assert sum(each.articles for each in found) > sum(each.lists for each in found) > 0


@pytest.fixture
def shipped_models(tmp_path: Path) -> list[Path]:
    shipped_model().save(tmp_path / "model.npz")
    return [tmp_path / "model.npz"] * fit_texts.PARTS


def test_what_is_fitted_is_asked_for(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["titles"])
    assert "invalid choice: 'titles'" in capsys.readouterr().err
