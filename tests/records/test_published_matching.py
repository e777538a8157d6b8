"""Protocol `published`: candidates equal to those of the exact search, and hits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from records.diseases.published_matching import CANDIDATES, THRESHOLD, PublishedMatcher

SYLLABLES = ["急性", "慢性", "胃", "肠", "炎", "癌", "左侧", "骨折", " ", "伴", "出血", "ab", "2型"]
texts = st.lists(st.sampled_from(SYLLABLES), min_size=1, max_size=9).map("".join)


def exact(name: str, names: list[str]) -> list[tuple[str, float]]:
    """By comparing every name, ties by their order."""
    table = [n for n in dict.fromkeys(names) if n.strip()]
    scores = [(fuzz.WRatio(name, n), i) for i, n in enumerate(table)]
    best = sorted((-score, i) for score, i in scores if score >= THRESHOLD)[:CANDIDATES]
    return [(table[i], -minus) for minus, i in best]


@settings(max_examples=300, deadline=None)
@given(st.lists(texts, min_size=1, max_size=120), texts)
def test_candidates_are_those_of_the_exact_search(names: list[str], query: str) -> None:
    expected = exact(query, names) if query.strip() else []
    assert list(PublishedMatcher(names).scored(query)) == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=60), st.text(max_size=20))
def test_any_text_is_searched_exactly(names: list[str], query: str) -> None:
    expected = exact(query, names) if query.strip() else []
    assert list(PublishedMatcher(names).scored(query)) == expected


def test_ties_go_by_table_order_and_ten_are_kept() -> None:
    names = [f"{n}型肝炎" for n in "甲乙丙丁戊己庚辛壬癸子丑"]
    matcher = PublishedMatcher(names)
    assert len(matcher) == 12
    assert matcher.candidates("型肝炎") == tuple(names[:10])
    assert PublishedMatcher(names[::-1]).candidates("型肝炎") == tuple(names[:1:-1])


@pytest.mark.parametrize("query", ["", "   ", "zzz"])
def test_a_name_like_no_other_has_no_candidates(query: str) -> None:
    assert PublishedMatcher(["肝炎", "胃炎"]).candidates(query) == ()
    assert PublishedMatcher([]).candidates("肝炎") == ()


def test_a_prediction_hits_the_first_unused_reference_that_shares_a_name() -> None:
    matcher = PublishedMatcher(["胃炎", "胃溃疡", "股骨骨折"])
    assert matcher.overlap(["胃炎"], ["股骨骨折", "急性胃炎"]) == ((0, 1),)
    assert matcher.overlap(["胃炎", "胃炎"], ["慢性胃炎"]) == ((0, 0),)
    assert matcher.overlap(["胃炎", "急性胃炎"], ["胃炎", "胃炎"]) == ((0, 0), (1, 1))
    assert matcher.overlap(["股骨骨折"], ["胃炎"]) == ()
    assert matcher.overlap([], ["胃炎"]) == matcher.overlap(["胃炎"], []) == ()
