"""The published doctors' questions, put to the grounded Patient.

    python tests/records/measure_dialogues.py

Of the doctors' messages with a question mark in the published dialogues with the complete MVME
records (the opening left out) to which the published patient stated at least one recorded fact: the
share to which ours states at least one of the same facts. Facts of both are read by
`stated_findings`. The published dialogue so far is the context of each question.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.offline.grounded_patient import GroundedPatient
from records.addressing import split_addressed
from records.facts.matching import stated_findings
from records.medical_record import MedicalRecord
from records.readers import read_records
from records.views import PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Message

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
ROLES = {"Doctor": DOCTOR, "Patient": PATIENT, "Reporter": EXAMINER}


def dialogues(records: dict[str, MedicalRecord]) -> Iterator[tuple[MedicalRecord, list[Any]]]:
    """The published dialogues with these records."""
    for path in sorted(DATA.glob("dialog_history_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            dialogue = json.loads(line)
            if str(dialogue["patient_id"]) in records:
                yield records[str(dialogue["patient_id"])], dialogue["dialog_history"]


def messages(history: list[Any]) -> list[Message]:
    """A published dialogue as messages to one addressee each, tags taken off."""
    read = []
    for said in history:
        role = ROLES[said["role"]]
        to = DOCTOR if role != DOCTOR else PATIENT
        for addressee, text in split_addressed(said["content"], default=to).parts:
            read.append(
                Message(turn=said["turn"], role=role, speaker=role, addressee=addressee, text=text)
            )
    return read


async def measure() -> tuple[int, int, int]:
    """Questions put, those with a published fact, and those of them where ours states one."""
    records = {r.id: r for r in read_records(DATA / "patients_full.json")}
    put = answered = agreed = 0
    for record, history in dialogues(records):
        view = PatientView.of(record)
        said = [m for m in messages(history) if PATIENT in (m.role, m.addressee)]
        for place in range(len(said) - 1):
            question, answer = said[place], said[place + 1]
            if question.role != DOCTOR or question.turn == 0 or answer.addressee != DOCTOR:
                continue
            if not {"?", "？"} & set(question.text):
                continue
            put += 1
            theirs = set(stated_findings(answer.text, record.findings, record.language))
            if not theirs:
                continue
            answered += 1
            replies = await GroundedPatient().reply(view, said[: place + 1], 0)
            ours = " ".join(m.text for m in replies if m.addressee == DOCTOR)
            stated = set(stated_findings(ours, record.findings, record.language))
            agreed += bool(theirs & (stated | {f for m in replies for f in m.facts}))
    return put, answered, agreed


if __name__ == "__main__":
    put, answered, agreed = asyncio.run(measure())
    print(f"{put} questions put; {answered} to which the published patient stated a recorded fact")
    print(f"ours states one of the same facts: {agreed} of {answered} ({agreed / answered:.0%})")
