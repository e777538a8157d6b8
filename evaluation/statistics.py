"""Means with bootstrap intervals, and the grades' scale of 0 to 100.

The paper (AI Hospital, arXiv 2402.09742, section 4) prints the mean and how far the upper bound of
its 95% interval lies above it: percentile bootstrap, 10,000 iterations.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from records.mark import Letter

ITERATIONS = 10_000
CONFIDENCE = 0.95

_POINTS: dict[Letter, int] = {"A": 4, "B": 3, "C": 2, "D": 1}


def grade_score(grade: Letter) -> float:
    """One grade on the scale of 0 (D) to 100 (A): (points - 1) / 3 x 100."""
    return (_POINTS[grade] - 1) / 3 * 100


@dataclass(frozen=True)
class Interval:
    """A mean and its percentile bootstrap interval, in the unit of the values."""

    mean: float
    lower: float
    upper: float

    @property
    def half_width(self) -> float:
        """How far the upper bound lies above the mean, as the paper prints it."""
        return self.upper - self.mean


def bootstrap_mean(
    values: Sequence[float],
    *,
    seed: int = 0,
    iterations: int = ITERATIONS,
    confidence: float = CONFIDENCE,
) -> Interval:
    """The mean of the values, with the percentile bootstrap interval of that mean.

    Depends on the values and the seed alone, not on the values' order. One value has an interval
    of width 0: nothing varies in its resamples.

    Args:
        values: one number a case, at least one, all finite.
        seed: of the resampling.
        iterations: how many resamples, at least one.
        confidence: share of the resampled means inside the interval, above 0 and below 1.

    Raises:
        ValueError: there are no values, or an argument is out of range.
    """
    if not values:
        raise ValueError("no values: a mean needs at least one")
    if not all(map(math.isfinite, values)):
        raise ValueError("a value is not finite")
    if iterations < 1 or not 0 < confidence < 1:
        raise ValueError("iterations must be at least 1 and confidence between 0 and 1")
    size = len(values)
    mean = math.fsum(values) / size
    means = sorted(total / size for total in _resampled_totals(values, seed, iterations))
    tail = (1 - confidence) / 2
    return Interval(mean, _quantile(means, tail), _quantile(means, 1 - tail))


def _resampled_totals(values: Sequence[float], seed: int, iterations: int) -> Iterator[float]:
    """Sums of resamples with replacement.

    Grades take few distinct values, so a resample is drawn as how often each of them occurs (a
    multinomial draw), not case by case: some 30 times faster at 500 cases, equally distributed.
    """
    rng = random.Random(seed)  # noqa: S311 - statistics, not secrets
    size = len(values)
    kinds = sorted(Counter(values).items())
    if len(kinds) == 1:
        yield from (size * kinds[0][0] for _ in range(iterations))
    elif len(kinds) * 8 > size:
        ordered = sorted(values)
        for _ in range(iterations):
            yield math.fsum(rng.choices(ordered, k=size))
    else:
        draws = _Multinomial([count for _, count in kinds])
        numbers = [value for value, _ in kinds]
        for _ in range(iterations):
            yield math.fsum(map(float.__mul__, map(float, numbers), draws.draw(rng)))


class _Multinomial:
    """Draws how often each kind occurs in a resample, as a chain of binomial draws."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._counts = counts
        self._size = sum(counts)
        self._tables: list[dict[int, list[float]]] = [{} for _ in counts]

    def draw(self, rng: random.Random) -> list[float]:
        left, pool = self._size, self._size
        drawn: list[float] = []
        for kind, count in enumerate(self._counts[:-1]):
            table = self._tables[kind].get(left)
            if table is None:
                table = _binomial_cumulative(left, count / pool)
                self._tables[kind][left] = table
            got = min(bisect_left(table, rng.random()), left)
            drawn.append(float(got))
            left -= got
            pool -= count
        drawn.append(float(left))
        return drawn


def _binomial_cumulative(trials: int, chance: float) -> list[float]:
    """P(X <= 0), P(X <= 1), … P(X <= trials) of a binomial variable; 0 < chance < 1."""
    yes, no = math.log(chance), math.log1p(-chance)
    whole = math.lgamma(trials + 1)
    total = 0.0
    table = []
    for k in range(trials + 1):
        ways = whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        total += math.exp(ways + k * yes + (trials - k) * no)
        table.append(total)
    return table


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, interpolated linearly between neighbours."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
