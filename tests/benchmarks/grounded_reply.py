"""How long a grounded reply takes: the 200 labelled questions to the bundled cases, one by one.

    python -m tests.benchmarks.grounded_reply

Every question goes to a patient of its own language, each time one that has not been asked before,
with a conversation of twenty messages behind it; a request for examinations goes to the examiner.
The first reply pays for reading the lexicons and is told apart.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Sequence

from agents.offline.grounded_examiner import GroundedExaminer
from agents.offline.grounded_patient import GroundedPatient
from records.library import bundled_records
from records.medical_record import MedicalRecord
from records.views import ExaminerView, PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Message
from tests.records.label_reading import HALVES, LABELS

_REQUESTS = {
    "en": "Please do a full blood count, a chest X-ray, an ECG and an abdominal ultrasound.",
    "zh": "请做血常规、胸片、心电图和腹部超声。",
}


def message(role: str, to: str, text: str, turn: int) -> Message:
    return Message(turn=turn, role=role, speaker=role, addressee=to, text=text)


def questions() -> list[tuple[str, str]]:
    """(language, question), all labelled ones."""
    found = []
    for name in HALVES.values():
        for line in (LABELS / name).read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            found.append((label["language"], label["question"]))
    return found


async def conversation(record: MedicalRecord, asked: Sequence[str]) -> list[Message]:
    view, patient = PatientView.of(record), GroundedPatient()
    talk = [message(DOCTOR, PATIENT, "Hello.", 0), message(PATIENT, DOCTOR, view.opening, 1)]
    for turn, question in enumerate(asked, start=1):
        talk.append(message(DOCTOR, PATIENT, question, turn))
        talk += await patient.reply(view, talk, 0)
    return talk


async def measure() -> None:
    labelled = questions()
    records = {
        language: [r for r in bundled_records() if r.language == language]
        for language in ("en", "zh")
    }
    patient, examiner = GroundedPatient(), GroundedExaminer("unavailable")
    taken: dict[str, list[float]] = {"patient": [], "examiner": []}
    for n, (language, question) in enumerate(labelled):
        of_language = records[language]
        record = of_language[n % len(of_language)]
        earlier = [q for lang, q in labelled[n - 12 : n] if lang == language][:9]
        talk = await conversation(record, earlier) if n else []
        talk.append(message(DOCTOR, PATIENT, question, 12))
        began = time.perf_counter()
        await patient.reply(PatientView.of(record), talk, 0)
        taken["patient"].append(1000 * (time.perf_counter() - began))
        request = message(DOCTOR, EXAMINER, _REQUESTS[language], 12)
        began = time.perf_counter()
        await examiner.reply(ExaminerView.of(record), [request], 0)
        taken["examiner"].append(1000 * (time.perf_counter() - began))
    for who, times in taken.items():
        first, rest = times[0], sorted(times[1:])
        cuts = statistics.quantiles(rest, n=100)
        print(
            f"{who:<9}{len(times)} replies, ms: median {cuts[49]:.1f}, p95 {cuts[94]:.1f}, "
            f"longest {rest[-1]:.1f}; the very first {first:.0f}"
        )


if __name__ == "__main__":
    asyncio.run(measure())
