"""The moderator without a model: contradictions, merged facts, disputes, the final report."""

from __future__ import annotations

import pytest

from agents.moderation import Question
from agents.offline.rubric_moderator import RubricModerator
from records.conference import Contradiction, Facts
from records.medical_record import Language
from records.report_parser import read_report
from records.visit import Report


def symptoms(*texts: str) -> list[Report]:
    return [Report(symptoms=text) for text in texts]


def results(*texts: str) -> list[Report]:
    return [Report(examinations=text) for text in texts]


def diagnoses(*texts: str) -> list[Report]:
    return [Report(diagnosis=text, rationale=f"why {i}") for i, text in enumerate(texts, 1)]


async def asked(language: Language, reports: list[Report]) -> tuple[Question, ...]:
    return (await RubricModerator(language).find_contradictions(reports)).value


@pytest.mark.parametrize(
    ("language", "reports", "to", "about"),
    [
        (
            "en",
            symptoms("Fever for 3 days. A dry cough.", "A cough; no fever."),
            "patient",
            "fever",
        ),
        ("en", symptoms("Denies cough.", "A dry cough at night."), "patient", "cough"),
        ("en", symptoms("No diabetes.", "Type 2 diabetes for 5 years."), "patient", "diabetes"),
        ("zh", symptoms("发热3天，咳嗽。", "咳嗽，无发热。"), "patient", "发热"),
        ("zh", symptoms("否认高血压、糖尿病。", "有糖尿病5年。"), "patient", "糖尿病"),
        ("en", results("Haemoglobin: 82 g/L", "Haemoglobin: 128 g/L"), "examiner", "Haemoglobin"),
        ("zh", results("血红蛋白：82 g/L", "血红蛋白：128 g/L"), "examiner", "血红蛋白"),
        ("en", results("Troponin I: raised", "Troponin I: normal"), "examiner", "Troponin"),
        ("zh", results("大便隐血试验：阳性", "大便隐血试验：阴性"), "examiner", "大便隐血试验"),
        (
            "en",
            results(
                "Abdominal ultrasound: several gallstones", "Abdominal ultrasound: no gallstones"
            ),
            "examiner",
            "ultrasound",
        ),
        (
            "en",
            results("CBC: WBC 12.3, haemoglobin 95 g/L", "CBC: WBC 12.3, haemoglobin 135 g/L"),
            "examiner",
            "haemoglobin",
        ),
    ],
)
async def test_what_cannot_both_be_true_is_asked_of_who_knows(
    language: Language, reports: list[Report], to: str, about: str
) -> None:
    questions = await asked(language, reports)
    assert [question.to for question in questions] == [to]
    assert about.lower() in questions[0].text.lower()
    assert set(questions[0].claims) == {0, 1}


@pytest.mark.parametrize(
    ("language", "reports"),
    [
        ("en", symptoms("Fever for 3 days.", "A cough.")),
        ("en", symptoms("Pain in the chest.", "No pain in the calves.")),
        ("en", symptoms("Had a fever last week. No fever now.", "Fever last week.")),
        ("en", symptoms("Her mother has diabetes.", "No diabetes.")),
        ("en", symptoms("A dry cough.", "A cough, no sputum.")),
        ("en", symptoms("Swelling of the left leg.", "No swelling of the right leg.")),
        ("zh", symptoms("胸痛2小时。", "无腹痛。")),
        ("zh", symptoms("母亲有糖尿病。", "无糖尿病。")),
        ("en", results("Haemoglobin: 82 g/L", "Hb: 82 g/L (reference range: 130-175)")),
        ("en", results("Blood pressure: 120/80 mmHg", "Temperature: 38.1 °C")),
        (
            "en",
            results(
                "Skin – Inspection: a rough plaque, elevated\nSkin – Palpation: normal",
                "Skin – Palpation: normal",
            ),
        ),
        (
            "zh",
            results(
                "心电图：PR间期延长，II、III导联ST段压低",
                "心电图示PR间期延长（240 ms），另见II、III导联ST段压低",
            ),
        ),
        ("en", results("ALT: 80 U/L\nAST: 35 U/L", "AST: 35 U/L\nALT: 80 U/L")),
        ("zh", results("血红蛋白：82 g/L（参考范围：130～175）", "血红蛋白 82g/L")),
    ],
)
async def test_what_can_both_be_true_is_no_contradiction(
    language: Language, reports: list[Report]
) -> None:
    assert await asked(language, reports) == ()


async def test_answers_take_the_place_of_what_they_settle() -> None:
    reports = [
        Report(symptoms="Fever for 3 days. No chills or cough.", examinations="CRP: 90 mg/L"),
        Report(symptoms="No fever, sputum or rash. A sore throat.", examinations="CRP: 9 mg/L"),
    ]
    answers = [
        Contradiction(question="Fever?", asked_of="patient", answer="I've had a fever for 3 days."),
        Contradiction(question="CRP?", asked_of="examiner", answer="- CRP: 90 mg/L"),
    ]
    merged = (await RubricModerator("en").merge_facts(reports, answers)).value
    assert merged.symptoms.count("fever") == 1
    assert merged.symptoms.startswith("I've had a fever for 3 days")
    for kept in ("No chills or cough", "No sputum", "No rash", "sore throat"):
        assert kept in merged.symptoms
    assert merged.examinations == "CRP: 90 mg/L"


async def test_what_nobody_contradicts_is_kept_once() -> None:
    reports = [
        Report(symptoms="发热3天。无皮疹。", examinations="CRP：90 mg/L"),
        Report(symptoms="发热3天。没有皮疹。咳嗽。", examinations="CRP：90 mg/L\n血沉：40 mm/h"),
    ]
    merged = (await RubricModerator("zh").merge_facts(reports, ())).value
    assert merged == Facts(
        symptoms="发热3天。无皮疹。咳嗽。", examinations="CRP：90 mg/L\n血沉：40 mm/h"
    )


async def test_names_of_one_category_are_no_dispute() -> None:
    verdict = await RubricModerator("en").find_disputes(
        diagnoses("Gastric ulcer\nType 2 diabetes", "Type 2 diabetes mellitus\nUlcer of stomach")
    )
    assert verdict.value.agreement
    assert verdict.value.points == ()


async def test_disputes_stand_by_importance() -> None:
    verdict = await RubricModerator("en").find_disputes(
        diagnoses(
            "Pneumonia\nGout\nAsthma\nMigraine",
            "Pneumonia\nGout\nAsthma",
            "Pulmonary embolism\nGout",
        )
    )
    assert not verdict.value.agreement
    points = verdict.value.points
    assert [point.split(" (")[0] for point in points] == [
        "Pneumonia",
        "Pulmonary embolism",
        "Asthma",
    ]
    assert "held by doctor 1, doctor 2, not by doctor 3" in points[0]


@pytest.mark.parametrize(
    ("reports", "diagnosis"),
    [
        (("Pneumonia\nGout", "Gout", "Gout\nAsthma"), "Gout"),
        (("Pneumonia\nGout", "Pneumonia", "Gout\nPneumonia"), "Pneumonia\nGout"),
        (("Pneumonia", "Gout"), "Pneumonia"),
        (("something odd", "something else"), "something odd"),
    ],
)
async def test_the_final_report_has_what_most_diagnose(
    reports: tuple[str, ...], diagnosis: str
) -> None:
    facts = Facts(symptoms="Cough", examinations="CRP 9")
    text = (await RubricModerator("en").conclude(diagnoses(*reports), facts)).value
    report = read_report(text).report
    assert report.diagnosis == diagnosis
    assert (report.symptoms, report.examinations) == ("Cough", "CRP 9")
    assert report.rationale
