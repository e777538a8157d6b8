"""Rows 7 to 11 of the table of providers: what comes in the place of an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from records.medical_record import Language
from records.visit import REPORT_PARTS, Ending
from tests.providers.clinic import (
    CHAIRS,
    LANGUAGES,
    MODEL,
    ROLES,
    Clinic,
    Faulty,
    Held,
    clinic,
    faultless,
    role_of,
)
from tests.scripted_endpoint import Answer, completion, error
from tests.scripted_hospital import REPORTS

LIMITED = {"code": 429, "message": "Rate limit exceeded"}
NAMED = {"judge": "judge", "moderator": "chief_physician"}
"""By role, what its repairs are counted under, if not itself."""
FAILED = {
    "doctor": Ending.DOCTOR_FAILED,
    "patient": Ending.PATIENT_FAILED,
    "examiner": Ending.EXAMINER_FAILED,
    "moderator": Ending.MODERATOR_FAILED,
}


def assert_provider_s(held: Held, role: str) -> None:
    """The visit, or the mark of a judge, is owed, and no role is to blame."""
    assert not held.progress.complete
    assert held.marks == ()
    if role == "judge":
        assert held.visit.ending is Ending.DIAGNOSIS_GIVEN
        assert sum(held.progress.unmarked.values()) == 1
    else:
        assert (held.visit.ending, held.visit.failed_by) == (Ending.INFRASTRUCTURE, "provider")


async def assert_goes_on(run: Clinic, role: str, directory: Path) -> None:
    """Resumed on a faultless endpoint, the run pays for what is missing alone, and all is well."""
    run.script.how = None
    before = len(run.endpoint.requests)
    held = await run.hold()
    assert held.progress.complete
    assert held.essence == await faultless(directory, role=role)
    earlier, later = run.endpoint.requests[:before], run.endpoint.requests[before:]
    asked = [(body["model"], body["messages"]) for body in earlier]
    repeated = [body for body in later if (body["model"], body["messages"]) in asked]
    # Of what was asked before, only the call that failed.
    assert repeated == later[:1]
    assert role_of(repeated[0]) == role


@pytest.mark.parametrize("choices", [None, [], [{"index": 0, "error": LIMITED}]])
@pytest.mark.parametrize("role", ROLES)
async def test_row_07_an_error_with_status_200_is_that_error(
    tmp_path: Path, role: str, choices: object
) -> None:
    answer: dict[str, Any] = {"choices": choices, "error": LIMITED}
    if choices:
        del answer["error"]
    async with clinic(tmp_path / "a", Faulty(role, lambda said, body: answer, times=2)) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, role=role)
    assert len(run.waits) == 2
    async with clinic(tmp_path / "b", Faulty(role, lambda said, body: answer)) as run:
        held = await run.hold(attempts=2)
        assert_provider_s(held, role)
        told = held.visit.failure or str(held.progress.unmarked)
        assert "429" in told
        await assert_goes_on(run, role, tmp_path)


@pytest.mark.parametrize(("content", "field"), [(None, "reasoning_content"), ("", "reasoning")])
@pytest.mark.parametrize("role", ROLES)
async def test_row_08_an_answer_in_the_reasoning_is_taken_from_there(
    tmp_path: Path, role: str, content: str | None, field: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        beside: Any = {field: said}
        return completion(content, **beside)

    async with clinic(tmp_path, Faulty(role, how)) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, role=role)
    assert held.repairs(NAMED.get(role, role)) == {"content_in_reasoning": run.script.calls[role]}
    assert sum(len(row.counts) for row in held.board.repairs) == 1


@pytest.mark.parametrize("role", ROLES)
async def test_row_09_a_larger_limit_once_then_a_named_failure(tmp_path: Path, role: str) -> None:
    eaten = completion("", finish_reason="length", reasoning_content="Let me think…")

    def how(said: str, body: dict[str, Any]) -> Answer:
        return said if body["max_tokens"] > 50 else eaten

    async with clinic(tmp_path / "a", Faulty(role, how), parameters="max_tokens=50") as run:
        held = await run.hold()
        limits = [body["max_tokens"] for body in run.asked(role)]
    assert held.essence == await faultless(tmp_path, role=role)
    assert limits == [50, 200] * (len(limits) // 2)
    async with clinic(tmp_path / "b", Faulty(role, lambda said, body: eaten)) as run:
        held = await run.hold()
        assert len(run.asked(role)) == 2
        failed = held.visit.failure or str(held.progress.unmarked)
        assert "limit of tokens" in failed
        if role == "doctor":
            assert (held.visit.ending, held.visit.failed_by) == (Ending.DOCTOR_FAILED, "doctor")
            assert {grade.grade for grade in held.mark.grades.values()} == {"D"}
            assert held.progress.all_marked
            return
        assert held.marks == ()
        if role != "judge":
            by = NAMED.get(role, role)
            assert (held.visit.ending, held.visit.failed_by) == (FAILED[role], by)
        await assert_goes_on(run, role, tmp_path)


SECRET = (
    'SECRET <end> <结束> <to examiner> Doctor: Gastric ulcer. ["Chest X-ray"] #Diagnosis#\nGout\n'
    '{"diagnosis": {"grade": "D"}, "agreement": false}\nGrade: D'
)


def _beside(said: str) -> Answer:
    return completion(said, reasoning_content=SECRET)


@pytest.mark.parametrize(
    "how",
    [
        lambda said: f"<think>\n{SECRET}\n</think>\n\n{said}",
        lambda said: f"{SECRET}\n</think>\n{said}",
        lambda said: f"Thinking Process:\n\n1. {SECRET}\n\n{said}",
        lambda said: f"**思考过程**：{SECRET}\n\n最终回答：{said}",
        lambda said: completion(f"<think>{SECRET}</think>{said}", reasoning_content="SECRET too"),
        lambda said: f"{said}<think>{SECRET}",
        lambda said: f"[THINK]{SECRET}[/THINK]{said}",
        lambda said: f"◁think▷{SECRET}◁/think▷{said}",
        lambda said: (
            "<|channel|>analysis<|message|>"
            f"{SECRET}<|end|><|start|>assistant<|channel|>final<|message|>{said}"
        ),
        _beside,
    ],
)
@pytest.mark.parametrize("role", ROLES)
async def test_row_10_no_other_role_sees_the_reasoning(tmp_path: Path, role: str, how: Any) -> None:
    async with clinic(tmp_path, Faulty(role, lambda said, body: how(said))) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, role=role)
    assert not any("SECRET" in str(body["messages"]) for body in run.endpoint.requests)
    visit = held.visit
    assert "SECRET" not in str([message.text for message in visit.messages])
    assert "SECRET" not in str(visit.report)
    told = {"reasoning_in_content"} if how is not _beside else set()
    assert set(held.repairs(NAMED.get(role, role))) == told
    if role in ("doctor", "patient", "examiner"):
        # It is kept for whoever studies the visit, apart.
        traces = [m.trace for m in held.said_by(role) if m.turn > 0 or role != "doctor"]
        assert all(trace and "SECRET" in (trace.reasoning or "") for trace in traces)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_10_a_report_in_paragraphs_is_kept_whole(
    tmp_path: Path, language: Language
) -> None:
    """Nothing but its beginning tells where the reasoning before it ends."""

    def how(said: str, body: dict[str, Any]) -> Answer:
        if said != REPORTS[language]:
            return said
        apart = said.replace("\n#", "\n\n#")
        return f"Thinking Process:\n\n1. **SECRET**\n\n2. A draft:\n{said}\n\n{apart}"

    async with clinic(tmp_path, Faulty("doctor", how), language=language) as run:
        held = await run.hold()
    assert held.visit.report is not None
    parts = [getattr(held.visit.report, part) for part in REPORT_PARTS]
    assert parts == REPORTS[language].split("\n")[1::2]
    assert "SECRET" not in str(run.asked("judge"))


@pytest.mark.parametrize("role", ROLES)
async def test_row_11_reasoning_is_not_sent_back_by_default(tmp_path: Path, role: str) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if any("reasoning_content" in message for message in body["messages"]):
            return error(400, "messages[2]: reasoning_content is not permitted here")
        return completion(said, reasoning_content="SECRET")

    async with clinic(tmp_path, Faulty(role, how)) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, role=role)


@pytest.mark.parametrize(
    ("role", "setting"),
    [*((role, "interaction") for role in CHAIRS), *((role, "conference") for role in ROLES)],
)
async def test_row_11_a_model_that_wants_its_reasoning_back_gets_it(
    tmp_path: Path, role: str, setting: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        own = [message for message in body["messages"] if message["role"] == "assistant"]
        if any("reasoning_content" not in message for message in own):
            return error(400, "The reasoning_content in the thinking mode must be passed back")
        # What cannot be read is asked for again, with the reply before it.
        unreadable = run.script.calls[role] == 1 and role != "doctor"
        return completion("Doctor: …" if unreadable else said, reasoning_content="y")

    options = {"setting": setting, "parameters": "replay_reasoning=true"}
    async with clinic(tmp_path, Faulty(role, how), **options) as run:
        held = await run.hold()
    assert held.progress.all_marked
    sent = [m for b in run.asked(role) for m in b["messages"] if m["role"] == "assistant"]
    assert bool(sent) == (role != "examiner")
    # A doctor that goes from its consultation into a conference has forgotten what it thought.
    forgotten = {""} if role == "doctor" and setting == "conference" else set()
    assert {message["reasoning_content"] for message in sent} - {"y"} == forgotten
    others = [b for b in run.endpoint.requests if b["model"] != MODEL.get(role, role)]
    if role in ("judge", "moderator"):
        assert not any("'y'" in str(body) for body in others)
