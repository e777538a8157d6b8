"""What `models check` finds of endpoints that want their requests otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from agents.model.model_failure import FailureKind
from agents.model.model_spec import ModelSpec
from agents.model.probe import Finding, ProbeReport, probe
from tests.scripted_endpoint import Answer, Raw, Script, ScriptedEndpoint, completion, error


async def probed(script: Script, parameters: str = "") -> tuple[ProbeReport, dict[str, Finding]]:
    async with ScriptedEndpoint(script) as endpoint:
        text = endpoint.spec(parameters=parameters)
        report = await probe(text, ModelSpec.parse(text))
    return report, {finding.what: finding for finding in report.findings}


def able(body: Mapping[str, Any]) -> Answer:
    """An endpoint that can do everything."""
    if body.get("stream"):
        return streamed("Monday, Tuesday")
    system, said = body["messages"][0]["content"], body["messages"][-1]["content"]
    text = "Hello."
    if "parrot" in system:
        text = "Lantern"
    elif body.get("response_format"):
        text = '{"colour": "red", "wheels": 6}'
    elif "two hundred" in said:
        return completion("one two three", finish_reason="length")
    elif "9.11" in said:
        return completion("9.9", reasoning_content="9.9 is 9.90.")
    return completion(text)


def streamed(text: str, *, usage: bool = True) -> Raw:
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in text.split(" ")
    ]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    if usage:
        events.append({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Raw("".join([*lines, "data: [DONE]\n\n"]), headers={"Content-Type": "text/event-stream"})


async def test_a_model_that_can_do_everything() -> None:
    report, found = await probed(able)
    assert report.can_sit
    assert report.answered == "scripted-1"
    assert {finding.outcome for finding in report.findings} == {"yes"}
    assert list(found) == [
        "connection",
        "usage",
        "system prompt",
        "roles",
        "JSON object",
        "JSON schema",
        "reasoning",
        "streaming",
        "max tokens",
        "temperature",
    ]
    assert "beside the answer" in found["reasoning"].found
    assert "2 pieces, with usage" in found["streaming"].found


async def test_a_model_that_wants_everything_otherwise(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(body: dict[str, Any]) -> Answer:
        roles = [message["role"] for message in body["messages"]]
        said = body["messages"][-1]["content"]
        if any(one == other for one, other in pairwise(roles)):
            return error(400, "Conversation roles must alternate user/assistant/user/assistant")
        if "max_tokens" in body:
            return error(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
        if "temperature" in body:
            return error(400, "Unsupported value: temperature", param="temperature")
        if "response_format" in body:
            return error(400, "This response_format type is unavailable now")
        if body.get("stream"):
            return error(400, "streaming is not supported")
        if "9.11" in said:
            return completion("<think>9.90 > 9.11</think>9.9", usage=None)
        if "JSON" in said:
            return completion('```json\n{"colour": "red", "wheels": 6}\n```', usage=None)
        if "two hundred" in said:
            return completion("one " * 40, usage={"prompt_tokens": 9, "completion_tokens": 40})
        return completion("Good morning.", usage=None)

    report, found = await probed(script)
    assert report.can_sit
    outcomes = {name: finding.outcome for name, finding in found.items()}
    assert outcomes == {
        "connection": "yes",
        "usage": "handled",
        "system prompt": "no",
        "roles": "handled",
        "JSON object": "handled",
        "JSON schema": "handled",
        "reasoning": "handled",
        "streaming": "handled",
        "max tokens": "no",
        "temperature": "handled",
    }
    assert all(finding.handling for finding in found.values() if finding.outcome == "handled")
    assert "max_completion_tokens" in found["max tokens"].found
    # What the client learns on the way stands in the findings, not in the log.
    assert not caplog.records
    assert capsys.readouterr().err == ""


async def test_a_system_role_that_is_refused_is_folded() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if body["messages"][0]["role"] == "system":
            return error(400, "System role not supported")
        return "Hello."

    _, found = await probed(script)
    assert found["system prompt"].outcome == "handled"
    assert "opens the first user message" in found["system prompt"].handling


async def test_reasoning_that_uses_a_short_limit_up() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if body.get("stream"):
            return streamed("Monday, Tuesday", usage=False)
        if body["max_tokens"] < 20:
            return completion("", finish_reason="length", reasoning_content="Let me see")
        return "Hello."

    _, found = await probed(script)
    assert found["max tokens"].outcome == "handled"
    assert "four times" in found["max tokens"].handling
    assert "without usage" in found["streaming"].found


async def test_the_specs_own_settings_are_tried() -> None:
    seen: list[dict[str, Any]] = []

    def script(body: dict[str, Any]) -> Answer:
        seen.append(body)
        return able(body)

    await probed(script, "temperature=0.7&max_tokens=64&body.top_k=4")
    assert {body["temperature"] for body in seen if "temperature" in body} == {0.7}
    assert {body["max_tokens"] for body in seen} == {64, 16}
    assert all(body["top_k"] == 4 for body in seen)


async def test_a_setting_that_is_refused_is_told() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "reasoning_effort" in body:
            return error(400, "Unsupported parameter: reasoning_effort", param="reasoning_effort")
        return able(body)

    _, found = await probed(script, "reasoning_effort=low")
    assert found["reasoning_effort"].found == "low is refused"
    assert found["reasoning_effort"].handling == "left to the model"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (error(401, "Incorrect API key"), FailureKind.REQUEST),
        (error(404, "no such model"), FailureKind.REQUEST),
        (error(429, "You exceeded", code="insufficient_quota"), FailureKind.QUOTA),
        (completion(""), FailureKind.EMPTY),
    ],
)
async def test_a_model_that_cannot_sit(answer: Answer, kind: FailureKind) -> None:
    report, found = await probed(lambda body: answer)
    assert not report.can_sit
    assert report.failure is kind
    assert list(found) == ["connection"]
    assert found["connection"].outcome == "failed"


async def test_one_try_that_fails_does_not_end_the_others() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "parrot" in body["messages"][0]["content"]:
            return error(400, "data_inspection_failed")
        return able(body)

    report, found = await probed(script)
    assert report.can_sit
    assert found["system prompt"].outcome == "failed"
    assert found["temperature"].outcome == "yes"
