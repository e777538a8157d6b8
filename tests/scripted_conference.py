"""A script for `ScriptedEndpoint` that plays a conference; who is asked is told by the model.

Doctors `a`, `b`, `c` consult as `tests.scripted_hospital` does and then hold to their own diagnosis
until the moderator's last point names another; `chair` moderates.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from records.medical_record import Language
from tests.scripted_endpoint import purpose_of
from tests.scripted_hospital import REPORTS, play

OWN: dict[Language, dict[str, str]] = {
    "en": {"a": "Gastric ulcer", "b": "Acute gastritis", "c": "Gallstones"},
    "zh": {"a": "胃溃疡", "b": "急性胃炎", "c": "胆囊结石"},
}


class ConferenceScript:
    """What each model says.

    Args:
        agree_after: the moderator declares agreement at its n-th verdict (from 0); None: never.
        questions: the contradictions that it finds, as (addressee, question).
    """

    def __init__(
        self, agree_after: int | None = 0, questions: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.agree_after = agree_after
        self.questions = questions
        self.calls: Counter[str] = Counter()
        """By purpose: `consult a`, `revise a`, `find_contradictions`, …, and `npc`."""
        self.verdicts = 0

    def __call__(self, body: dict[str, Any]) -> Any:
        written, role, purpose = purpose_of(body)
        language: Language = "zh" if written == "zh" else "en"
        model = body["model"]
        if role == "chief_physician":
            self.calls[purpose] += 1
            return self.moderate(purpose, language)
        if role == "doctor":
            revises = self.is_revision(body)
            self.calls[f"{'revise' if revises else 'consult'} {model}"] += 1
            said = self.report(model, language) if revises else play(body)
            own = said.replace(OWN[language]["a"], OWN[language][model])
            return own if said == REPORTS[language] else said
        self.calls["npc"] += 1
        return play(body)

    def is_revision(self, body: dict[str, Any]) -> bool:
        """True if the doctor is asked to revise."""
        last = body["messages"][-1]["content"]
        return "Think again and write" in last or "请重新考虑后" in last

    def report(self, model: str, language: Language) -> str:
        """A doctor's revised report, before its own diagnosis is put in."""
        return REPORTS[language]

    def moderate(self, purpose: str, language: Language) -> str:
        """What the moderator says."""
        if purpose == "find_contradictions":
            return json.dumps([{"to": to, "question": q} for to, q in self.questions])
        if purpose == "merge_facts":
            return json.dumps({"symptoms": "Belly ache", "examinations": "ECG: sinus rhythm"})
        if purpose == "disputes":
            agreed = self.verdicts == self.agree_after
            self.verdicts += 1
            points = [] if agreed else ["ulcer or gastritis", "endoscopy", "diet", "a fourth one"]
            return json.dumps({"agreement": agreed, "disputes": points})
        return REPORTS[language]
