"""Scores over cases with bootstrap intervals, paired differences, and what a design can tell.

Every score here is a ratio of sums over cases: a mean has the values above and ones below, micro
averaged F1 has twice the hits above and predicted plus reference below. So one resampling of cases
serves them all. The paper (AI Hospital, arXiv 2402.09742, section 4) prints a mean and how far the
upper bound of its 95% interval lies above it: percentile bootstrap, 10,000 iterations.

Figures depend on the values and the seed alone: not on the order of the cases, and, as all sums
are exact, not on the machine or the version of numpy either.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from records.mark import Letter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ITERATIONS = 10_000
CONFIDENCE = 0.95
ALPHA = 0.05
POWER = 0.8

_POINTS: dict[Letter, int] = {"A": 4, "B": 3, "C": 2, "D": 1}
_BLOCK = 1_000_000
"""Draws held at once while cases are resampled."""
_PIECE = 100_000
"""Draws summed at once: so few that they stay in the cache, and that numpy starts no threads, which
cost more than they bring where the machine is busy."""
_KEPT = 40_000_000
"""Draws that are kept for the next score of as many cases, a byte each."""


def grade_score(grade: Letter) -> float:
    """One grade on the scale of 0 (D) to 100 (A): (points - 1) / 3 x 100."""
    return (_POINTS[grade] - 1) / 3 * 100


class Part(NamedTuple):
    """What one case brings to a score that is a ratio of sums."""

    above: float
    below: float = 1.0


def score(parts: Sequence[Part]) -> float:
    """The sum above over the sum below; 0 where nothing is below."""
    below = math.fsum(part.below for part in parts)
    return math.fsum(part.above for part in parts) / below if below else 0.0


@dataclass(frozen=True)
class Interval:
    """A score and its percentile bootstrap interval, in the unit of the values."""

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

    One value has an interval of width 0: nothing varies in its resamples.

    Args:
        values: one number a case, at least one, all finite.
        seed: of the resampling.
        iterations: how many resamples, at least one.
        confidence: share of the resampled means inside the interval, above 0 and below 1.

    Raises:
        ValueError: there are no values, or an argument is out of range.
    """
    parts = [Part(value) for value in values]
    return bootstrap_score(parts, seed=seed, iterations=iterations, confidence=confidence)


def bootstrap_score(
    parts: Sequence[Part],
    *,
    seed: int = 0,
    iterations: int = ITERATIONS,
    confidence: float = CONFIDENCE,
) -> Interval:
    """`score` of the cases, with the percentile bootstrap interval over resampled cases.

    Args, Raises: as `bootstrap_mean`.
    """
    import numpy as np

    _check(parts, iterations, confidence)
    every = _ratios(*_sums(parts, seed, iterations).T)
    scores = np.sort(every[1:])
    tail = (1 - confidence) / 2
    return Interval(float(every[0]), _quantile(scores, tail), _quantile(scores, 1 - tail))


@dataclass(frozen=True)
class Difference:
    """How one score differs from another's on the same cases."""

    cases: int
    difference: float
    """The first less the second."""
    lower: float
    """Of the 95% percentile bootstrap interval of the difference."""
    upper: float
    p: float
    """Two-sided, uncorrected."""
    deviation: float | None
    """Standard deviation over cases of what each brings to the difference; None for one case."""


def bootstrap_difference(
    ones: Sequence[Part],
    others: Sequence[Part],
    *,
    seed: int = 0,
    iterations: int = ITERATIONS,
    confidence: float = CONFIDENCE,
) -> Difference:
    """Compare two scores on the same cases: both are taken of the same resamples.

    p is twice the share of resampled differences on the rarer side of 0, 0 included on both sides
    and the sample itself counted as a resample: below 0.05 where the 95% interval leaves 0 out. It
    is never below 2 / 2^k, where k is the number of cases in which the two differ: no exchange of
    the two within cases could tell more, and few cases prove nothing.

    Args:
        ones: of each case, what it brings to the first score.
        others: the same cases in the same order, to the second score.
        seed: of the resampling.
        iterations: how many resamples, at least one.
        confidence: of the interval.

    Raises:
        ValueError: there are no cases or not the same number, or an argument is out of range.
    """
    import numpy as np

    if len(ones) != len(others):
        raise ValueError(f"{len(ones)} cases and {len(others)}: a pair needs the same")
    _check([*ones, *others], iterations, confidence)
    cases = len(ones)
    pairs = [(*one, *other) for one, other in zip(ones, others, strict=True)]
    sums = _sums(pairs, seed, iterations)
    every = _ratios(sums[:, 0], sums[:, 1]) - _ratios(sums[:, 2], sums[:, 3])
    differences = np.sort(every[1:])
    # Equal scores that were summed of other values differ in the last bits: that is no difference.
    slack = 1e-9 * max(1.0, float(np.abs(differences).max()))
    rarer = min(int((differences <= slack).sum()), int((differences >= -slack).sum()))
    differing = sum(one != other for one, other in zip(ones, others, strict=True))
    p = max(2 * (rarer + 1) / (iterations + 1), 2.0 ** (1 - differing))
    tail = (1 - confidence) / 2
    return Difference(
        cases=cases,
        difference=float(every[0]),
        lower=_quantile(differences, tail),
        upper=_quantile(differences, 1 - tail),
        p=min(1.0, p),
        deviation=_deviation(ones, others),
    )


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's correction: each p so raised that all may be held against one level at once.

    Returns:
        In the order of `ps`: the i-th smallest of m is multiplied by m - i + 1, is no smaller than
        those before it, and at most 1.
    """
    raised = [0.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        raised[place] = least
    return raised


def detectable_difference(
    deviation: float,
    cases: int,
    *,
    comparisons: int = 1,
    power: float = POWER,
    alpha: float = ALPHA,
) -> float:
    """The smallest true difference that this many cases tell from none with this power.

    (z of 1 - alpha / (2 x comparisons), plus z of the power) x deviation / square root of the
    cases: two-sided, paired, by the level that the first step of Holm's correction asks for.

    Args:
        deviation: standard deviation of the difference over cases, in the unit of the scores.
        cases: at least one.
        comparisons: how many are tested together, at least one.
        power: chance to find it, above 0 and below 1.
        alpha: chance to find any where there is none, above 0 and below 1.

    Raises:
        ValueError: an argument is out of range.
    """
    if cases < 1 or comparisons < 1 or not 0 < power < 1 or not 0 < alpha < 1 or deviation < 0:
        raise ValueError("cases and comparisons are at least 1, power and alpha between 0 and 1")
    z = NormalDist().inv_cdf
    return (z(1 - alpha / (2 * comparisons)) + z(power)) * deviation / math.sqrt(cases)


def pass_power(successes: int, trials: int, k: int) -> float:
    """Unbiased estimate of the chance that all of k trials of a case succeed (pass^k).

    C(successes, k) / C(trials, k): the share of the ways to choose k of the trials held in which
    all chosen ones succeeded (tau-bench, arXiv 2406.12045, section 4).

    Raises:
        ValueError: k is not between 1 and trials, or successes not between 0 and trials.
    """
    if not 1 <= k <= trials or not 0 <= successes <= trials:
        raise ValueError(f"{k} of {trials} trials with {successes} successes cannot be")
    return math.comb(successes, k) / math.comb(trials, k)


def _check(parts: Sequence[Part], iterations: int, confidence: float) -> None:
    if not parts:
        raise ValueError("no values: a mean needs at least one")
    if not all(math.isfinite(number) for part in parts for number in part):
        raise ValueError("a value is not finite")
    if iterations < 1 or not 0 < confidence < 1:
        raise ValueError("iterations must be at least 1 and confidence between 0 and 1")


def _deviation(ones: Sequence[Part], others: Sequence[Part]) -> float | None:
    """Sample standard deviation of the cases' linearised parts in the difference of two ratios."""
    if len(ones) < 2:
        return None
    influences = [
        one - other for one, other in zip(_influences(ones), _influences(others), strict=True)
    ]
    return math.sqrt(math.fsum(i * i for i in influences) / (len(ones) - 1))


def _influences(parts: Sequence[Part]) -> list[float]:
    """How far each case pulls the ratio off; of a mean, the values less the mean."""
    whole = score(parts)
    below = math.fsum(part.below for part in parts) / len(parts)
    return [(part.above - whole * part.below) / below if below else 0.0 for part in parts]


def _ratios(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    ratios: NDArray[np.float64] = np.zeros_like(above)
    np.divide(above, below, out=ratios, where=below != 0)
    return ratios


def _sums(cases: Sequence[tuple[float, ...]], seed: int, iterations: int) -> NDArray[np.float64]:
    """The sums of each column: first over the cases, then over resamples with replacement.

    Values are rounded to multiples of a power of two so small that it changes no figure, and so
    large that every sum of them is exact in a float: then no order of adding matters.
    """
    import numpy as np

    values = np.array(sorted(cases), dtype=np.float64)
    largest = np.abs(values).max(axis=0)
    exponents = np.frexp(np.where(largest > 0, largest, 1.0))[1]
    scales = 52 - len(cases).bit_length() - exponents
    whole = np.rint(np.ldexp(values, scales))
    rows = max(1, _PIECE // len(cases))
    pieces = (
        block[start : start + rows].astype(np.float64) @ whole
        for block in _draws(len(cases), seed, iterations)
        for start in range(0, len(block), rows)
    )
    sums = np.concatenate([whole.sum(axis=0, keepdims=True), *pieces])
    exact: NDArray[np.float64] = np.ldexp(sums, -scales)
    return exact


def _draws(size: int, seed: int, iterations: int) -> Sequence[NDArray[np.uint8]]:
    """How often each of `size` cases is drawn in each resample, in blocks of resamples."""
    if size * iterations <= _KEPT:
        return _kept_draws(size, seed, iterations)
    return list(_drawn(size, seed, iterations))


@lru_cache(maxsize=4)
def _kept_draws(size: int, seed: int, iterations: int) -> tuple[NDArray[np.uint8], ...]:
    return tuple(_drawn(size, seed, iterations))


def _drawn(size: int, seed: int, iterations: int) -> Iterator[NDArray[np.uint8]]:
    import numpy as np

    # The raw bits of a generator never change between versions of numpy; what is made of them may.
    bits = np.random.PCG64(np.random.SeedSequence([abs(seed), int(seed < 0)]))
    rows = max(1, _BLOCK // size)
    for start in range(0, iterations, rows):
        n = min(rows, iterations - start)
        raw = bits.random_raw((n * size + 1) // 2).astype("<u8").view("<u4")[: n * size]
        drawn = ((raw.astype(np.uint64) * np.uint64(size)) >> np.uint64(32)).astype(np.int64)
        drawn += np.repeat(np.arange(n) * size, size)
        # A case that is drawn more than 255 times has a chance of less than 1 in 255 factorial.
        yield np.bincount(drawn, minlength=n * size).reshape(n, size).astype(np.uint8)


def _quantile(ordered: NDArray[np.float64], share: float) -> float:
    """The quantile of sorted values, interpolated linearly between neighbours."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (high - low) * (place - below)
