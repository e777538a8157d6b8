"""An OpenAI-compatible endpoint on loopback that costs next to nothing, in a process of its own.

    with LoopbackEndpoint() as endpoint:
        ...  # endpoint.url is a base URL

Bare asyncio: of a request it reads `Content-Length` and, to tell who is asked, a few signs in the
body; the replies were encoded when it started. It is never what a benchmark waits for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
from types import TracebackType

from records.mark import DIMENSIONS

QUESTION = "Since when do you have it, is it there all day, and what makes it worse or better?"
ORDER = "I should like to see how your heart is doing. Please have an electrocardiogram done."
CONCLUSION = "You have a gastric ulcer. Take omeprazole 20 mg twice daily for four weeks."
ANSWER = "<to doctor> For some days now, doctor, and it is mostly worse at night, after supper."
CARRY = "<to examiner> An electrocardiogram, please."
FAREWELL = "<end> Thank you, doctor."
NAMES = '["electrocardiogram"]'
REPORT = (
    "#Symptoms#\nBelly ache for some days, worse at night\n#Auxiliary examinations#\n"
    "Electrocardiogram\n#Diagnosis#\nGastric ulcer\n#Rationale#\nThe ache and its hours\n"
    "#Treatment plan#\nOmeprazole 20 mg twice daily for four weeks"
)
MARKS = json.dumps({name: {"analysis": "It largely agrees.", "grade": "B"} for name in DIMENSIONS})

CALLS = 20
"""Of a consultation with all chairs on this endpoint: the doctor speaks eight times and reports,
the patient answers nine times and carries one request to the examiner, and one judge marks."""
_DOCTOR_SPEAKS = 8

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class LoopbackEndpoint:
    """The endpoint's process, as a context manager.

    Args:
        delay: seconds from request to reply.
        core: the core it is held to; None leaves that to the system.
    """

    def __init__(self, delay: float = 0.0, core: int | None = None) -> None:
        self._arguments = [f"--delay={delay}"] + ([] if core is None else [f"--core={core}"])
        self.url = ""

    def __enter__(self) -> LoopbackEndpoint:
        command = [sys.executable, "-m", "tests.benchmarks.loopback_endpoint", *self._arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{self._process.stdout.readline().strip()}/v1"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.communicate()


def _reply(text: str) -> bytes:
    body = json.dumps(
        {
            "id": "chatcmpl-0123456789",
            "object": "chat.completion",
            "created": 1700000000,
            "model": "loopback-1",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text},
                }
            ],
            "usage": {"prompt_tokens": 600, "completion_tokens": 20, "total_tokens": 620},
        }
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


_REPLIES = {
    text: _reply(text)
    for text in (QUESTION, ORDER, CONCLUSION, ANSWER, CARRY, FAREWELL, NAMES, REPORT, MARKS)
}
_ASSISTANT = re.compile(rb'"role": ?"assistant"')


def _text(body: bytes) -> str:
    """What is said to a request; who is asked is told by words of the bundled English prompts."""
    start, end = body[:400], body[-1500:]
    if b"You play a patient" in start:
        if CONCLUSION.encode() in end:
            return FAREWELL
        return CARRY if ORDER.encode() in body[-200:] else ANSWER
    if b"examination desk" in start:
        return NAMES
    if b"physician who marks" in start:
        return MARKS
    if b"#Symptoms#" in end:
        return REPORT
    said = len(_ASSISTANT.findall(body))
    if said == _DOCTOR_SPEAKS - 1:
        return CONCLUSION
    return ORDER if said == 1 else QUESTION


class _Connection(asyncio.Protocol):
    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._buffer = bytearray()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            found = _LENGTH.search(self._buffer, 0, end + 2)
            whole = end + 4 + (int(found[1]) if found else 0)
            if len(self._buffer) < whole:
                return
            reply = _REPLIES[_text(bytes(self._buffer[end + 4 : whole]))]
            del self._buffer[:whole]
            if self._delay:
                asyncio.get_running_loop().call_later(self._delay, self._send, reply)
            else:
                self._send(reply)

    def _send(self, reply: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(reply)


async def _serve(delay: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(delay), "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve until terminated; prints the port first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--core", type=int)
    arguments = parser.parse_args()
    if arguments.core is not None:
        hold_to_core(arguments.core)
    asyncio.run(_serve(arguments.delay))


def hold_to_core(core: int) -> None:
    """Let this process run on one core only, where the system can say so."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


if __name__ == "__main__":
    main()
