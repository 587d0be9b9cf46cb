"""What labelImg would not keep of a page, in a file beside the picture: the nodes behind each box.

The file comes back from elsewhere, so that all of it is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass as checked

from learner.labels.boxes import Box
from learner.labels.names import Proposal
from learner.labels.voc import MAX_PIXEL
from learner.vision.snapshots.reading import MAX_NODES

_Pixel = Annotated[int, Field(ge=0, le=MAX_PIXEL)]
_Box = tuple[_Pixel, _Pixel, _Pixel, _Pixel]
_Node = Annotated[int, Field(ge=0, lt=MAX_NODES)]


@checked(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A label that was there before a person came."""

    label: str
    box: _Box
    node: _Node
    value: str | None = None


@checked(frozen=True, slots=True, kw_only=True)
class NodesOfBox:
    """A box of the page, and the elements behind it, the outermost first."""

    box: _Box
    nodes: tuple[_Node, ...]


@checked(frozen=True, slots=True, kw_only=True)
class Sidecar:
    """What labelImg would not keep of a page."""

    version: int = 1
    site: str
    url: str
    url_key: str
    run_id: str
    rendered_at: str
    page_type: str
    """What it was taken for: a type of the page model."""
    size: tuple[_Pixel, _Pixel]
    """Width and height of the picture."""
    proposals: tuple[Proposed, ...]
    boxes: tuple[NodesOfBox, ...]


_SIDECAR = TypeAdapter(Sidecar)


def proposals_with_boxes(
    proposals: Sequence[Proposal], boxes: Mapping[Box, Sequence[int]]
) -> list[Proposed]:
    """The proposals whose nodes are behind one of the boxes, each label once on a box."""
    box_of = {node: box for box, nodes in boxes.items() for node in nodes}
    found: dict[tuple[str, Box], Proposed] = {}
    for each in proposals:
        box = box_of.get(each.node)
        if box is not None:
            proposed = Proposed(label=each.label, box=box, node=each.node, value=each.value)
            found.setdefault((each.label, box), proposed)
    return list(found.values())


def sidecar_json(sidecar: Sidecar) -> bytes:
    """The file of a sidecar."""
    return _SIDECAR.dump_json(sidecar, exclude_none=True)


def read_sidecar(data: bytes, n_nodes: int) -> Sidecar:
    """The sidecar of a page whose snapshot has so many nodes; ValueError if the file is none."""
    sidecar = _SIDECAR.validate_json(data)
    nodes = [each.node for each in sidecar.proposals]
    nodes += [node for each in sidecar.boxes for node in each.nodes]
    if max(nodes, default=0) >= n_nodes or not all(each.nodes for each in sidecar.boxes):
        raise ValueError(f"boxes without nodes, or with others than the {n_nodes} of the snapshot")
    return sidecar
