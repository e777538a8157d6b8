from __future__ import annotations

import pytest

from records.allergies import forbidden_orders
from records.medical_record import Diagnosis, Finding, HistorySection, Language, MedicalRecord


def record(
    language: Language,
    symptom: str,
    *,
    present: bool = True,
    section: HistorySection = "past_history",
) -> MedicalRecord:
    return MedicalRecord(
        id="r",
        language=language,
        chief_complaint="-",
        findings=(
            Finding(id="f1", symptom=symptom, text=symptom, present=present, section=section),
        ),
        diagnoses=(Diagnosis(id="d1", name="x"),),
    )


@pytest.mark.parametrize(
    ("language", "allergy", "plan", "order"),
    [
        ("zh", "青霉素过敏", "阿莫西林1 g口服，补液。", "阿莫西林"),
        ("zh", "青霉素过敏", "1. 补液。2. 青霉素静脉滴注。", "青霉素"),
        ("zh", "磺胺过敏", "复方新诺明口服。", "复方新诺明"),
        ("zh", "阿司匹林过敏", "阿司匹林100 mg每日1次。", "阿司匹林"),
        ("zh", "左氧氟沙星过敏", "莫西沙星口服。", "莫西沙星"),
        ("en", "penicillin allergy", "Start amoxicillin 1 g, fluids.", "amoxicillin"),
        ("en", "allergic to sulfa drugs", "Co-trimoxazole for 5 days.", "Co-trimoxazole"),
        ("en", "penicillin allergy", "Give benzylpenicillin intravenously at once.", "penicillin"),
        ("en", "anaphylaxis to ibuprofen", "Naproxen for pain.", "Naproxen"),
        ("en", "allergy to ciprofloxacin", "Levofloxacin 500 mg.", "Levofloxacin"),
    ],
)
def test_an_order_against_an_allergy(
    language: Language, allergy: str, plan: str, order: str
) -> None:
    (found,) = forbidden_orders(plan, record(language, allergy))
    assert found.allergy.id == "f1"
    assert found.order.endswith(order)


@pytest.mark.parametrize(
    ("language", "allergy", "plan"),
    [
        ("zh", "青霉素过敏", "青霉素过敏，改用阿奇霉素。"),
        ("zh", "青霉素过敏", "停用阿莫西林，补液。"),
        ("zh", "青霉素过敏", "不用青霉素类。奥美拉唑口服。"),
        ("zh", "过敏性鼻炎", "阿莫西林口服。"),
        ("zh", "花生过敏", "阿莫西林口服。"),
        ("en", "penicillin allergy", "No penicillin. Doxycycline instead of amoxicillin."),
        ("en", "penicillin allergy", "Avoid amoxicillin; azithromycin 500 mg."),
        ("en", "peanut allergy", "Amoxicillin 1 g."),
        ("en", "penicillin allergy", "Fluids; amoxicillin once the wound has healed."),
        ("en", "takes penicillin", "Amoxicillin 1 g."),
    ],
)
def test_no_order_against_one(language: Language, allergy: str, plan: str) -> None:
    assert forbidden_orders(plan, record(language, allergy)) == ()


def test_a_denied_allergy_and_a_relative_s_forbid_nothing() -> None:
    plan = "Amoxicillin 1 g."
    assert not forbidden_orders(plan, record("en", "penicillin allergy", present=False))
    assert not forbidden_orders(plan, record("en", "penicillin allergy", section="family_history"))


def test_none_of_the_bundled_plans_gives_what_its_record_forbids() -> None:
    from records.library import bundled_records

    for one in bundled_records():
        assert forbidden_orders(one.treatment or "", one) == (), one.id
