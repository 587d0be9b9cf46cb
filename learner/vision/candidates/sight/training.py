"""Eyes that are taught what snapshots say. Needs the extra `vision` (PyTorch).

No person and no gold is needed: where text runs, where links and pictures are, the snapshot of a
page tells; the eyes learn to see it in the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from learner.vision.candidates.lessons import DrawnLesson, Example, example_of
from learner.vision.candidates.sight.eyes import MIDDLE, SIDE, Eyes, Layer
from learner.vision.candidates.sight.maps import MAPS, maps_of, told_of
from learner.vision.candidates.sight.sight import Sight, cell_pixels
from learner.vision.candidates.sight.strips import (
    CELL,
    CHANNELS,
    WIDTH,
    PictureError,
    Strip,
    strip_of,
)
from learner.vision.candidates.training import fit_ranking
from learner.vision.snapshots.arrays import Floats, SnapshotError
from learner.vision.snapshots.reading import read_snapshot

if TYPE_CHECKING:
    import torch

SHAPE = (
    (CHANNELS, 12, 2, 1),
    (12, 24, 2, 1),
    (24, 32, 1, 1),
    (32, 32, 1, 2),
    (32, len(MAPS), 1, 1),
)
"""Channels in and out, stride and dilation of each layer. Origin: guess, for size and time."""

ROWS = 256
"""Rows of a strip that are looked at together. Origin: guess; 2,560 pixels of a page."""

STEPS, BATCH, RATE = 500, 8, 1e-2
"""Steps of Adam, pieces of pages in each, and its highest rate. Origin: guess, for time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page as eyes are shown it, and what they should see."""

    site: str
    strip: Strip
    maps: Floats
    """(rows / CELL, WIDTH / CELL, len(MAPS))"""
    example: Example | None
    """Its candidates; None if it has none."""


def seen_page(lesson: DrawnLesson) -> SeenPage | None:
    """What a drawn page teaches; None if it or its picture cannot be read."""
    if lesson.picture is None:
        return None
    try:
        snapshot, strip = read_snapshot(lesson.snapshot), strip_of(lesson.picture)
    except (SnapshotError, PictureError):
        return None
    window = snapshot.viewport[0]
    return SeenPage(
        site=lesson.site,
        strip=strip,
        maps=maps_of(snapshot, len(strip) // CELL, cell_pixels(window)),
        example=example_of(lesson),
    )


def seen_pages(lessons: Iterable[DrawnLesson]) -> list[SeenPage]:
    """What some lessons teach; those without a text teach what stands where."""
    return [page for lesson in lessons if (page := seen_page(lesson))]


def train_sight(
    pages: Sequence[SeenPage], steps: int = STEPS, tell: Callable[[str], None] = lambda _: None
) -> Sight:
    """Eyes, and trees that choose by what these see. TooFewError without pages that have a right
    candidate."""
    eyes = train_eyes(pages, steps, tell)
    shown = [(page, page.example) for page in pages if page.example and page.example.right.any()]
    told = [
        told_of(eyes.maps(page.strip), example.boxes, cell_pixels(example.window))
        for page, example in shown
    ]
    return Sight(eyes, fit_ranking([example for _, example in shown], told))


def train_eyes(
    pages: Sequence[SeenPage], steps: int = STEPS, tell: Callable[[str], None] = lambda _: None
) -> Eyes:
    """Eyes that see on pictures what the snapshots of some pages tell. The same pages give the same
    eyes on the same machine."""
    import torch

    torch.manual_seed(3)
    threads = torch.get_num_threads()
    # Threads that wait for one another on a busy machine cost more than they bring.
    torch.set_num_threads(1)
    try:
        network = _network()
        chance = np.random.default_rng(3)
        optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
        loss_of = torch.nn.BCEWithLogitsLoss()
        for step in range(steps):
            pictures, wanted = _batch(pages, chance)
            optimizer.zero_grad()
            loss = loss_of(network(torch.from_numpy(pictures)), torch.from_numpy(wanted))
            loss.backward()
            optimizer.step()
            schedule.step()
            if step % 100 == 0:
                tell(f"eyes, step {step}: loss {loss.item():.4f}")
        return eyes_of(network)
    finally:
        torch.set_num_threads(threads)


def _network() -> torch.nn.Sequential:
    """Convolutions, each but the last with batch normalisation (Ioffe and Szegedy, ICML 2015),
    without which some of them never begin to learn."""
    import torch

    layers: list[torch.nn.Module] = []
    for channels, found, stride, dilation in SHAPE:
        layers.append(torch.nn.Conv2d(channels, found, SIDE, stride, dilation, dilation))
        layers += [torch.nn.BatchNorm2d(found), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-2])


def eyes_of(network: torch.nn.Sequential) -> Eyes:
    """The weights of a network, for numpy; what normalises a layer becomes part of its weights."""
    import torch

    layers: list[Layer] = []
    for module in network:
        if isinstance(module, torch.nn.Conv2d):
            weights = module.weight.detach().numpy().transpose(2, 3, 1, 0).copy()
            assert module.bias is not None
            bias = module.bias.detach().numpy().copy()
            layers.append(Layer(weights, bias, module.stride[0], module.dilation[0]))
        elif isinstance(module, torch.nn.BatchNorm2d):
            mean, variance = (
                each.numpy()
                for each in (module.running_mean, module.running_var)
                if each is not None
            )
            scale = module.weight.detach().numpy() / np.sqrt(variance + module.eps)
            shift = module.bias.detach().numpy()
            layer = layers[-1]
            layers[-1] = replace(
                layer, weights=layer.weights * scale, bias=(layer.bias - mean) * scale + shift
            )
    return Eyes(tuple(layers))


def _batch(
    pages: Sequence[SeenPage], chance: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pieces of pages, each changed by chance, and what should be seen on them."""
    pictures = np.zeros((BATCH, CHANNELS, ROWS, WIDTH), np.float32)
    wanted = np.zeros((BATCH, len(MAPS), ROWS // CELL, WIDTH // CELL), np.float32)
    for number, place in enumerate(chance.integers(len(pages), size=BATCH).tolist()):
        page = pages[place]
        n_cells = len(page.maps)
        first = int(chance.integers(max(n_cells - ROWS // CELL, 0) + 1))
        maps = page.maps[first : first + ROWS // CELL]
        strip = page.strip[first * CELL : (first + len(maps)) * CELL]
        colours = (strip.astype(np.float32) - MIDDLE) / MIDDLE
        if chance.random() < 0.5:
            colours, maps = colours[:, ::-1], maps[:, ::-1]
        pictures[number, :, : len(strip)] = _other_colours(colours, chance).transpose(2, 0, 1)
        wanted[number, :, : len(maps)] = maps.transpose(2, 0, 1)
    return pictures, wanted


def _other_colours(strip: Floats, chance: np.random.Generator) -> Floats:
    """The same picture in other colours: channels changed about, dark for light, more or less
    contrast."""
    colours = strip[:, :, chance.permutation(N_COLOURS)]
    if chance.random() < 0.3:
        colours = -colours
    colours = colours * np.float32(chance.uniform(0.7, 1.1)) + np.float32(chance.uniform(-0.1, 0.1))
    return np.concatenate([colours, strip[:, :, N_COLOURS:]], axis=2)


N_COLOURS = 3
