"""The minutes of a conference: who took part, what was settled, how opinions moved, what ended it.

A conference is several Doctors' dispute resolution after AI Hospital (arXiv 2402.09742, Algorithm 1
and Appendix B). The visit's own `messages` are what was said in the conference; its `report` is the
final one. Each Doctor's consultation is kept apart, with the speakers it had.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from records.ending import Ending
from records.medical_record import Paper
from records.message import Message, Report, Usage

Strategy = Literal["discuss", "vote", "revise", "summary"]
"""`discuss` is the paper's algorithm; the others are there to compare it with. `vote`: the majority
of the linked diagnoses. `revise`: each sees the others' reports once, then a vote; no moderator.
`summary`: the moderator writes the final report from the first ones."""

EndedBy = Literal["agreement", "round_limit", "one_left", "none_left", "vote", "summary"]
"""`one_left`: all but one Doctor stayed out or left, so that its report stands."""

CONFERENCE = "conference"
_OPENING = f"{CONFERENCE}("


def is_conference(spec: str) -> bool:
    """True if a Doctor's spec names a conference: `conference(A, B)`."""
    return spec.strip().startswith(_OPENING)


class Facts(Paper):
    """The symptoms and examinations of all Doctors, merged."""

    symptoms: str = ""
    examinations: str = ""


class Contradiction(Paper):
    """Where Doctors' facts could not both be true, and what became of it."""

    question: str
    asked_of: Literal["patient", "examiner"]
    claims: dict[str, str] = Field(default_factory=dict)
    """By speaker, what each had written; empty where the moderator does not say."""
    answer: str = ""
    facts: tuple[str, ...] = ()
    """Ids of the record's findings that the answer states."""
    examinations: tuple[str, ...] = ()
    """Ids of the record's examinations that the answer states the result of."""


class Consultation(Paper):
    """A Doctor's own consultation with the patient, as its visit in setting `interaction` is."""

    key: str
    """The key of that visit's order: where the same order stands in a ledger, this is its visit."""
    ending: Ending
    failed_by: str | None = None
    failure: str | None = None
    messages: tuple[Message, ...] = ()
    report: Report | None = None
    models_answered: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    usage: dict[str, Usage] = Field(default_factory=dict)
    """By role."""
    cost: float | None = None
    """US dollars; None is unknown."""
    cost_complete: bool = True
    seconds: float = 0.0
    taken_from: str | None = None
    """Name of the other run it was held in. Within a run, whatever has the same key was held and
    paid for once."""


class Participant(Paper):
    """A Doctor of the conference."""

    speaker: str
    """`doctor_1`, `doctor_2`, … in the order of the spec."""
    doctor: str
    """Its spec."""
    consultation: Consultation | None = None
    """None where it is not at hand (imported minutes)."""
    visit_key: str | None = None
    """Of the consultation, where only that is known."""
    out: str | None = None
    """Why it stayed out or left, in one line; None if it took part to the end."""
    out_since: int | None = None
    """The round in which it left; -1 if it never took part: its facts were not merged."""


class Change(Paper):
    """What a Doctor's new report changed in its last one."""

    speaker: str
    parts: tuple[str, ...]
    """The parts of `REPORT_PARTS` whose text is another."""
    took_up: tuple[str, ...] = ()
    """Diagnoses that are new in it; another name for the same disease is none."""
    gave_up: tuple[str, ...] = ()


class Round(Paper):
    """One revision by all Doctors, in parallel."""

    number: int = Field(ge=0)
    """0 is the revision on the merged facts; from 1 on each sees the others' reports."""
    points: tuple[str, ...] = ()
    """Disputed points by importance, as the moderator listed them: at most three."""
    points_shown: bool = True
    """False where the Doctors revised without being told the points."""
    reports: dict[str, Report] = Field(default_factory=dict)
    """By speaker, as they stand after the round."""
    changes: tuple[Change, ...] = ()
    """Of those who changed anything, in the order of the Doctors."""
    kept: dict[str, str] = Field(default_factory=dict)
    """By speaker, why an answer was no report, so that the last one stands."""


class Minutes(Paper):
    """The course of a conference, all but its final report, which is the visit's."""

    strategy: Strategy = "discuss"
    moderator: str = ""
    """Spec of the moderating Chief Physician; "" where there is none."""
    round_limit: int = 4
    disputes: bool = True
    """False: the Doctors are not told the disputed points."""
    facts_exchanged: bool = True
    """False: facts are neither merged nor settled."""
    participants: tuple[Participant, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    """In the order in which they were asked about."""
    facts: Facts | None = None
    """The merged facts; None if they were not merged."""
    rounds: tuple[Round, ...] = ()
    """What is known of each; imported minutes may lack them."""
    rounds_held: int = 0
    """Rounds of discussion, without the revision on the merged facts."""
    ended_by: EndedBy | None = None
    """None if a failure ended it."""
