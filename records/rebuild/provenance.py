"""Where a rebuilt fact was said, how well it is supported, and what contradicts it.

A finding has these among its attributes, a result as its provenance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from records.medical_record import Examination, Finding

Support = Literal["opening", "recurring", "single"]
"""`opening`: told in the complaint a visit opens with; `recurring`: told in two dialogues or more;
`single`: told in one dialogue alone, after a question, where a model that plays may invent."""


@dataclass(frozen=True, order=True)
class Place:
    """One message of one dialogue."""

    dialogue: str
    turn: int

    def __str__(self) -> str:
        return f"{self.dialogue}:{self.turn}"


@dataclass(frozen=True)
class Provenance:
    """Where a fact comes from."""

    said_in: str
    """Messages as "file:turn", separated by spaces; the file without its common beginning."""
    support: Support
    contradicts: tuple[str, ...] = ()
    """Ids of the facts that cannot be true beside this one."""

    @property
    def corroborated(self) -> bool:
        """Whether more than one answer of one player stands behind it."""
        return self.support != "single"

    def fields(self) -> dict[str, str]:
        """The provenance by name, as a finding's attributes hold it."""
        told = {"said_in": self.said_in, "support": self.support}
        return told | ({"contradicts": " ".join(self.contradicts)} if self.contradicts else {})

    def in_one_line(self) -> str:
        """The provenance in one line, as a result holds it."""
        return "; ".join(f"{name}={value}" for name, value in self.fields().items())


_FIELD = re.compile(r"(said_in|support|contradicts)=([^;]*)")


def said_in(places: Iterable[Place]) -> str:
    """The places, each once, in order."""
    return " ".join(str(place) for place in sorted(set(places)))


def support_of(places: Iterable[Place], *, opening: bool = False) -> Support:
    """How well a fact said in these places is supported."""
    if opening:
        return "opening"
    return "recurring" if len({place.dialogue for place in places}) > 1 else "single"


def provenance_of(fact: Finding | Examination) -> Provenance | None:
    """The provenance of a rebuilt finding or result; None of one that is not rebuilt."""
    fields: Mapping[str, str]
    if isinstance(fact, Finding):
        fields = fact.attributes
    else:
        fields = dict(_FIELD.findall(fact.provenance or ""))
    if "said_in" not in fields:
        return None
    support: Support = "single"
    if fields.get("support") == "opening":
        support = "opening"
    elif fields.get("support") == "recurring":
        support = "recurring"
    return Provenance(fields["said_in"], support, tuple(fields.get("contradicts", "").split()))
