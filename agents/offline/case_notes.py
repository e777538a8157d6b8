"""What a Doctor without a model writes down: statements heard, results received, and what they say.

It knows no record. Every reading is by rule, from the words of whoever speaks, grounded or model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agents.offline.heard_result import HeardResult, names_its_analyte
from agents.offline.phrase import affirmed, denials, inside
from records.facts.lexicon import Concept, Mention, load_lexicon
from records.knowledge import KnownExamination, KnownSymptom
from records.medical_record import Language

Topic = Literal["present", "past", "family"]
"""What a statement answers: the illness, earlier illnesses and habits, or the family's."""

_SENTENCE = {
    "zh": re.compile(r"[^。！？!?；;\n]+"),
    # A point inside a number ("36.5") ends nothing.
    "en": re.compile(r"(?:[^.!?;\n]|\.(?=\d))+"),
}
_CLAUSE_END = re.compile(r"[，,]")
_RELATIVE = {
    "zh": re.compile(
        r"父|母亲|爸|妈|哥|弟弟|姐|妹妹|爷爷|奶奶|外公|外婆|家族|家里人|亲戚|舅|叔|姑"
    ),
    "en": re.compile(
        r"\b(?:father|mother|dad|mum|mom|parents?|brothers?|sisters?|siblings?|grand\w+|uncles?|"
        r"aunts?|cousins?|relatives?|family|son|daughter)\b",
        re.IGNORECASE,
    ),
}
NOT_NOTICED = {
    "zh": re.compile(r"没(?:有)?(?:注意|留意|觉得|感觉|发现|察觉)"),
    "en": re.compile(r"\bnot that I|n['’]t (?:really )?noticed|\bnot noticed", re.IGNORECASE),
}
"""Denials that may stand after what they deny, so that they deny their whole sentence."""
_EVASION = {
    "zh": re.compile(r".{0,8}(?:说不清楚?|不清楚|不知道|记不清|不记得|留意|没注意过).{0,6}"),
    "en": re.compile(
        r".{0,24}\b(?:not sure|n['’]t know|n['’]t say|can't tell|not as far as I know|"
        r"not that I know of)\b.{0,16}",
        re.IGNORECASE,
    ),
}
"""A whole sentence that says only that the patient cannot say."""
_OF_FAMILY = re.compile(r"^(?:family history of )(.+)$|^(.+)家族史$")

_CASE_LINE = re.compile(
    r"^\s*(?:[#*\s]*)(?P<label>主诉|现病史|既往史|个人史|家族史|用药史|Chief complaint|"
    r"History of present illness|Past history|Personal history|Family history|Medication)[*\s]*"
    r"[:：][*\s]*(?P<text>.+)$"
)
_TOPIC_OF: dict[str, Topic] = {
    "既往史": "past",
    "个人史": "past",
    "用药史": "past",
    "家族史": "family",
    "Past history": "past",
    "Personal history": "past",
    "Medication": "past",
    "Family history": "family",
}
_RESULT_LINE = re.compile(r"^\s*[-*•]\s+(?P<text>.+[:：].+)$")


@dataclass(frozen=True)
class Statement:
    """One sentence of the patient's."""

    text: str
    topic: Topic


class CaseNotes:
    """All that a doctor has heard and received, in order, each thing once.

    Args:
        language: of the visit.
    """

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.statements: list[Statement] = []
        self.results: list[HeardResult] = []
        self._concerned: dict[str, tuple[list[HeardResult], int]] = {}
        """By an examination's name, the results that belong to it, and how many were looked at."""
        self._shown: dict[tuple[str, ...], HeardResult | Literal[False] | None] = {}
        self._said: dict[str, tuple[bool | None, int]] = {}
        """By a symptom's name, whether it was said so far, and in how many statements."""

    def hear(self, text: str, topic: Topic = "present") -> None:
        """Write down what the patient says, sentence by sentence."""
        for match in _SENTENCE[self.language].finditer(text):
            sentence = match.group().strip(" ,，")
            about: Topic = "family" if _RELATIVE[self.language].search(sentence) else topic
            statement = Statement(sentence, about)
            evades = _EVASION[self.language].fullmatch(sentence)
            if sentence and not evades and statement not in self.statements:
                self.statements.append(statement)

    def receive(self, text: str) -> None:
        """Write down an examiner's results, a line each; what has no result leaves no trace."""
        for line in text.splitlines():
            result = HeardResult.of(line)
            if result and result not in self.results:
                self.results.append(result)
                self._shown.clear()

    def read_case(self, text: str) -> None:
        """Write down a whole case: labelled lines of history, listed results; nothing else."""
        for line in text.splitlines():
            if labelled := _CASE_LINE.match(line):
                self.hear(labelled["text"], _TOPIC_OF.get(labelled["label"], "present"))
            elif listed := _RESULT_LINE.match(line):
                self.receive(listed["text"])

    @property
    def telling(self) -> tuple[str, ...]:
        """The sentences that tell something, pleasantries left out, in order."""
        return tuple(
            dict.fromkeys(
                s.text
                for s in self.statements
                if _mentions(s.text, self.language) or re.search(r"\d", s.text)
            )
        )

    def said(self, symptom: KnownSymptom) -> bool | None:
        """Whether the patient has said that it has (True) or has not (False) a symptom.

        What was both said and denied counts as said; None: it did not come up.
        """
        name = symptom.name(self.language)
        heard, read = self._said.get(name, (None, 0))
        if read < len(self.statements) and not heard:
            heard = self._heard(name, heard, self.statements[read:])
        self._said[name] = heard, len(self.statements)
        return heard

    def _heard(self, name: str, heard: bool | None, statements: Iterable[Statement]) -> bool | None:
        family = _OF_FAMILY.match(name)
        sought = (family[1] or family[2]) if family else name
        for statement in statements:
            if (statement.topic == "family") is not bool(family):
                continue
            here = _speaks_of(sought, statement.text, self.language)
            if here:
                return True
            heard = here if heard is None else heard
        return heard

    def has_had(self, names: Iterable[str]) -> bool:
        """Whether the patient, asked about its past, named an illness by one of its names."""
        return any(
            affirmed(name, statement.text, self.language)
            for statement in self.statements
            if statement.topic == "past"
            for name in names
        )

    def shows(self, known: KnownExamination) -> HeardResult | Literal[False] | None:
        """The first result that is as a disease would have it.

        False: the examination was done and did not show it; None: it was not done.
        """
        key = (known.zh, known.en, known.expected_zh, known.expected_en)
        if key not in self._shown:
            self._shown[key] = self._seek(known)
        return self._shown[key]

    def _seek(self, known: KnownExamination) -> HeardResult | Literal[False] | None:
        name = known.name(self.language)
        concerned, read = self._concerned.get(name, ([], 0))
        concerned += [r for r in self.results[read:] if r.concerns(known, self.language)]
        self._concerned[name] = concerned, len(self.results)
        for expected in known.expected(self.language):
            # "Low bicarbonate" tells of itself, under whatever heading its result is given.
            heard = self.results if names_its_analyte(expected) else concerned
            for result in heard:
                if result.agrees(expected, self.language):
                    return result
        return False if concerned else None


@lru_cache(maxsize=1024)
def _needed(name: str, language: Language) -> tuple[tuple[Concept, ...], ...]:
    """For each word of the lexicon in a name, what it may stand for; empty if they tell nothing.

    "Medication" or "allergy" alone would hear every drug as the one that is meant.
    """
    mentions = load_lexicon().mentions(name, language)
    telling = any(c.kind not in ("topic", "site", "group") for m in mentions for c in m.concepts)
    return tuple(m.concepts for m in mentions) if telling else ()


@lru_cache(maxsize=4096)
def _mentions(sentence: str, language: Language) -> tuple[tuple[Mention, frozenset[str]], ...]:
    """The mentions in a sentence, each with the ids of all that it is a kind or a place of."""
    lexicon = load_lexicon()
    return tuple(
        (
            mention,
            frozenset().union(
                *(lexicon.ancestors(c.id) for c in mention.concepts),
                *(lexicon.ancestors(c.site) for c in mention.concepts if c.site),
            ),
        )
        for mention in lexicon.mentions(sentence, language)
    )


@lru_cache(maxsize=65536)
def _speaks_of(name: str, sentence: str, language: Language) -> bool | None:
    """True if a sentence says that something is so, False if it denies it, None if neither."""
    unnoticed = NOT_NOTICED[language].search(sentence) is not None
    if affirmed(name, sentence, language):
        return not unnoticed
    mentions = _mentions(sentence, language)
    if not mentions:
        return None
    hits = [_told(wanted, mentions, sentence) for wanted in _needed(name, language)]
    if not hits or not all(hits):
        return None
    if unnoticed:
        return False
    spans = denials(sentence, language)
    return all(any(not inside(m.start, spans) for m in told) for told in hits)


def _told(
    wanted: Sequence[Concept],
    mentions: Sequence[tuple[Mention, frozenset[str]]],
    sentence: str,
) -> list[Mention]:
    """The mentions that are of a concept or a kind of it; "pain … abdomen" is abdominal pain."""
    told = []
    for concept in wanted:
        told += [m for m, ids in mentions if concept.id in ids]
        if concept.head and concept.site:
            told += [
                m
                for m, ids in mentions
                if concept.head in ids
                and any(
                    concept.site in places and not _CLAUSE_END.search(sentence, *_between(m, n))
                    for n, places in mentions
                )
            ]
    return told


def _between(one: Mention, other: Mention) -> tuple[int, int]:
    return min(one.end, other.end), max(one.start, other.start)
