"""How far judges agree: quadratic-weighted kappa of two, Krippendorff's alpha of several."""

from __future__ import annotations

from collections.abc import Sequence

Ranks = Sequence[int | None]
"""One judge's grades as ranks 0 (D) to 3 (A), in the order of the reports; None: unscored."""


def quadratic_kappa(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Cohen's kappa with quadratic weights (Cohen 1968) of two lists of ranks.

    Returns:
        1 for equal lists, 0 for agreement by chance; None for no ranks, or where chance alone
        leaves no room to disagree: both gave every report one and the same rank.
    """
    pairs = list(zip(one, other, strict=True))
    if not pairs:
        return None
    seen = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    by_chance = sum((a - b) ** 2 for a in one for b in other) / len(pairs) ** 2
    return 1 - seen / by_chance if by_chance else None


def krippendorff_alpha(judges: Sequence[Ranks]) -> float | None:
    """Krippendorff's alpha with the interval metric, of any number of judges, some silent.

    Grades are counted as equally far apart, as they are in the means (Krippendorff 2011, "Computing
    Krippendorff's alpha-reliability"). Reports that fewer than two judges graded are left out.

    Returns:
        1 for full agreement, 0 for agreement by chance; None where fewer than two values can be
        paired, or all values are one.
    """
    reports = [
        values
        for column in zip(*judges, strict=True)
        if len(values := [value for value in column if value is not None]) > 1
    ]
    every = [value for values in reports for value in values]
    if len(every) < 2:
        return None
    seen = sum(
        sum((a - b) ** 2 for a in values for b in values) / (len(values) - 1) for values in reports
    ) / len(every)
    total = len(every)
    by_chance = sum((a - b) ** 2 for a in every for b in every) / (total * (total - 1))
    return 1 - seen / by_chance if by_chance else None
