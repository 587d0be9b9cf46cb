from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.ideas import bench
from benchmarks.ideas.bench import Bench, Measured, Notebook, Off
from benchmarks.ideas.greedy import Draw
from benchmarks.quality import Settings

SMALL, BIG = (Draw(False, size, 0, Path(f"{size}.zip"), ("news",)) for size in (1, 2))
CHANCE = Draw(True, 1, 1, SMALL.source, ("news",))
DRAWS = [SMALL, BIG, CHANCE]

COMPARED, OPAQUE = "og:title", "anchor texts"


class Pool:
    """Measures at once; `costs` says by how much body F1 falls without an idea on a site's draw."""

    def __init__(self, costs: dict[tuple[str, str, int], float]) -> None:
        self.costs = costs
        self.asked: list[tuple[str, int, Off]] = []

    def submit(self, _: object, source: Path, off: Off, settings: Settings) -> Future[Measured]:
        place = source.stem, settings.seed
        self.asked.append((*place, off))
        lost = sum(self.costs.get((idea, *place), 0.0) for idea in off)
        effective = tuple(idea for idea, *where in self.costs if where == [*place] and not off)
        future: Future[Measured] = Future()
        future.set_result(Measured(figures={"body_f1": 0.9 - lost}, effective=effective))
        return future


def test_only_draws_on_which_an_idea_has_an_effect_are_measured():
    pool = Pool({(COMPARED, "1", 0): 0.0004})
    found = Bench(pool, DRAWS, Settings(), Notebook(None)).worth([COMPARED])
    assert pool.asked[3:] == [("1", 0, (COMPARED,))]
    assert (found.total, found.where) == (0.0002, "news, usual halves: body_f1")


def test_what_cannot_be_compared_has_an_effect_where_figures_change_without_it():
    pool = Pool({(COMPARED, "1", 0): 0.0, (COMPARED, "2", 0): 0.0, (OPAQUE, "2", 0): 0.0002})
    measuring = Bench(pool, DRAWS, Settings(), Notebook(None))
    assert measuring.worth([OPAQUE]).bearable
    assert [each[:2] for each in pool.asked[3:]] == [("1", 0), ("2", 0), ("1", 1)]
    measuring.worth([COMPARED])
    n_asked = len(pool.asked)
    # Neither changed a figure of the first site by itself, so none is measured without both.
    assert measuring.worth([COMPARED, OPAQUE]).total == 0.0001
    assert len(pool.asked) == n_asked
    assert measuring.check([COMPARED, OPAQUE]).total == 0.0001
    assert pool.asked[n_asked:] == [
        (*each, (OPAQUE, COMPARED)) for each in (("1", 0), ("2", 0), ("1", 1))
    ]


@pytest.mark.parametrize(
    ("cost", "most_asked"),
    [
        pytest.param(0.03, bench.AHEAD, id="one site alone loses too much"),
        pytest.param(0.01, 1 + bench.AHEAD, id="the usual halves lose too much"),
        pytest.param(0.0001, 8, id="bearable"),
    ],
)
def test_no_more_is_measured_than_must_be(cost: float, most_asked: int) -> None:
    draws = [SMALL, BIG, *(replace(CHANCE, seed=seed) for seed in range(1, 7))]
    pool = Pool({(OPAQUE, "1", 0): cost})
    found = Bench(pool, draws, Settings(), Notebook(None)).worth([OPAQUE])
    assert found.bearable is (cost < 0.001)
    assert bench.AHEAD <= len(pool.asked) - len(draws) <= most_asked


def test_few_ideas_come_before_those_that_reach_far():
    pool = Pool({(COMPARED, "1", 0): 0.1})
    measuring = Bench(pool, DRAWS, Settings(), Notebook(None))
    assert measuring.by_reach([OPAQUE, COMPARED]) == [COMPARED, OPAQUE]


def test_a_notebook_knows_what_was_measured(tmp_path: Path) -> None:
    measured = Measured(figures={"body_f1": 0.5}, effective=("stamps",))
    Notebook(tmp_path / "notes").add((OPAQUE,), SMALL, measured)
    again = Notebook(tmp_path / "notes")
    assert again.get((OPAQUE,), SMALL) == measured
    assert again.get((), SMALL) is again.get((OPAQUE,), BIG) is None


def test_every_site_is_drawn_as_often_as_there_are_seeds(tmp_path: Path) -> None:
    sources = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for number, source in enumerate(sources, 1):
        source.write_bytes(b"-" * number)
    draws = bench.draws_of(sources, [1, 0])
    assert [(draw.source.stem, draw.seed) for draw in draws] == [
        ("a", 0),
        ("b", 0),
        ("a", 1),
        ("b", 1),
    ]
    assert all(draw.groups for draw in draws)
