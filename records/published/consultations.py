"""A published consultation as messages: who spoke to whom, and which facts were stated.

The words stay as they were said, but for addressee tags and end tokens; what a patient's message
holds of others' turns stays in it too, since the doctor heard it, and is noted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from records.addressing import cut_foreign_turns, end_token, has_end_token, split_addressed
from records.examinations.requests import stated_examinations
from records.facts.matching import stated_findings
from records.medical_record import Examination, Finding, MedicalRecord
from records.message import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    PATIENT,
    Message,
    Repair,
    Trace,
)
from records.rebuild import provenance_of

_ROLES = {"Patient": PATIENT, "Reporter": EXAMINER, "Doctor": DOCTOR}


@dataclass(frozen=True)
class Talk:
    """What was said, and the report that it ended in."""

    messages: tuple[Message, ...]
    report: str | None
    """The doctor's last words; None if the log ends with somebody else's."""
    ended: bool
    """True if the patient took its leave."""


@dataclass
class Stated:
    """Which facts of a record a message of a published dialogue states.

    A rebuilt record knows where each of its facts was said; a complete one is searched.
    """

    record: MedicalRecord
    _places: dict[str, list[Finding | Examination]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the facts of a rebuilt record by the messages they were said in."""
        facts: list[Finding | Examination] = [*self.record.findings]
        facts += (*self.record.physical_examination, *self.record.auxiliary_examinations)
        for fact in facts:
            known = provenance_of(fact)
            for place in known.said_in.split() if known else ():
                self._places.setdefault(place, []).append(fact)

    def findings(self, place: str, text: str) -> tuple[str, ...]:
        """Ids of the findings that a patient's message states."""
        if self._places:
            return tuple(f.id for f in self._places.get(place, ()) if isinstance(f, Finding))
        return stated_findings(text, self.record.findings, self.record.language)

    def examinations(self, place: str, text: str) -> tuple[str, ...]:
        """Ids of the examinations that an examiner's message gives the results of."""
        if self._places:
            return tuple(f.id for f in self._places.get(place, ()) if isinstance(f, Examination))
        items = (*self.record.physical_examination, *self.record.auxiliary_examinations)
        return stated_examinations(text, items, self.record.language)


def read_talk(dialogue: str, history: Sequence[Any], stated: Stated) -> Talk:
    """Read a published dialogue; what is no message of a known role is passed over.

    Args:
        dialogue: name of the dialogue, as in a rebuilt record's provenance.
        history: objects with `turn`, `role` (Doctor, Patient, Reporter) and `content`.
        stated: the facts of the patient's record.
    """
    said = [m for m in history if _is_message(m)]
    report = str(said[-1]["content"]) if said and said[-1]["role"] == "Doctor" else None
    talk = said[:-1] if report is not None and len(said) > 1 else said
    messages: list[Message] = []
    for one in talk:
        messages += _messages(dialogue, one, stated, last=one is talk[-1])
    ended = bool(messages and messages[-1].trace and messages[-1].trace.end)
    if report is not None:
        turn = said[-1]["turn"]
        messages.append(_message(turn, DOCTOR, CHIEF_PHYSICIAN, report))
    return Talk(tuple(messages), report, ended)


def _is_message(value: Any) -> bool:
    if not isinstance(value, Mapping) or value.get("role") not in _ROLES:
        return False
    turn = value.get("turn")
    return (
        isinstance(value.get("content"), str)
        and isinstance(turn, int)
        and not isinstance(turn, bool)
        and turn >= 0
    )


def _messages(
    dialogue: str, one: Mapping[str, Any], stated: Stated, *, last: bool
) -> list[Message]:
    role, turn, text = _ROLES[one["role"]], one["turn"], one["content"]
    place = f"{dialogue}:{turn}"
    if role == DOCTOR:
        return [_message(turn, DOCTOR, PATIENT, text)]
    if role == EXAMINER:
        found = stated.examinations(place, text)
        return [_message(turn, EXAMINER, DOCTOR, text, examinations=found)]
    return _patient_messages(turn, text, stated.findings(place, text), last=last)


def _patient_messages(turn: int, said: str, facts: tuple[str, ...], *, last: bool) -> list[Message]:
    """One message for each addressee; the first bears the facts and what had to be put up with."""
    tokens = has_end_token(said)
    text = end_token(said)[0] if tokens else said
    addressed = split_addressed(text, DOCTOR, "zh")
    repairs = [Repair(kind="foreign_turn", detail=r.detail) for r in _foreign(text)]
    parts: dict[str, str] = {}
    for who, part in addressed.parts:
        # A patient that speaks to "the patient" plays the doctor; the doctor heard it.
        who = DOCTOR if who == PATIENT else who
        parts[who] = "\n".join(filter(None, (parts.get(who), part)))
    if len(parts) > 1:
        repairs.append(Repair(kind="message_split", detail=", ".join(parts)))
    if tokens and not last:
        repairs.append(Repair(kind="end_token_ignored"))
    repairs += (
        r for r in addressed.repairs if not (tokens and last and r.kind == "addressee_missing")
    )
    end = tokens and last
    trace = Trace(raw=said if repairs else None, end=end)
    messages = []
    for index, (who, part) in enumerate(parts.items() or [(DOCTOR, "")]):
        first, final = index == 0, index == max(len(parts) - 1, 0)
        update = {"raw": trace.raw if first else None, "end": end and final}
        own = trace.model_copy(update=update)
        messages.append(
            Message(
                turn=turn,
                role=PATIENT,
                speaker=PATIENT,
                addressee=who,
                text=part,
                facts=facts if first else (),
                repairs=tuple(repairs) if first else (),
                trace=own if own != Trace() else None,
            )
        )
    return messages


def _foreign(text: str) -> list[Repair]:
    return [r for r in cut_foreign_turns(text, PATIENT)[1] if r.kind == "foreign_turn"]


def _message(
    turn: int, role: str, addressee: str, text: str, examinations: tuple[str, ...] = ()
) -> Message:
    return Message(
        turn=turn,
        role=role,
        speaker=role,
        addressee=addressee,
        text=text,
        examinations=examinations,
    )
