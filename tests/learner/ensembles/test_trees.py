"""Trees in numpy say what a slow walk over the nodes says."""

import random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learner.ensembles.trees import MOST_LEAVES, Trees

N_FEATURES = 4


def random_tree(chance: random.Random, leaves: int) -> dict[str, Any]:
    if leaves == 1:
        return {"leaf_value": chance.uniform(-1, 1)}
    left = chance.randint(1, leaves - 1)
    return {
        "split_feature": chance.randrange(N_FEATURES),
        "threshold": chance.choice([0.1, -0.3, 1 / 3, 0.5]),
        "left_child": random_tree(chance, left),
        "right_child": random_tree(chance, leaves - left),
    }


def walked(node: dict[str, Any], row: np.ndarray[Any, np.dtype[np.float32]]) -> float:
    while "split_feature" in node:
        passes = float(row[node["split_feature"]]) <= node["threshold"]
        node = node["left_child" if passes else "right_child"]
    value: float = node["leaf_value"]
    return value


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_scores_are_those_of_a_walk(seed: int, n_trees: int) -> None:
    chance = random.Random(seed)
    structures = [random_tree(chance, chance.randint(1, MOST_LEAVES)) for _ in range(n_trees)]
    values = [0.1, -0.3, 1 / 3, 0.5, 0.0, 2.0]
    rows = np.array(
        [[chance.choice(values) for _ in range(N_FEATURES)] for _ in range(5)], np.float32
    )
    wanted = [sum(walked(tree, row) for tree in structures) for row in rows]
    assert np.allclose(Trees.of(structures).scores(rows)[:, 0], wanted, atol=1e-5)


def test_many_rows_are_run_in_parts() -> None:
    stump = {"split_feature": 0, "threshold": 0.5, "left_child": {"leaf_value": 0.0}}
    trees = Trees.of([{**stump, "right_child": {"leaf_value": 1.0}}])
    rows = np.arange(3000, dtype=np.float32)[:, None]
    assert trees.scores(rows).sum() == 2999


def test_outputs_take_turns() -> None:
    trees = Trees.of([{"leaf_value": float(n)} for n in range(6)])
    assert trees.scores(np.zeros((1, 1), np.float32), 3).tolist() == [[3.0, 5.0, 7.0]]
