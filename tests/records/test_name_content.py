from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.medical_record import Language
from records.name_content import name_mass, name_units, units_share
from records.treatment_kinds import kind_name, treatment_kinds

BOTH = pytest.mark.parametrize("language", ["zh", "en"])


def name_share(name: str, text: str, language: Language) -> float:
    """As the rubric asks: how much of what a name says a text says too."""
    return units_share(name_units(name, language), name_units(text, language), language)


@pytest.mark.parametrize(
    ("language", "common", "telling"),
    [("en", "acute", "appendicitis"), ("zh", "慢性", "阑尾"), ("en", "disease", "measles")],
)
def test_rare_words_tell_more(language: Language, common: str, telling: str) -> None:
    few, many = (name_mass(name_units(word, language), language) for word in (common, telling))
    assert few < many


@pytest.mark.parametrize(
    ("language", "name", "text", "at_least", "at_most"),
    [
        ("en", "Pneumonia", "Lobar pneumonia", 1.0, 1.0),
        ("en", "Acute appendicitis", "appendicitis", 0.6, 0.99),
        ("en", "Acute appendicitis", "acute hepatitis", 0.0, 0.45),
        ("zh", "急性阑尾炎", "阑尾炎", 0.5, 0.99),
        ("zh", "急性阑尾炎", "急性肝炎", 0.0, 0.5),
        ("zh", "肺炎", "支原体肺炎", 1.0, 1.0),
        ("en", "Gout", "", 0.0, 0.0),
        ("zh", "。", "痛风", 0.0, 0.0),
    ],
)
def test_how_much_of_a_name_is_said(
    language: Language, name: str, text: str, at_least: float, at_most: float
) -> None:
    assert at_least <= name_share(name, text, language) <= at_most + 1e-9


@BOTH
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_share_is_a_share(language: Language, name: str, text: str) -> None:
    assert 0.0 <= name_share(name, text, language) <= 1.0
    assert name_share(name, name, language) in (0.0, pytest.approx(1.0))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("急诊行阑尾切除术，头孢曲松抗感染，补液。", {"surgery", "antibiotic", "fluids"}),
        ("氯吡格雷抗血小板，阿托伐他汀调脂，吸氧。", {"antithrombotic", "lipid", "oxygen"}),
        ("石膏固定，康复锻炼。", {"immobilisation", "rehabilitation"}),
        ("", set()),
    ],
)
def test_kinds_of_a_chinese_plan(text: str, kinds: set[str]) -> None:
    assert treatment_kinds(text, "zh") == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Appendicectomy, ceftriaxone and saline.", {"surgery", "antibiotic", "fluids"}),
        ("Aspirin, atorvastatin and oxygen.", {"antithrombotic", "lipid", "oxygen"}),
        ("A plaster cast, then physiotherapy.", {"immobilisation", "rehabilitation"}),
        ("Reassurance.", set()),
    ],
)
def test_kinds_of_an_english_plan(text: str, kinds: set[str]) -> None:
    assert treatment_kinds(text, "en") == kinds


def test_every_kind_has_a_name_in_both_languages() -> None:
    for kind in treatment_kinds("手术，头孢，补液，吸氧，透析，化疗，输血，激素，保守", "zh"):
        assert kind_name(kind, "zh") != kind_name(kind, "en")
