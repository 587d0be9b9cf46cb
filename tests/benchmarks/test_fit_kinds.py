import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.fit_kinds import (
    NAMES,
    Half,
    fit_coefficients,
    left_out,
    main,
    measure_halves,
    page_weights,
)


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
    assert main([str(archive)]) == 2
    assert "at least 2 sites" in capsys.readouterr().err


def test_it_prints_the_fit(archive: Path, tmp_path: Path, capsys) -> None:
    other = tmp_path / "other"
    other.symlink_to(archive, target_is_directory=True)
    assert main([str(archive), str(other), "--json", str(tmp_path / "out.json")]) == 0
    shown = capsys.readouterr().out
    assert "linked_headings" in shown
    assert "mean of 2 sites" in shown
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert set(NAMES) <= figures.keys()
    assert figures["cluster_articles_wrong"] <= 0.05
