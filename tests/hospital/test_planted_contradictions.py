"""Contradictions planted between two doctors' reports: found, asked of the right NPC, settled.

Each pair of reports is a checklist Doctor's of a bundled case; in the second one thing is turned
around: a symptom denied, one made up that the record denies, a number changed, a finding undone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken

from agents.conference_seats import Chair, Convened, consultation_orders
from agents.conference_spec import ConferenceSpec
from agents.offline.claims import result_claims, symptom_claims
from agents.offline.grounded_examiner import GroundedExaminer
from agents.offline.grounded_patient import GroundedPatient
from agents.offline.rubric_moderator import RubricModerator
from agents.seats import Seated, Seats
from evaluation.conference import mark_conference
from hospital.conference import conference
from hospital.consultation import consultation
from hospital.stream import VisitResult
from prompts import Prompts
from records.diseases.icd10 import default_terminology
from records.library import bundled_records
from records.medical_record import Language, MedicalRecord
from records.visit import Report, Visit, VisitOrder

PROMPTS = Prompts()
EACH = 5
"""Of each kind and language."""
HEADINGS: dict[Language, tuple[str, str]] = {
    "zh": (
        "#症状#\n{}\n#辅助检查#\n{}\n#诊断结果#\n肺炎\n#诊断依据#\n无\n#治疗方案#\n休息",
        "您得了肺炎，用阿莫西林治疗。",
    ),
    "en": (
        "#Symptoms#\n{}\n#Auxiliary examinations#\n{}\n#Diagnosis#\nPneumonia\n#Rationale#\nNone\n"
        "#Treatment plan#\nRest",
        "You have pneumonia. Take amoxicillin.",
    ),
}
DENIED: dict[Language, tuple[str, str]] = {"zh": ("没有{}", "有{}"), "en": ("No {}", "Has {}")}
END: dict[Language, str] = {"zh": "。", "en": ". "}


@dataclass(frozen=True)
class Planted:
    """Two reports' facts that differ in one thing."""

    record: MedicalRecord
    kind: str
    true: Report
    false: Report
    name: str
    """What it is about."""


class Reader:
    """A Doctor that concludes at once, reports what it is given, and keeps to it."""

    def __init__(self, report: str, conclusion: str) -> None:
        self._said = [conclusion, report]
        self._report = report

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        text = self._said.pop(0) if self._said else self._report
        return Response(chat_message=TextMessage(source="doctor", content=text))


def order_of(record: MedicalRecord, doctor: str) -> VisitOrder:
    return VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=record.language,
        setting="conference" if doctor.startswith("conference") else "interaction",
        doctor=doctor,
        npc="grounded",
        prompts_hash=PROMPTS.hash,
    )


async def checklist_report(record: MedicalRecord) -> Report:
    order = order_of(record, "checklist")
    seated = Seats(prompts=PROMPTS).seat(order)
    items = [item async for item in consultation(order, record, seated, PROMPTS)]
    assert isinstance(items[-1], VisitResult)
    report = items[-1].visit.report
    assert report is not None
    return report


def turned_symptom(record: MedicalRecord, report: Report, present: bool) -> Planted | None:
    """The report with one symptom of the record said the other way round."""
    language = record.language
    claims = symptom_claims(report.symptoms, language)
    recorded = {f.symptom: f.present for f in record.findings}
    for claim in claims:
        own = recorded.get(claim.name, recorded.get(claim.words))
        mixed = any(c.concept == claim.concept and c.present != present for c in claims)
        if claim.present != present or own != present or claim.kin or mixed:
            continue
        gone = {c.sentence for c in claims if claim.concept in c.wider}
        kept = [c for c in re.split(r"[。；]|\. ", report.symptoms) if c.strip() not in gone]
        kept.append(DENIED[language][0 if present else 1].format(claim.words))
        false = report.model_copy(update={"symptoms": END[language].join(kept)})
        kind = "denied" if present else "made up"
        return Planted(record, kind, report, false, claim.name)
    return None


def turned_result(record: MedicalRecord, report: Report) -> Planted | None:
    """The report with another number in one result."""
    told = result_claims(report.examinations, record.language)
    for result in record.auxiliary_examinations:
        number = re.fullmatch(r"\d+(?:\.\d+)?", result.value.strip())
        line = next(
            (x for x in report.examinations.splitlines() if x.startswith(f"{result.name}:")), None
        )
        if number is None or line is None:
            continue
        name, _, reading = line.partition(":")
        other = reading.replace(number[0], f"{float(number[0]) * 2:g}", 1)
        lines = report.examinations.replace(line, f"{name}:{other}")
        false = report.model_copy(update={"examinations": lines})
        if sum(result.name in c.name for c in told) == 1:
            return Planted(record, "number", report, false, result.name)
    return None


@cache
def wanted() -> dict[tuple[Language, str], int]:
    return {(lang, kind): EACH for lang in ("zh", "en") for kind in ("denied", "made up", "number")}


async def planted() -> list[Planted]:
    """Thirty of them, in the order of the library; no case has two of a kind."""
    left = dict(wanted())
    found = []
    for record in bundled_records():
        kinds = [kind for (language, kind), n in left.items() if n and language == record.language]
        if not kinds:
            continue
        report = await checklist_report(record)
        for kind in kinds:
            made = (
                turned_result(record, report)
                if kind == "number"
                else turned_symptom(record, report, present=kind == "denied")
            )
            if made is not None:
                found.append(made)
                left[record.language, kind] -= 1
    return found


async def conferred(case: Planted, first_is_true: bool) -> Visit:
    record, language = case.record, case.record.language
    order = order_of(record, "conference(one, two; rounds=0)")
    patient, examiner = GroundedPatient(), GroundedExaminer()
    form, conclusion = HEADINGS[language]
    reports = [case.true, case.false] if first_is_true else [case.false, case.true]
    chairs = tuple(
        Chair(
            f"doctor_{i + 1}",
            own,
            Seated(
                Reader(form.format(report.symptoms, report.examinations), conclusion),
                patient,
                examiner,
            ),
        )
        for i, (own, report) in enumerate(zip(consultation_orders(order), reports, strict=True))
    )
    people = Convened(
        ConferenceSpec.parse(order.doctor), chairs, patient, examiner, RubricModerator(language)
    )
    items = [item async for item in conference(order, record, people, PROMPTS)]
    assert isinstance(items[-1], VisitResult)
    return items[-1].visit


@pytest.mark.parametrize("first_is_true", [True, False])
async def test_what_doctors_contradict_each_other_on_is_settled_as_the_record_says(
    first_is_true: bool,
) -> None:
    cases = await planted()
    assert len(cases) == 30
    for case in cases:
        visit = await conferred(case, first_is_true)
        assert visit.conference is not None
        where = f"{case.record.id} {case.kind} {case.name}"
        (asked,) = visit.conference.contradictions or (None,)
        assert asked is not None, where
        assert case.name in asked.question, where
        assert asked.asked_of == ("examiner" if case.kind == "number" else "patient"), where
        assert set(asked.claims) == {"doctor_1", "doctor_2"}, where
        marks = mark_conference(visit, case.record, default_terminology())
        assert [s.outcome for s in marks.settlements] == ["right"], where


async def test_equal_reports_contradict_each_other_on_nothing() -> None:
    cases = await planted()
    for case in cases[::5]:
        same = Planted(case.record, case.kind, case.true, case.true, case.name)
        visit = await conferred(same, first_is_true=True)
        assert visit.conference is not None
        assert visit.conference.contradictions == ()
