from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.content_overlap import content_recall, content_units
from records.medical_record import Language


@pytest.mark.parametrize(
    ("language", "text", "units"),
    [
        ("en", "1. Given aspirin 100 mg for the fractures", {"aspirin", "100", "mg", "fractur"}),
        ("en", "Fractured; a fracture", {"fractur"}),
        ("zh", "1. 予以阿司匹林100mg", {"阿司", "司匹", "匹林", "100", "mg"}),
        ("zh", "治疗：抗炎，补液。", {"抗炎", "补液"}),
        ("zh", "抗炎和补液", {"抗炎", "补液"}),  # joined by a word, no pair across it
        ("en", "The patient is to be given treatment.", set()),
        ("zh", "", set()),
    ],
)
def test_what_is_content(language: Language, text: str, units: set[str]) -> None:
    assert content_units(text, language) == units


@pytest.mark.parametrize(
    ("language", "reference", "text", "recall"),
    [
        ("en", "aspirin and rest", "Rest, plus ASPIRIN", 1.0),
        ("en", "aspirin, statins, rest, oxygen", "statin", 0.25),
        ("zh", "抗炎、补液", "补液对症", 0.5),
        ("zh", "抗炎", "", 0.0),
    ],
)
def test_recall_by_hand(language: Language, reference: str, text: str, recall: float) -> None:
    assert content_recall(reference, text, language) == recall


@pytest.mark.parametrize("nothing", ["", "  \n", "1. ", "——", "the of and"])
def test_no_content_has_no_recall(nothing: str) -> None:
    assert content_recall(nothing, "aspirin", "en") is None


@given(st.text(), st.text(), st.sampled_from(["zh", "en"]))
def test_more_text_never_covers_less(reference: str, text: str, language: Language) -> None:
    recall = content_recall(reference, text, language)
    if recall is not None:
        assert 0 <= recall <= 1
        assert content_recall(reference, f"{text}\n{reference}", language) == 1
