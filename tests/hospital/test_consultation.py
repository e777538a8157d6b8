"""How a visit goes: who is heard when, under both protocols, and whose failure ends it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_agentchat.ui import Console
from autogen_core import CancellationToken

from agents.errors import SeatError
from agents.model.meter import Meter
from hospital.consultation import consultation
from hospital.one_step import one_step
from hospital.stream import Said, VisitResult
from hospital.zero_turn import zero_turn
from prompts import Prompts
from records.medical_record import Diagnosis, Examination, MedicalRecord, Persona
from records.views import ExaminerView, PatientView
from records.visit import Ending, Message, Trace, Visit, VisitOrder

REPORT = "# Symptoms\ncough\n# Diagnosis\nAcute bronchitis\n# Treatment plan\nrest"

RECORD = MedicalRecord(
    id="r1",
    language="en",
    persona=Persona(chief_complaint="I have been coughing for a week."),
    auxiliary_examinations=(Examination(id="e1", name="chest X-ray", value="clear lungs"),),
    diagnoses=(Diagnosis(id="d1", name="Zebra fever"),),
)


class ScriptedDoctor:
    """Says its lines in order; an exception among them is raised."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines = list(lines)
        self.heard: list[list[tuple[str, str]]] = []

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        self.heard.append([(m.source, m.to_model_text()) for m in messages])
        line = self.lines[len(self.heard) - 1]
        if isinstance(line, BaseException):
            raise line
        return Response(chat_message=TextMessage(content=line, source="doctor"))


class ScriptedNpc:
    """Replies by a function of what it heard; keeps what it was handed."""

    def __init__(self, answer: Callable[[str], Sequence[Message]]) -> None:
        self.answer = answer
        self.handed: list[tuple[Any, list[str]]] = []

    async def reply(
        self, view: Any, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        self.handed.append((view, [m.text for m in transcript]))
        return tuple(self.answer(transcript[-1].text))


def _said(role: str, addressee: str, text: str, *, end: bool = False) -> Message:
    trace = Trace(end=True) if end else None
    return Message(turn=0, role=role, speaker=role, addressee=addressee, text=text, trace=trace)


def _patient(question: str) -> list[Message]:
    if "X-ray" in question:
        return [
            _said("patient", "doctor", "No fever."),
            _said("patient", "examiner", "A chest X-ray, please."),
        ]
    if "You have" in question:
        return [_said("patient", "doctor", "Thank you.", end=True)]
    return [_said("patient", "doctor", "I cough.")]


def _examiner(request: str) -> list[Message]:
    return [_said("examiner", "doctor", "chest X-ray: clear lungs")]


@dataclass
class Chairs:
    doctor: Any
    patient: Any = field(default_factory=lambda: ScriptedNpc(_patient))
    examiner: Any = field(default_factory=lambda: ScriptedNpc(_examiner))
    meter: Meter = field(default_factory=Meter)
    timeout: float | None = None
    cost: float | None = 0.0
    cost_complete: bool = True


def _order(**changes: object) -> VisitOrder:
    values = {
        "record_id": "r1",
        "record_hash": RECORD.content_hash,
        "language": "en",
        "setting": "interaction",
        "doctor": "scripted",
        "npc": "scripted",
        "prompts_hash": "words",
    }
    return VisitOrder.model_validate(values | changes)


async def _hold(
    chairs: Any, setting: Any = consultation, transcript: Sequence[Message] = (), **order: object
) -> Visit:
    items = [item async for item in setting(_order(**order), RECORD, chairs, Prompts(), transcript)]
    assert all(isinstance(item, Said) for item in items[:-1])
    assert isinstance(items[-1], VisitResult)
    visit = items[-1].visit
    assert [item.message for item in items[:-1]] == list(visit.messages)
    return visit


def _line(message: Message) -> str:
    return f"{message.turn} {message.role}>{message.addressee}"


WHOLE = ("Any fever? Please have a chest X-ray.", "You have bronchitis. Rest.", REPORT)


async def test_the_patient_carries_requests_to_the_examiner() -> None:
    chairs = Chairs(ScriptedDoctor(*WHOLE))
    visit = await _hold(chairs)
    assert [_line(m) for m in visit.messages] == [
        "0 doctor>patient",
        "1 patient>doctor",
        "1 doctor>patient",
        "2 patient>doctor",
        "2 patient>examiner",
        "2 examiner>doctor",
        "2 doctor>patient",
        "3 patient>doctor",
        "3 chief_physician>doctor",
        "3 doctor>chief_physician",
    ]
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    assert visit.report is not None
    assert visit.report.diagnosis == "Acute bronchitis"
    # The doctor hears only what is new to it and said to it.
    assert [[source for source, _ in heard] for heard in chairs.doctor.heard] == [
        ["patient"],
        ["patient", "examiner"],
        ["patient", "chief_physician"],
    ]


async def test_each_role_sees_its_view_and_hears_only_what_concerns_it() -> None:
    chairs = Chairs(ScriptedDoctor(*WHOLE))
    await _hold(chairs)
    (view, heard) = chairs.examiner.handed[0]
    assert isinstance(view, ExaminerView)
    assert heard == ["A chest X-ray, please."]
    for view, heard in chairs.patient.handed:
        assert isinstance(view, PatientView)
        assert not any("clear lungs" in text for text in heard)
    seen = str([view for view, _ in chairs.patient.handed + chairs.examiner.handed])
    assert "Zebra" not in seen


async def test_the_doctor_can_address_the_examiner_itself() -> None:
    doctor = ScriptedDoctor(
        "<to examiner> Chest film. <to patient> How long?",
        "<to examiner> And the X-ray again.",
        "You have bronchitis. Rest.",
        REPORT,
    )
    visit = await _hold(Chairs(doctor), protocol="direct")
    assert [_line(m) for m in visit.messages][2:8] == [
        "1 doctor>patient",
        "1 doctor>examiner",
        "2 patient>doctor",
        "2 examiner>doctor",
        "2 doctor>examiner",
        "3 examiner>doctor",
    ]
    assert visit.messages[2].text == "How long?"
    assert visit.messages[3].text == "Chest film."


async def test_the_limit_of_rounds_ends_a_visit_with_its_report() -> None:
    visit = await _hold(Chairs(ScriptedDoctor("Cough?", "Still?", REPORT)), max_turns=3)
    assert visit.ending is Ending.ROUND_LIMIT
    assert visit.report is not None
    assert visit.report.diagnosis == "Acute bronchitis"
    assert sum(m.role == "patient" for m in visit.messages) == 3


@pytest.mark.parametrize(
    ("line", "ending", "failed_by", "says"),
    [
        (ValueError("no\nway"), Ending.DOCTOR_FAILED, "doctor", "ValueError: no"),
        ("  \n", Ending.DOCTOR_FAILED, "doctor", "said nothing"),
        (SystemExit(5), Ending.DOCTOR_FAILED, "doctor", "SystemExit: 5"),
        (asyncio.CancelledError(), Ending.DOCTOR_FAILED, "doctor", "CancelledError"),
        (
            SeatError("provider", Ending.INFRASTRUCTURE, "503"),
            Ending.INFRASTRUCTURE,
            "provider",
            "503",
        ),
    ],
)
async def test_a_failing_doctor_is_an_ending(
    line: str | BaseException, ending: Ending, failed_by: str, says: str
) -> None:
    visit = await _hold(Chairs(ScriptedDoctor("Cough?", line)))
    assert visit.ending is ending
    assert visit.failed_by == failed_by
    assert says in (visit.failure or "")
    assert len(visit.messages) == 4


async def test_a_doctor_that_answers_nothing_at_all_is_told_so() -> None:
    class Silent(ScriptedDoctor):
        async def on_messages(self, *_: object) -> None:  # type: ignore[override]
            return None

    visit = await _hold(Chairs(Silent()))
    assert visit.ending is Ending.DOCTOR_FAILED
    assert visit.failure == "on_messages returned NoneType, not a Response"


async def test_a_doctor_that_hangs_is_late() -> None:
    class Hanging(ScriptedDoctor):
        async def on_messages(self, *_: object) -> Response:
            await asyncio.Event().wait()
            raise AssertionError

    visit = await _hold(Chairs(Hanging(), timeout=0.01))
    assert visit.ending is Ending.DOCTOR_FAILED
    assert "said nothing for 0.01 seconds" in (visit.failure or "")


@pytest.mark.parametrize(
    ("chair", "ending"),
    [("patient", Ending.PATIENT_FAILED), ("examiner", Ending.EXAMINER_FAILED)],
)
async def test_a_failing_npc_is_named(chair: str, ending: Ending) -> None:
    def fail(text: str) -> Sequence[Message]:
        raise KeyError("gone")

    chairs = Chairs(ScriptedDoctor(*WHOLE), **{chair: ScriptedNpc(fail)})
    visit = await _hold(chairs)
    assert visit.ending is ending
    assert visit.failed_by == chair
    assert not visit.ending.markable
    assert not visit.ending.final


async def test_a_refusal_is_declined_and_keeps_its_words() -> None:
    refusal = "As an AI, I cannot make a diagnosis."
    visit = await _hold(Chairs(ScriptedDoctor(refusal)), setting=one_step)
    assert visit.ending is Ending.DOCTOR_DECLINED
    assert visit.report is not None
    assert visit.report.raw == refusal


async def test_a_transcript_is_gone_on_from() -> None:
    whole = await _hold(Chairs(ScriptedDoctor(*WHOLE)))
    for length in range(len(whole.messages) + 1):
        if length == 4:
            continue  # between the two messages of one reply
        chairs = Chairs(ScriptedDoctor(*WHOLE))
        again = await _hold(chairs, transcript=whole.messages[:length])
        assert again.messages == whole.messages
        assert again.report == whole.report
        assert len(chairs.patient.handed) <= 3


async def test_a_doctor_that_remembers_is_not_asked_again() -> None:
    whole = await _hold(Chairs(ScriptedDoctor(*WHOLE)))

    class Remembering(ScriptedDoctor):
        said: list[str]

        async def recall(self, heard: Sequence[BaseChatMessage], said: str) -> None:
            self.said = [*getattr(self, "said", []), said]

    doctor = Remembering(REPORT)
    again = await _hold(Chairs(doctor), transcript=whole.messages[:-1])
    assert doctor.said == list(WHOLE[:-1])
    assert len(doctor.heard) == 1
    assert again.messages == whole.messages


async def test_the_floor_is_the_complaint_and_the_ceiling_the_whole_case() -> None:
    low = Chairs(ScriptedDoctor(REPORT))
    await _hold(low, setting=zero_turn)
    assert [source for source, _ in low.doctor.heard[0]] == ["patient", "chief_physician"]
    assert low.doctor.heard[0][0][1] == "I have been coughing for a week."
    high = Chairs(ScriptedDoctor(REPORT))
    visit = await _hold(high, setting=one_step)
    handed = high.doctor.heard[0][0][1]
    assert "coughing for a week" in handed
    assert "clear lungs" in handed
    assert "Zebra" not in str(visit.messages)


async def test_what_no_file_can_hold_is_bounded_and_escaped() -> None:
    visit = await _hold(Chairs(ScriptedDoctor("a" * 10_000_000, "b\ud800\0c", REPORT)), max_turns=3)
    long, odd = (m for m in visit.messages if m.role == "doctor" and m.turn in (1, 2))
    assert len(long.text) == 100_000
    assert long.repairs[0].kind == "cut"
    assert odd.text == "b\\ud800\0c"
    assert odd.repairs[0].kind == "surrogates_escaped"
    assert Visit.model_validate_json(visit.model_dump_json()) == visit


async def test_autogens_console_prints_a_visit(capsys: pytest.CaptureFixture[str]) -> None:
    stream = consultation(_order(), RECORD, Chairs(ScriptedDoctor(*WHOLE)), Prompts())  # type: ignore[arg-type]
    result = await Console(stream)  # type: ignore[arg-type]
    assert isinstance(result, VisitResult)
    assert "chest X-ray: clear lungs" in capsys.readouterr().out
