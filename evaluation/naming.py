"""The diseases of a report as a model names them, ready to be linked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agents.disease_reader import MeteredReader
from records.mark import Naming
from records.medical_record import Language
from records.visit import Repair, Usage


@dataclass(frozen=True)
class Named:
    """What was named in the texts of one report."""

    extraction: str
    """As it stands in `Mark.extraction`."""
    names: Mapping[str, tuple[str, ...] | None]
    """By text; None where the answer could not be read, so that our rules name."""
    naming: Naming | None
    """None if there was nothing to ask."""


async def name_diseases(
    texts: Iterable[str], language: Language, reader: MeteredReader, extraction: str
) -> Named:
    """Have a model name the diseases of some texts; each is read once, blank ones never.

    Raises:
        SeatError: the model failed.
    """
    wanted = dict.fromkeys(text for text in texts if text.strip())
    answers = {text: await reader.read(text, language) for text in wanted}
    costs = [one.cost for one in answers.values()]
    naming = Naming(
        raw="\n\n".join(one.raw for one in answers.values()),
        usage=_sum([one.usage for one in answers.values() if one.usage is not None]),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        repairs=_distinct(repair for one in answers.values() for repair in one.repairs),
    )
    names = {text: None if one.by_rule else one.names for text, one in answers.items()}
    return Named(extraction, names, naming if answers else None)


def _sum(usages: list[Usage]) -> Usage | None:
    if not usages:
        return None
    return Usage(
        calls=sum(one.calls for one in usages),
        prompt_tokens=_total([one.prompt_tokens for one in usages]),
        completion_tokens=_total([one.completion_tokens for one in usages]),
    )


def _total(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count or 0 for count in counts)


def _distinct(repairs: Iterable[Repair]) -> tuple[Repair, ...]:
    return tuple(dict.fromkeys(repairs))
