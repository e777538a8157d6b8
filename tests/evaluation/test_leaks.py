"""Who gives the diagnosis away, and who only says what it knows or has heard."""

from __future__ import annotations

import pytest

from evaluation.leaks import leaks_marked
from records.medical_record import Diagnosis, Language, MedicalRecord
from records.visit import Message


def record(language: Language, *diagnoses: str, story: str = "") -> MedicalRecord:
    return MedicalRecord(
        id="r",
        language=language,
        chief_complaint="My belly aches." if language == "en" else "肚子疼。",
        past_history=story or None,
        diagnoses=tuple(Diagnosis(id=f"d{i}", name=n) for i, n in enumerate(diagnoses, 1)),
    )


def said(*lines: str) -> list[Message]:
    """Messages, each as `role: text`."""
    return [
        Message(turn=0, role=role, speaker=role, addressee="doctor", text=text)
        for role, text in (line.split(": ", 1) for line in lines)
    ]


def leaks(messages: list[Message], case: MedicalRecord) -> list[tuple[int, str]]:
    """Index of the message and name of the diagnosis."""
    marked = leaks_marked(messages, case)
    assert leaks_marked(marked, case) == marked
    return [
        (i, repair.detail)
        for i, message in enumerate(marked)
        for repair in message.repairs
        if repair.kind == "diagnosis_leaked"
    ]


@pytest.mark.parametrize(
    ("language", "diagnosis", "text"),
    [
        ("en", "Gastric ulcer", "My file says GASTRIC  ULCER."),
        ("en", "Gastric ulcer", "I think it is a stomach ulcer."),
        ("en", "Acute myocardial infarction", "Am I having a heart attack?"),
        ("en", "Kidney stone", "It must be kidney stones."),
        ("en", "Type 2 diabetes mellitus", "It is 2型糖尿病."),
        ("zh", "胃溃疡", "我的病历上写着胃溃疡。"),
        ("zh", "急性心肌梗死", "我是不是心梗了？"),
        ("zh", "胃溃疡", "It says gastric ulcer."),
    ],
)
def test_a_patient_that_names_it_first_is_marked(
    language: Language, diagnosis: str, text: str
) -> None:
    case = record(language, diagnosis)
    talk = said("doctor: …", f"patient: {text}", f"patient: {text}")
    # Named once, it is in the room.
    assert leaks(talk, case) == [(1, diagnosis)]


@pytest.mark.parametrize(
    ("language", "diagnosis", "story", "lines"),
    [
        (
            "en",
            "Gastric ulcer",
            "",
            ["doctor: You have a gastric ulcer.", "patient: An ulcer? A gastric ulcer?"],
        ),
        ("zh", "胃溃疡", "", ["doctor: 您得的是胃溃疡。", "patient: 胃溃疡严重吗？"]),
        ("en", "Asthma", "Asthma since childhood.", ["patient: I have had asthma for years."]),
        ("zh", "2型糖尿病", "有2型糖尿病。", ["patient: 我有2型糖尿病。"]),
        ("en", "Headache", "", ["patient: I have a headache."]),
        ("en", "Pneumonia", "", ["patient: I wear a cap."]),
        (
            "en",
            "Gastric ulcer",
            "",
            ["patient: Where it hurts? In the stomach. An ulceration? No."],
        ),
        ("en", "Gastric ulcer", "", ["examiner: Endoscopy: gastric ulcer", "doctor: I see."]),
    ],
)
def test_what_it_knows_or_was_told_is_no_leak(
    language: Language, diagnosis: str, story: str, lines: list[str]
) -> None:
    assert leaks(said(*lines), record(language, diagnosis, story=story)) == []


def test_each_diagnosis_is_a_secret_of_its_own() -> None:
    case = record("en", "Gastric ulcer", "Pneumonia")
    talk = said("doctor: Pneumonia?", "patient: Pneumonia, or an ulcer: a gastric ulcer.")
    assert leaks(talk, case) == [(1, "Gastric ulcer")]
