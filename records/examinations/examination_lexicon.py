"""What examinations are called, in Chinese and English, and how they belong together.

The lexicon knows tests with the panels they belong to, imaging modalities, regions of the body and
signs of the physical examination. An imaging study is a modality and a region ("头颅" + "CT"), so
that no list of all pairs is needed; `examination_reading` puts the two together.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from records.medical_record import Language, Paper

ConceptKind = Literal[
    "category",
    "panel",
    "test",
    "modality",
    "imaging",
    "physical",
    "region",
    "sign",
    "specimen",
    "unrelated",
]

_DATA = Path(__file__).parents[1] / "lexicon" / "examinations.json"


class ExaminationConcept(Paper):
    """One examination, group of examinations, region or sign, with its names."""

    id: str
    kind: ConceptKind
    """`unrelated` holds words that contain an examination's name and mean something else."""
    zh: tuple[str, ...]
    """Chinese names, the preferred one first."""
    en: tuple[str, ...]
    """English names, the preferred one first.

    A leading "=" asks for exactly this case; "~" does too, and counts only in records ("UA", which
    a request means as urinalysis).
    """
    part_of: tuple[str, ...] = ()
    """The panels, categories or larger regions that this belongs to."""
    modality: str | None = None
    """For a study that implies it: a chest film is `xray` …"""
    regions: tuple[str, ...] = ()
    """… of the `chest`; for a sign, where it is looked for."""
    specimen: str | None = None
    """What is analysed, where one name is used for several: glucose in blood, urine or CSF."""
    bare: bool = False
    """The names say too little without the specimen's category ("protein", "appearance")."""
    symptom: bool = False
    """A sign that patients also complain of, so that its name alone is no request."""
    broad: bool = False
    """So wide that "all of them" names nothing ("all lab tests")."""
    organ_tests: tuple[str, ...] = ()
    """A region's tests that are not images of it; the tests of a specimen."""

    def name(self, language: Language) -> str:
        """The preferred name in a language; in the other one if there is none."""
        names = self.zh + self.en if language == "zh" else self.en + self.zh
        return names[0].lstrip("=~")


@dataclass(frozen=True)
class Mention:
    """A place in a normalised text that names concepts (several: an ambiguous or joint name)."""

    start: int
    end: int
    concepts: tuple[ExaminationConcept, ...]
    others: tuple[ExaminationConcept, ...] = ()
    """What the name would be of another specimen: "glucose" in urine."""

    def of_kind(self, *kinds: ConceptKind) -> tuple[ExaminationConcept, ...]:
        """The named concepts of these kinds, in the lexicon's order."""
        return tuple(c for c in self.concepts if c.kind in kinds)


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Full width to half width, underscores and dashes to spaces; case is kept."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return re.sub(r"[_\-‐-―−]", " ", plain)


class ExaminationLexicon:
    """Names in, concepts out; longest name first."""

    def __init__(self, concepts: Iterable[ExaminationConcept]) -> None:
        self.concepts: dict[str, ExaminationConcept] = {c.id: c for c in concepts}
        self._ancestors: dict[str, frozenset[str]] = {}
        for concept in self.concepts.values():
            self._ancestors[concept.id] = frozenset(self._climb(concept))
        self._loose: dict[str, list[ExaminationConcept]] = {}
        self._exact: dict[str, list[ExaminationConcept]] = {}
        self._record_only: set[tuple[str, str]] = set()
        loose: set[str] = set()
        exact: set[str] = set()
        for concept in self.concepts.values():
            for alias in concept.zh + concept.en:
                fold = not alias.startswith(("=", "~"))
                table = self._loose if fold else self._exact
                spelling = normalise(alias.lstrip("=~")).strip()
                (loose if fold else exact).add(spelling.lower() if fold else spelling)
                key = _key(spelling, fold=fold)
                if alias.startswith("~"):
                    self._record_only.add((key, concept.id))
                holders = table.setdefault(key, [])
                if concept not in holders:
                    holders.append(concept)
        self._loose_pattern = _pattern(loose, re.IGNORECASE)
        self._exact_pattern = _pattern(exact, 0)

    def _climb(self, concept: ExaminationConcept) -> Iterable[str]:
        for parent in concept.part_of:
            yield parent
            yield from self._climb(self.concepts[parent])

    def __getitem__(self, concept_id: str) -> ExaminationConcept:
        return self.concepts[concept_id]

    def within(self, concept_id: str, group_id: str) -> bool:
        """True if the concept is the group or belongs to it, directly or through others."""
        return concept_id == group_id or group_id in self._ancestors[concept_id]

    def ancestors(self, concept_id: str) -> frozenset[str]:
        """Ids of all groups that the concept belongs to, directly or through others."""
        return self._ancestors[concept_id]

    def mentions(self, text: str, specimen: str | None = None) -> tuple[Mention, ...]:
        """Every name in a text that `normalise` has been through, in order, without overlap.

        Args:
            text: the normalised text, in either language.
            specimen: what the context analyses (`blood`, `urine`, `stool`, `csf`, `joint`), for
                names that are used for several. None: a request, which means blood.
        """
        found: dict[int, tuple[int, list[ExaminationConcept]]] = {}
        for pattern, table, fold in (
            (self._loose_pattern, self._loose, True),
            (self._exact_pattern, self._exact, False),
        ):
            for match in pattern.finditer(text):
                start, end = match.span(1)
                concepts = table.get(_key(match.group(1), fold=fold))
                if concepts is None:
                    concepts = table[_key(match.group(1)[:-1], fold=fold)]
                if start not in found or end > found[start][0]:
                    found[start] = (end, list(concepts))
                elif end == found[start][0]:
                    found[start][1].extend(c for c in concepts if c not in found[start][1])
        mentions: list[Mention] = []
        for start in sorted(found):
            end, concepts = found[start]
            if mentions and start < mentions[-1].end:
                if end - start <= mentions[-1].end - mentions[-1].start:
                    continue
                mentions.pop()
            if specimen is None:
                key = _key(text[start:end], fold=False)
                concepts = [c for c in concepts if (key, c.id) not in self._record_only]
            fitting = _of_specimen(concepts, specimen, text[start:end])
            others = tuple(c for c in concepts if c.specimen and c not in fitting)
            if fitting or others:
                mentions.append(Mention(start, end, fitting, others))
        return tuple(mentions)


_SPECIMEN_WORDS: Mapping[str, re.Pattern[str]] = {
    "urine": re.compile(r"尿|urin", re.IGNORECASE),
    "stool": re.compile(r"粪|便|stool|f(?:a)?ecal", re.IGNORECASE),
    "csf": re.compile(r"脑脊液|腰穿|腰椎穿刺|csf|cerebrospinal|lumbar puncture", re.IGNORECASE),
    "joint": re.compile(
        r"关节液|滑液|滑膜液|关节穿刺|synovial|joint (?:fluid|aspir)", re.IGNORECASE
    ),
}


def specimen_of(text: str) -> str | None:
    """What a category's or a name's words say is analysed; None: not said, or blood."""
    for specimen, words in _SPECIMEN_WORDS.items():
        if words.search(text):
            return specimen
    return None


def _of_specimen(
    concepts: list[ExaminationConcept], specimen: str | None, name: str
) -> tuple[ExaminationConcept, ...]:
    said = specimen_of(name) or specimen
    if said:
        own = tuple(c for c in concepts if c.specimen == said)
        if own:
            return own
    shared = len([c for c in concepts if c.specimen]) > 1
    return tuple(
        c
        for c in concepts
        if c.specimen in (None, "blood") or specimen_of(name) or not (shared or c.bare)
    )


def _key(alias: str, *, fold: bool) -> str:
    squeezed = re.sub(r"\s+", "", normalise(alias))
    return squeezed.casefold() if fold else squeezed


def _pattern(spellings: Iterable[str], flags: int) -> re.Pattern[str]:
    """One alternation of all names, longest first, grouped by first character for speed."""
    by_first: dict[str, set[str]] = {}
    for spelling in spellings:
        by_first.setdefault(spelling[0], set()).add(spelling)
    groups = []
    for first in sorted(by_first):
        names = sorted(by_first[first], key=lambda n: (-len(n), n))
        groups.append(re.escape(first) + "(?:" + "|".join(_rest(n) for n in names) + ")")
    latin = r"(?<![A-Za-z0-9])(?=[A-Za-z0-9])"
    # In a lookahead, since names overlap: "查血" must not hide the "血常规" in "查血常规".
    return re.compile(f"(?=(?:{latin}|(?![A-Za-z0-9]))({'|'.join(groups)}))", flags)


def _rest(name: str) -> str:
    """The pattern of a name after its first character.

    Where the name has a space, or letters meet digits or Chinese, a space may stand or be missing;
    a name that ends in letters or digits ends where they end, but for an English plural.
    """
    body = ""
    for before, char in pairwise(name):
        if char == " ":
            body += r"\s*"
        elif before != " " and _script(before) != _script(char):
            body += r"\s*" + re.escape(char)
        else:
            body += re.escape(char)
    if re.match(r"[A-Za-z]", name[-1]):
        return body + r"s?(?![A-Za-z0-9])"
    return body + (r"(?![A-Za-z0-9])" if name[-1].isdigit() else "")


def _script(char: str) -> str:
    if char.isdigit():
        return "digit"
    if char.isascii():
        return "latin" if char.isalpha() else "sign"
    return "han"


@lru_cache(maxsize=1)
def load_examination_lexicon() -> ExaminationLexicon:
    """The lexicon of `records/lexicon/examinations.json`, read once."""
    with _DATA.open(encoding="utf-8") as file:
        rows = json.load(file)["concepts"]
    return ExaminationLexicon(ExaminationConcept(**row) for row in rows)


def regions_in(
    text: str, *, prose: bool = False, lexicon: ExaminationLexicon | None = None
) -> tuple[str, ...]:
    """The regions that a text speaks of, by their names or by signs that are looked for there.

    In prose a single Chinese character is no name: "口" is in too many other words.
    """
    lexicon = lexicon or load_examination_lexicon()
    regions: dict[str, None] = {}
    for mention in lexicon.mentions(normalise(text)):
        if prose and mention.end - mention.start == 1:
            continue
        for concept in mention.concepts:
            if concept.kind == "region":
                regions[concept.id] = None
            elif concept.kind == "sign":
                regions.update(dict.fromkeys(concept.regions))
    return tuple(regions)


def concepts_in(
    text: str, lexicon: ExaminationLexicon | None = None
) -> tuple[ExaminationConcept, ...]:
    """Every concept that a text mentions, in order, once each."""
    lexicon = lexicon or load_examination_lexicon()
    mentions = lexicon.mentions(normalise(text))
    return tuple({c.id: c for m in mentions for c in m.concepts}.values())
