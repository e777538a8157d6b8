"""Whole consultations against an endpoint of which nearly every third reply is wrong in some way.

    python -m tests.benchmarks.failure_storm [--visits 300] [--share 0.3] [--seed 0]

What is wrong is drawn, by a seed, from rows 7 to 10 and 12 to 14 of the table of providers. The run
is held, resumed until nothing is owed, and compared with the same run on a faultless endpoint. It
is held with the patience that users have, and with next to none, so that there is something left to
resume. Waits go by a clock a thousand times as fast.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.model.call_log import CallLog
from agents.model.patience import Patience
from agents.seats import Seats
from hospital.experiment import run
from prompts import Prompts
from records.jsonl import read_lines
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.mark import DIMENSIONS, Mark
from records.medical_record import Language, MedicalRecord
from records.visit import CHIEF_PHYSICIAN, Visit
from tests.hospital.test_scripted_visit import RECORDS
from tests.scripted_endpoint import Answer, Raw, ScriptedEndpoint, completion, error, purpose_of
from tests.scripted_hospital import REPORTS, play

SPEED = 1000.0
_TIMEOUT = 0.5
"""Longest wait for one reply, in seconds by the clock on the wall."""
_DISEASES: dict[Language, tuple[str, ...]] = {
    "en": ("Gastric ulcer", "Acute gastritis", "Gallstones", "Pneumonia"),
    "zh": ("胃溃疡", "急性胃炎", "胆囊结石", "肺炎"),
}
_DAYS = re.compile(r"(\d+)(?: days|天)")


def cases(number: int) -> list[MedicalRecord]:
    """So many cases, in both languages by turns, no two of which go the same way."""
    made = []
    for n in range(number):
        language: Language = "zh" if n % 2 else "en"
        complaint = {"en": f"Belly ache for {n} days.", "zh": f"腹痛{n}天。"}[language]
        update = {"id": f"{language}{n}", "chief_complaint": complaint}
        made.append(RECORDS[language].model_copy(update=update))
    return made


def right_answer(body: dict[str, Any]) -> str:
    """What the model behind all chairs says when it is well; it differs from case to case."""
    written, role, _ = purpose_of(body)
    language: Language = "zh" if written == "zh" else "en"
    found = _DAYS.search(json.dumps(body["messages"], ensure_ascii=False))
    n = int(found[1]) if found else 0
    said = play(body)
    if role == "patient":
        return said.replace("some days", f"{n} days").replace("几天", f"{n}天")
    if role == "doctor" and said == REPORTS[language]:
        disease = _DISEASES[language][n % 4]
        days = {"en": f"Belly ache for {n} days", "zh": f"腹痛{n}天"}[language]
        said = said.replace(_DISEASES[language][0], disease)
        return said.replace("Belly ache", days).replace("腹痛\n#辅", f"{days}\n#辅")
    if role == "chief_physician":
        grades = {d: "ABCD"[(n + i) % 4] for i, d in enumerate(DIMENSIONS)}
        return json.dumps({d: {"analysis": f"{n}", "grade": g} for d, g in grades.items()})
    return said


def _limited(said: str) -> Answer:
    return Raw({"choices": None, "error": {"code": 429, "message": "Rate limit exceeded"}})


async def _late(said: str) -> Answer:
    await asyncio.sleep(3 * _TIMEOUT)
    return said


_THOUGHT = 'It may be gout. <end> <结束>\nDoctor: …\n["Chest X-ray"]\nGrade: D'
FAULTS: dict[int, tuple[Callable[[str], Any], ...]] = {
    7: (_limited, lambda said: {"choices": [], "error": {"code": 429, "message": "slow down"}}),
    8: (
        lambda said: completion(None, reasoning_content=said),
        lambda said: completion("", reasoning=said),
    ),
    9: (lambda said: completion("", finish_reason="length", reasoning_content=_THOUGHT),),
    10: (
        lambda said: f"<think>{_THOUGHT}</think>\n\n{said}",
        lambda said: f"{_THOUGHT}</think>{said}",
        lambda said: f"Thinking Process: {_THOUGHT}\n\n{said}",
        lambda said: completion(f"<think>{_THOUGHT}</think>{said}", reasoning_content=_THOUGHT),
    ),
    12: (
        lambda said: error(429, "slow down", {"Retry-After": "2"}),
        lambda said: error(429, "slow down"),
    ),
    13: (
        lambda said: error(500, "oops"),
        lambda said: Raw("<html>Bad gateway</html>", status=502),
        lambda said: error(503, "overloaded"),
        lambda said: error(529, "overloaded"),
        lambda said: Raw('{"choices": [{"message": {"con', drop=True),
        lambda said: Raw('{"choices": [{"message": {"con'),
        lambda said: Raw("<html>Log in</html>", headers={"Content-Type": "text/html"}),
        _late,
    ),
    14: (
        lambda said: completion(said, usage=None),
        lambda said: completion(said, usage={"prompt_tokens": 3}),
    ),
}
"""By row of the table of providers, what may come in the place of an answer."""


class Storm:
    """A script for `ScriptedEndpoint`.

    What is wrong with a reply is drawn from the request and how often it came, whatever the order
    in which visits go on.

    Args:
        share: of the replies that are wrong, 0 to 1.
        seed: of the draw.
    """

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self.sent: Counter[int] = Counter()
        """By row, wrong replies sent."""

    def __call__(self, body: dict[str, Any]) -> Any:
        said = right_answer(body)
        asked = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        self._asked[asked] += 1
        draw = random.Random(f"{self._seed} {asked} {self._asked[asked]}")
        if draw.random() >= self._share:
            return said
        row = draw.choice(list(FAULTS))
        if row == 9 and "max_tokens" in body:
            # Reasoning does not use up a limit that was made larger for it.
            return said
        self.sent[row] += 1
        return draw.choice(FAULTS[row])(said)


@dataclass(frozen=True)
class Figures:
    """What came of a run."""

    visits: int
    passes: tuple[int, ...]
    """After each time the run was held, visits with an ending that is marked."""
    marked: int
    wrong: tuple[str, ...]
    """Visits that differ from the faultless run's in what was said or how it was marked."""
    attempts: tuple[int, ...]
    """Of each call that was answered or given up."""
    of_visits: tuple[int, ...]
    """Requests of each visit, all passes together, without those of its marking."""
    repairs: Counter[tuple[str, str]]
    sent: Counter[int]
    seconds: float


async def storm(
    directory: Path, visits: int, *, share: float = 0.3, seed: int = 0, attempts: int = 6
) -> Figures:
    """Hold a run in a storm and in fair weather, and compare.

    Args:
        directory: an empty one.
        visits: how many.
        share: of wrong replies.
        seed: of the storm.
        attempts: of the client's, for each call.
    """
    records = cases(visits)
    began = time.monotonic()
    script = Storm(share, seed)
    passes: list[int] = []
    async with ScriptedEndpoint(script) as endpoint:
        while not passes or (passes[-1] < visits and len(passes) < 10):
            complete = await _hold(directory / "storm", endpoint, records, attempts)
            held = Ledger(directory / "storm").visits()
            passes.append(sum(visit.markable for visit in held.values()))
            if complete:
                break
        took = time.monotonic() - began
        ours = _by_case(directory / "storm")
    async with ScriptedEndpoint(Storm(0.0, seed)) as endpoint:
        await _hold(directory / "faultless", endpoint, records, attempts)
        theirs = _by_case(directory / "faultless")
    calls = [line for _, line in read_lines(directory / "storm" / "calls.jsonl")]
    fresh = [line for line in calls if line.get("origin", "model") == "model"]
    requests: Counter[str] = Counter()
    for line in fresh:
        if line["role"] != CHIEF_PHYSICIAN:
            requests[line["visit"]] += line["attempts"]
    return Figures(
        visits=visits,
        passes=tuple(passes),
        marked=sum(mark is not None for _, mark in ours.values()),
        wrong=tuple(case for case in theirs if _told(*ours[case]) != _told(*theirs[case])),
        attempts=tuple(line["attempts"] for line in fresh),
        of_visits=tuple(requests.values()),
        repairs=Counter(
            (role, repair.kind)
            for visit, mark in ours.values()
            for role, repair in [
                *((m.role, repair) for m in visit.messages for repair in m.repairs),
                *(("judge", repair) for repair in (mark.repairs if mark else ())),
            ]
        ),
        sent=script.sent,
        seconds=took,
    )


async def _hold(
    directory: Path, endpoint: ScriptedEndpoint, records: Sequence[MedicalRecord], attempts: int
) -> bool:
    prompts = Prompts()
    parameters = f"timeout={_TIMEOUT}"
    config = RunConfig(
        shared=SharedSettings(npc=endpoint.spec("npc", parameters), prompts_hash=prompts.hash),
        doctors=(endpoint.spec("doctor", parameters),),
        settings=("interaction",),
        judges=(endpoint.spec("judge", parameters),),
        cases={record.id: record.content_hash for record in records},
    )
    patience = Patience(
        attempts=attempts,
        sleep=lambda seconds: asyncio.sleep(seconds / SPEED),
        clock=lambda: time.monotonic() * SPEED,
    )
    with LedgerWriter(directory, config, records) as ledger:
        calls = CallLog(directory / "calls.jsonl")
        seats = Seats(prompts=prompts, journal=ledger.journal, patience=patience, calls=calls)
        try:
            return (await run(ledger, seats, prompts, concurrency=16)).complete
        finally:
            await seats.close()


def _by_case(directory: Path) -> dict[str, tuple[Visit, Mark | None]]:
    ledger = Ledger(directory)
    marks = {mark.visit_key: mark for mark in ledger.marks()}
    return {v.record_id: (v, marks.get(v.key)) for v in ledger.visits().values()}


def _told(visit: Visit, mark: Mark | None) -> object:
    """What was said and how it was marked, but for repairs."""
    said = [(m.turn, m.role, m.addressee, m.text, m.facts, m.examinations) for m in visit.messages]
    graded = (mark.grades, mark.diseases, mark.raw) if mark else None
    return visit.ending, said, visit.report, graded


def main() -> None:
    """Hold the runs and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--visits", type=int, default=300)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for attempts in (6, 2):
        with tempfile.TemporaryDirectory() as directory:
            figures = asyncio.run(
                storm(
                    Path(directory),
                    given.visits,
                    share=given.share,
                    seed=given.seed,
                    attempts=attempts,
                )
            )
        _print(figures, attempts)


def _print(figures: Figures, attempts: int) -> None:
    def spread(numbers: Sequence[int]) -> str:
        return f"mean {sum(numbers) / len(numbers):.2f}, most {max(numbers)}"

    sent = ", ".join(f"row {row} {n}" for row, n in sorted(figures.sent.items()))
    print(f"\n{figures.visits} visits, at most {attempts} attempts a call, {figures.seconds:.0f} s")
    print(f"  wrong replies sent: {sum(figures.sent.values())}: {sent}")
    shares = (f"{n} ({n / figures.visits:.1%})" for n in figures.passes)
    print(f"  markable endings after each pass: {', '.join(shares)}; marked {figures.marked}")
    print(f"  unlike the faultless run: {len(figures.wrong)}")
    print(f"  attempts a call: {spread(figures.attempts)}")
    print(f"  requests a visit (9 if all goes well): {spread(figures.of_visits)}")
    told = ", ".join(f"{role}'s {kind} {n}" for (role, kind), n in sorted(figures.repairs.items()))
    print(f"  repairs: {told}")


if __name__ == "__main__":
    main()
