"""The checklist Doctor: the same history for everyone, both languages, all settings, no model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.offline.checklist import ChecklistDoctor
from agents.offline.checklist_words import checklist_words
from agents.offline.grounded_examiner import GroundedExaminer
from agents.offline.grounded_patient import GroundedPatient
from prompts import Prompts
from records.addressing import split_addressed
from records.examinations.requests import orders_examinations
from records.knowledge import Disease, KnownExamination, KnownSymptom, load_knowledge
from records.library import bundled_records
from records.medical_record import Language, MedicalRecord
from records.report_parser import read_report
from records.views import CaseView, ExaminerView, PatientView
from records.visit import REPORT_PARTS, Message, Protocol, Report, Trace

PROMPTS = Prompts()
RECORDS = bundled_records()
LANGUAGES: tuple[Language, ...] = ("zh", "en")
each_language = pytest.mark.parametrize("language", LANGUAGES)


async def say(doctor: ChecklistDoctor, *heard: tuple[str, str]) -> TextMessage:
    messages = [TextMessage(source=source, content=text) for source, text in heard]
    reply = (await doctor.on_messages(messages, CancellationToken())).chat_message
    assert isinstance(reply, TextMessage)
    return reply


async def asked_to_report(doctor: ChecklistDoctor, language: Language) -> Report:
    request = PROMPTS.render(language, "chief_physician", "request_report")
    reading = read_report((await say(doctor, ("chief_physician", request))).content)
    assert not reading.declined
    return reading.report


def trace(message: TextMessage) -> Trace:
    return Trace.model_validate_json(message.metadata["trace"])


async def hold_visit(
    record: MedicalRecord, protocol: Protocol, doctor: ChecklistDoctor
) -> tuple[list[Message], bool]:
    """A consultation with the grounded players; the messages, and whether the patient left."""
    patient, examiner = GroundedPatient(protocol), GroundedExaminer()
    greeting = PROMPTS.render(record.language, "doctor", "greeting")
    said = [_message(0, "doctor", "patient", greeting)]
    for turn in range(1, 11):
        new: list[Message] = []
        if said[-1].addressee == "patient":
            view = PatientView.of(record)
            new += await patient.reply(view, _between(said, "patient"), 0)
        if (said + new)[-1].addressee == "examiner":
            heard = _between(said + new, "examiner")
            new += await examiner.reply(ExaminerView.of(record), heard, 0)
        said += new
        if any(m.trace and m.trace.end for m in new):
            return said, True
        told = [(m.role, m.text) for m in new if m.addressee == "doctor"]
        reply = await say(doctor, *told)
        for addressee, text in split_addressed(reply.content, default="patient").parts:
            said.append(_message(turn, "doctor", addressee, text))
    return said, False


def _message(turn: int, role: str, addressee: str, text: str) -> Message:
    return Message(turn=turn, role=role, speaker=role, addressee=addressee, text=text)


def _between(messages: Sequence[Message], role: str) -> list[Message]:
    return [m for m in messages if role in (m.role, m.addressee)]


@pytest.mark.parametrize("protocol", ["carried", "direct"])
@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.id)
async def test_a_visit_ends_with_the_patient_leaving(
    record: MedicalRecord, protocol: Protocol
) -> None:
    doctor = ChecklistDoctor(record.language, protocol=protocol)
    said, left = await hold_visit(record, protocol, doctor)
    assert left
    assert {i for m in said for i in m.examinations}, "no result was obtained"
    report = await asked_to_report(doctor, record.language)
    assert all(getattr(report, part) for part in REPORT_PARTS)


async def test_reading_whole_cases_it_mostly_finds_what_the_knowledge_covers() -> None:
    found = 0
    for record in RECORDS:
        doctor = ChecklistDoctor(record.language)
        case = CaseView.of(record)
        text = PROMPTS.render(record.language, "chief_physician", "hand_over_case", case=case)
        reply = await say(doctor, ("chief_physician", text))
        report = read_report(reply.content).report
        assert all(getattr(report, part) for part in REPORT_PARTS)
        assert record.auxiliary_examinations[0].name in report.examinations
        found += trace(reply).differential[0].icd10 == record.diagnoses[0].icd10
    assert found >= 6


@each_language
async def test_a_complaint_alone_is_enough_for_a_report(language: Language) -> None:
    complaint = {"zh": "我咳嗽、发烧三天了。", "en": "I have had a cough and a fever for 3 days."}
    request = PROMPTS.render(language, "chief_physician", "request_report")
    doctor = ChecklistDoctor(language)
    reply = await say(doctor, ("patient", complaint[language]), ("chief_physician", request))
    report = read_report(reply.content).report
    assert all(getattr(report, part) for part in REPORT_PARTS)
    assert complaint[language].rstrip("。.") in report.symptoms
    assert report.examinations in ("无", "None")


@each_language
async def test_a_patient_who_tells_nothing_is_seen_to_the_end(language: Language) -> None:
    blank = {"zh": "我说不清楚。", "en": "I'm not sure."}[language]
    doctor = ChecklistDoctor(language)
    replies = [(await say(doctor, ("patient", blank))).content for _ in range(9)]
    assert len(set(replies[:8])) == 8
    assert not orders_examinations(replies[-1], language)
    assert not any(mark in replies[-1] for mark in "?？")
    assert replies[-1] == replies[-2], "once it has concluded it stands by that"
    report = await asked_to_report(doctor, language)
    assert report.diagnosis in ("原因未明的疾病", "Illness of unknown cause")


@each_language
async def test_orders_name_examinations_and_are_repeated_once(language: Language) -> None:
    doctor = ChecklistDoctor(language)
    blank = {"zh": "嗯。", "en": "Hm."}[language]
    for _ in range(5):
        question = (await say(doctor, ("patient", blank))).content
        assert not orders_examinations(question, language)
    first = (await say(doctor, ("patient", blank))).content
    again = (await say(doctor, ("patient", blank))).content
    assert len(orders_examinations(first, language)) >= 8
    assert orders_examinations(again, language) == orders_examinations(first, language)
    assert not orders_examinations((await say(doctor, ("patient", blank))).content, language)


@each_language
def test_no_treatment_known_sounds_like_an_order(language: Language) -> None:
    """A patient who is sent for an examination once more does not leave."""
    words = checklist_words(language)
    for disease in load_knowledge():
        conclusion = words.conclusion.format(
            diagnosis=disease.name(language),
            reasons=words.no_reasons,
            treatment=disease.treatment[language],
        )
        assert orders_examinations(conclusion, language) == (), disease.id


@each_language
async def test_under_direct_the_examiner_is_addressed(language: Language) -> None:
    doctor = ChecklistDoctor(language, protocol="direct")
    replies = [(await say(doctor, ("patient", "…"))).content for _ in range(6)]
    addressed = split_addressed(replies[-1], default="patient")
    assert [who for who, _ in addressed.parts] == ["examiner"]
    assert not addressed.repairs
    for question in replies[:-1]:
        assert [who for who, _ in split_addressed(question, "patient").parts] == ["patient"]


async def test_the_same_visit_gets_the_same_words() -> None:
    record = RECORDS[0]
    first, _ = await hold_visit(record, "carried", ChecklistDoctor(record.language))
    second, _ = await hold_visit(record, "carried", ChecklistDoctor(record.language))
    assert first == second


@pytest.mark.parametrize(
    ("language", "said", "denied"),
    [
        ("zh", "我口渴，小便多，瘦了。体重下降。", "没有口渴。多尿没注意到有。没有体重下降。"),
        (
            "en",
            "I am very thirsty and pass a lot of urine. I had weight loss.",
            "No thirst. I haven't noticed any polyuria. No weight loss that I noticed.",
        ),
    ],
)
async def test_what_is_denied_does_not_count(language: Language, said: str, denied: str) -> None:
    yes = trace(await say(ChecklistDoctor(language), ("patient", said)))
    no = trace(await say(ChecklistDoctor(language), ("patient", denied)))
    assert yes.differential[0].icd10 in ("E11.9", "E10.1", "E11.1", "E83.5")
    assert yes.differential[0].score > 0
    assert no.differential[0].score <= 0


@pytest.mark.parametrize(
    ("language", "past", "family"),
    [
        ("zh", "高血压十年了。没有痛风。", "我母亲有2型糖尿病。"),
        (
            "en",
            "I have had high blood pressure for ten years. No gout.",
            "My mother has type 2 diabetes.",
        ),
    ],
)
async def test_own_earlier_illnesses_are_listed_and_others_not(
    language: Language, past: str, family: str
) -> None:
    doctor = ChecklistDoctor(language)
    complaint = {"zh": "我咳嗽。", "en": "I have a cough."}[language]
    for answer in (complaint, "…", "…", "…", past, family):
        await say(doctor, ("patient", answer))
    names = (await asked_to_report(doctor, language)).diagnosis.splitlines()
    assert any(n in ("高血压", "Hypertension") for n in names)
    assert not any(n in ("痛风", "Gout", "2型糖尿病", "Type 2 diabetes mellitus") for n in names)


def _disease(name: str, expected: str) -> Disease:
    return Disease(
        id=name,
        icd10="R69",
        names={"zh": (name,), "en": (name,)},
        department={"zh": "内科", "en": "Medicine"},
        symptoms=(KnownSymptom(zh="咳嗽", en="cough", frequency="common"),),
        examinations=(
            KnownExamination(
                zh="血红蛋白", en="haemoglobin", expected_zh=expected, expected_en=expected
            ),
        ),
        treatment={"zh": "观察。", "en": "Observe."},
        source="made up for this test",
    )


@pytest.mark.parametrize(
    ("result", "best"),
    [
        ("Haemoglobin: 88 g/L (reference 130-170)", "low-one"),
        ("Haemoglobin: 188 g/L (reference 130-170)", "raised-one"),
        ("- Haemoglobin: 190 g/L (reference range: <170)", "raised-one"),
        ("Haemoglobin is low at 88 g/L.", "low-one"),
    ],
)
async def test_results_are_read_against_their_range(result: str, best: str) -> None:
    knowledge = (_disease("raised-one", "raised"), _disease("low-one", "low"))
    doctor = ChecklistDoctor("en", knowledge=knowledge)
    await say(doctor, ("patient", "I have a cough."))
    reply = await say(doctor, ("examiner", result))
    assert trace(reply).differential[0].name == best


async def test_a_result_that_is_not_there_is_no_evidence() -> None:
    doctor = ChecklistDoctor("en", knowledge=(_disease("low-one", "low"),))
    before = trace(await say(doctor, ("patient", "I have a cough.")))
    after = trace(await say(doctor, ("examiner", "Haemoglobin: no result available")))
    assert after.differential == before.differential
    assert (await asked_to_report(doctor, "en")).examinations == "None"


@given(
    language=st.sampled_from(LANGUAGES),
    heard=st.lists(
        st.tuples(
            st.sampled_from(["patient", "examiner", "chief_physician", "relative"]),
            st.one_of(
                st.text(max_size=60),
                st.text("0123456789.-~<>:：（）()+ 参考range血压no未", max_size=40),
            ),
        ),
        max_size=12,
    ),
)
@example(language="zh", heard=[("examiner", ">")])
@example(language="en", heard=[("examiner", "***"), ("patient", "#")])
@settings(max_examples=60, deadline=None)
async def test_whatever_is_said_it_answers(
    language: Language, heard: list[tuple[str, str]]
) -> None:
    doctor = ChecklistDoctor(language)
    for one in heard:
        assert (await say(doctor, one)).content.strip()
    report = await asked_to_report(doctor, language)
    assert all(getattr(report, part) for part in REPORT_PARTS)
