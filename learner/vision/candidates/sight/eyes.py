"""A small convolutional network, run in numpy: a picture in, maps of what stands where out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner.ensembles.trees import sigmoid
from learner.vision.candidates.sight.maps import MAPS
from learner.vision.candidates.sight.strips import CHANNELS, Strip
from learner.vision.snapshots.arrays import Floats

SIDE = 3
"""Cells of a kernel each way."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution, and what follows: zeros for all below zero, but after the last layer."""

    weights: Floats
    """(SIDE, SIDE, channels in, channels out)"""
    bias: Floats
    """(channels out,)"""
    stride: int
    dilation: int

    def run(self, rows: Floats) -> Floats:
        """(h, w, channels in) -> (h / stride, w / stride, channels out), zeros beyond the edges:
        for each place of the kernel one product of matrices.

        >>> ones = np.ones((SIDE, SIDE, 1, 1), np.float32)
        >>> layer = Layer(ones, np.zeros(1, np.float32), stride=2, dilation=1)
        >>> layer.run(np.ones((4, 4, 1), np.float32))[:, :, 0].tolist()
        [[4.0, 6.0], [6.0, 9.0]]
        """
        height, width, _ = rows.shape
        step, reach = self.dilation, self.stride
        padded = np.pad(rows, ((step, step), (step, step), (0, 0)))
        shape = (-(-height // reach), -(-width // reach), len(self.bias))
        found: Floats = np.broadcast_to(self.bias, shape).copy()
        for down in range(SIDE):
            for across in range(SIDE):
                seen = padded[
                    down * step : down * step + height : reach,
                    across * step : across * step + width : reach,
                ]
                found += seen @ self.weights[down, across]
        return found


@dataclass(frozen=True, slots=True)
class Eyes:
    """Layers, the last of which gives `MAPS`."""

    layers: Sequence[Layer]

    def maps(self, strip: Strip) -> Floats:
        """(rows / CELL, WIDTH / CELL, len(MAPS)) What is seen in each cell, from 0 to 1."""
        rows = (strip.astype(np.float32) - MIDDLE) / MIDDLE
        for layer in self.layers[:-1]:
            rows = np.maximum(layer.run(rows), 0)
        return sigmoid(self.layers[-1].run(rows))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What they are stored as."""
        found: dict[str, NDArray[Any]] = {}
        for number, layer in enumerate(self.layers):
            found[f"weights{number}"] = layer.weights.astype(np.float16)
            found[f"bias{number}"] = layer.bias
            found[f"steps{number}"] = np.array([layer.stride, layer.dilation])
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Eyes:
        """What `arrays` gave; KeyError or ValueError if it is something else."""
        layers: list[Layer] = []
        channels = CHANNELS
        while f"weights{len(layers)}" in arrays or not layers:
            number = len(layers)
            weights = arrays[f"weights{number}"].astype(np.float32)
            bias = arrays[f"bias{number}"].astype(np.float32)
            stride, dilation = (int(step) for step in arrays[f"steps{number}"])
            if weights.shape != (SIDE, SIDE, channels, len(bias)) or not (
                1 <= stride <= 4 and 1 <= dilation <= 8
            ):
                raise ValueError(f"layer {number} has weights of {weights.shape}")
            channels = len(bias)
            layers.append(Layer(weights, bias, stride, dilation))
        if channels != len(MAPS):
            raise ValueError(f"{channels} maps, not {len(MAPS)}")
        return cls(tuple(layers))


MIDDLE = 127.5
"""The middle of the 256 values of a colour."""
