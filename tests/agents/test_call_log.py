"""One line a call."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from autogen_core.models import UserMessage

from agents.model.budget import Budget
from agents.model.call_log import CallLog, LoggedClient
from agents.model.journaled_client import JournaledClient
from agents.model.model_failure import ModelFailure
from agents.model.model_spec import ModelSpec, Price
from agents.model.priced_client import PricedClient
from records.journal import Journal
from tests.scripted_endpoint import Answer, completion, error

QUESTION = "How are you, Mrs Unrepeatable?"
FIELDS = {"time", "visit", "role", "asked", "request", "seconds", "outcome", "attempts", "failures"}
OF_A_REPLY = {
    "origin",
    "answered",
    "finish",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "repairs",
}


async def log_of(
    serve: Any, tmp_path: Path, answers: list[Answer], calls: int = 1
) -> list[dict[str, Any]]:
    """The lines of so many visits that ask the same question, of which failures are let pass."""
    served = await serve(answers)
    spec = ModelSpec.parse(served.endpoint.spec())
    spec = spec.model_copy(update={"price": Price(prompt=10, completion=100)})
    journal, log = Journal(tmp_path / "journal.jsonl"), CallLog(tmp_path / "calls.jsonl")
    for _ in range(calls):
        client = PricedClient(served.client, spec, Budget())
        logged = LoggedClient(
            JournaledClient(client, journal, "visit", "patient"), log, "visit", "patient", "spec"
        )
        with suppress(ModelFailure):
            await logged.create([UserMessage(content=QUESTION, source="doctor")])
    journal.close()
    log.close()
    text = (tmp_path / "calls.jsonl").read_text(encoding="utf-8")
    assert "Unrepeatable" not in text
    return [json.loads(line) for line in text.splitlines()]


async def test_a_reply_and_its_replay(serve: Any, tmp_path: Path) -> None:
    first, second = await log_of(
        serve, tmp_path, [completion("<think>Unrepeatable</think>Fine.")], calls=2
    )
    assert first.keys() == second.keys() == FIELDS | OF_A_REPLY
    assert (first["visit"], first["role"], first["asked"]) == ("visit", "patient", "spec")
    assert (first["outcome"], first["origin"], second["origin"]) == ("reply", "model", "journal")
    assert (first["answered"], first["finish"]) == ("scripted-1", "stop")
    assert (first["prompt_tokens"], first["completion_tokens"]) == (10, 5)
    assert first["cost"] == second["cost"] == pytest.approx(10 * 10e-6 + 5 * 100e-6)
    assert first["repairs"] == ["reasoning_in_content"]
    assert first["request"] == second["request"]


async def test_failures_on_the_way_and_their_tokens(serve: Any, tmp_path: Path) -> None:
    (line,) = await log_of(
        serve, tmp_path, [completion("", usage={"prompt_tokens": 7, "completion_tokens": 1}), "ok"]
    )
    assert (line["attempts"], line["failures"]) == (2, ["empty"])
    assert (line["prompt_tokens"], line["completion_tokens"]) == (17, 6)


async def test_unknown_usage_is_not_zero(serve: Any, tmp_path: Path) -> None:
    (line,) = await log_of(serve, tmp_path, [completion("ok", usage=None)])
    assert (line["prompt_tokens"], line["completion_tokens"], line["cost"]) == (None, None, None)


async def test_a_call_that_fails_has_a_line_without_its_words(serve: Any, tmp_path: Path) -> None:
    (line,) = await log_of(serve, tmp_path, [error(400, "no, Mrs Unrepeatable")])
    assert line.keys() == FIELDS
    assert (line["outcome"], line["attempts"], line["failures"]) == ("request", 1, ["request"])


async def test_a_cancelled_call_has_a_line(serve: Any, tmp_path: Path) -> None:
    async def never(body: dict[str, Any]) -> str:
        await asyncio.sleep(3600)
        return "late"

    served = await serve(never)
    log = CallLog(tmp_path / "calls.jsonl")
    logged = LoggedClient(served.client, log, "visit", "patient", "spec")
    task = asyncio.ensure_future(logged.create([UserMessage(content=QUESTION, source="doctor")]))
    while not served.asked:
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    log.close()
    (line,) = (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["outcome"] == "cancelled"


async def test_a_torn_last_line_is_cut_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text('{"n": 1}\n{"n": ', encoding="utf-8")
    log = CallLog(path)
    log.write({"n": 2})
    log.close()
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"n": 1}, {"n": 2}]
