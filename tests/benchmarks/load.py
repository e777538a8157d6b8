"""The four ways to put a load on an endpoint that the benchmarks compare, each in its own process.

A kind is one of `KINDS`; `measure` runs it in a fresh process that is held to one core.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.loopback_endpoint import ANSWER, CALLS, QUESTION, hold_to_core

if TYPE_CHECKING:
    from records.medical_record import MedicalRecord

KINDS = {
    "a": "AsyncOpenAI.chat.completions.create, default transport",
    "b": "our model client alone",
    "c": "whole consultations, marked and kept, all chairs on the endpoint",
    "d": "a bare aiohttp loop",
}
MESSAGES = 12
_MODEL = "loopback"

Call = Callable[[], Awaitable[Any]]


@dataclass(frozen=True)
class Load:
    """What one measurement took."""

    calls: int
    seconds: float
    cpu: float
    """Seconds of processor time of this process, its threads included."""
    megabytes: float
    """Most memory that was resident."""

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds

    @property
    def cost(self) -> float:
        """Processor seconds a call."""
        return self.cpu / self.calls


def measure(kind: str, url: str, connections: int, calls: int, core: int | None = 0) -> Load:
    """Make so many calls, so many at once, after some that do not count.

    Args:
        kind: of `KINDS`.
        url: base URL of the endpoint.
        connections: calls under way at once; of kind `c`, consultations.
        calls: all that count; of kind `c` rounded up to whole rounds of the bundled cases.
        core: that the process is held to; None leaves that to the system.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_measure, kind, url, connections, calls, core).result()


def _measure(kind: str, url: str, connections: int, calls: int, core: int | None) -> Load:
    if core is not None:
        hold_to_core(core)
    work = _consultations if kind == "c" else _calls(_CLIENTS[kind])
    return asyncio.run(work(url, connections, calls))


def _calls(client: Callable[[str], Any]) -> Callable[[str, int, int], Awaitable[Load]]:
    async def work(url: str, connections: int, calls: int) -> Load:
        async with client(url) as call:
            await _all(call, connections, 2 * connections)
            return await _timed(calls, _all(call, connections, calls))

    return work


async def _all(call: Call, connections: int, calls: int) -> None:
    left = iter(range(calls))

    async def go_on() -> None:
        for _ in left:
            await call()

    await asyncio.gather(*(go_on() for _ in range(connections)))


async def _timed(calls: int, work: Awaitable[None]) -> Load:
    began, cpu = time.perf_counter(), time.process_time()
    await work
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Load(calls, seconds, cpu, kilobytes / 1024)


def _wire() -> list[dict[str, str]]:
    """As long a talk as a consultation has halfway: the doctor's prompt, and 11 messages."""
    from prompts import Prompts

    system = Prompts().render("en", "doctor", "system", protocol="carried")
    said = [("user", ANSWER), ("assistant", QUESTION)] * (MESSAGES // 2)
    messages = [{"role": "system", "content": system}]
    messages += [{"role": role, "content": text} for role, text in said]
    return messages[:MESSAGES]


@asynccontextmanager
async def _create(url: str) -> AsyncIterator[Call]:
    from openai import AsyncOpenAI

    messages: Any = _wire()
    # By default it gives up connecting after 5 seconds, which hundreds at once may take.
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0, timeout=600.0) as client:
        create = client.chat.completions.create
        yield lambda: create(model=_MODEL, messages=messages, temperature=0.0)


@asynccontextmanager
async def _own(url: str) -> AsyncIterator[Call]:
    from autogen_core.models import AssistantMessage, LLMMessage, SystemMessage, UserMessage

    from agents.model.model_client import Endpoint, ModelClient
    from agents.model.model_spec import ModelSpec

    system, *talk = (message["content"] for message in _wire())
    messages: list[LLMMessage] = [SystemMessage(content=system)]
    for number, text in enumerate(talk):
        heard = number % 2 == 0
        messages.append(
            UserMessage(content=text, source="patient")
            if heard
            else AssistantMessage(content=text, source="doctor")
        )
    endpoint = Endpoint(url)
    client = ModelClient(ModelSpec.parse(f"{url}#{_MODEL}?temperature=0"), endpoint)
    yield lambda: client.create(messages)
    await endpoint.close()


@asynccontextmanager
async def _bare(url: str) -> AsyncIterator[Call]:
    import aiohttp

    body = {"model": _MODEL, "messages": _wire(), "temperature": 0.0}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def call() -> object:
            async with session.post(f"{url}/chat/completions", json=body) as response:
                return await response.json()

        yield call


_CLIENTS: dict[str, Callable[[str], Any]] = {"a": _create, "b": _own, "d": _bare}


async def _consultations(url: str, connections: int, calls: int) -> Load:
    """A whole run: ledger, journal, marks."""
    with tempfile.TemporaryDirectory() as directory:
        # Word lists and disease names are read once a process, whatever the number of visits.
        await _run(Path(directory) / "first", url, 4, 1)
        trials = max(1, -(-calls // (CALLS * len(_records()))))
        visits = trials * len(_records())
        return await _timed(visits * CALLS, _run(Path(directory) / "run", url, connections, trials))


def _records() -> list[MedicalRecord]:
    from records.library import bundled_records

    return [record for record in bundled_records() if record.language == "en"]


async def _run(directory: Path, url: str, concurrency: int, trials: int) -> None:
    from agents.seats import Seats
    from hospital.experiment import run
    from prompts import Prompts
    from records.ledger import LedgerWriter, RunConfig, SharedSettings

    prompts = Prompts()
    spec = f"{url}#{_MODEL}?temperature=0"
    records = _records()
    config = RunConfig(
        shared=SharedSettings(npc=spec, prompts_hash=prompts.hash),
        doctors=(spec,),
        settings=("interaction",),
        judges=(spec,),
        trials=trials,
        cases={record.id: record.content_hash for record in records},
    )
    with LedgerWriter(directory, config, records) as ledger:
        seats = Seats(prompts=prompts, journal=ledger.journal)
        try:
            progress = await run(ledger, seats, prompts, concurrency=concurrency)
        finally:
            await seats.close()
        marks = ledger.marks()
    if not progress.complete or len(marks) != progress.total:
        raise RuntimeError(f"the run is not whole: {progress}")
