"""Streamed replies: what is shown while they come, and what stands on record at the end."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import TaskResult
from autogen_agentchat.messages import ModelClientStreamingChunkEvent
from autogen_core import CancellationToken
from autogen_core.models import UserMessage
from hypothesis import given
from hypothesis import strategies as st

from agents.model.display_filter import DisplayFilter
from agents.model.event_stream import DONE, EventStream
from agents.model.journaled_client import JournaledClient
from agents.model.meter import Meter, MeteredClient
from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion, separate_reasoning
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience
from records.journal import Journal
from records.visit import Usage
from tests.scripted_endpoint import (
    Answer,
    Events,
    Raw,
    Script,
    ScriptedEndpoint,
    chunk,
    completion,
    error,
    streamed,
)

ASKED = [UserMessage(content="How are you?", source="patient")]


class Room:
    """An endpoint and a client for it."""

    def __init__(self, served: ScriptedEndpoint, parameters: str) -> None:
        self.served = served
        self.endpoint = Endpoint(served.url, patience=Patience(attempts=3, first_wait=0.0))
        spec = ModelSpec.parse(served.spec("scripted", parameters))
        self.client = ModelClient(spec, self.endpoint)

    async def listen(self, client: Any = None, **keywords: Any) -> tuple[list[str], Completion]:
        """The pieces that were shown, and the record."""
        items = [item async for item in (client or self.client).create_stream(ASKED, **keywords)]
        *pieces, record = items
        assert all(isinstance(piece, str) and piece for piece in pieces)
        assert isinstance(record, Completion)
        return pieces, record


@asynccontextmanager
async def room(script: Script | Sequence[Answer], parameters: str = "") -> AsyncIterator[Room]:
    if not callable(script):
        answers = iter(script)
        script = lambda body: next(answers)  # noqa: E731
    async with ScriptedEndpoint(script) as served:
        made = Room(served, parameters)
        try:
            yield made
        finally:
            await made.endpoint.close()


async def test_the_pieces_come_as_the_endpoint_sends_them() -> None:
    heard = asyncio.Event()
    answer = Events(
        [chunk("It hurts "), heard.wait(), chunk("here. "), chunk("Badly.", finish_reason="stop")]
    )
    async with room([answer]) as r:
        came = []
        # The endpoint says no more until the first piece was heard.
        async for item in r.client.create_stream(ASKED):
            came.append(item)
            heard.set()
    *pieces, record = came
    assert pieces == ["It hurts", " here.", " Badly."]
    assert isinstance(record, Completion)
    assert (record.text, record.model) == ("It hurts here. Badly.", "scripted-1")
    assert record.finish_reason == "stop"


async def test_usage_is_asked_for_and_counted() -> None:
    async with room([streamed("Fine.")]) as r:
        _, record = await r.listen()
    assert r.served.requests[0]["stream"] is True
    assert r.served.requests[0]["stream_options"] == {"include_usage": True}
    assert (record.usage_known, record.usage.prompt_tokens) == (True, 10)
    assert r.client.total_usage().completion_tokens == 5


async def test_row_14_a_stream_without_usage_has_unknown_usage() -> None:
    async with room([streamed("Fine.", usage=False)]) as r:
        _, record = await r.listen()
    assert not record.usage_known


async def test_row_14_stream_options_that_are_refused_are_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "stream_options" in body:
            return error(400, "Unrecognized request argument supplied: stream_options")
        return streamed("Fine.")

    with caplog.at_level(logging.WARNING):
        async with room(script) as r:
            await r.listen()
            await r.listen()
    assert ["stream_options" in body for body in r.served.requests] == [True, False, False]
    assert len([m for m in caplog.messages if "stream_options" in m]) == 1


async def test_a_model_that_does_not_stream_is_asked_in_one_piece_from_then_on() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if body.get("stream"):
            return error(400, "Streaming is not supported by this model: stream")
        return "Fine."

    async with room(script) as r:
        for _ in range(2):
            pieces, record = await r.listen()
            assert (pieces, record.text) == (["Fine."], "Fine.")
    assert [body.get("stream") for body in r.served.requests] == [True, None, None]


async def test_an_endpoint_that_answers_in_one_piece_all_the_same_is_read() -> None:
    async with room(
        ["<think>hm</think>Fine.", Raw(json.dumps(completion("Well."), indent=1))]
    ) as r:
        for said in ("Fine.", "Well."):
            pieces, record = await r.listen()
            assert ("".join(pieces), record.text) == (said, said)


@pytest.mark.parametrize(
    ("items", "thought"),
    [
        (
            [chunk(reasoning_content="It "), chunk(reasoning_content="hurts."), chunk("Fine.")],
            "It hurts.",
        ),
        ([chunk(reasoning="It hurts."), chunk("Fine.")], "It hurts."),
        (
            [chunk("<th"), chunk("ink>It hurts.</thi"), chunk("nk>\n\nFi"), chunk("ne.")],
            "It hurts.",
        ),
        ([chunk("Fi"), chunk("ne.<think>It hurts.")], "It hurts."),
        ([chunk("[TH"), chunk("INK]It hurts.["), chunk("/THINK]Fine.")], "It hurts."),
        (
            [
                chunk("<|channel|>analysis<|mess"),
                chunk("age|>It hurts.<|start|>assist"),
                chunk("ant<|channel|>fin"),
                chunk("al<|message|>Fine."),
            ],
            "It hurts.",
        ),
        ([chunk("**Thinking Pro"), chunk("cess:** It hurts.\n\nFine.")], "** It hurts."),
        ([chunk("思考"), chunk("过程：他疼\n\nFine.")], "他疼"),
    ],
)
async def test_row_10_no_reasoning_is_shown(items: list[dict[str, Any]], thought: str) -> None:
    async with room([Events([*items, chunk(finish_reason="stop")])]) as r:
        pieces, record = await r.listen()
    assert "".join(pieces) == record.text == "Fine."
    assert record.thought == thought


async def test_row_10_a_model_that_only_closes_its_reasoning_is_held_back_once_known() -> None:
    answer = [chunk("It hurts. "), chunk("</think>Fi"), chunk("ne."), chunk(finish_reason="stop")]
    async with room([Events(answer), Events(answer), streamed("No thought at all.")]) as r:
        _, first = await r.listen()
        pieces, second = await r.listen()
        unthinking = await r.listen()
    assert "".join(pieces) == "Fine."
    assert first.text == second.text == "Fine."
    assert second.thought == "It hurts."
    assert unthinking[0] == ["No thought at all."]


async def test_row_8_an_answer_among_the_reasoning_is_shown_in_the_end() -> None:
    items = [chunk(reasoning_content="I feel "), chunk(reasoning_content="fine.")]
    async with room([Events([*items, chunk(finish_reason="stop")])]) as r:
        pieces, record = await r.listen()
    assert (pieces, record.text) == (["I feel fine."], "I feel fine.")
    assert [repair.kind for repair in record.repairs] == ["content_in_reasoning"]


async def test_row_9_an_answer_eaten_by_reasoning_is_asked_for_with_a_larger_limit() -> None:
    eaten = Events([chunk(reasoning_content="Hm"), chunk(finish_reason="length")])
    async with room([eaten, "Fine."], "max_tokens=50") as r:
        pieces, record = await r.listen()
    assert (pieces, record.attempts) == (["Fine."], 2)
    assert [body["max_tokens"] for body in r.served.requests] == [50, 200]


async def test_row_23_what_no_terminal_can_hold_is_escaped() -> None:
    pieces = [chunk("a\x00"), chunk("b\ud83d"), chunk("\ude00", finish_reason="stop")]
    async with room([Events(pieces)]) as r:
        shown, record = await r.listen()
    assert record.text == "a\\x00b😀"
    "".join(shown).encode("utf-8")
    assert "\x00" not in "".join(shown)


@pytest.mark.parametrize(
    "failing",
    [
        error(429, "slow down"),
        error(503, "overloaded"),
        Raw("<html>Bad gateway</html>"),
        Events([{"error": {"code": 429, "message": "Rate limit exceeded"}}]),
        Events([chunk("", role="assistant")], drop=True),
        Events([chunk(reasoning_content="It h")], drop=True),
        Events([chunk("", role="assistant")], done=False),
        Events([b"data: {broken\n\n"]),
    ],
)
async def test_row_13_what_fails_before_anything_was_shown_is_tried_again(failing: Answer) -> None:
    async with room([failing, streamed("Fine.")]) as r:
        pieces, record = await r.listen()
    assert (pieces, record.attempts, len(record.failures)) == (["Fine."], 2, 1)


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        (Events([chunk("It hurts")], drop=True), FailureKind.TRANSIENT),
        (Events([chunk("It hurts")], done=False), FailureKind.TRANSIENT),
        (
            Events([chunk("It hurts"), {"error": {"code": 429, "message": "Rate limit"}}]),
            FailureKind.RATE_LIMIT,
        ),
        (
            Events([chunk("It hurts"), chunk(finish_reason="content_filter")]),
            FailureKind.CONTENT_FILTERED,
        ),
    ],
)
async def test_row_13_what_was_shown_in_part_is_a_failure_and_not_said_twice(
    rest: Answer, kind: FailureKind
) -> None:
    shown: list[object] = []
    async with room([rest]) as r:
        with pytest.raises(ModelFailure) as caught:
            await _listen_into(shown, r.client)
    assert shown == ["It hurts"]
    assert caught.value.kind is kind
    assert len(r.served.requests) == 1
    assert r.client.total_usage().prompt_tokens == 0


async def _listen_into(shown: list[object], client: ModelClient, **keywords: Any) -> None:
    async for item in client.create_stream(ASKED, **keywords):
        shown.append(item)


async def test_row_13_a_stream_that_halts_is_given_up() -> None:
    never = asyncio.Event()
    answers = [Events([b": still here\n\n", never.wait()]), Events([chunk("It"), never.wait()])]
    async with room(answers, "timeout=0.2") as r:
        with pytest.raises(ModelFailure, match=r"within 0\.2 seconds") as caught:
            await r.listen()
        never.set()
    assert caught.value.kind is FailureKind.TRANSIENT
    assert caught.value.attempts == 2


async def _closed(served: ScriptedEndpoint, arrived: asyncio.Event) -> None:
    await arrived.wait()
    while served.under_way:
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("streams", [True, False])
async def test_a_cancelled_call_hangs_up_and_asks_no_more(streams: bool) -> None:
    arrived = asyncio.Event()

    async def script(body: dict[str, Any]) -> Answer:
        arrived.set()
        if streams:
            return Events([chunk("It "), asyncio.sleep(60)])
        await asyncio.sleep(60)
        return "late"

    async with room(script) as r:
        token = CancellationToken()
        if streams:
            call = asyncio.create_task(r.listen(cancellation_token=token))
            with pytest.raises(asyncio.CancelledError):
                await _cancelled(call, token, arrived)
        else:
            waiting = r.client.create(ASKED, cancellation_token=token)
            with pytest.raises(asyncio.CancelledError):
                await _cancelled(asyncio.create_task(waiting), token, arrived)
        async with asyncio.timeout(5):
            await _closed(r.served, arrived)
    assert len(r.served.requests) == 1


async def _cancelled(
    call: asyncio.Task[Any], token: CancellationToken, arrived: asyncio.Event
) -> None:
    await arrived.wait()
    await asyncio.sleep(0.02)
    token.cancel()
    await call


async def test_who_stops_listening_stops_the_call() -> None:
    arrived = asyncio.Event()
    answer = Events([chunk("It hurts "), chunk("here"), asyncio.sleep(60)])
    async with room([answer]) as r:
        async with aclosing(r.client.create_stream(ASKED)) as items:
            async for _ in items:
                arrived.set()
                break
        async with asyncio.timeout(5):
            await _closed(r.served, arrived)
    assert len(r.served.requests) == 1


async def test_wrapped_clients_stream_and_the_journal_replays_in_one_piece(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    async with room([streamed("It hurts", " here.")]) as r:
        meter = Meter()

        def client() -> MeteredClient:
            return MeteredClient(JournaledClient(r.client, journal, "visit", "p"), meter, "p")

        pieces, record = await r.listen(client())
        again, replayed = await r.listen(client())
    journal.close()
    assert pieces == ["It hurts", " here."]
    assert (again, replayed.origin) == (["It hurts here."], "journal")
    assert record.text == replayed.text == "It hurts here."
    assert meter.usage == {"p": Usage(calls=2, prompt_tokens=20, completion_tokens=10)}
    assert len(r.served.requests) == 1


async def test_json_of_which_half_is_no_use_comes_in_one_piece() -> None:
    async with room(['{"a": 1}']) as r:
        pieces, _ = await r.listen(json_output=True)
    assert pieces == ['{"a": 1}']
    assert "stream" not in r.served.requests[0]


_TEXT = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<THOUGHT>", "</thought>", "<", "th", "a < b", " ", "\n\n", "Think"]
    )
    | st.text("aé中 \n<>/", max_size=4),
    max_size=12,
).map("".join)


@given(_TEXT, st.lists(st.integers(0, 60), max_size=8))
def test_what_is_shown_is_the_answer_however_it_is_cut(text: str, cuts: list[int]) -> None:
    display = DisplayFilter()
    ends = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    shown = "".join(display.feed(text[a:b]) for a, b in itertools.pairwise(ends)) + display.end()
    assert display.ended_untold or shown == separate_reasoning(text)[0]


@given(
    st.lists(st.text('ab:中 {}"', min_size=1, max_size=8).map(str.encode), max_size=5),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.lists(st.integers(0, 200), max_size=10),
    st.booleans(),
)
def test_events_are_read_however_their_bytes_come(
    events: list[bytes], end: bytes, cuts: list[int], done: bool
) -> None:
    lines = b": hello" + end + b"event: x" + end
    lines += b"".join(b"data: " + event + end + end for event in events)
    lines += b"data: [DONE]" + end + end if done else b""
    stream, found = EventStream(), []
    ends = [0, *sorted(cut for cut in cuts if cut < len(lines)), len(lines)]
    for a, b in itertools.pairwise(ends):
        found += stream.feed(lines[a:b])
    if rest := stream.rest:
        found.append(rest)
    assert found == [*events, *([DONE] if done else [])]


@pytest.mark.parametrize("streams", [True, False])
async def test_a_call_cancelled_between_two_attempts_makes_no_other(streams: bool) -> None:
    async with ScriptedEndpoint(lambda body: error(503, "overloaded")) as served:
        endpoint = Endpoint(served.url, patience=Patience(first_wait=30.0))
        client = ModelClient(ModelSpec.parse(served.spec()), endpoint)
        token = CancellationToken()
        shown: list[object] = []
        call = asyncio.ensure_future(
            _listen_into(shown, client, cancellation_token=token)
            if streams
            else client.create(ASKED, cancellation_token=token)
        )
        async with asyncio.timeout(10):
            while not served.requests or served.under_way:
                await asyncio.sleep(0.001)
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await endpoint.close()
    assert len(served.requests) == 1


async def test_autogen_s_assistant_agent_streams_with_it() -> None:
    async with room([streamed("Since ", "when?")]) as r:
        agent = AssistantAgent("doctor", model_client=r.client, model_client_stream=True)
        items = [item async for item in agent.run_stream(task="It hurts.")]
    chunks = [i.content for i in items if isinstance(i, ModelClientStreamingChunkEvent)]
    assert chunks == ["Since", " when?"]
    assert isinstance(items[-1], TaskResult)
    assert items[-1].messages[-1].to_text() == "Since when?"
