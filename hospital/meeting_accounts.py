"""What a conference cost: its consultations and itself, by role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.conference_seats import Convened
from records.conference import Consultation
from records.visit import DOCTOR, Usage


def spent(people: Convened, consulted: Mapping[str, Consultation]) -> dict[str, Any]:
    """Usage, models and cost of a conference, as fields of its visit.

    The consultations count in full, wherever they were held: this is what the conference takes. A
    Doctor is filed under its speaker's id, in the consultation as in the conference.
    """
    usage: dict[str, Usage] = {}
    models: dict[str, tuple[str, ...]] = {}

    def add(
        speaker: str, used: Mapping[str, Usage], answered: Mapping[str, tuple[str, ...]]
    ) -> None:
        for role, more in used.items():
            name = speaker if role == DOCTOR else role
            usage[name] = _sum(usage[name], more) if name in usage else more
        for role, names in answered.items():
            name = speaker if role == DOCTOR else role
            models[name] = tuple(dict.fromkeys((*models.get(name, ()), *names)))

    for speaker, held in consulted.items():
        add(speaker, held.usage, held.models_answered)
    add("", people.meter.usage, people.meter.models)
    costs = [people.cost, *(held.cost for held in consulted.values())]
    known = [cost for cost in costs if cost is not None]
    complete = people.cost_complete and all(held.cost_complete for held in consulted.values())
    return {
        "usage": dict(sorted(usage.items())),
        "models_answered": dict(sorted(models.items())),
        "cost": sum(known) if known else None,
        "cost_complete": complete and len(known) == len(costs),
    }


def _sum(one: Usage, other: Usage) -> Usage:
    def both(a: int | None, b: int | None) -> int | None:
        return None if a is None or b is None else a + b

    return Usage(
        calls=one.calls + other.calls,
        prompt_tokens=both(one.prompt_tokens, other.prompt_tokens),
        completion_tokens=both(one.completion_tokens, other.completion_tokens),
    )
