"""Weighted logistic regression: how the weights of measures are fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Vector = NDArray[np.float64]

Weights = dict[str, float]
"""Measure -> weight."""


@dataclass(frozen=True, slots=True)
class Logit:
    """Coefficients in the units of the measures."""

    coefficients: Vector
    intercept: float

    def log_odds(self, rows: Vector) -> Vector:
        """Of each row of measures."""
        told: Vector = rows @ self.coefficients + self.intercept
        return told


def fit_logit(rows: Vector, is_true: Vector, weights: Vector, penalty: float) -> Logit:
    """The most likely coefficients under an L2 penalty on those of standardised measures; `weights`
    are those of the rows and should sum to 1.

    >>> rows = np.array([[0.0], [0.1], [0.9], [1.0]])
    >>> fit = fit_logit(rows, np.array([0.0, 0, 1, 1]), np.full(4, 0.25), 0.05)
    >>> (fit.log_odds(rows) > 0).tolist()
    [False, False, True, True]
    """
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    standard = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    signs = 2 * is_true - 1

    def loss(parameters: Vector) -> tuple[float, Vector]:
        margins = signs * (standard @ parameters)
        penalised = np.append(parameters[:-1], 0.0)
        value = weights @ np.logaddexp(0, -margins) + penalty * penalised @ penalised / 2
        slope = -(weights * signs / (1 + np.exp(margins))) @ standard + penalty * penalised
        return float(value), slope

    found = minimize(loss, np.zeros(standard.shape[1]), jac=True).x
    coefficients = found[:-1] / spread
    return Logit(coefficients, float(found[-1] - middle @ coefficients))
