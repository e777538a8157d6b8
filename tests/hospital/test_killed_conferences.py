"""Conferences killed in the middle of a round and started again pay for nothing twice."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from records.jsonl import read_lines
from records.ledger import Ledger
from tests.hospital.test_killed_runs import LINES, CountingDoctor
from tests.scripted_endpoint import ScriptedEndpoint, completion, purpose_of

CASES, KILLS = 3, 2
CALLS = CASES * (2 * (len(LINES) + 1 + 2) + 2 + 2 + 1)
"""Consultation, one revision on facts, two rounds for each of two doctors; contradictions and
merging; two verdicts (of two rounds at most); the final report."""


class CountingConference(CountingDoctor):
    """Plays the moderator too, who finds no contradiction and never agrees."""

    async def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        _, role, purpose = purpose_of(body)
        if role != "chief_physician":
            return await super().__call__(body)
        self.bodies.append(json.dumps(body, sort_keys=True))
        number = len(self.bodies) - 1
        await asyncio.sleep(0.02)
        said = {
            "find_contradictions": "[]",
            "merge_facts": '{"symptoms": "cough", "examinations": "none"}',
            "disputes": '{"agreement": false, "disputes": ["the dose"]}',
            "final_report": LINES[-1],
        }[purpose]
        return completion(said, id=f"reply-{number}", reasoning_content=f"reply-{number}")


async def start(out: Path, endpoint: ScriptedEndpoint) -> asyncio.subprocess.Process:
    who = f"{endpoint.spec('a')}, {endpoint.spec('b')}; rounds=2, moderator={endpoint.spec('c')}"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hospital", "bench", "--out", str(out)),
        *("--limit", str(CASES), "--doctor", f"conference({who})"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_killed_conferences_repeat_nothing(tmp_path: Path) -> None:
    moments = random.Random(KILLS)
    out, everyone = tmp_path / "run", CountingConference()
    paid: set[str] = set()
    async with ScriptedEndpoint(everyone) as endpoint:
        for kill in range(KILLS + 1):
            seen = len(everyone.bodies)
            process = await start(out, endpoint)
            share = moments.uniform(0.4, 1.2) * CALLS / (KILLS + 1) if kill < KILLS else CALLS
            while len(everyone.bodies) < seen + share and process.returncode is None:
                await asyncio.sleep(moments.uniform(0.0, 0.02))
            if kill < KILLS and process.returncode is None:
                process.kill()
            _, errors = await process.communicate()
            assert not paid & set(everyone.bodies[seen:]), f"paid again after kill {kill}"
            paid = everyone.answered_in(out / "journal.jsonl")
        assert process.returncode == 0, errors.decode()
    visits = Ledger(out).visits().values()
    assert [v.ending.value for v in visits] == ["diagnosis_given"] * CASES
    assert [v.conference and v.conference.rounds_held for v in visits] == [2] * CASES
    calls = Counter(
        (value["visit"], value["call"]) for _, value in read_lines(out / "journal.jsonl")
    )
    assert set(calls.values()) == {1}
    assert len(calls) == CALLS
