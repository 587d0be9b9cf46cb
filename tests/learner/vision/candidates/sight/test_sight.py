"""Eyes see on pictures what snapshots tell, in numpy as in PyTorch; boxes are told by maps."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from learner.ensembles.trees import Trees
from learner.vision.candidates.model import load_model, shipped_model
from learner.vision.candidates.sight.eyes import Eyes, Layer
from learner.vision.candidates.sight.maps import MAPS, TOLD, maps_of, told_of
from learner.vision.candidates.sight.sight import Sight
from learner.vision.candidates.sight.strips import (
    CELL,
    CHANNELS,
    MOST_ROWS,
    WIDTH,
    PictureError,
    strip_of,
)
from learner.vision.snapshots.reading import read_snapshot
from tests.learner.vision.candidates.pages import lesson, snapshot_of, story

Image = pytest.importorskip("PIL.Image")


def picture(width: int, height: int, colour: tuple[int, int, int], kind: str = "JPEG") -> bytes:
    """A plain picture with black lines over its upper half, a line of 8 pixels in 20."""
    pixels = np.full((height, width, 3), colour, np.uint8)
    for top in range(0, height // 2, 20):
        pixels[top : top + 8, ::2] = 0
    data = BytesIO()
    Image.fromarray(pixels).save(data, kind, quality=90)
    return data.getvalue()


def some_eyes() -> Eyes:
    chance = np.random.default_rng(1)
    shapes = ((CHANNELS, 4, 2, 1), (4, 4, 2, 2), (4, len(MAPS), 1, 1))
    return Eyes(
        tuple(
            Layer(
                chance.normal(size=(3, 3, come, go)).astype(np.float32) / 4,
                chance.normal(size=go).astype(np.float32),
                stride,
                dilation,
            )
            for come, go, stride, dilation in shapes
        )
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_strip_has_the_colours_and_says_where_it_is_rough(kind: str) -> None:
    strip = strip_of(picture(1280, 2000, (200, 100, 50), kind))
    assert strip.shape == (200, WIDTH, CHANNELS)
    assert np.abs(strip[150, 60, :3].astype(int) - (200, 100, 50)).max() < 8
    assert strip[:90, :, 3:].mean() > 10 > strip[110:, :, 3:].mean()


def test_rows_are_whole_cells_and_no_more_than_the_most() -> None:
    assert strip_of(picture(1280, 10, (9, 9, 9))).shape[0] == CELL
    assert strip_of(picture(640, 16_000, (9, 9, 9))).shape[0] == MOST_ROWS


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\xff\xd8\xff\xe0 no picture"])
def test_what_is_no_picture_is_told(data: bytes) -> None:
    with pytest.raises(PictureError, match="picture: expected"):
        strip_of(data)


def test_a_picture_that_is_too_large_is_not_opened() -> None:
    data = BytesIO()
    Image.new("1", (9_000, 9_000)).save(data, "PNG")
    with pytest.raises(PictureError, match="at most"):
        strip_of(data.getvalue())


def test_maps_tell_what_stands_where() -> None:
    body, _ = story(1, 0)  # the menu on the left, the article on the right
    maps = maps_of(read_snapshot(snapshot_of(body)), 50, 40.0)
    running, linked = (maps[:, :, MAPS.index(name)] for name in ("running", "linked"))
    assert running[:, :8].sum() == 0 < running[:, 9:].sum()
    assert linked[:, 9:].sum() == 0 < linked[:, :8].sum()
    assert maps.min() >= 0 and maps.max() <= 1
    # From 200 to 920 pixels six paragraphs of 900 x 100; a cell has 40 x 40.
    assert running[5:23].sum() * 1600 == pytest.approx(6 * 900 * 100, rel=0.01)


def test_boxes_are_told_by_what_the_maps_show_in_them() -> None:
    maps = np.zeros((20, 32, len(MAPS)), np.float32)
    maps[5:10, 10:20, 0] = 1
    maps[:, 0:4, 1] = 1
    boxes = np.array([[0, 0, 1280, 800], [400, 200, 400, 200], [0, 0, 160, 800]], np.float32)
    rows = [dict(zip(TOLD, row, strict=True)) for row in told_of(maps, boxes, 40.0).tolist()]
    assert [each["running_of_page"] for each in rows] == [1, 1, 0]
    assert [each["linked_of_page"] for each in rows] == [1, 0, 1]
    assert [each["running_density"] for each in rows] == pytest.approx([50 / 640, 1, 0])
    assert [each["n_around"] for each in rows] == [0, 1, 1]
    assert rows[1]["linked_around"] == 1 and rows[0]["linked_beside_inner"] == 1
    assert rows[1]["agreement"] == pytest.approx(1)


def test_boxes_outside_of_the_picture_have_numbers() -> None:
    maps = np.ones((5, 32, len(MAPS)), np.float32)
    boxes = np.array([[-5000, -5000, 100, 100], [0, 900_000, 5e7, 5e7], [0, 0, 1280, 1e8]])
    assert np.isfinite(told_of(maps, boxes.astype(np.float32), 40.0)).all()
    assert told_of(maps, np.zeros((0, 4), np.float32), 40.0).shape == (0, len(TOLD))


def test_numpy_sees_what_pytorch_sees() -> None:
    torch = pytest.importorskip("torch")
    from learner.vision.candidates.sight import training

    torch.manual_seed(0)
    network = training._network()
    strip = strip_of(picture(1280, 880, (200, 100, 50)))
    rows = torch.from_numpy((strip.astype(np.float32) - 127.5) / 127.5).permute(2, 0, 1)[None]
    network(rows)  # moves the means that normalise
    network.eval()
    with torch.no_grad():
        wanted = torch.sigmoid(network(rows))[0].permute(1, 2, 0).numpy()
    seen = training.eyes_of(network).maps(strip)
    assert seen.shape == (22, 32, len(MAPS))
    assert np.allclose(seen, wanted, atol=1e-4)


def test_eyes_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("lightgbm")
    from dataclasses import replace

    from learner.vision.candidates.sight.training import seen_pages, train_sight

    lessons = [lesson(site, number) for site in range(6) for number in range(4)]
    drawn = [replace(each, picture=picture(1280, 1900, (250, 250, 250))) for each in lessons]
    assert seen_pages(lessons) == []
    seen = seen_pages(drawn)
    sight = train_sight(seen, steps=3)
    example = seen[0].example
    assert example is not None
    scores = sight.scores(seen[0].strip, example.boxes, example.window)
    assert scores.shape == example.likeness.shape and np.isfinite(scores).all()


def test_eyes_are_stored_without_code() -> None:
    sight = Sight(some_eyes(), Trees.of([]))
    again = Sight.from_arrays(sight.arrays())
    strip = strip_of(picture(1280, 400, (10, 200, 10)))
    assert np.allclose(again.eyes.maps(strip), sight.eyes.maps(strip), atol=5e-3)
    spoilt = sight.arrays() | {"eyes.weights1": np.zeros((3, 3, 9, 4), np.float16)}
    with pytest.raises(ValueError, match="layer 1 has weights of"):
        Sight.from_arrays(spoilt)


def test_a_model_with_spoilt_eyes_is_told(tmp_path: Path) -> None:
    arrays = shipped_model().trees.arrays() | {"eyes.weights0": np.zeros(3)}
    np.savez_compressed(tmp_path / "m.npz", allow_pickle=False, **arrays)
    with pytest.raises(match="expected a model of candidates"):
        load_model(tmp_path / "m.npz")
