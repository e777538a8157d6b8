"""A conference's spec, `conference(A, B, C; rounds=4, moderator=SPEC)`: who meets, and how."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from typing import get_args

from pydantic import Field

from agents.errors import SpecError
from records.conference import CONFERENCE, Strategy, is_conference
from records.medical_record import Paper

FEWEST, MOST = 2, 8
"""Doctors of a conference."""
MOST_ROUNDS = 20
_EXAMPLE = "conference(checklist, URL#MODEL; rounds=4)"
_OPTIONS = ("rounds", "disputes", "facts", "moderator", "strategy")
_STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
_HAVING: dict[str, tuple[str, ...]] = {
    "rounds": ("discuss",),
    "disputes": ("discuss",),
    "facts": ("discuss",),
    "moderator": ("discuss", "summary"),
}
"""By option, the strategies that it says something about."""
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_QUOTES = "\"'"


class ConferenceSpec(Paper):
    """Who meets, and how."""

    doctors: tuple[str, ...]
    """Specs of two to eight Doctors; the same one twice sits there with two consultations."""
    rounds: int = Field(default=4, ge=0, le=MOST_ROUNDS)
    """Rounds of discussion at most."""
    disputes: bool = True
    """Whether the Doctors are told the disputed points."""
    facts: bool = True
    """Whether facts are merged and settled before the discussion."""
    moderator: str = "rubric"
    strategy: Strategy = "discuss"

    @classmethod
    def parse(cls, text: str) -> ConferenceSpec:
        """Read a spec as typed on the command line.

        Parentheses nest; a part with a comma or semicolon of its own is put into quotes. Whether a
        Doctor's or the moderator's spec names anyone is not checked here.

        Raises:
            SpecError: it is not one; the message says what would be right.
        """
        doctors, options = _split(text)
        if not FEWEST <= len(doctors) <= MOST:
            raise SpecError(
                f"a conference has {FEWEST} to {MOST} doctors, not {len(doctors)}; write {_EXAMPLE}"
            )
        for doctor in doctors:
            if is_conference(doctor):
                raise SpecError(f"{text}: a conference cannot sit in a conference")
        values = dict(_option(part) for part in options)
        if len(values) < len(options):
            twice = Counter(_option(part)[0] for part in options).most_common(1)[0][0]
            raise SpecError(f"{text}: {twice} is set twice")
        strategy = values.get("strategy", "discuss")
        for name in values:
            if strategy not in _HAVING.get(name, (strategy,)):
                raise SpecError(f"{text}: strategy={strategy} has no {name}")
        return cls.model_validate({"doctors": doctors, **values})

    @property
    def moderated(self) -> bool:
        """True if a moderating Chief Physician is needed."""
        return self.strategy in _HAVING["moderator"]

    @property
    def seats(self) -> tuple[str, ...]:
        """The specs of all who take part: Doctors and moderator."""
        return (*self.doctors, self.moderator) if self.moderated else self.doctors

    def __str__(self) -> str:
        """The spec as text, the same for equal specs: defaults are left out."""
        fields = type(self).model_fields
        given = [
            f"{name}={_quoted(_written(getattr(self, name)))}"
            for name in _OPTIONS
            if getattr(self, name) != fields[name].default
        ]
        who = ", ".join(_quoted(doctor) for doctor in self.doctors)
        return f"{CONFERENCE}({who}; {', '.join(given)})" if given else f"{CONFERENCE}({who})"


def canonical(spec: str) -> str:
    """A Doctor's spec, that of a conference written in one way.

    Raises:
        SpecError: it begins like a conference and is none.
    """
    return str(ConferenceSpec.parse(spec)) if is_conference(spec) else spec


def consultation_trial(doctors: tuple[str, ...], index: int, trial: int) -> int:
    """The trial of a member's own consultation, from 1.

    A Doctor that sits in a conference `k` times has `k` consultations of its own in each trial of
    it, so that two of them are never one and the same.

    Args:
        doctors: of the conference.
        index: the member's, from 0.
        trial: of the conference, from 1.
    """
    times = doctors.count(doctors[index])
    return (trial - 1) * times + doctors[:index].count(doctors[index]) + 1


def _split(text: str) -> tuple[list[str], list[str]]:
    """The Doctors and the options, as written."""
    whole = text.strip()
    if not is_conference(whole) or not whole.endswith(")"):
        raise SpecError(f"{text!r} is no conference; write {_EXAMPLE}")
    body = whole[len(CONFERENCE) + 1 : -1]
    parts = [(part.strip(), end) for part, end in _parts(body, text)]
    doctors: list[str] = []
    options: list[str] = []
    in_options = False
    for part, end in parts:
        if not part and not (len(parts) == 1 or (in_options and end == "")):
            raise SpecError(f"{text!r}: there is nothing between two separators")
        (options if in_options else doctors).append(part)
        in_options = in_options or end == ";"
    return [_unquoted(d) for d in doctors if d], [o for o in options if o]


def _parts(body: str, text: str) -> Iterator[tuple[str, str]]:
    """Each part of the outermost level, with the separator after it; "" after the last."""
    expected: list[str] = []
    quote, begin = "", 0
    for position, char in enumerate(body):
        if quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES:
            quote = char
        elif char in _CLOSER:
            expected.append(_CLOSER[char])
        elif char in _CLOSER.values():
            if not expected or expected.pop() != char:
                raise SpecError(f"{text!r}: {char} at {body[:position][-20:]!r} closes nothing")
        elif char in ",;" and not expected:
            yield body[begin:position], char
            begin = position + 1
    if quote or expected:
        raise SpecError(f"{text!r}: {quote or expected[-1]} is missing")
    yield body[begin:], ""


def _option(part: str) -> tuple[str, object]:
    name, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals or name not in _OPTIONS:
        near = difflib.get_close_matches(name, _OPTIONS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_OPTIONS)}"
        raise SpecError(f"{part!r} is no option of a conference; {hint}")
    value = _unquoted(value)
    match name:
        case "rounds":
            if not (value.isascii() and value.isdigit() and int(value) <= MOST_ROUNDS):
                raise SpecError(f"rounds={value}: give a number from 0 to {MOST_ROUNDS}")
            return name, int(value)
        case "disputes" | "facts":
            if value not in ("on", "off"):
                raise SpecError(f"{name}={value}: it is on or off")
            return name, value == "on"
        case "strategy":
            if value not in _STRATEGIES:
                raise SpecError(f"strategy={value}: there are {', '.join(_STRATEGIES)}")
        case _ if not value:
            raise SpecError(f"{name}= names nobody")
    return name, value


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _quoted(part: str) -> str:
    """The part as it can stand in a spec and be read back."""
    try:
        pieces = list(_parts(part, part))
    except SpecError:
        pieces = []
    plain = len(pieces) == 1 and part == part.strip() and _unquoted(part) == part and part
    if plain:
        return part
    quote = next((q for q in _QUOTES if q not in part), None)
    if quote is None:
        raise SpecError(f"{part!r} holds both kinds of quotes and cannot sit in a conference")
    return f"{quote}{part}{quote}"


def _unquoted(part: str) -> str:
    """The part without quotes around the whole of it."""
    if len(part) >= 2 and part[0] in _QUOTES and part.find(part[0], 1) == len(part) - 1:
        return part[1:-1].strip()
    return part
