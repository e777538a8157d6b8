"""The model client against what endpoints really send; rows are those of the provider table."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken
from autogen_core.models import AssistantMessage, SystemMessage, UserMessage
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import LONGEST_REPLY, Completion, read_reply, separate_reasoning
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience
from agents.model.wire import encoded
from tests.scripted_endpoint import Answer, Raw, Script, ScriptedEndpoint, completion, error

KEY = "sk-planted-0123456789"
ASKED = [UserMessage(content="How are you?", source="patient")]


class Room:
    """An endpoint, a client for it, and the waits that its attempt loop asked for."""

    def __init__(self, served: ScriptedEndpoint, parameters: str) -> None:
        self.waits: list[float] = []
        self.served = served
        patience = Patience(attempts=4, sleep=self._sleep, clock=lambda: sum(self.waits))
        self.endpoint = Endpoint(served.url, KEY, patience)
        spec = ModelSpec.parse(served.spec("scripted", parameters))
        self.client = ModelClient(spec, self.endpoint)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def ask(self, **keywords: Any) -> Completion:
        return await self.client.create(ASKED, **keywords)


@asynccontextmanager
async def room(script: Script | Sequence[Answer], parameters: str = "") -> AsyncIterator[Room]:
    """A room whose endpoint follows a script, or gives these answers in turn."""
    if not callable(script):
        answers = iter(script)
        script = lambda body: next(answers)  # noqa: E731
    async with ScriptedEndpoint(script) as served:
        made = Room(served, parameters)
        try:
            yield made
        finally:
            await made.endpoint.close()


async def failure_of(answers: Sequence[Answer], parameters: str = "") -> tuple[ModelFailure, Room]:
    async with room(answers, parameters) as r:
        with pytest.raises(ModelFailure) as caught:
            await r.ask()
    return caught.value, r


async def test_a_plain_reply_is_read_whole() -> None:
    async with room(["Fine, thank you."], "temperature=0&max_tokens=80&body.top_k=5") as r:
        reply = await r.ask()
    assert (reply.text, reply.finish_reason, reply.model) == (
        "Fine, thank you.",
        "stop",
        "scripted-1",
    )
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (10, 5)
    assert reply.usage_known
    assert reply.repairs == ()
    assert r.served.requests == [
        {
            "model": "scripted",
            "messages": [{"role": "user", "content": "How are you?"}],
            "temperature": 0.0,
            "max_tokens": 80,
            "top_k": 5,
        }
    ]
    assert r.served.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_row_1_max_completion_tokens_is_learnt_once(caplog: pytest.LogCaptureFixture) -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return error(400, message, code="unsupported_parameter", param="max_tokens")
        return "ok"

    with caplog.at_level(logging.WARNING):
        async with room(script, "max_tokens=80") as r:
            await r.ask()
            await r.ask()
    bodies = [(b.get("max_tokens"), b.get("max_completion_tokens")) for b in r.served.requests]
    assert bodies == [(80, None), (None, 80), (None, 80)]
    assert r.waits == []
    assert len([m for m in caplog.messages if "max_completion_tokens" in m]) == 1


async def test_row_1_a_refused_temperature_is_left_out_from_then_on() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "temperature" in body:
            message = "temperature does not support 0 with this model. Only the default (1) works."
            return error(400, message, param="temperature", code="unsupported_value")
        return "ok"

    async with room(script, "temperature=0&top_p=0.5") as r:
        await r.ask()
        await r.ask()
    assert ["temperature" in b for b in r.served.requests] == [True, False, False]
    assert all(b["top_p"] == 0.5 for b in r.served.requests)


async def test_row_2_the_error_names_the_fix_and_the_fix_works() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if body.get("enable_thinking") is not False:
            return error(
                400, "parameter.enable_thinking must be set to false for non-streaming calls"
            )
        return "ok"

    async with room(script) as r:
        with pytest.raises(ModelFailure, match=r"body\.enable_thinking=false") as caught:
            await r.ask()
    assert caught.value.kind is FailureKind.REQUEST
    async with room(script, "body.enable_thinking=false") as r:
        assert (await r.ask()).text == "ok"


async def test_row_3_json_schema_falls_back_to_json_object_then_to_text() -> None:
    class Wanted(BaseModel):
        name: str

    def script(body: dict[str, Any]) -> Answer:
        wanted = body.get("response_format")
        if wanted:
            return error(400, f"This response_format type {wanted['type']} is unavailable now")
        return '{"name": "x"}'

    async with room(script) as r:
        assert json.loads((await r.ask(json_output=Wanted)).text) == {"name": "x"}
        await r.ask(json_output=Wanted)
    asked = [b.get("response_format", {}).get("type") for b in r.served.requests]
    assert asked == ["json_schema", "json_object", None, None]


async def test_rows_4_and_5_neighbours_are_merged_and_names_are_not_sent() -> None:
    async with room(["ok"]) as r:
        await r.client.create(
            [
                SystemMessage(content="You are ill."),
                UserMessage(content="one", source="doctor"),
                UserMessage(content="two", source="examiner"),
                AssistantMessage(content="three", source="patient", thought="secret thought"),
                AssistantMessage(content="four", source="patient"),
                UserMessage(content="five", source="doctor"),
            ]
        )
    assert r.served.requests[0]["messages"] == [
        {"role": "system", "content": "You are ill."},
        {"role": "user", "content": "one\n\ntwo"},
        {"role": "assistant", "content": "three\n\nfour"},
        {"role": "user", "content": "five"},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        error(400, "Input data may contain inappropriate content.", code="DataInspectionFailed"),
        error(400, "The response was filtered", code="content_filter"),
        Raw({"choices": [], "error": {"code": "content_filter", "message": "no"}}),
        completion("", finish_reason="content_filter"),
    ],
)
async def test_row_6_a_filtered_call_is_not_made_again(answer: Answer) -> None:
    failure, r = await failure_of([answer])
    assert failure.kind is FailureKind.CONTENT_FILTERED
    assert len(r.served.requests) == 1


@pytest.mark.parametrize("choices", [None, []])
async def test_row_7_an_error_with_status_200_counts_as_that_error(choices: object) -> None:
    limited: dict[str, Any] = {
        "choices": choices,
        "error": {"code": 429, "message": "Rate limit exceeded"},
    }
    async with room([limited, limited, "ok"]) as r:
        assert (await r.ask()).text == "ok"
    assert len(r.waits) == 2
    failure, _ = await failure_of([limited] * 4)
    assert failure.kind is FailureKind.RATE_LIMIT


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("content", [None, ""])
async def test_row_8_an_answer_in_the_reasoning_field_is_taken_from_there(
    content: str | None, field: str
) -> None:
    extra: dict[str, Any] = {field: "I feel fine."}
    async with room([completion(content, **extra)]) as r:
        reply = await r.ask()
    assert (reply.text, reply.thought) == ("I feel fine.", None)
    assert [repair.kind for repair in reply.repairs] == ["content_in_reasoning"]


async def test_row_9_an_answer_eaten_by_reasoning_is_asked_for_with_a_larger_limit() -> None:
    eaten = completion("", finish_reason="length", reasoning_content="Let me think…")
    async with room([eaten, "ok"], "max_tokens=50") as r:
        assert (await r.ask()).text == "ok"
    assert [b["max_tokens"] for b in r.served.requests] == [50, 200]
    failure, r = await failure_of([eaten, eaten], "max_tokens=50")
    assert failure.kind is FailureKind.OUT_OF_TOKENS
    assert len(r.served.requests) == 2


@pytest.mark.parametrize(
    ("written", "beside", "thought"),
    [
        ("<think>It hurts. <end></think>Fine.", None, "It hurts. <end>"),
        ("It hurts. <end></think>\nFine.", None, "It hurts. <end>"),
        ("<think>in</think>Fine.", "beside", "beside\nin"),
        ("Fine.", "beside", "beside"),
        ("Thinking Process: it hurts\n\nFinal Answer: Fine.", None, "it hurts"),
        ("思考过程：他疼\n\nFine.", None, "他疼"),
        ("<thinking>a</thinking><think>b</think> Fine.", None, "a\nb"),
        ("Fine.<think>and then the limit came", None, "and then the limit came"),
    ],
)
async def test_row_10_reasoning_is_kept_apart(
    written: str, beside: str | None, thought: str
) -> None:
    extra: dict[str, Any] = {"reasoning_content": beside} if beside else {}
    async with room([completion(written, **extra)]) as r:
        reply = await r.ask()
    assert (reply.text, reply.thought) == ("Fine.", thought)


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("7", 7, 8),
        ("180", 180, 190),
        ("a date 100 seconds from now", 90, 111),
    ],
)
async def test_row_12_waits_as_long_as_told(header: str, least: float, most: float) -> None:
    if not header.isdigit():
        header = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    async with room([error(429, "slow down", {"Retry-After": header}), "ok"]) as r:
        assert (await r.ask()).text == "ok"
    assert len(r.waits) == 1
    assert least <= r.waits[0] <= most


async def test_row_12_does_not_wait_for_hours() -> None:
    failure, r = await failure_of([error(429, "tomorrow", {"Retry-After": "86400"})])
    assert failure.kind is FailureKind.RATE_LIMIT
    assert r.waits == []


@pytest.mark.parametrize(
    "answer",
    [
        error(429, "You exceeded your current quota", code="insufficient_quota"),
        error(402, "Insufficient Balance"),
    ],
)
async def test_row_12_without_quota_an_endpoint_is_left_alone(answer: Answer) -> None:
    async with room([answer]) as r:
        for _ in range(3):
            with pytest.raises(ModelFailure) as caught:
                await r.ask()
            assert caught.value.kind is FailureKind.QUOTA
    assert len(r.served.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        error(500, "oops"),
        Raw("<html>Bad gateway</html>", status=502),
        error(503, "overloaded"),
        error(529, "overloaded"),
        Raw('{"choices": [{"message": {"con', drop=True),
        Raw('{"choices": [{"message": {"con'),
        Raw("<html>Log in</html>", headers={"Content-Type": "text/html"}),
        Raw("[]"),
        Raw("null"),
        Raw('{"choices": []}'),
        Raw(b"\xff\xfe\x00"),
    ],
)
async def test_row_13_what_may_pass_is_tried_again_and_not_for_ever(answer: Answer) -> None:
    async with room([answer, answer, "ok"]) as r:
        assert (await r.ask()).text == "ok"
    assert len(r.waits) == 2
    assert 0.5 <= r.waits[0] <= 1.0 <= r.waits[1] <= 2.0
    failure, r = await failure_of([answer] * 4)
    assert failure.kind is FailureKind.TRANSIENT
    assert "4 attempts" in failure.reason


async def test_row_13_a_late_reply_is_tried_again() -> None:
    answers = iter([5.0, 0.0])

    async def script(body: dict[str, Any]) -> Answer:
        await asyncio.sleep(next(answers))
        return "ok"

    async with room(script, "timeout=0.2") as r:
        assert (await r.ask()).text == "ok"
    assert len(r.waits) == 1


async def test_row_13_an_endpoint_that_is_not_there_is_a_failure_with_its_address() -> None:
    patience = Patience(attempts=2, first_wait=0.0)
    endpoint = Endpoint("http://127.0.0.1:9/v1", patience=patience)
    client = ModelClient(ModelSpec(url=endpoint.url, model="m"), endpoint)
    try:
        with pytest.raises(ModelFailure, match=r"no connection to http://127\.0\.0\.1:9") as caught:
            await client.create(ASKED)
    finally:
        await endpoint.close()
    assert caught.value.kind is FailureKind.TRANSIENT


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": 3}])
async def test_row_14_missing_usage_is_unknown(usage: dict[str, int] | None) -> None:
    async with room([completion("ok", usage=usage)]) as r:
        assert not (await r.ask()).usage_known


@pytest.mark.parametrize(
    "answer",
    [
        Raw('{"choices": [{"message": {"content": "a\\u0000b\\ud800c\\u202e"}}]}'),
        Raw('{"choices": [{"message": {"content": [{"type": "text", "text": "a\\u0000b"}]}}]}'),
    ],
)
async def test_row_23_what_no_file_can_hold_is_escaped(answer: Answer) -> None:
    async with room([answer]) as r:
        reply = await r.ask()
    assert reply.text.startswith("a\\x00b")
    reply.text.encode("utf-8")
    assert [repair.kind for repair in reply.repairs] == ["characters_escaped"]


async def test_row_23_a_runaway_reply_is_bounded() -> None:
    async with room(["the same again. " * 700_000]) as r:
        reply = await r.ask()
    assert len(reply.text) == LONGEST_REPLY
    assert [repair.kind for repair in reply.repairs] == ["reply_cut"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Fine.<|im_end|>", "Fine."),
        ("Fine.<|eot_id|>\n<|start_header_id|>user", "Fine."),
        ("<|im_start|>Fine.<|im_end|>\n<|im_start|>user\nAnd you?", "Fine."),
        ("Fine.</s> ", "Fine."),
        ("It is <s>bad</s> fine.", "It is <s>bad</s> fine."),
    ],
)
async def test_row_17_a_turn_ends_at_its_template_s_token(written: str, text: str) -> None:
    async with room([written]) as r:
        reply = await r.ask()
    assert reply.text == text
    assert [repair.kind for repair in reply.repairs] == ["template_token"] * (text != written)


async def test_events_that_nobody_asked_for_are_put_together() -> None:
    head = {"Content-Type": "text/event-stream"}
    pieces = [{"choices": [{"delta": {"content": c}}]} for c in ("Fi", "ne.")]
    events = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces)
    async with room([Raw(f"{events}data: [DONE]\n\n", headers=head)]) as r:
        assert (await r.ask()).text == "Fine."
    for torn in (events, f"{events}data: {{", f"{events}data: {{\n\ndata: [DONE]\n\n"):
        failure, _ = await failure_of([Raw(torn, headers=head)] * 4)
        assert failure.kind is FailureKind.TRANSIENT


async def test_an_empty_reply_is_asked_for_once_more() -> None:
    async with room(["", "ok"]) as r:
        assert (await r.ask()).text == "ok"
    failure, r = await failure_of(["", ""])
    assert failure.kind is FailureKind.EMPTY
    assert len(r.served.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_wrong_request_is_not_repeated(status: int) -> None:
    failure, r = await failure_of([error(status, "No such model: scripted")])
    assert failure.kind is FailureKind.REQUEST
    assert "No such model" in failure.reason
    assert len(r.served.requests) == 1


async def test_the_key_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="agents"):
        for answer in (
            error(401, f"Incorrect API key provided: {KEY}."),
            error(500, f"{KEY} failed"),
            Raw({"choices": None, "error": {"message": f"bad {KEY}", "code": 429}}),
        ):
            failure, r = await failure_of([answer] * 4)
            assert KEY not in str(failure)
            assert KEY not in repr(r.endpoint)
            assert KEY not in repr(vars(r.client))
    assert KEY not in caplog.text


async def test_cancelling_the_token_stops_the_call() -> None:
    arrived = asyncio.Event()

    async def script(body: dict[str, Any]) -> Answer:
        arrived.set()
        await asyncio.sleep(60)
        return "late"

    async with room(script) as r:
        token = CancellationToken()
        call = asyncio.create_task(r.ask(cancellation_token=token))
        await arrived.wait()
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert r.waits == []


async def test_many_calls_share_the_endpoint() -> None:
    async def script(body: dict[str, Any]) -> Answer:
        await asyncio.sleep(0.01)
        return str(body["messages"][-1]["content"])[::-1]

    async with room(script) as r:
        asked = [f"call {n}" for n in range(60)]
        replies = await asyncio.gather(
            *(r.client.create([UserMessage(content=a, source="x")]) for a in asked)
        )
    assert [reply.text for reply in replies] == [a[::-1] for a in asked]
    assert r.client.total_usage().prompt_tokens == 600


async def test_streaming_gives_the_text_and_then_the_reply() -> None:
    async with room(["<think>hm</think>Fine."]) as r:
        chunks = [chunk async for chunk in r.client.create_stream(ASKED)]
    assert chunks[0] == "Fine."
    assert isinstance(chunks[-1], Completion)
    assert chunks[-1].thought == "hm"


async def test_autogen_s_assistant_agent_thinks_with_it() -> None:
    async with room(["Since when?"]) as r:
        agent = AssistantAgent(
            "doctor", model_client=r.client, system_message="You are a physician."
        )
        response = await agent.on_messages(
            [TextMessage(source="patient", content="It hurts.")], CancellationToken()
        )
    assert response.chat_message.to_model_text() == "Since when?"
    assert r.served.requests[0]["messages"] == [
        {"role": "system", "content": "You are a physician."},
        {"role": "user", "content": "It hurts."},
    ]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "error",
                    "usage",
                    "code",
                    "finish_reason",
                    "model",
                    "reasoning_content",
                    "prompt_tokens",
                    "completion_tokens",
                    "text",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_body_is_a_reply_or_a_failure(body: object) -> None:
    said: str | None
    try:
        said = read_reply(body).text
    except ModelFailure as failure:
        said = failure.reason
    assert said


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<THINKING>", "a", " ", "\n"])).map("".join)
)
def test_no_mark_of_reasoning_is_left_in_an_answer(text: str) -> None:
    answer, _ = separate_reasoning(text)
    assert "think>" not in answer


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think></think>", "*", " ", "Thinking:"])
def test_row_23_reasoning_repeated_without_end_is_read(piece: str) -> None:
    answer, _ = separate_reasoning("Thinking Process: " + piece * (100_000 // len(piece)))
    assert len(answer) <= 100_000


@given(
    st.dictionaries(st.text(max_size=5), _JSON, max_size=3),
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=3), max_size=4),
)
def test_a_request_is_the_json_of_its_body(
    fields: dict[str, Any], messages: list[dict[str, str]]
) -> None:
    body = {**fields, "messages": messages}
    assert json.loads(encoded(body)) == body


async def test_row_23_lone_surrogates_go_out_as_json_can_say_them() -> None:
    async with room(["ok"]) as r:
        await r.client.create([UserMessage(content="a\ud800b中", source="doctor")])
    assert r.served.requests[0]["messages"][0]["content"] == "a\ud800b中"


async def test_row_11_reasoning_is_sent_back_only_where_the_spec_says_so() -> None:
    talk = [
        UserMessage(content="one", source="doctor"),
        AssistantMessage(content="two", source="patient", thought="it hurts"),
        UserMessage(content="three", source="doctor"),
    ]
    for parameters, sent in (("", None), ("replay_reasoning=true", "it hurts")):
        async with room(["ok"], parameters) as r:
            await r.client.create(talk)
        assert r.served.requests[0]["messages"][1].get("reasoning_content") == sent


async def test_row_3_a_format_accepted_and_ignored_is_not_asked_for_again() -> None:
    class Wanted(BaseModel):
        name: str

    def script(body: dict[str, Any]) -> Answer:
        asked = body.get("response_format", {}).get("type")
        if asked is None and "JSON schema" in body["messages"][-1]["content"]:
            return 'Here you are:\n```json\n{"name": "x"}\n```'
        return "My name is x."

    async with room(script) as r:
        reply = await r.ask(json_output=Wanted)
        again = await r.ask(json_output=Wanted)
    assert Wanted.model_validate_json(reply.text) == Wanted(name="x")
    assert [repair.kind for repair in reply.repairs] == ["json_among_words"]
    assert (reply.attempts, again.attempts) == (3, 1)
    assert reply.usage.prompt_tokens == 30
    asked = [b.get("response_format", {}).get("type") for b in r.served.requests]
    assert asked == ["json_schema", "json_object", None, None]


async def test_row_3_a_format_that_wants_its_word_gets_it() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "JSON" not in body["messages"][-1]["content"]:
            said = "'messages' must contain the word 'json' in some form, to use 'response_format'"
            return error(400, said, param="messages")
        return "{}"

    async with room(script) as r:
        assert (await r.ask(json_output=True)).text == "{}"
        assert (await r.ask(json_output=True)).attempts == 1
    assert all("response_format" in b for b in r.served.requests)


@pytest.mark.parametrize(
    "said",
    [
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "System role not supported",
        "Developer instruction is not enabled: system role",
    ],
)
async def test_row_4_a_model_without_a_system_role_hears_it_from_the_user(said: str) -> None:
    def script(body: dict[str, Any]) -> Answer:
        return error(400, said) if body["messages"][0]["role"] == "system" else "ok"

    talk = [
        SystemMessage(content="You are ill."),
        UserMessage(content="one", source="doctor"),
        AssistantMessage(content="two", source="patient"),
    ]
    async with room(script) as r:
        await r.client.create(talk)
        await r.client.create(talk)
    assert [b["messages"] for b in r.served.requests[1:]] == 2 * [
        [
            {"role": "user", "content": "You are ill.\n\none"},
            {"role": "assistant", "content": "two"},
        ]
    ]


async def test_row_4_a_model_that_wants_a_user_first_gets_one() -> None:
    def script(body: dict[str, Any]) -> Answer:
        if body["messages"][0]["role"] != "user":
            return error(400, "First message must be from the user; roles must alternate")
        return "ok"

    talk = [
        AssistantMessage(content="Hello.", source="doctor"),
        UserMessage(content="one", source="patient"),
    ]
    async with room(script) as r:
        assert (await r.client.create(talk)).attempts == 2
    assert [m["role"] for m in r.served.requests[1]["messages"]] == ["user", "assistant", "user"]


async def test_row_1_calls_refused_at_once_learn_it_once(caplog: pytest.LogCaptureFixture) -> None:
    def script(body: dict[str, Any]) -> Answer:
        if "temperature" in body:
            return error(400, "Unsupported value: 'temperature'", param="temperature")
        return "ok"

    with caplog.at_level(logging.WARNING):
        async with room(script, "temperature=0") as r:
            await asyncio.gather(*(r.ask() for _ in range(5)))
    assert len([m for m in caplog.messages if "temperature" in m]) == 1


async def test_row_9_a_larger_limit_that_is_refused_leaves_the_first_failure() -> None:
    eaten = completion("", finish_reason="length", reasoning_content="Let me think…")
    refused = error(400, "max_tokens is too large: 200. This model supports at most 100 tokens")
    failure, r = await failure_of([eaten, refused], "max_tokens=50")
    assert failure.kind is FailureKind.OUT_OF_TOKENS
    assert len(r.served.requests) == 2


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens is not supported, use max_completion_tokens; that one is unsupported too",
        "response_format json_object is unavailable",
    ],
)
async def test_row_1_an_endpoint_that_refuses_whatever_it_gets_is_given_up(said: str) -> None:
    fixed = 'max_tokens=9&body.response_format={"type":"json_object"}'
    async with room(lambda body: error(400, said), fixed) as r:
        with pytest.raises(ModelFailure) as caught:
            await r.ask()
    assert caught.value.kind is FailureKind.REQUEST
    assert len(r.served.requests) < 12
