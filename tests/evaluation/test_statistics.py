from __future__ import annotations

import math
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.statistics import bootstrap_mean, grade_score

FEW = {"iterations": 200}
scores = st.floats(-1e6, 1e6, allow_subnormal=False)


def test_grades_lie_evenly_on_0_to_100() -> None:
    assert [grade_score(g) for g in ("D", "C", "B", "A")] == pytest.approx(
        [0, 100 / 3, 200 / 3, 100]
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(scores, min_size=1, max_size=40), st.integers())
def test_interval_holds_no_more_than_the_values_span(values: list[float], seed: int) -> None:
    interval = bootstrap_mean(values, seed=seed, **FEW)
    slack = 1e-9 * max(1.0, *map(abs, values))
    assert min(values) - slack <= interval.lower <= interval.upper <= max(values) + slack
    assert interval.mean == pytest.approx(fmean(values), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.lists(scores, min_size=1, max_size=30),
        st.lists(st.sampled_from((0.0, 50.0, 100.0)), min_size=24, max_size=60),
    ).flatmap(lambda values: st.tuples(st.just(values), st.permutations(values)))
)
def test_order_of_the_values_does_not_matter(pair: tuple[list[float], list[float]]) -> None:
    values, shuffled = pair
    assert bootstrap_mean(values, seed=3, **FEW) == bootstrap_mean(shuffled, seed=3, **FEW)


@given(scores, st.integers(1, 30))
def test_equal_values_have_no_width(value: float, size: int) -> None:
    interval = bootstrap_mean([value] * size, **FEW)
    assert interval.half_width == pytest.approx(0, abs=1e-6)
    assert interval.mean == pytest.approx(value)


def test_two_values_by_hand() -> None:
    # A quarter of the resamples is 0, half is 50, a quarter 100: the bounds are the ends.
    interval = bootstrap_mean([0.0, 100.0], seed=1)
    assert (interval.mean, interval.lower, interval.upper) == (50, 0, 100)
    # Inside the middle 40% all resampled means are 50.
    narrow = bootstrap_mean([0.0, 100.0], seed=1, confidence=0.4)
    assert (narrow.lower, narrow.upper) == (50, 50)


@pytest.mark.parametrize("yes", [10, 90, 250])
def test_bounds_are_those_of_the_binomial_distribution(yes: int) -> None:
    n = 400
    interval = bootstrap_mean([1.0] * yes + [0.0] * (n - yes), seed=5)

    def at_most(count: int) -> float:
        share = yes / n
        return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count + 1))

    lower, upper = round(interval.lower * n), round(interval.upper * n)
    assert at_most(lower - 1) < 0.03
    assert at_most(lower) > 0.02
    assert at_most(upper - 1) < 0.98
    assert at_most(upper) > 0.97


def test_the_seed_decides() -> None:
    values = [float(i) for i in range(20)]
    assert bootstrap_mean(values, seed=1, **FEW) == bootstrap_mean(values, seed=1, **FEW)
    assert bootstrap_mean(values, seed=1, **FEW) != bootstrap_mean(values, seed=2, **FEW)


@pytest.mark.parametrize(
    ("values", "options"),
    [
        ([], {}),
        ([float("nan")], {}),
        ([float("inf")], {}),
        ([1.0], {"iterations": 0}),
        ([1.0], {"confidence": 1.0}),
        ([1.0], {"confidence": 0.0}),
    ],
)
def test_what_has_no_interval_is_refused(values: list[float], options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"value|iterations"):
        bootstrap_mean(values, **options)  # type: ignore[arg-type]
