from __future__ import annotations

import math
import random
import re
from itertools import combinations, product
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.rank_groups import rank_groups
from evaluation.statistics import (
    Part,
    bootstrap_difference,
    bootstrap_mean,
    bootstrap_score,
    detectable_difference,
    grade_score,
    holm,
    pass_power,
    score,
)

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


grades = st.sampled_from((0.0, 100 / 3, 200 / 3, 100.0))
parts = st.tuples(grades, st.integers(0, 4).map(float)).map(lambda p: Part(*p))


@settings(max_examples=40, deadline=None)
@given(st.lists(parts, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_a_ratio_of_sums_depends_on_no_order(cases: list[Part], order: random.Random) -> None:
    shuffled = list(cases)
    order.shuffle(shuffled)
    interval = bootstrap_score(cases, seed=2, **FEW)
    assert interval == bootstrap_score(shuffled, seed=2, **FEW)
    assert interval.mean == pytest.approx(score(cases), abs=1e-9)
    assert interval.lower <= interval.upper


def test_a_ratio_by_hand() -> None:
    # F1 of two cases, 1 of 1 + 1 and 0 of 1 + 1: resampled 0, 50 and 100 percent.
    interval = bootstrap_score([Part(200, 2), Part(0, 2)], seed=1)
    assert (interval.mean, interval.lower, interval.upper) == (50, 0, 100)
    assert bootstrap_score([Part(0, 0)], **FEW).mean == 0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(grades, grades), min_size=1, max_size=30))
def test_a_difference_turned_round_is_its_negative(pairs: list[tuple[float, float]]) -> None:
    ones, others = ([Part(pair[n]) for pair in pairs] for n in (0, 1))
    there, back = (
        bootstrap_difference(*both, iterations=500) for both in ((ones, others), (others, ones))
    )
    assert there.difference == pytest.approx(-back.difference, abs=1e-9)
    assert there.deviation == pytest.approx(back.deviation, abs=1e-9)
    assert there.difference == pytest.approx(score(ones) - score(others), abs=1e-9)
    assert 0 < there.p <= 1
    if ones == others:
        assert there.p == 1
        assert (there.lower, there.upper) == pytest.approx((0, 0), abs=1e-9)


def test_few_cases_prove_nothing() -> None:
    worlds_apart = [bootstrap_difference([Part(100)] * n, [Part(0)] * n) for n in (1, 3, 5, 40)]
    assert [d.p for d in worlds_apart] == [1, 0.25, 0.0625, pytest.approx(2 / 10_001)]
    assert worlds_apart[0].deviation is None
    # Cases in which the two are equal are no evidence either.
    alike = bootstrap_difference([Part(100)] * 3 + [Part(50)] * 37, [Part(0)] * 3 + [Part(50)] * 37)
    assert alike.p >= 0.25


def test_p_is_below_the_level_where_the_interval_leaves_zero_out() -> None:
    rng = random.Random(4)
    sides = set()
    for effect in (0, 4, 8, 12, 16, 30):
        ones = [Part(rng.gauss(effect, 30)) for _ in range(60)]
        others = [Part(0.0)] * 60
        found = bootstrap_difference(ones, others, seed=effect)
        outside = found.lower > 0 or found.upper < 0
        sides.add(outside)
        if abs(found.p - 0.05) > 0.002:
            assert (found.p < 0.05) == outside
    assert sides == {True, False}


def test_false_alarms_are_about_as_rare_as_the_level_says() -> None:
    rng = random.Random(11)
    alarms = 0
    for _ in range(300):
        ones, others = (
            [Part(rng.choice((0.0, 100 / 3, 200 / 3, 100.0))) for _ in range(40)] for _ in "ab"
        )
        alarms += bootstrap_difference(ones, others, iterations=400).p < 0.05
    assert 3 <= alarms <= 32  # 15 expected; 5.9 standard errors is 32 at a level of 0.06


def test_the_deviation_of_a_mean_is_the_sample_s() -> None:
    ones, others = [10.0, 40.0, 20.0, 90.0], [20.0, 20.0, 20.0, 10.0]
    found = bootstrap_difference([Part(v) for v in ones], [Part(v) for v in others], **FEW)
    differences = [a - b for a, b in zip(ones, others, strict=True)]
    assert found.deviation == pytest.approx(stdev(differences))


def test_the_deviation_of_a_ratio_is_that_of_its_resamples() -> None:
    rng = random.Random(6)
    counts = [(rng.randint(0, 2), rng.randint(2, 6)) for _ in range(300)]
    others = [(rng.randint(0, 1), rng.randint(2, 6)) for _ in range(300)]
    ones = [Part(200 * h, b) for h, b in counts]
    found = bootstrap_difference(ones, [Part(200 * h, b) for h, b in others])
    standard_error = (found.upper - found.lower) / (2 * 1.96)
    assert found.deviation is not None
    assert found.deviation / 300**0.5 == pytest.approx(standard_error, rel=0.05)


@given(st.lists(st.floats(0, 1), max_size=12), st.randoms(use_true_random=False))
def test_holm_raises_and_keeps_the_order(ps: list[float], order: random.Random) -> None:
    raised = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, raised, strict=True))
    assert all(
        q <= r for (p, q), (o, r) in product(zip(ps, raised, strict=True), repeat=2) if p < o
    )
    if ps:
        assert min(raised) == pytest.approx(min(1, len(ps) * min(ps)))
    shuffled = list(range(len(ps)))
    order.shuffle(shuffled)
    assert holm([ps[i] for i in shuffled]) == [raised[i] for i in shuffled]


def test_holm_by_hand() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


@pytest.mark.parametrize(("cases", "points"), [(506, 6.5), (118, 14), (40, 23)])
def test_what_a_design_can_tell_is_what_it_is_known_to_tell(cases: int, points: float) -> None:
    # Twelve doctors are 66 pairs; a standard deviation of 33 to 36 points of F1 a case.
    low, high = (detectable_difference(sd, cases, comparisons=66) for sd in (33, 36))
    assert low <= points <= high + 0.05  # known to half a point


def test_the_detectable_difference_is_found_as_often_as_the_power_says() -> None:
    rng = random.Random(8)
    cases, deviation = 100, 30.0
    true = detectable_difference(deviation, cases)
    found = sum(
        bootstrap_difference(
            [Part(rng.gauss(true, deviation)) for _ in range(cases)],
            [Part(0.0)] * cases,
            iterations=400,
        ).p
        < 0.05
        for _ in range(200)
    )
    assert 0.7 <= found / 200 <= 0.9


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_pass_power_is_the_share_of_choices_that_all_succeed(held: tuple[int, int]) -> None:
    trials, successes = held
    outcomes = [True] * successes + [False] * (trials - successes)
    for k in range(1, trials + 1):
        chosen = list(combinations(outcomes, k))
        assert pass_power(successes, trials, k) == pytest.approx(
            sum(map(all, chosen)) / len(chosen)
        )


@pytest.mark.parametrize(("successes", "trials", "k"), [(1, 2, 3), (3, 2, 1), (0, 2, 0)])
def test_pass_power_of_what_cannot_be(successes: int, trials: int, k: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        pass_power(successes, trials, k)


def test_pairs_need_the_same_cases_and_designs_cases_at_all() -> None:
    with pytest.raises(ValueError, match="1 cases and 2"):
        bootstrap_difference([Part(1)], [Part(1), Part(2)])
    with pytest.raises(ValueError, match="at least 1"):
        detectable_difference(30, 0)


names = st.lists(st.sampled_from("abcdefghij"), unique=True, min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(names, st.data())
def test_names_share_a_letter_exactly_where_they_are_not_apart(
    ranked: list[str], data: st.DataObject
) -> None:
    pairs = [frozenset(pair) for pair in combinations(ranked, 2)]
    apart = {pair for pair in pairs if data.draw(st.booleans())}
    letters = {n: set(re.findall(r"[a-z]\d*", g)) for n, g in rank_groups(ranked, apart).items()}
    assert all(letters.values())
    assert "a" in letters[ranked[0]]
    for pair in pairs:
        one, other = pair
        assert bool(letters[one] & letters[other]) == (pair not in apart)


def test_rank_groups_by_hand() -> None:
    apart = {frozenset("ac"), frozenset("ad"), frozenset("bd")}
    assert rank_groups("abcd", apart) == {"a": "a", "b": "ab", "c": "bc", "d": "c"}
    assert rank_groups([], set()) == {}
