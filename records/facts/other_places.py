"""What is asked of another place than the one spoken of, and of what was spoken of by "it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from records.facts.fact_index import Fact, FactIndex
from records.facts.lexicon import load_lexicon
from records.facts.questions import Question
from records.facts.units import Unit

ELSEWHERE = re.compile(
    r"\bother (?:\w+ )?(?:joint|area|part|place|side|spot|site|limb|eye|ear|arm|leg|knee|hand|"
    r"foot|shoulder|hip|breast)s?\b|anywhere else|elsewhere|"
    r"somewhere else|其他(?:部位|地方|关节)|别的(?:部位|地方|关节)",
    re.IGNORECASE,
)


OTHER_SIDE = re.compile(
    r"\bother (?:side|eye|ear|arm|leg|knee|hand|foot|shoulder|hip|breast)\b|另一?[侧边只条个]",
    re.IGNORECASE,
)


def elsewhere(facts: Sequence[Fact], question: Question, index: FactIndex) -> tuple[Fact, ...]:
    """Leave out what is where the complaint is, or where the question says it is known to be."""
    side = next((f.side for f in index.complaint if f.side), None)
    if side and OTHER_SIDE.search(question.text):
        across = tuple(f for f in facts if f.side and f.side != side)
        return across or tuple(facts)
    known = {s.id for u in question.excluded for s in u.sites}
    known |= set() if known else {site for _, site in index.complaint_places}
    named = {s for f in facts for s in f.sites if s in known}
    left = tuple(
        f
        for f in facts
        if f not in index.complaint and f.sites and not (f.sites & (named or known))
    )
    return left or tuple(f for f in facts if not f.present) or tuple(facts)


_IN_IT = re.compile(r"\bin (?:it|them|that)\b", re.IGNORECASE)
_BLOOD_IN = {
    "g_urinary": "hematuria",
    "bowel": "bloody_stool",
    "cough": "hemoptysis",
    "sputum": "hemoptysis",
    "vomiting": "hematemesis",
}
"""Whose blood it is when it is in something that is passed."""


def of_what_is_passed(unit: Unit, question: Question, topic: Sequence[Unit]) -> Unit:
    """Read "blood in it" as blood in what was spoken of."""
    if not unit.has({"bleeding"}) or not _IN_IT.search(question.text):
        return unit
    lexicon = load_lexicon()
    for spoken in (*question.about, *topic):
        wider = frozenset(a for c in spoken.concepts for a in lexicon.ancestors(c.id))
        for thing, blood in _BLOOD_IN.items():
            if thing in wider:
                return replace(unit, concepts=(lexicon.concepts[blood],))
    return unit
