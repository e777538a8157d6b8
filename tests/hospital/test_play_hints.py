"""Hints fit the person who sits there, and come from what was said, never from the record."""

from __future__ import annotations

import pytest

from hospital.play.insight import Insight
from hospital.play.plausible import plausible
from records.library import bundled_records
from records.medical_record import Demographics
from records.views import PatientView
from records.visit import DOCTOR, PATIENT, Message
from tests.person import bundled


def said(text: str, turn: int = 1) -> Message:
    return Message(turn=turn, role=PATIENT, speaker=PATIENT, addressee=DOCTOR, text=text)


@pytest.mark.parametrize(
    ("code", "sex", "age", "possible"),
    [
        ("N83.5", "male", 14, False),
        ("N83.5", "female", 14, True),
        ("N44", "female", 30, False),
        ("N44", "male", 30, True),
        ("C56", "male", 60, False),
        ("O00.1", "female", 29, True),
        ("O00.1", "female", 84, False),
        ("O00.1", "male", 29, False),
        ("Q40.0", "female", 67, False),
        ("Q40.0", "male", 0.1, True),
        ("I21.1", "female", 67, True),
        ("O00.1", None, None, True),
    ],
)
def test_a_disease_fits_sex_and_age(
    code: str, sex: str | None, age: float | None, possible: bool
) -> None:
    person = Demographics.model_validate({"sex": sex, "age_years": age})
    assert plausible(code, person) is possible


def test_every_bundled_case_can_have_its_own_diagnoses() -> None:
    for record in bundled_records():
        for diagnosis in record.diagnoses:
            assert plausible(diagnosis.icd10 or "", record.demographics), (record.id, diagnosis)


def test_a_boy_with_a_belly_ache_is_asked_as_a_boy() -> None:
    record = bundled("zh-016")
    assert record.demographics.sex == "male"
    opening = said(PatientView.of(record).opening)
    ask, examine = Insight("zh", record.demographics).hint([opening])
    assert "阴囊痛" in ask
    assert "阴囊彩色多普勒超声" in examine
    assert "人绒毛膜促性腺激素" not in examine
    girl = record.demographics.model_copy(update={"sex": "female"})
    ask, examine = Insight("zh", girl).hint([opening])
    assert "阴囊痛" not in ask
    assert "盆腔超声" in examine


def test_one_symptom_is_asked_about_before_anything_is_ordered() -> None:
    person = Demographics(age_years=54, sex="male")
    ask, examine = Insight("en", person).hint([said("I have a rash.")])
    assert ask
    assert not examine
    ask, examine = Insight("en", person).hint([said("My stools are black, and I am dizzy.")])
    assert any("scopy" in name for name in examine)


def test_what_was_answered_is_not_hinted_at_again() -> None:
    person = Demographics(age_years=54, sex="male")
    talk = [said("My stools are black, and I am dizzy.")]
    (first, *_), _ = Insight("en", person).hint(talk)
    talk.append(said(f"I have no {first}.", turn=2))
    assert first not in Insight("en", person).hint(talk)[0]


def test_nothing_said_is_no_hint() -> None:
    person = Demographics(age_years=54, sex="male")
    for talk in ([], [said("Good morning, doctor.")]):
        assert Insight("en", person).hint(talk) == ((), ())
