"""A run that is killed at any moment and started again loses nothing and repeats nothing.

`HOSPITAL_KILLS=20 HOSPITAL_VISITS=200 python -m pytest -s` on this file does it
at length; by default a few kills of a small run.
"""

import asyncio
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from records.jsonl import read_lines
from records.ledger import Ledger
from tests.scripted_endpoint import ScriptedEndpoint, completion

KILLS = int(os.environ.get("HOSPITAL_KILLS", "3"))
VISITS = int(os.environ.get("HOSPITAL_VISITS", "24"))
CASES = 8
LINES = (
    "Since when do you have this, and do you have a fever?",
    "Please have a complete blood count and a chest X-ray done.",
    "You have bronchitis. I recommend rest and plenty of fluids.",
    "# Symptoms\ncough\n# Auxiliary examinations\nnone\n# Diagnosis\nbronchitis\n"
    "# Rationale\ncough\n# Treatment plan\nrest",
)


class CountingDoctor:
    """A scripted doctor of many names whose every reply bears a number of its own."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    async def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(json.dumps(body, sort_keys=True))
        number = len(self.bodies) - 1
        said = sum(message["role"] == "assistant" for message in body["messages"])
        await asyncio.sleep(0.02)
        line = LINES[min(said, len(LINES) - 1)]
        return completion(line, id=f"reply-{number}", reasoning_content=f"reply-{number}")

    def answered_in(self, journal: Path) -> set[str]:
        """The requests whose replies are in the journal."""
        text = journal.read_text(encoding="utf-8") if journal.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        return {body for number, body in enumerate(self.bodies) if f'"reply-{number}"' in whole}


async def _start(out: Path, endpoint: ScriptedEndpoint) -> asyncio.subprocess.Process:
    doctors = [
        part for n in range(VISITS // CASES) for part in ("--doctor", endpoint.spec(f"doctor-{n}"))
    ]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hospital", "bench", "--out", str(out)),
        *("--setting", "interaction", "--limit", str(CASES)),
        *doctors,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_a_killed_run_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    moments = random.Random(KILLS)
    out, doctor = tmp_path / "run", CountingDoctor()
    paid: set[str] = set()
    async with ScriptedEndpoint(doctor) as endpoint:
        whole = len(LINES) * VISITS
        for kill in range(KILLS):
            seen = len(doctor.bodies)
            process = await _start(out, endpoint)
            share = moments.uniform(0.2, 1.5) * whole / (KILLS + 1)
            while len(doctor.bodies) < seen + share and process.returncode is None:
                await asyncio.sleep(moments.uniform(0.0, 0.02))
            if process.returncode is None:
                process.kill()
            await process.communicate()
            assert not paid & set(doctor.bodies[seen:]), f"paid again after kill {kill}"
            paid = doctor.answered_in(out / "journal.jsonl")
        seen = len(doctor.bodies)
        process = await _start(out, endpoint)
        _, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
        assert not paid & set(doctor.bodies[seen:])
    visits = Counter(value["key"] for _, value in read_lines(out / "visits.jsonl"))
    assert len(visits) == VISITS
    assert set(visits.values()) == {1}
    calls = Counter(
        (value["visit"], value["call"]) for _, value in read_lines(out / "journal.jsonl")
    )
    assert set(calls.values()) == {1}
    ledger = Ledger(out)
    marks = Counter(mark.visit_key for mark in ledger.marks())
    assert set(marks) == set(visits)
    assert set(marks.values()) == {1}
    print(f"{VISITS} visits, {KILLS} kills, {len(doctor.bodies)} requests, {len(calls)} paid")
