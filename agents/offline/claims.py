"""What a report claims of symptoms and results, for a moderator without a model.

A symptom is claimed or denied; a result has a number, a direction or findings. Two reports
contradict each other where what they claim cannot both be true; what only one tells contradicts
nothing, and a report that says both of one thing has no stand on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.offline.case_notes import NOT_NOTICED
from agents.offline.heard_result import Direction, HeardResult
from records.examinations.examination_lexicon import normalise
from records.examinations.examination_reading import read_names
from records.facts.fact_index import Place, places_of
from records.facts.fact_topics import RELATIVE_SPEAKS
from records.facts.lexicon import Mention, load_lexicon
from records.facts.negation import is_negated
from records.facts.unit_matching import related_sites
from records.facts.units import Side, side_of
from records.medical_record import Language

_SENTENCE = {
    "zh": re.compile(r"[^。；;！!？?\n]+"),
    "en": re.compile(r"(?:[^.;!?\n]|(?<=\d)\.(?=\d))+"),
}
_CLAUSE = re.compile(r"[^，,]+")
_CLAIMED = ("symptom", "condition", "medicine")
_NUMBERED = re.compile(r"^\s*[（(]\d{1,2}[)）]\s*")
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?")
_PIECE = {
    "zh": re.compile(r"[^，,；;。\n]+"),
    "en": re.compile(r"(?:[^,;.\n]|(?<=\d)[.,](?=\d))+"),
}
_OPPOSITE: tuple[tuple[Direction, frozenset[Direction]], ...] = (
    ("high", frozenset({"low", "normal"})),
    ("low", frozenset({"high", "normal"})),
    ("positive", frozenset({"negative", "normal"})),
)
_BEFORE_VALUE = " :=(<>≤≥约为是达"
_SAME_NUMBER = 0.02
"""Share by which two readings of one number may differ by rounding."""


@dataclass(frozen=True)
class Claim:
    """One symptom, illness or medicine, said to be so or not."""

    concept: str
    wider: frozenset[str]
    """The concept itself and the symptoms and illnesses that it is a kind of."""
    name: str
    """Its preferred word in the language."""
    words: str
    """As the text has it."""
    present: bool
    places: frozenset[Place]
    side: Side | None
    kin: bool
    """Whether it is said of a relative."""
    sentence: str

    def denies(self, other: Claim) -> bool:
        """Whether this denies what the other affirms: the same thing, or a kind of it."""
        if self.present or not other.present or self.kin != other.kin:
            return False
        same = self.concept == other.concept
        if not same and (self.concept not in other.wider or self.concept in _heads()):
            return False
        if self.side and other.side and self.side != other.side:
            return False
        return _same_place(self.places, other.places)


@dataclass(frozen=True)
class ResultClaim:
    """What a report tells of one examination."""

    key: frozenset[str]
    """Ids of the examinations that its name means; its plain name where we know none."""
    name: str
    lines: tuple[str, ...]
    """The pieces of the text that tell it."""
    numbers: tuple[float, ...]
    directions: frozenset[Direction]
    findings: tuple[Claim, ...]

    def contradicts(self, other: ResultClaim) -> bool:
        """Whether the two tell of one examination what cannot both be true.

        Where both have numbers, the numbers decide.
        """
        if self.key != other.key:
            return False
        if self.numbers and other.numbers:
            if len(self.numbers) == len(other.numbers):
                return not all(map(_same_number, sorted(self.numbers), sorted(other.numbers)))
            return not any(_same_number(a, b) for a in self.numbers for b in other.numbers)
        return self._denies(other) or other._denies(self)

    def _denies(self, other: ResultClaim) -> bool:
        # Of several pieces, nobody knows which of the other's each direction belongs to.
        single = len(self.lines) == len(other.lines) == 1
        if (
            single
            and other.directions
            and any(
                direction in self.directions and other.directions <= opposite
                for direction, opposite in _OPPOSITE
            )
        ):
            return True
        return any(
            a.denies(b) and not _affirmed(a, self.findings)
            for a in self.findings
            for b in other.findings
        )


@lru_cache(maxsize=512)
def symptom_claims(text: str, language: Language) -> tuple[Claim, ...]:
    """The claims of a report's symptoms, in order."""
    claims: list[Claim] = []
    for found in _SENTENCE[language].finditer(text):
        sentence = found.group()
        unnoticed = NOT_NOTICED[language].search(sentence) is not None
        for clause in _CLAUSE.finditer(sentence):
            mentions = load_lexicon().mentions(clause.group(), language)
            about = _About(mentions, clause.group())
            for mention in mentions:
                at = clause.start() + mention.start
                denied = unnoticed or is_negated(sentence, at, language)
                words = sentence[at : clause.start() + mention.end]
                claims += about.claims(mention, not denied, words, sentence.strip(), language)
    return tuple(claims)


@lru_cache(maxsize=512)
def result_claims(text: str, language: Language) -> tuple[ResultClaim, ...]:
    """What a report's examinations claim, one item for each examination, in order."""
    told: dict[frozenset[str], ResultClaim] = {}
    for line in text.splitlines():
        line = _NUMBERED.sub("", line)
        heading = ""
        for found in _PIECE[language].finditer(line):
            piece = found.group().strip()
            result = HeardResult.of(piece)
            if result is None:
                continue
            name = result.name or _name_before(result.reading) or heading
            if not name:
                continue
            heading = heading or name
            claim = _result_claim(name, result, piece, language)
            known = told.get(claim.key)
            told[claim.key] = _joined(known, claim) if known else claim
    return tuple(told.values())


def _joined(one: ResultClaim, other: ResultClaim) -> ResultClaim:
    return ResultClaim(
        one.key,
        one.name,
        one.lines + other.lines,
        one.numbers + other.numbers,
        one.directions | other.directions,
        one.findings + other.findings,
    )


def contradicted_symptoms(
    reports: Sequence[tuple[Claim, ...]],
) -> list[tuple[Claim, dict[int, Claim]]]:
    """What some reports affirm and others deny: the thing in dispute, and each report's claim.

    In the order of the claims; each thing once.
    """
    found: list[tuple[Claim, dict[int, Claim]]] = []
    settled: set[str] = set()
    for i, claims in enumerate(reports):
        for claim in claims:
            if claim.present or claim.concept in settled or _affirmed(claim, claims):
                continue
            sides = {i: claim}
            for j, others in enumerate(reports):
                against = _affirmed(claim, others)
                if against and not any(other.denies(against) for other in others):
                    sides[j] = against
            if len(sides) > 1:
                settled.add(claim.concept)
                found.append((claim, sides))
    return found


def _affirmed(denial: Claim, claims: Iterable[Claim]) -> Claim | None:
    return next((claim for claim in claims if denial.denies(claim)), None)


def contradicted_results(
    reports: Sequence[tuple[ResultClaim, ...]],
) -> list[tuple[ResultClaim, dict[int, ResultClaim]]]:
    """The examinations that reports tell different results of, each once, in order."""
    found: list[tuple[ResultClaim, dict[int, ResultClaim]]] = []
    settled: set[frozenset[str]] = set()
    for i, claims in enumerate(reports):
        for claim in claims:
            sides = {i: claim} | {
                j: other
                for j, others in enumerate(reports)
                for other in others
                if j > i and claim.contradicts(other)
            }
            if len(sides) > 1 and claim.key not in settled:
                settled.add(claim.key)
                found.append((claim, sides))
    return found


class _About:
    """What a clause says of all that it mentions."""

    def __init__(self, mentions: Sequence[Mention], clause: str) -> None:
        self._places = places_of(mentions, load_lexicon())
        self._side = side_of(clause)
        family = any(c.id == "family" for m in mentions for c in m.concepts)
        self._kin = family and not RELATIVE_SPEAKS.search(clause)

    def claims(
        self, mention: Mention, present: bool, words: str, sentence: str, language: Language
    ) -> Iterable[Claim]:
        lexicon = load_lexicon()
        for concept in mention.concepts[:1]:
            if concept.kind not in _CLAIMED:
                continue
            kinds = {
                a
                for a in lexicon.ancestors(concept.id)
                if lexicon.concepts[a].kind in ("symptom", "condition")
            }
            yield Claim(
                concept=concept.id,
                wider=frozenset(kinds | {concept.id}),
                name=concept.name(language),
                words=words,
                present=present,
                places=self._places,
                side=self._side,
                kin=self._kin,
                sentence=sentence,
            )


def _result_claim(name: str, result: HeardResult, line: str, language: Language) -> ResultClaim:
    names = read_names(_before_number(result.reading)) or read_names(name)
    ids = [i for n in names for i in (*n.concepts, n.modality, *n.regions, n.side) if i]
    return ResultClaim(
        key=frozenset(ids or [normalise(name).strip().lower()]),
        name=name,
        lines=(line,),
        numbers=_values(result.reading),
        directions=result.directions,
        findings=symptom_claims(result.reading, language),
    )


def _values(reading: str) -> tuple[float, ...]:
    """The numbers that a reading is, two at most; none where it only has some in its words."""
    before = normalise(_before_number(reading))
    names = read_names(before)
    rest = before[names[-1].end :] if names else before
    if rest.strip(_BEFORE_VALUE):
        return ()
    return tuple(float(n) for n in _NUMBER.findall(reading)[:2])


def _same_number(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME_NUMBER * max(abs(one), abs(other))


def _before_number(reading: str) -> str:
    number = _NUMBER.search(reading)
    return reading[: number.start()] if number else ""


def _name_before(reading: str) -> str:
    """The name of a result that is told without a colon: "WBC 12.3"."""
    before = _before_number(reading).strip()
    return before if before and read_names(before) else ""


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    """General symptoms that need a place: "no pain" there denies no pain elsewhere."""
    return frozenset(c.head for c in load_lexicon().concepts.values() if c.head)


def _same_place(wanted: frozenset[Place], told: frozenset[Place]) -> bool:
    heads = {head for head, _ in wanted}
    sites = [site for head, site in told if head in heads]
    return not wanted or not sites or any(related_sites(site, sites) for _, site in wanted)
