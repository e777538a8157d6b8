"""Full English sentences out of a patient's clauses.

The clauses are in the first person already (`agents.offline.first_person`); what lacks a subject or
a verb gets one, by the section that it was told in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from records.facts.lexicon import load_lexicon
from records.medical_record import HistorySection

Clause = tuple[str, HistorySection, bool]
"""The words, the section of the record, whether it affirms."""

_I = re.IGNORECASE
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|when|while|because|as|if)\b.*", _I)
_FINITE = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|do|does|did|can|cannot|could|will|would|feels?|felt|"
    r"went|goes|came|comes?|began|begins?|started|became|becomes?|got|gets?|woke|wakes?|took|"
    r"takes?|gave|gives?|runs?|ran|died|dies|noticed|stopped|said|told|seems?|makes?|made|lasts?|"
    r"lasted|hurts?|itches|worsens?|worsened|improves?|improved|spread|grew|fell|lost|includes?|"
    r"follows?|smokes|lives|plays|needs|tires|eats|sleeps|says?|knows?|thinks?|believes?|"
    r"swelled|faded|broke|moved|passed|vomited|developed|eases?|settled|flew|drank|ate)\b"
    r"|^(?:I|we|it|they|there|nobody|nothing|no one)\b|\bI['’]",
    _I,
)
_DETERMINED = re.compile(
    r"^(?:nothing|the|my|this|these|those|that|both|his|her|all|each|it|our)\b", _I
)
_OF_IT = re.compile(
    r"^(?:I )?(?:has|have) (?=(?:\w+ly )?(?:increased|worsened|improved|spread|resolved|grown|"
    r"subsided|persisted)\b|been (?:\w+ly )?(?:worsening|increasing|improving|spreading|present|"
    r"getting))|^(?=(?:hurts|itches|worsens?|radiates|spreads|goes|comes|improves?|lasts|lasted|"
    r"occurs|aches) (?:when|with|after|to|into|down|for|at|on|in|by|up|significantly)\b)",
    _I,
)
_I_DID = re.compile(
    r"^(?:also |then |recently |often |initially )?(?:noticed|discontinued|started|developed|"
    r"experienced|"
    r"vomited|went|"
    r"woke|felt|broke out|lost|took|tried|saw|flew|found|became|quit|underwent|received|returned|"
    r"moved|attended|gained|fell|had|have|did not|do not|was|am|could not|cannot|consumes?|"
    r"recalls?|drink|smoke|eat|live|work|take|smoked|stopped|worked|"
    r"retired from|enjoy)\b(?! of\b)",
    _I,
)
_I_WAS = re.compile(
    r"^(?:recently |previously |once |first )?(?:diagnosed|treated|started on|born|admitted|"
    r"released|advised|told|hospitali[sz]ed|involved|brought|immuni[sz]ed|vaccinated|"
    r"terminated)\b",
    _I,
)
_IT_IS = re.compile(r"^(?:currently |well[- ])?(?:managed|controlled|treated) (?:with|by)\b", _I)
_ONGOING = re.compile(
    r"^(?:having|experiencing|developing|feeling|using|taking|voiding|trying|losing|adopting|"
    r"passing|urinating|drinking|waking|making|seeing|hearing|attending|noticing|eating)\b",
    _I,
)
_I_AM = re.compile(
    r"^(?:an? (?:little|bit) |very |slightly |extremely |so )?(?:short of breath|sick|constipated|"
    r"tired|thirsty|muddled|dizzy|pale|listless|weak|confused|worn out|light-?headed|restless|"
    r"anxious|sleepier|nauseous|hungry|unable|breathless|disoriented|shivery|afebrile|alert|healthy|"
    r"sexually active|lethargic|irritable)\b(?! (?:spells?|episodes?|stream|pulse))",
    _I,
)
_THEY = re.compile(r"^(?:improve|worsen|come|last|spread|started|began)\b(?! of\b)", _I)
_I_DO_NOT = re.compile(r"^no (?=(?:drink|smoke|use|take|consume|eat|exercise|have|recall)\b)", _I)
_LASTING = re.compile(r"\b(?:for|since) (?!the|my|it)\w+", _I)
_ONCE = re.compile(r"\bat (?:the age of )?\d|\bago\b|\blast year\b|\bas a child\b|\bin \d{4}", _I)
_NOT_TAKEN = re.compile(
    r"\bnot\b|stop|\bago\b|\buntil\b|\blast\b|^a \w+ of|^(?:two|three|five) ", _I
)
_COUNTED = re.compile(
    r"(?:ache|cough|fever|rash|lump|mass|wound|lesion|throat|nose|tremor|murmur|gait|ulcer|clot|"
    r"ectomy|plasty|otomy|repair|operation|fracture|section|polyp|stroke|limp|temperature)$",
    _I,
)
_HEAD = re.compile(
    r"\W*\b(?:for|in|on|of|over|with|at|since|lasting|radiating|during|after)\b.*", _I
)
_PROPER = re.compile(r"^(?:[A-Z]{2}|[A-Z]\w*[’'-]s\b|Crohn|Lyme|Down\b|Parkinson|Graves|I\b|I['’])")


def full_sentences(clauses: Sequence[Clause]) -> str:
    """Clauses as sentences, those that begin alike in one; "" for none."""
    begun = [_begun(*clause) for clause in clauses]
    told: list[str] = []
    for opening, group in groupby(begun, key=lambda b: b[0]):
        parts = [rest for _, rest in group]
        if not opening:
            told += parts
        elif opening == "no":
            told.append(", ".join(parts))
        else:
            told.append(f"{opening} {_listed(parts)}")
    return " ".join(t[:1].upper() + t[1:] + "." for t in told)


def _listed(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return ", ".join(parts[:-1]) + (", and " if len(parts) > 2 else " and ") + parts[-1]


def _begun(clause: str, section: HistorySection, affirms: bool) -> tuple[str, str]:
    """What a clause lacks at its beginning, and the clause; "" if it lacks nothing."""
    low = _lowered(clause)
    if _I_DO_NOT.match(clause):
        return "", _I_DO_NOT.sub("I don't ", clause)
    if not affirms and re.match(r"no\b", low):
        return "no", low
    if _THEY.match(clause):
        return "", f"they {low}"
    if _OF_IT.search(clause):
        rest = _OF_IT.sub("", clause)
        return "", f"it has {rest}" if _OF_IT.match(clause) and rest != clause else f"it {low}"
    if _IT_IS.match(clause):
        return "", f"it's {low}"
    if _I_WAS.match(clause):
        return "", f"I was {low}"
    if _ONGOING.match(clause):
        return "", f"I've been {low}"
    if _I_AM.match(clause):
        return "", f"I'm {low}"
    if re.match(r"being\b", low):
        return "", f"I'm {low[6:]}"
    if re.match(r"never (?:smoked|been|had|taken|used)\b", low):
        return "", f"I've {low}"
    if _I_DID.match(clause):
        return "", f"I {low}"
    verbal = _FINITE.search(_RELATIVE.sub("", clause))
    if not affirms or verbal or _DETERMINED.match(clause):
        return "", clause
    return _had(low, section)


def _had(low: str, section: HistorySection) -> tuple[str, str]:
    """A thing told without a verb, with the verb that its section asks for."""
    if section == "medication_history":
        return ("", low) if _NOT_TAKEN.search(low) else ("I take", low)
    mentions = load_lexicon().mentions(low, "en")
    if mentions and mentions[0].start == 0 and mentions[0].concept.kind == "medicine":
        return "I take", low
    if section in ("personal_history", "family_history"):
        return "", low
    low = re.sub(r"^history of ", "", low, flags=_I)
    head = _HEAD.sub("", low)
    if _COUNTED.search(head) and not re.match(r"(?:an?|some|several|two|three|one)\b", low):
        low = f"{'an' if low[:1] in 'aeiou' else 'a'} {low}"
    if section == "past_history" and _ONCE.search(low):
        return "I had", low
    if re.search(r"\bago\b", low):
        return "I had", low
    return "I've had" if _LASTING.search(low) else "I have", low


def _lowered(clause: str) -> str:
    return clause if _PROPER.match(clause) else clause[:1].lower() + clause[1:]
