"""Conferences with models in every chair, over the wire: calls, endings, failures, resuming."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.conference_seats import consultation_orders, convene
from agents.model.patience import Patience
from agents.seats import Seats
from hospital.conference import conference
from hospital.consultation_book import ConsultationBook
from hospital.experiment import hold
from hospital.stream import VisitResult
from prompts import Prompts
from records.conference import Minutes
from records.journal import Journal
from records.medical_record import Language
from records.visit import Ending, Visit, VisitOrder
from tests.hospital.test_scripted_visit import RECORDS
from tests.scripted_conference import OWN, ConferenceScript
from tests.scripted_endpoint import ScriptedEndpoint, error

PROMPTS = Prompts()
CONSULTATION = {"doctor": 4, "npc": 5}
"""Calls of one consultation: three messages and a report, four answers and one examination."""


def order_of(
    endpoint: ScriptedEndpoint,
    doctors: str = "ab",
    language: Language = "en",
    options: str = "",
    trial: int = 1,
) -> VisitOrder:
    record = RECORDS[language]
    who = ", ".join(endpoint.spec(name) for name in doctors)
    chair = "" if "strategy=" in options else f"; moderator={endpoint.spec('chair')}"
    return VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=language,
        setting="conference",
        doctor=f"conference({who}{chair}{options})",
        npc=endpoint.spec("npc"),
        prompts_hash=PROMPTS.hash,
        trial=trial,
    )


async def held(
    order: VisitOrder, journal: Journal | None = None, book: ConsultationBook | None = None
) -> tuple[Visit, Minutes]:
    patience = Patience(attempts=2, first_wait=0.0)
    seats = Seats(prompts=PROMPTS, journal=journal, patience=patience)
    people = convene(seats, order)
    try:
        record = RECORDS[order.language]
        items = [item async for item in conference(order, record, people, PROMPTS, book)]
    finally:
        await people.close()
        await seats.close()
    assert isinstance(items[-1], VisitResult)
    visit = items[-1].visit
    assert visit.conference is not None
    return visit, visit.conference


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("agree_after", "rounds", "verdicts"), [(0, 0, 1), (2, 2, 3), (None, 4, 4)]
)
async def test_a_conference_makes_the_calls_that_the_algorithm_needs(
    language: Language, agree_after: int | None, rounds: int, verdicts: int
) -> None:
    script = ConferenceScript(agree_after)
    async with ScriptedEndpoint(script) as endpoint:
        visit, minutes = await held(order_of(endpoint, "abc", language))
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    assert minutes.ended_by == ("round_limit" if agree_after is None else "agreement")
    assert minutes.rounds_held == rounds
    assert [held.number for held in minutes.rounds] == list(range(rounds + 1))
    assert script.calls == {
        **{f"consult {name}": CONSULTATION["doctor"] for name in "abc"},
        "npc": 3 * CONSULTATION["npc"],
        "find_contradictions": 1,
        "merge_facts": 1,
        **{f"revise {name}": 1 + rounds for name in "abc"},
        "disputes": verdicts,
        "final_report": 1,
    }
    assert sum(used.calls for used in visit.usage.values()) == len(endpoint.requests)
    assert visit.usage["doctor_2"].calls == CONSULTATION["doctor"] + 1 + rounds
    assert visit.models_answered["chief_physician"] == ("scripted-1",)


async def test_doctors_see_the_others_reports_and_three_points_by_importance() -> None:
    script = ConferenceScript(1)
    async with ScriptedEndpoint(script) as endpoint:
        _, minutes = await held(order_of(endpoint, "abc"))
        revisions = [b for b in endpoint.requests if script.is_revision(b)]
    assert minutes.rounds[1].points == ("ulcer or gastritis", "endoscopy", "diet")
    first, second = revisions[:3], revisions[3:]
    assert all("Belly ache\n\nExaminations:" in b["messages"][-1]["content"] for b in first)
    for body in second:
        told = body["messages"][-1]["content"]
        assert [told.count(name) for name in OWN["en"].values()] == [1, 1, 1]
        assert "1. ulcer or gastritis\n2. endoscopy\n3. diet" in told
        assert "a fourth one" not in told
    # The moderator is told the reports, and nothing of the record.
    for body in endpoint.requests:
        if body["model"] == "chair":
            assert "71" not in str(body)


async def test_without_disputes_the_points_are_noted_and_not_told() -> None:
    script = ConferenceScript(1)
    async with ScriptedEndpoint(script) as endpoint:
        _, minutes = await held(order_of(endpoint, options=", disputes=off"))
        revisions = [b for b in endpoint.requests if script.is_revision(b)]
    assert minutes.rounds[1].points[0] == "ulcer or gastritis"
    assert not minutes.rounds[1].points_shown
    assert not any("ulcer or gastritis" in str(body) for body in revisions)


async def test_without_facts_nothing_is_merged_and_nobody_asked() -> None:
    script = ConferenceScript(0)
    async with ScriptedEndpoint(script) as endpoint:
        visit, minutes = await held(order_of(endpoint, options=", facts=off"))
    assert (minutes.facts, minutes.rounds) == (None, ())
    assert script.calls["find_contradictions"] + script.calls["merge_facts"] == 0
    assert visit.report is not None


@pytest.mark.parametrize(
    ("strategy", "calls"), [("vote", {}), ("revise", {"a": 1, "b": 1}), ("summary", {"chair": 1})]
)
async def test_the_other_strategies_make_their_calls(strategy: str, calls: dict[str, int]) -> None:
    script = ConferenceScript()
    async with ScriptedEndpoint(script) as endpoint:
        options = f"; strategy={strategy}"
        if strategy == "summary":
            options += f", moderator={endpoint.spec('chair')}"
        visit, minutes = await held(order_of(endpoint, options=options))
    made = {name: script.calls[f"revise {name}"] for name in "ab" if script.calls[f"revise {name}"]}
    if script.calls["final_report"]:
        made["chair"] = script.calls["final_report"]
    assert made == calls
    assert len(endpoint.requests) == 2 * sum(CONSULTATION.values()) + sum(calls.values())
    assert visit.report is not None
    assert minutes.ended_by == ("summary" if strategy == "summary" else "vote")


async def test_questions_go_to_whom_they_are_for() -> None:
    questions = (
        ("patient", "Since when do you have it?"),
        ("examiner", "Electrocardiogram, please."),
    )
    script = ConferenceScript(0, questions)
    async with ScriptedEndpoint(script) as endpoint:
        visit, minutes = await held(order_of(endpoint))
        merging = next(b for b in endpoint.requests if "Where they differed" in str(b))
    assert [c.asked_of for c in minutes.contradictions] == ["patient", "examiner"]
    assert minutes.contradictions[0].answer == "For some days."
    assert minutes.contradictions[1].examinations == ("e1",)
    assert script.calls["npc"] == 2 * CONSULTATION["npc"] + 2
    assert "Answer: For some days." in merging["messages"][-1]["content"]
    told = [(m.speaker, m.addressee) for m in visit.messages[:4]]
    assert told == [
        ("chief_physician", "patient"),
        ("patient", "chief_physician"),
        ("chief_physician", "examiner"),
        ("examiner", "chief_physician"),
    ]


@pytest.mark.parametrize("when", ["consult", "revise"])
async def test_a_third_doctor_that_fails_is_named_and_stays_out(when: str) -> None:
    class Failing(ConferenceScript):
        def __call__(self, body: dict[str, Any]) -> Any:
            fails = body["model"] == "c" and (when == "consult" or self.is_revision(body))
            return error(400, "no", code="content_filter") if fails else super().__call__(body)

    async with ScriptedEndpoint(Failing(0)) as endpoint:
        visit, minutes = await held(order_of(endpoint, "abc"))
    assert visit.ending is Ending.DIAGNOSIS_GIVEN
    assert [p.out is None for p in minutes.participants] == [True, True, False]
    third = minutes.participants[2]
    assert third.out is not None
    assert third.out.startswith("content_filtered")
    assert third.out_since == (-1 if when == "consult" else 0)
    assert list(minutes.rounds[0].reports) == ["doctor_1", "doctor_2"]


async def test_one_that_is_left_has_held_a_consultation() -> None:
    class Declining(ConferenceScript):
        def __call__(self, body: dict[str, Any]) -> Any:
            said = super().__call__(body)
            report = str(said).startswith("#Symptoms#")
            return "I cannot give a diagnosis." if body["model"] == "b" and report else said

    script = Declining()
    async with ScriptedEndpoint(script) as endpoint:
        visit, minutes = await held(order_of(endpoint))
    assert (visit.ending, minutes.ended_by) == (Ending.DIAGNOSIS_GIVEN, "one_left")
    assert visit.report is not None
    assert visit.report.diagnosis == OWN["en"]["a"]
    assert minutes.participants[1].out == "doctor_declined"
    assert len(endpoint.requests) == 2 * sum(CONSULTATION.values())


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ("I cannot give a diagnosis.", Ending.DOCTOR_DECLINED),
        (None, Ending.DOCTOR_FAILED),
    ],
)
async def test_without_anyone_left_there_is_no_diagnosis(said: str | None, ending: Ending) -> None:
    class Nobody(ConferenceScript):
        def __call__(self, body: dict[str, Any]) -> Any:
            answer = super().__call__(body)
            return (said or "") if str(answer).startswith("#Symptoms#") else answer

    async with ScriptedEndpoint(Nobody()) as endpoint:
        visit, minutes = await held(order_of(endpoint))
    assert (visit.ending, visit.report, minutes.ended_by) == (ending, None, "none_left")
    assert visit.failure is not None
    assert "doctor_1" in visit.failure


@pytest.mark.parametrize(
    ("replies", "ending", "asked"),
    [
        (["What a case.", '{"agreement": true}'], Ending.DIAGNOSIS_GIVEN, 2),
        (["What a case.", "Well, well."], Ending.MODERATOR_FAILED, 2),
        (['{"agreement": false, "disputes": []}'] * 4, Ending.DIAGNOSIS_GIVEN, 4),
        (["We have reached agreement: consensus is reached."], Ending.DIAGNOSIS_GIVEN, 1),
    ],
)
async def test_an_unreadable_verdict_is_asked_for_once_more(
    replies: list[str], ending: Ending, asked: int
) -> None:
    class Chair(ConferenceScript):
        def moderate(self, purpose: str, language: Language) -> str:
            if purpose == "disputes":
                self.verdicts += 1
                return replies[self.verdicts - 1]
            return super().moderate(purpose, language)

    script = Chair()
    async with ScriptedEndpoint(script) as endpoint:
        visit, minutes = await held(order_of(endpoint))
    assert (visit.ending, script.verdicts) == (ending, asked)
    if ending is Ending.MODERATOR_FAILED:
        assert (visit.failed_by, visit.report) == ("chief_physician", None)
        assert minutes.ended_by is None
    if len(replies) == 4:
        assert [held.points for held in minutes.rounds[1:]] == [()] * 4


async def test_a_conference_killed_in_the_middle_of_a_round_pays_for_nothing_twice(
    tmp_path: Path,
) -> None:
    script = ConferenceScript(2)
    broken = True

    def failing(body: dict[str, Any]) -> Any:
        # The second doctor's endpoint is down in round 1; the others' replies are paid.
        down = broken and script.is_revision(body) and body["model"] == "b" and script.verdicts == 1
        return error(500, "down") if down else script(body)

    async with ScriptedEndpoint(failing) as endpoint:
        order = order_of(endpoint, "abc")
        journal = Journal(tmp_path / "journal.jsonl")
        first, _ = await held(order, journal)
        journal.close()
        assert (first.ending, first.failed_by) == (Ending.INFRASTRUCTURE, "provider")
        assert script.calls["revise a"] == script.calls["revise c"] == 2
        broken = False
        journal = Journal(tmp_path / "journal.jsonl")
        second, minutes = await held(order, journal)
        journal.close()
    assert (second.ending, minutes.rounds_held) == (Ending.DIAGNOSIS_GIVEN, 2)
    assert script.calls["revise a"] == script.calls["revise b"] == script.calls["revise c"] == 3
    assert script.calls["consult a"] == CONSULTATION["doctor"]
    assert script.calls["find_contradictions"] == script.calls["merge_facts"] == 1
    assert script.calls["disputes"] == 3


async def test_a_consultation_that_was_held_is_not_held_again() -> None:
    script = ConferenceScript(0)
    async with ScriptedEndpoint(script) as endpoint:
        order = order_of(endpoint)
        seats = Seats(prompts=PROMPTS)
        own = consultation_orders(order)[0]
        book = ConsultationBook()
        alone = await hold(own, RECORDS["en"], seats, PROMPTS, book)
        await seats.close()
        _, minutes = await held(order, book=book)
    assert script.calls["consult a"] == script.calls["consult b"] == CONSULTATION["doctor"]
    taken = minutes.participants[0].consultation
    assert taken is not None
    assert (taken.key, taken.messages, taken.report) == (own.key, alone.messages, alone.report)
    revision = next(b for b in endpoint.requests if script.is_revision(b) and b["model"] == "a")
    said = [m["content"] for m in revision["messages"] if m["role"] == "assistant"]
    # The doctor remembers what it said, though its consultation was another process's.
    assert said == [m.text for m in alone.messages if m.speaker == "doctor"][1:]


async def test_the_same_doctor_twice_has_two_consultations() -> None:
    script = ConferenceScript(0)
    async with ScriptedEndpoint(script) as endpoint:
        order = order_of(endpoint, "aa", trial=2)
        assert [own.trial for own in consultation_orders(order)] == [3, 4]
        visit, minutes = await held(order)
    keys = [p.visit_key for p in minutes.participants]
    assert len(set(keys)) == 2
    assert script.calls["consult a"] == 2 * CONSULTATION["doctor"]
    assert script.calls["revise a"] == 2
    assert set(visit.usage) == {"doctor_1", "doctor_2", "patient", "examiner", "chief_physician"}
