"""Rows 1 to 6 of the table of providers: what a request may not hold."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from autogen_agentchat.agents import AssistantAgent
from pydantic import BaseModel

from agents.model.model_client import ModelClient
from agents.model.model_spec import ModelSpec
from agents.model.model_table import ModelTable
from agents.model.patience import Patience
from agents.seats import People, Seats
from hospital.consultation import consultation
from hospital.stream import VisitResult
from records.medical_record import Language
from records.visit import Ending, VisitOrder
from tests.hospital.test_scripted_visit import RECORDS
from tests.providers.clinic import (
    CALLS,
    LANGUAGES,
    MODEL,
    PROMPTS,
    ROLES,
    Clinic,
    Faulty,
    clinic,
    faultless,
    role_of,
)
from tests.scripted_endpoint import Answer, Raw, ScriptedEndpoint, completion, error
from tests.scripted_hospital import play


@pytest.mark.parametrize("role", ROLES)
async def test_row_01_what_a_model_refuses_is_learnt_once(
    tmp_path: Path, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return error(400, message, code="unsupported_parameter", param="max_tokens")
        if "temperature" in body:
            message = "'temperature' does not support 0.2 with this model. Only the default (1) is."
            return error(400, message, code="unsupported_value", param="temperature")
        return said

    caplog.set_level(logging.WARNING)
    parameters = "max_tokens=900&temperature=0.2"
    async with clinic(tmp_path, Faulty(role, how), parameters=parameters) as run:
        held = await run.hold()
        asked = run.asked(role)
    assert held.essence == await faultless(tmp_path, role=role)
    refused = [b for b in asked if "max_tokens" in b or "temperature" in b]
    assert len(refused) == 2
    assert asked[:2] == refused
    assert all(b["max_completion_tokens"] == 900 for b in asked[1:])
    told = [line for line in caplog.messages if line.startswith(f"{MODEL.get(role, role)}: asking")]
    assert len(told) == 2
    assert run.waits == []


def _thinks(said: str, body: dict[str, Any]) -> Answer:
    if body.get("enable_thinking") is not False:
        return error(400, "parameter.enable_thinking must be set to false for non-streaming calls")
    return said


@pytest.mark.parametrize("role", ROLES)
async def test_row_02_the_error_names_the_parameter_that_is_missing(
    tmp_path: Path, role: str
) -> None:
    async with clinic(tmp_path, Faulty(role, _thinks)) as run:
        held = await run.hold()
    if role == "judge":
        assert held.visit.ending is Ending.DIAGNOSIS_GIVEN
        (told,) = held.progress.unmarked
    else:
        assert (held.visit.ending, held.visit.failed_by) == (Ending.INFRASTRUCTURE, "provider")
        told = held.visit.failure or ""
    assert "body.enable_thinking=false" in told
    assert len(run.asked(role)) == 1
    assert not held.progress.complete
    assert held.marks == ()


@pytest.mark.parametrize("role", ROLES)
async def test_row_02_the_model_table_sets_it(tmp_path: Path, role: str) -> None:
    script = Faulty(role, _thinks)
    async with ScriptedEndpoint(script) as endpoint:
        models = tmp_path / "models.toml"
        models.write_text(
            f'[providers.mine]\nurl = "{endpoint.url}"\nlocal = true\n'
            f"[providers.mine.models.{MODEL.get(role, role)}]\n"
            "body = {enable_thinking = false}\n",
            encoding="utf-8",
        )
        run = Clinic(tmp_path / "run", endpoint, script, role=role, table=ModelTable.load(models))
        held = await run.hold()
    assert held.progress.complete
    assert held.essence == await faultless(tmp_path, role=role)
    settings = {b["model"]: b.get("enable_thinking") for b in endpoint.requests}
    assert settings.pop(MODEL.get(role, role)) is False
    assert set(settings.values()) == {None}


async def test_row_03_no_chair_depends_on_a_response_format(tmp_path: Path) -> None:
    """Who wants JSON reads it out of text; so there is nothing for an endpoint to refuse."""
    for role in ("doctor", "moderator"):
        async with clinic(tmp_path / role, Faulty(role)) as run:
            await run.hold()
        assert run.script.calls
        assert not any("response_format" in body for body in run.endpoint.requests)


@pytest.mark.parametrize("ignored", [False, True])
async def test_row_03_a_doctor_that_wants_a_schema_gets_it_some_way(
    tmp_path: Path, ignored: bool
) -> None:
    """AutoGen's own agent, with a schema for its replies, in the Doctor's chair."""
    formats: list[str | None] = []

    def script(body: dict[str, Any]) -> Answer:
        if role_of(body) != "doctor":
            return play(body)
        wanted = body.get("response_format", {}).get("type")
        formats.append(wanted)
        if wanted and not ignored:
            return error(400, f"This response_format type {wanted} is unavailable now")
        said = json.dumps({"said": play(body)})
        return play(body) if wanted else f"Here you are:\n```json\n{said}\n```"

    record = RECORDS["en"]
    async with ScriptedEndpoint(script) as endpoint:
        seats = Seats(prompts=PROMPTS, patience=Patience(attempts=2, first_wait=0.0))
        order = VisitOrder(
            record_id=record.id,
            record_hash=record.content_hash,
            language="en",
            setting="interaction",
            doctor="human:schema",
            npc=endpoint.spec("npc"),
            prompts_hash=PROMPTS.hash,
        )
        system = PROMPTS.render("en", "doctor", "system", protocol="carried")
        model = ModelClient(ModelSpec.parse(endpoint.spec("doctor")))
        agent = AssistantAgent(
            "doctor",
            model,
            system_message=system,
            output_content_type=_Said,
            output_content_type_format="{said}",
        )
        seated = seats.seat(order, People(doctor=agent))
        *_, last = [item async for item in consultation(order, record, seated, PROMPTS)]
        await model.close()
        await seats.close()
    assert isinstance(last, VisitResult)
    assert last.visit.ending is Ending.DIAGNOSIS_GIVEN
    assert last.visit.report is not None
    assert last.visit.report.diagnosis == "Gastric ulcer"
    # Each is tried once in the whole visit.
    assert formats == ["json_schema", "json_object", *[None] * CALLS["doctor"]]


class _Said(BaseModel):
    said: str


async def test_row_03_a_clerk_reads_json_out_of_text() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "response_format" in body:
            return error(400, "This response_format type is unavailable now")
        return (
            'Here you are: {"chief_complaint": "Belly ache.", "diagnoses": ["Gout"]} All the best.'
        )

    async with ScriptedEndpoint(script) as endpoint:
        seats = Seats(prompts=PROMPTS)
        for _ in range(2):
            found = await seats.clerk(endpoint.spec()).sort("Belly ache.", "en")
            assert not found.asked_again
            assert "Belly ache." in str(found.claims)
        await seats.close()
    # The refusal is learnt once.
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
async def test_row_04_roles_alternate_in_every_request(
    tmp_path: Path, role: str, language: Language
) -> None:
    # Every role is asked a second time, so that all its kinds of requests are seen.
    script = Faulty(role, lambda said, body: "Patient: …\nDoctor: …\nExaminer: …", times=1)
    async with clinic(tmp_path, script, language=language) as run:
        held = await run.hold()
    assert held.progress.complete
    for body in run.endpoint.requests:
        spoken = [message["role"] for message in body["messages"]]
        talk = spoken[1:] if spoken[0] == "system" else spoken
        assert talk == [("user", "assistant")[i % 2] for i in range(len(talk))]
        assert talk[-1] == "user"


@pytest.mark.parametrize("role", ["doctor", "patient"])
async def test_row_04_a_model_without_a_system_role_is_asked_without(
    tmp_path: Path, role: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if body["messages"][0]["role"] == "system":
            return error(400, "Conversation roles must alternate user/assistant/user/assistant")
        return said

    async with clinic(tmp_path, Faulty(role, how)) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path)
    assert len(run.asked(role)) == CALLS[role] + 1


@pytest.mark.parametrize("role", ROLES)
async def test_row_05_the_field_name_is_never_sent(tmp_path: Path, role: str) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if any(set(message) - {"role", "content"} for message in body["messages"]):
            return error(400, "messages[1].name: extra fields not permitted")
        return said

    async with clinic(tmp_path, Faulty(role, how)) as run:
        held = await run.hold()
    assert held.progress.complete
    assert held.essence == await faultless(tmp_path, role=role)


FILTERED: list[Answer] = [
    error(400, "Input data may contain inappropriate content.", code="DataInspectionFailed"),
    error(400, "The response was filtered", code="content_filter"),
    Raw({"choices": None, "error": {"code": "content_filter", "message": "filtered"}}),
    completion("", finish_reason="content_filter"),
]


@pytest.mark.parametrize("answer", FILTERED)
@pytest.mark.parametrize("role", ["doctor", "patient", "examiner"])
async def test_row_06_filtered_words_end_the_visit_as_their_role_s(
    tmp_path: Path, role: str, answer: Answer
) -> None:
    async with clinic(tmp_path, Faulty(role, lambda said, body: answer)) as run:
        held = await run.hold()
        sent = len(run.endpoint.requests)
        assert len(run.asked(role)) == 1
        again = await run.hold()
        assert len(run.endpoint.requests) == sent
    assert (held.visit.ending, held.visit.failed_by) == (Ending.CONTENT_FILTERED, role)
    assert run.waits == []
    assert held.progress.complete
    if role == "doctor":
        assert {grade.grade for grade in held.mark.grades.values()} == {"D"}
        assert held.mark.diseases.predicted == ()
        assert held.progress.all_marked
        assert again.marks == held.marks
    else:
        assert held.marks == ()
        assert not held.progress.all_marked


@pytest.mark.parametrize("answer", FILTERED)
async def test_row_06_what_a_judge_may_not_read_is_unscored(tmp_path: Path, answer: Answer) -> None:
    async with clinic(tmp_path, Faulty("judge", lambda said, body: answer)) as run:
        held = await run.hold()
        sent = len(run.endpoint.requests)
        await run.hold()
        assert len(run.endpoint.requests) == sent
    assert len(run.asked("judge")) == 1
    assert {grade.grade for grade in held.mark.grades.values()} == {None}
    assert all("filter" in (grade.reason or "") for grade in held.mark.grades.values())
    # What needs no judge is scored all the same.
    assert held.mark.diseases.hits == ((0, 0),)
    assert held.board.rows[0].marks["diagnosis"].coverage == 0
    assert held.progress.complete


@pytest.mark.parametrize("answer", FILTERED)
async def test_row_06_a_filtered_moderator_ends_the_conference(
    tmp_path: Path, answer: Answer
) -> None:
    async with clinic(tmp_path, Faulty("moderator", lambda said, body: answer)) as run:
        held = await run.hold()
        sent = len(run.endpoint.requests)
        await run.hold()
        assert len(run.endpoint.requests) == sent
    assert (held.visit.ending, held.visit.failed_by) == (
        Ending.CONTENT_FILTERED,
        "chief_physician",
    )
    assert held.marks == ()


async def test_row_06_a_filtered_doctor_leaves_a_conference_to_the_others(tmp_path: Path) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return FILTERED[0] if body["model"] == "a" else said

    async with clinic(tmp_path, Faulty("doctor", how), setting="conference") as run:
        held = await run.hold()
    assert held.visit.ending is Ending.DIAGNOSIS_GIVEN
    assert held.visit.conference is not None
    out = [p.out for p in held.visit.conference.participants]
    assert (out[0] or "").startswith("content_filtered")
    assert out[1] is None
