"""A Doctor in a process of its own: one JSON line in, one JSON line out, each turn.

In: `{"turn": 1, "language": "en", "messages": [{"source": "patient", "content": "…"}]}`, the
messages that are new to the doctor; `source` is `patient`, `examiner` or `chief_physician`.
Out: `{"content": "…"}`. The process lives as long as the visit; its standard input is closed then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken

from agents.errors import SeatError
from records.medical_record import Language
from records.secrets import masked
from records.visit import DOCTOR, Ending

_LONGEST_LINE = 16 * 1024 * 1024
_SHOWN = 200
_TAIL = 2000
_GRACE = 2.0
"""Seconds that a process has to leave by itself once its input is closed."""


class ExecDoctor:
    """A `Doctor` behind a command.

    Args:
        command: the program and its arguments.
        language: of the visit.
        timeout: longest wait for a line, in seconds.
    """

    def __init__(self, command: Sequence[str], language: Language, timeout: float = 300.0) -> None:
        self._command = tuple(command)
        self._language = language
        self._timeout = timeout
        self._turn = 0
        self._process: Process | None = None
        self._complaints = b""
        self._listening: asyncio.Task[None] | None = None

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Hand the new messages to the process and read its answer.

        Raises:
            SeatError: the process cannot be started, has died, is late, or writes something else.
        """
        self._turn += 1
        line = json.dumps(
            {
                "turn": self._turn,
                "language": self._language,
                "messages": [
                    {"source": message.source, "content": message.to_model_text()}
                    for message in messages
                ],
            },
            ensure_ascii=True,
        )
        asking = asyncio.ensure_future(self._ask(line))
        cancellation_token.link_future(asking)
        answer = await asking
        return Response(chat_message=TextMessage(source=DOCTOR, content=_content(answer)))

    async def close(self) -> None:
        """End the process: by closing its input, then by force."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(_GRACE):
                await process.wait()
        except TimeoutError:
            pass
        finally:
            _kill(process)
            await process.wait()
            if self._listening is not None:
                await self._listening
                self._listening = None

    async def _ask(self, line: str) -> bytes:
        process = await self._started()
        if process.stdin is None or process.stdout is None:
            raise _failed("its standard input and output are not pipes")
        try:
            async with asyncio.timeout(self._timeout):
                process.stdin.write(line.encode("ascii") + b"\n")
                await process.stdin.drain()
                answer = await process.stdout.readline()
        except TimeoutError:
            raise _failed(f"wrote no line within {self._timeout:g} seconds") from None
        except ValueError:
            raise _failed(f"wrote a line of more than {_LONGEST_LINE} bytes") from None
        except (BrokenPipeError, ConnectionResetError):
            answer = b""
        if not answer.endswith(b"\n"):
            raise await self._died(process, answer)
        return answer

    async def _started(self) -> Process:
        if self._process is None:
            if self._turn > 1:
                raise _failed("is closed")
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=PIPE,
                    limit=_LONGEST_LINE,
                    start_new_session=True,
                )
            except OSError as error:
                raise _failed(f"cannot be started: {error.strerror or error}") from None
            self._listening = asyncio.create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: Process) -> None:
        """Keep the end of what the process writes to standard error, so that it never blocks."""
        while process.stderr is not None and (chunk := await process.stderr.read(65536)):
            self._complaints = (self._complaints + chunk)[-_TAIL:]

    async def _died(self, process: Process, answer: bytes) -> SeatError:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
                if self._listening is not None:
                    await asyncio.shield(self._listening)
        said = f" after writing {_shown(answer)}" if answer else ""
        complaints = masked(" ".join(self._complaints.decode("utf-8", "replace").split()))
        complaints = complaints[-_SHOWN:]
        status = process.returncode
        how = "closed its output" if status is None else f"ended with status {status}"
        return _failed(f"{how}{said}{f': {complaints}' if complaints else ''}")


def _content(answer: bytes) -> str:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        raise _failed(f"wrote {_shown(answer)}, which is not JSON") from None
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, str) or not content.strip():
        raise _failed(f'wrote {_shown(answer)} instead of {{"content": "…"}}')
    return content


def _shown(answer: bytes) -> str:
    text = masked(answer.decode("utf-8", "replace").strip())
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _failed(what: str) -> SeatError:
    return SeatError(DOCTOR, Ending.DOCTOR_FAILED, f"the exec doctor {what}")


def _kill(process: Process) -> None:
    """End the process and what it started; on systems without process groups, the process."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
