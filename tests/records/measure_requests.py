"""How well the grounded Examiner answers the labelled requests.

    python tests/records/measure_requests.py [--verbose]

A published request is answered rightly if every labelled result is given, nothing beyond these and
what is also fine, and what is not on record is not passed over. A vague one is to be refused,
without a result, against every record of its language.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from label_reading import LabelledRequest, load_requests, load_vague_requests

from agents.offline.grounded_examiner import GroundedExaminer
from records.addressing import split_addressed
from records.library import bundled_records
from records.medical_record import MedicalRecord
from records.views import ExaminerView
from records.visit import EXAMINER, PATIENT, Message


@dataclass(frozen=True)
class Reply:
    """What the examiner said: its text, the results it gives, how each request was met."""

    text: str
    given: frozenset[str]
    kinds: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """A refusal, with no result given."""
        return "refused" in self.kinds and not self.given


async def request(record: MedicalRecord, text: str) -> Reply:
    """Put one request to the examiner of a record."""
    message = Message(turn=1, role=PATIENT, speaker=PATIENT, addressee=EXAMINER, text=text)
    examiner = GroundedExaminer("unavailable")
    replies = await examiner.reply(ExaminerView.of(record), [message], 0)
    return Reply(
        " ".join(m.text for m in replies),
        frozenset(i for m in replies for i in m.examinations),
        tuple(a.kind for m in replies if m.trace for a in m.trace.answers),
    )


def faults(labelled: LabelledRequest, reply: Reply) -> list[str]:
    """What is wrong with a reply; empty if it is right."""
    if labelled.vague or (labelled.refusal_fine and reply.refused):
        return [] if reply.refused else ["not refused"]
    found = []
    if reply.refused:
        found.append("refused")
    lacking = [ids for ids in labelled.results if not ids & reply.given]
    if lacking:
        found.append(f"lacks {[sorted(ids) for ids in lacking]}")
    wanted = frozenset(i for ids in labelled.results for i in ids)
    extra = reply.given - wanted - labelled.also_fine
    if extra:
        found.append(f"not requested {sorted(extra)}")
    told = {"unavailable", "assumed_normal"} & set(reply.kinds)
    if labelled.not_on_record and not told and not (reply.given & labelled.also_fine):
        found.append(f"passes over {', '.join(labelled.not_on_record)}")
    return found


async def measure(*, verbose: bool) -> str:
    """Both figures, and what went wrong if it is wanted."""
    lines = []
    labelled = load_requests()
    checked = [(r, await request(r.record, message_text(r.text))) for r in labelled]
    right = sum(not faults(r, reply) for r, reply in checked)
    lines.append(f"published requests: {right} of {len(checked)} right")
    if verbose:
        lines += _wrong(checked)
    for language in ("zh", "en"):
        texts = [text for of, text in load_vague_requests() if of == language]
        records = [r for r in bundled_records() if r.language == language]
        passed = [
            text
            for text in texts
            if not all([(await request(record, text)).refused for record in records])
        ]
        lines.append(
            f"vague requests {language}: {len(texts) - len(passed)} of {len(texts)} refused"
        )
        if verbose:
            lines += [f"  not refused: {text}" for text in passed]
    return "\n".join(lines)


def message_text(text: str) -> str:
    """A published message as it reaches the examiner: without its addressee tag."""
    parts = split_addressed(text, EXAMINER).parts
    return " ".join(part for role, part in parts if role == EXAMINER)


def _wrong(checked: Sequence[tuple[LabelledRequest, Reply]]) -> list[str]:
    return [
        line
        for labelled, reply in checked
        if (found := faults(labelled, reply))
        for line in (
            f"  {labelled.place}: {labelled.text}",
            f"    reply: {reply.text}",
            f"    {'; '.join(found)}",
        )
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="list what went wrong")
    print(asyncio.run(measure(verbose=parser.parse_args().verbose)))


if __name__ == "__main__":
    main()
