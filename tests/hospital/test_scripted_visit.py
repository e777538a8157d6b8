"""Whole visits with a model in every chair, over the wire, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.model.patience import Patience
from agents.seats import Seats
from evaluation.marking import mark
from hospital.consultation import consultation
from hospital.one_step import one_step
from hospital.stream import VisitResult
from hospital.zero_turn import zero_turn
from prompts import Prompts
from records.journal import Journal
from records.mark import DIMENSIONS
from records.medical_record import Diagnosis, Examination, Language, MedicalRecord
from records.views import MarkingView
from records.visit import Ending, Protocol, Setting, Visit, VisitOrder
from tests.scripted_endpoint import Answer, Raw, ScriptedEndpoint, error, purpose_of
from tests.scripted_hospital import DOCTOR_LINES, REPORTS, play

PROMPTS = Prompts()
LOOPS: dict[Setting, Callable[..., Any]] = {
    "interaction": consultation,
    "one_step": one_step,
    "zero_turn": zero_turn,
}
RECORDS: dict[Language, MedicalRecord] = {
    "en": MedicalRecord(
        id="e",
        language="en",
        chief_complaint="Belly ache for some days.",
        auxiliary_examinations=(
            Examination(id="e1", name="Electrocardiogram", value="Sinus rhythm, 71 a minute"),
        ),
        diagnoses=(Diagnosis(id="d1", name="Gastric ulcer", icd10="K25"),),
        rationale="The ache",
        treatment="Omeprazole",
    ),
    "zh": MedicalRecord(
        id="z",
        language="zh",
        chief_complaint="腹痛数日。",
        auxiliary_examinations=(Examination(id="e1", name="心电图", value="窦性心律，71次/分"),),
        diagnoses=(Diagnosis(id="d1", name="胃溃疡", icd10="K25"),),
        rationale="腹痛",
        treatment="奥美拉唑",
    ),
}


async def hold(
    endpoint: ScriptedEndpoint,
    language: Language,
    setting: Setting = "interaction",
    protocol: Protocol = "carried",
    journal: Journal | None = None,
) -> Visit:
    record = RECORDS[language]
    order = VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=language,
        setting=setting,
        protocol=protocol,
        # The address differs from test to test; the visit must not.
        doctor=endpoint.spec("doctor"),
        npc=endpoint.spec("npc"),
        prompts_hash=PROMPTS.hash,
    )
    patience = Patience(attempts=2, first_wait=0.0)
    seats = Seats(prompts=PROMPTS, journal=journal, patience=patience)
    seated = seats.seat(order)
    try:
        items = [item async for item in LOOPS[setting](order, record, seated, PROMPTS)]
    finally:
        await seated.close()
        await seats.close()
    assert isinstance(items[-1], VisitResult)
    return items[-1].visit


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_consultation_with_a_model_in_every_chair(language: Language) -> None:
    async with ScriptedEndpoint(play) as endpoint:
        visit = await hold(endpoint, language)
        seats = Seats(prompts=PROMPTS)
        judge = seats.judge(endpoint.spec("judge"))
        marked = await mark(visit, MarkingView(record=RECORDS[language]), judge)
        await seats.close()
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    assert [(m.role, m.addressee) for m in visit.messages] == [
        ("doctor", "patient"),
        ("patient", "doctor"),
        ("doctor", "patient"),
        ("patient", "doctor"),
        ("doctor", "patient"),
        ("patient", "examiner"),
        ("examiner", "doctor"),
        ("doctor", "patient"),
        ("patient", "doctor"),
        ("chief_physician", "doctor"),
        ("doctor", "chief_physician"),
    ]
    assert visit.messages[6].examinations == ("e1",)
    assert visit.report is not None
    assert visit.report.raw == REPORTS[language]
    assert all(m.repairs == () for m in visit.messages)
    assert {role: used.calls for role, used in visit.usage.items()} == {
        "doctor": 4,
        "patient": 4,
        "examiner": 1,
    }
    assert visit.models_answered == dict.fromkeys(
        ("doctor", "patient", "examiner"), ("scripted-1",)
    )
    assert {d: g.grade for d, g in marked.grades.items()} == dict.fromkeys(DIMENSIONS, "B")
    assert marked.judge == endpoint.spec("judge")
    for request in endpoint.requests:
        if purpose_of(request)[1] in ("doctor", "patient"):
            assert "71" not in request["messages"][0]["content"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_under_the_direct_protocol_the_doctor_asks_the_examiner(language: Language) -> None:
    tag = {"en": "<to examiner>", "zh": "<对检查员讲>"}[language]
    order = DOCTOR_LINES[language][1]

    def script(body: dict[str, Any]) -> str:
        said = play(body)
        return f"{tag} {said}" if said == order else said

    async with ScriptedEndpoint(script) as endpoint:
        visit = await hold(endpoint, language, protocol="direct")
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    request = next(m for m in visit.messages if m.addressee == "examiner")
    assert (request.role, request.text) == ("doctor", order)
    assert next(m for m in visit.messages if m.role == "examiner").examinations == ("e1",)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("setting", ["one_step", "zero_turn"])
async def test_the_ceiling_and_the_floor_take_one_call(
    language: Language, setting: Setting
) -> None:
    async with ScriptedEndpoint(play) as endpoint:
        visit = await hold(endpoint, language, setting)
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    assert len(endpoint.requests) == 1
    assert ("71" in str(endpoint.requests)) == (setting == "one_step")


async def test_a_visit_held_again_pays_for_nothing_twice(tmp_path: Path) -> None:
    broken = True

    def script(body: dict[str, Any]) -> Answer:
        said = play(body)
        return error(500, "oops") if broken and said == REPORTS["en"] else said

    async with ScriptedEndpoint(script) as endpoint:
        journal = Journal(tmp_path / "journal.jsonl")
        first = await hold(endpoint, "en", journal=journal)
        journal.close()
        assert (first.ending, first.failed_by) == (Ending.INFRASTRUCTURE, "provider")
        before = len(endpoint.requests)
        broken = False
        journal = Journal(tmp_path / "journal.jsonl")
        second = await hold(endpoint, "en", journal=journal)
        journal.close()
    assert second.ending is Ending.DIAGNOSIS_GIVEN
    assert len(endpoint.requests) == before + 1
    assert {role: used.calls for role, used in second.usage.items()} == {
        "doctor": 4,
        "patient": 4,
        "examiner": 1,
    }


@pytest.mark.parametrize("role", ["doctor", "patient", "examiner"])
@pytest.mark.parametrize(
    ("answer", "ending", "failed_by"),
    [
        (error(400, "no", code="content_filter"), Ending.CONTENT_FILTERED, None),
        (error(503, "busy"), Ending.INFRASTRUCTURE, "provider"),
        (error(429, "no", code="insufficient_quota"), Ending.INFRASTRUCTURE, "provider"),
        (Raw("<html>"), Ending.INFRASTRUCTURE, "provider"),
    ],
)
async def test_a_failing_call_ends_the_visit_with_whose_it_was(
    role: str, answer: Answer, ending: Ending, failed_by: str | None
) -> None:
    def script(body: dict[str, Any]) -> Answer:
        return answer if purpose_of(body)[1] == role else play(body)

    async with ScriptedEndpoint(script) as endpoint:
        visit = await hold(endpoint, "en")
    assert visit.ending is ending
    assert visit.failed_by == (failed_by or role)
    assert visit.failure
