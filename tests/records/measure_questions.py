"""How well the grounded Patient answers the labelled questions.

    python tests/records/measure_questions.py dev|held_out [--verbose]

Recall: asked facts that were stated, of all asked facts. Unasked: stated facts that are neither
asked nor also fine, of all facts stated in answer to questions that ask for something in
particular. Questions to published records are left out where these files are missing.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from label_reading import LabelledQuestion, load_questions, shared_data

from agents.offline.grounded_patient import GroundedPatient
from records.medical_record import MedicalRecord
from records.views import PatientView
from records.visit import DOCTOR, PATIENT, Message

GREETING = {"zh": "您好，请问哪里不舒服？", "en": "Hello, what brings you here today?"}


@dataclass(frozen=True)
class Outcome:
    """One question and what the patient answered."""

    labelled: LabelledQuestion
    answer: str
    stated: frozenset[str]

    @property
    def missed(self) -> tuple[int, ...]:
        """Which of the asked facts the answer lacks."""
        return tuple(i for i, ids in enumerate(self.labelled.fact_ids) if not ids & self.stated)

    @property
    def unasked(self) -> frozenset[str]:
        """Stated findings that were not asked for."""
        if self.labelled.open:
            return frozenset()
        return self.stated - self.labelled.fine_ids

    @property
    def beyond_view(self) -> frozenset[str]:
        """Stated ids that the patient does not have."""
        return self.stated - {f.id for f in self.labelled.record.findings}


async def ask(labelled: LabelledQuestion) -> Outcome:
    """Open a visit with the greeting, put the question, and note what is stated."""
    patient = GroundedPatient()
    view = PatientView.of(labelled.record)
    transcript = [_said(0, DOCTOR, PATIENT, GREETING[labelled.language])]
    transcript += await patient.reply(view, transcript, 0)
    transcript.append(_said(1, DOCTOR, PATIENT, labelled.question))
    replies = [m for m in await patient.reply(view, transcript, 0) if m.addressee == DOCTOR]
    return Outcome(
        labelled,
        " ".join(m.text for m in replies),
        frozenset(i for m in replies for i in m.facts),
    )


async def ask_all(questions: Sequence[LabelledQuestion]) -> list[Outcome]:
    """The outcome of every question, in order."""
    return [await ask(labelled) for labelled in questions]


@dataclass(frozen=True)
class Score:
    """Counts over some outcomes."""

    questions: int
    asked: int
    recalled: int
    stated: int
    unasked: int
    beyond_view: int

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Score:
        """Add up; open questions count in nothing but their number."""
        pointed = [o for o in outcomes if not o.labelled.open]
        asked = sum(len(o.labelled.facts) for o in pointed)
        return cls(
            questions=len(outcomes),
            asked=asked,
            recalled=asked - sum(len(o.missed) for o in pointed),
            stated=sum(len(o.stated) for o in pointed),
            unasked=sum(len(o.unasked) for o in pointed),
            beyond_view=sum(len(o.beyond_view) for o in outcomes),
        )

    @property
    def recall(self) -> float:
        """Share of asked facts that were stated; 1 if none was asked."""
        return self.recalled / self.asked if self.asked else 1.0

    @property
    def unasked_share(self) -> float:
        """Share of stated facts that were not asked; 0 if none was stated."""
        return self.unasked / self.stated if self.stated else 0.0


def report(outcomes: Sequence[Outcome], *, verbose: bool) -> str:
    """A table by language and source, and the misses if they are wanted."""
    lines = [f"{'':24}{'n':>4} {'recall':>17} {'unasked':>17} {'beyond view':>12}"]
    groups = sorted({(o.labelled.language, o.labelled.source) for o in outcomes})
    for language, source in groups:
        chosen = [
            o for o in outcomes if (o.labelled.language, o.labelled.source) == (language, source)
        ]
        lines.append(_line(f"{language} {source}", chosen))
    for language in sorted({language for language, _ in groups}):
        lines.append(
            _line(f"{language} all", [o for o in outcomes if o.labelled.language == language])
        )
    lines.append(_line("all", outcomes))
    missed = Counter(o.labelled.kind for o in outcomes for _ in o.missed)
    lines.append("missed by kind: " + ", ".join(f"{k} {n}" for k, n in missed.most_common()))
    if verbose:
        lines += [line for o in outcomes if o.missed or o.unasked for line in _miss(o)]
    return "\n".join(lines)


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    score = Score.of(outcomes)
    recall = f"{score.recall:.1%} ({score.recalled}/{score.asked})"
    unasked = f"{score.unasked_share:.1%} ({score.unasked}/{score.stated})"
    return f"{name:24}{score.questions:>4} {recall:>17} {unasked:>17} {score.beyond_view:>12}"


def _miss(outcome: Outcome) -> list[str]:
    labelled = outcome.labelled
    lines = ["", f"{labelled.n} {labelled.source} {labelled.kind}: {labelled.question}"]
    lines.append(f"  answer: {outcome.answer}")
    for i in outcome.missed:
        quotes = " | ".join(place.quote for place in labelled.facts[i])
        resolved = "" if labelled.fact_ids[i] else " (no such finding)"
        lines.append(f"  missed: {quotes}{resolved}")
    lines += [f"  unasked: {_words(labelled.record, i)}" for i in sorted(outcome.unasked)]
    return lines


def _words(record: MedicalRecord, finding: str) -> str:
    return next(
        (f"{f.id} {f.section} {f.text}" for f in record.findings if f.id == finding), finding
    )


def _said(turn: int, role: str, addressee: str, text: str) -> Message:
    return Message(turn=turn, role=role, speaker=role, addressee=addressee, text=text)


def main() -> None:
    """Measure one half and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=("dev", "held_out"))
    parser.add_argument("--verbose", action="store_true", help="list the misses")
    arguments = parser.parse_args()
    questions = load_questions(arguments.half)
    if not shared_data():
        print("The published records are not there: bundled records only.")
    print(report(asyncio.run(ask_all(questions)), verbose=arguments.verbose))


if __name__ == "__main__":
    main()
