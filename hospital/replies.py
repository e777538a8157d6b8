"""What a doctor or an NPC says when asked, or whose failure it is that nothing was said."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from pathlib import Path

from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken
from pydantic import TypeAdapter

from agents.errors import SeatError
from agents.npc import Doctor, Npc, View
from records.addressing import split_addressed
from records.secrets import masked
from records.visit import DOCTOR, EXAMINER, PATIENT, Ending, Message, Repair, Trace

LONGEST_MESSAGE = 100_000
"""Characters of one message that are kept; a reply of megabytes is a fault, not a finding."""

_REPAIRS = TypeAdapter(tuple[Repair, ...])
_FAILED_NPC = {PATIENT: Ending.PATIENT_FAILED, EXAMINER: Ending.EXAMINER_FAILED}


async def npc_replies(
    role: str, npc: Npc[View], view: View, heard: Sequence[Message], seed: int
) -> tuple[Message, ...]:
    """Let a Patient or Examiner answer the last message it heard.

    Raises:
        SeatError: it could not.
    """
    try:
        return await npc.reply(view, heard, seed)
    except SeatError:
        raise
    except Exception as error:
        raise SeatError(role, _FAILED_NPC[role], in_one_line(error)) from error


async def doctor_reply(
    doctor: Doctor, heard: Sequence[TextMessage], timeout: float | None
) -> tuple[str, tuple[Repair, ...], Trace | None]:
    """Let a doctor answer what is new to it.

    Args:
        doctor: whoever sits in the chair.
        heard: the new messages.
        timeout: longest wait, in seconds; None waits as long as the doctor does.

    Raises:
        SeatError: it said nothing, or failed.
    """
    cancellation = CancellationToken()
    try:
        async with asyncio.timeout(timeout):
            response = await doctor.on_messages(heard, cancellation)
        if not isinstance(response, Response):
            what = f"on_messages returned {type(response).__name__}, not a Response"
            raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, what)
        message = response.chat_message
        text, repairs = bounded(message.to_model_text())
        if not any(part for _, part in split_addressed(text, default=PATIENT).parts):
            raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, "the doctor said nothing")
        told = _REPAIRS.validate_json(message.metadata.get("repairs", "[]"))
        trace = message.metadata.get("trace")
        return text, told + repairs, Trace.model_validate_json(trace) if trace else None
    except SeatError:
        raise
    except TimeoutError as error:
        cancellation.cancel()
        late = f"the doctor said nothing for {timeout or 0:g} seconds"
        raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, late) from error
    except asyncio.CancelledError as error:
        cancellation.cancel()
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        # Nobody stops this visit: the doctor raised it by itself.
        raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, in_one_line(error)) from error
    except (Exception, SystemExit) as error:
        raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, in_one_line(error)) from error


def bounded(text: str) -> tuple[str, tuple[Repair, ...]]:
    """Text that every file and terminal can hold, and what was done to make it so."""
    repairs: tuple[Repair, ...] = ()
    if len(text) > LONGEST_MESSAGE:
        repairs += (Repair(kind="cut", detail=f"{len(text)} characters"),)
        text = text[:LONGEST_MESSAGE]
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if whole != text:
        repairs += (Repair(kind="surrogates_escaped"),)
    return whole, repairs


def in_one_line(error: BaseException) -> str:
    """What went wrong and where, free of secrets and short."""
    said = " ".join(masked(str(error)).split())
    frames = traceback.extract_tb(error.__traceback__)
    # The file's name alone: whoever wrote it knows where it is, and a run tells of no machine.
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {said}"[:280] + where
