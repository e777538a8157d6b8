"""Diagnostic quality on information collected (AI Hospital, Figure 5): least squares over visits.

The score of the diagnosis is regressed on the shares of symptoms and of results collected, so that
what a doctor gathers is told from what it makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from records.medical_record import Paper

PREDICTORS = ("symptoms", "results")
ITERATIONS = 2_000
_LEAST = 8
"""Visits without which a line says nothing."""


class Slope(Paper):
    """How the score goes with one predictor, all else equal."""

    predictor: str
    per_ten_points: float
    """Points of the score for each ten percentage points more collected."""
    lower: float
    """Of the 95% percentile bootstrap interval over visits."""
    upper: float


class Regression(Paper):
    """A fitted line."""

    visits: int
    intercept: float
    """Score with nothing collected, 0 to 100."""
    slopes: tuple[Slope, ...]
    """A predictor that does not vary has none."""
    explained: float
    """R², 0 to 1."""


def regress(
    observations: Sequence[tuple[float, float, float]], *, seed: int = 0
) -> Regression | None:
    """Fit the score on what was collected.

    Args:
        observations: (score 0 to 100, share of symptoms, share of results), a visit each.
        seed: of the bootstrap.

    Returns:
        None for fewer than eight visits, or where nothing varies.
    """
    import numpy as np

    table = np.array(observations, dtype=float).reshape(len(observations), 3)
    if len(table) < _LEAST:
        return None
    scores, shares = table[:, 0], 10 * table[:, 1:]
    varying = [i for i in range(shares.shape[1]) if np.ptp(shares[:, i]) > 0]
    if not varying:
        return None
    design = np.column_stack([np.ones(len(table)), shares[:, varying]])
    fitted = np.asarray(np.linalg.lstsq(design, scores, rcond=None)[0], dtype=np.float64)
    residual = scores - design @ fitted
    spread = float(((scores - scores.mean()) ** 2).sum())
    drawn = np.random.default_rng(seed).integers(len(table), size=(ITERATIONS, len(table)))
    x, y = design[drawn], scores[drawn]
    square = np.einsum("bij,bik->bjk", x, x)
    # The smallest of all best fits where a resample leaves several.
    slopes = np.einsum("bjk,bk->bj", np.linalg.pinv(square), np.einsum("bij,bi->bj", x, y))[:, 1:]
    lower, upper = np.quantile(slopes, (0.025, 0.975), axis=0)
    return Regression(
        visits=len(table),
        intercept=float(fitted[0]),
        slopes=tuple(
            Slope(
                predictor=PREDICTORS[i],
                per_ten_points=float(fitted[n + 1]),
                lower=float(lower[n]),
                upper=float(upper[n]),
            )
            for n, i in enumerate(varying)
        ),
        explained=1 - float((residual**2).sum()) / spread if spread > 0 else 0.0,
    )
