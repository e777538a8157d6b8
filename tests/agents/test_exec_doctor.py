from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken

from agents.errors import SeatError
from agents.exec_doctor import ExecDoctor
from records.visit import Ending

ECHO = """
import json, sys
for line in sys.stdin:
    heard = json.loads(line)
    print(json.dumps({"content": json.dumps(heard, ensure_ascii=False)}), flush=True)
"""


def doctor(program: str, timeout: float = 30.0) -> ExecDoctor:
    return ExecDoctor([sys.executable, "-c", program], "zh", timeout)


async def ask(chair: ExecDoctor, *content: str, source: str = "patient") -> str:
    messages: Sequence[TextMessage] = [TextMessage(source=source, content=c) for c in content]
    response = await chair.on_messages(messages, CancellationToken())
    assert isinstance(response.chat_message, TextMessage)
    return response.chat_message.content


async def failing(program: str, timeout: float = 30.0, turns: int = 1) -> str:
    chair = doctor(program, timeout)
    try:
        for _ in range(turns - 1):
            await ask(chair, "Hello")
        with pytest.raises(SeatError) as caught:
            await ask(chair, "Hello")
    finally:
        await chair.close()
    assert (caught.value.role, caught.value.ending) == ("doctor", Ending.DOCTOR_FAILED)
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 700
    return caught.value.reason


async def test_one_line_in_and_one_line_out_each_turn() -> None:
    chair = doctor(ECHO)
    try:
        first = json.loads(await ask(chair, "我肚子疼。\n很疼。"))
        second = json.loads(await ask(chair, "ECG: normal", source="examiner"))
    finally:
        await chair.close()
    assert first == {
        "turn": 1,
        "language": "zh",
        "messages": [{"source": "patient", "content": "我肚子疼。\n很疼。"}],
    }
    assert second["turn"] == 2
    assert second["messages"] == [{"source": "examiner", "content": "ECG: normal"}]


async def test_a_long_line_passes_whole() -> None:
    chair = doctor(ECHO)
    try:
        heard = json.loads(await ask(chair, "很" * 300_000))
    finally:
        await chair.close()
    assert len(heard["messages"][0]["content"]) == 300_000


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("import sys; sys.stderr.write('no such model'); sys.exit(3)", "status 3: no such model"),
        ("input(); print('not json')", "'not json'"),
        ("input(); print('[1]')", "'[1]'"),
        ("""input(); print('{"content": 5}')""", "5"),
        ("""input(); print('{"content": " "}')""", "instead of"),
        ("input(); print('x' * 100000)", "not JSON"),
        ("""input(); print('{"content"', end='', flush=True)""", "after writing"),
        ("import sys; sys.stderr.write('e' * 10**6); sys.exit(1)", "status 1"),
    ],
)
async def test_what_goes_wrong_is_named(program: str, says: str) -> None:
    assert says in await failing(program)


async def test_a_process_that_dies_between_turns_is_named() -> None:
    program = """input(); print('{"content": "ok"}', flush=True)"""
    assert "ended with status 0" in await failing(program, turns=2)


async def test_a_process_that_does_not_answer_is_not_waited_for() -> None:
    assert "within 0.2 seconds" in await failing("import time; time.sleep(60)", timeout=0.2)


async def test_a_command_that_is_not_there_is_named() -> None:
    chair = ExecDoctor(["no-such-program-anywhere"], "en")
    with pytest.raises(SeatError, match="cannot be started"):
        await ask(chair, "Hello")
    await chair.close()


async def test_the_process_ends_with_the_visit(tmp_path: Path) -> None:
    left = tmp_path / "left"
    program = ECHO + f"\nopen({str(left)!r}, 'w').close()"
    chair = doctor(program)
    await ask(chair, "Hello")
    await chair.close()
    assert left.exists()
    await chair.close()


async def test_a_process_that_will_not_leave_is_ended() -> None:
    program = "import time\n" + ECHO + "\ntime.sleep(600)"
    chair = doctor(program)
    await ask(chair, "Hello")
    async with asyncio.timeout(30):
        await chair.close()


async def test_cancelling_the_token_stops_the_wait() -> None:
    chair = doctor("import time; time.sleep(600)")
    token = CancellationToken()
    asking = asyncio.create_task(chair.on_messages([], token))
    await asyncio.sleep(0.1)
    token.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await chair.close()
