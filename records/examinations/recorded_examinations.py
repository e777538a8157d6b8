"""Recorded examinations in the lexicon's terms, and which of them answer a named examination."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from records.examinations.examination_lexicon import (
    concepts_in,
    load_examination_lexicon,
    normalise,
    regions_in,
    specimen_of,
)
from records.examinations.examination_reading import IMAGING, Named, read_names
from records.medical_record import Examination

# Names that say nothing without their category.
GENERIC_NAME = re.compile(
    r"(?:preliminary |other |special |general |further |key |additional )?"
    r"(?:findings?|results?|comments?|notes?|level|value|interpretation|others?|general|"
    r"examination|exam|impression|"
    r"inspection|palpation|percussion|auscultation|observation|inspection and palpation|"
    r"histopathology|"
    r"histopathology findings|description|optional|analysis|tests?|special tests?|summary|report|"
    r"conclusion)|"
    r"(?:其他|其它|检查|结果|检查结果|所见|检查所见|提示|结论|描述|诊断|印象|视诊|触诊|叩诊|听诊|"
    r"辅助检查|体格检查|查体|"
    r"其他检查|其它检查|一般|备注|影像所见|超声所见|影像表现|报告)(?:所见|结果)?",
    re.IGNORECASE,
)
_GLOBAL = re.compile(
    r"未见(?:明显)?异常|无(?:明显|特殊)?异常|正常|未见异|大致正常|待结果|待回报|待查|"
    r"\b(?:normal|unremarkable|no abnormalit(?:y|ies)|within normal limits|wnl|pending|negative)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"[^\d,;。]{0,8}\d|\s*(?:平稳|稳定|正常|is normal|normal)")
_HAN = re.compile(r"[一-鿿]")


@dataclass(frozen=True)
class RecordedExamination:
    """One recorded item as the lexicon reads it."""

    id: str
    physical: bool
    name: tuple[Named, ...]
    """What the name says it is."""
    category: tuple[Named, ...]
    """What the category says, the last part of a path first ("Imaging / Chest CT")."""
    specimen: str | None
    """What the name says is analysed, where that is not blood."""
    regions: tuple[str, ...]
    """Of the physical examination: the regions the item is about."""
    value_regions: tuple[str, ...]
    mentioned: frozenset[str]
    """Concepts that the value mentions."""
    generic: bool
    """True if the name says nothing by itself, so that the category is the name."""
    summary: bool
    """True if the value speaks of the whole ("no abnormality", "pending")."""
    own_names: tuple[re.Pattern[str], ...]
    """Name and category, where only the record knows them."""

    @cached_property
    def groups(self) -> frozenset[str]:
        """The concepts that name and category name, and all groups that these belong to."""
        lexicon = load_examination_lexicon()
        own = {concept for n in self.name + self.category for concept in n.concepts}
        return frozenset(own.union(*(lexicon.ancestors(concept) for concept in own)))

    @classmethod
    def of(cls, examination: Examination) -> RecordedExamination:
        """Read one item; a record's items are read again with every request, so kept."""
        return _read(examination.id, examination.name, examination.category, examination.value)

    @classmethod
    def read(cls, examination: Examination) -> RecordedExamination:
        """Read one item."""
        generic = bool(GENERIC_NAME.fullmatch(normalise(examination.name).strip()))
        category = examination.category or ""
        specimen = specimen_of(category) or specimen_of(examination.name) or "blood"
        physical = examination.id.startswith("p")
        name = () if generic else _name(examination.name, specimen)
        headed = _name(category, specimen)
        value = concepts_in(examination.value)
        if generic and not headed and not physical:
            name = read_names(examination.value, specimen=specimen)[:1]
        heading = "" if generic else examination.name
        regions = regions_in(f"{heading} ; {category}") if physical else ()
        value_regions = regions_in(examination.value, prose=True)
        if physical:
            signs = [r for c in value if c.kind == "sign" for r in c.regions]
            spoken = list(value_regions) if _HAN.search(examination.value) else signs
            own = [r for r in regions if r != "general_exam"]
            # Chinese clauses are short and name their organ; English prose wanders to others.
            regions = tuple(dict.fromkeys([*own, *spoken])) or value_regions or regions
        return cls(
            id=examination.id,
            physical=physical,
            name=name,
            category=headed,
            specimen=specimen_of(examination.name),
            regions=regions,
            value_regions=value_regions,
            mentioned=_mentioned(examination.value),
            generic=generic,
            summary=bool(_GLOBAL.search(examination.value)) and len(examination.value) < 30,
            own_names=_own_names(examination, name, headed, generic),
        )


@lru_cache(maxsize=8192)
def _read(id_: str, name: str, category: str | None, value: str) -> RecordedExamination:
    """Kept by what is read of an item, since an item with its provenance has no hash."""
    item = Examination(id=id_, name=name, category=category, value=value)
    return RecordedExamination.read(item)


def _mentioned(value: str) -> frozenset[str]:
    """The concepts of a value; a vital sign only where it is measured ("心率76次/分")."""
    lexicon = load_examination_lexicon()
    plain = normalise(value)
    return frozenset(
        concept.id
        for mention in lexicon.mentions(plain)
        for concept in mention.concepts
        if not lexicon.within(concept.id, "vital_signs")
        or _MEASURED.match(plain, mention.end)
        or concept.id == "vital_signs"
    )


def _name(text: str, specimen: str | None) -> tuple[Named, ...]:
    named = read_names(text, specimen=specimen)
    if named or not text:
        return named
    # A region as a heading ("Abdomen", "头颅") is the region's examination.
    regions = regions_in(text)
    return (Named(0, len(text), regions=regions, scope="physical"),) if regions else ()


def _own_names(
    examination: Examination, name: tuple[Named, ...], category: tuple[Named, ...], generic: bool
) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for words, known in ((examination.name, name or generic), (examination.category, category)):
        plain = normalise(words or "").strip()
        if known or GENERIC_NAME.fullmatch(plain):
            continue
        han = bool(_HAN.search(plain))
        if len(plain) >= (2 if han else 3):
            body = r"\s*".join(map(re.escape, plain.split()))
            patterns.append(re.compile(rf"(?<![A-Za-z0-9]){body}(?![A-Za-z0-9])", re.IGNORECASE))
    return tuple(patterns)


def find_recorded(named: Named, recorded: Sequence[RecordedExamination]) -> tuple[str, ...]:
    """The ids of the items that answer a named examination, in the record's order.

    A panel that is reported as a whole ("blood chemistry: normal") answers for a member that has no
    result of its own.
    """
    direct = tuple(item.id for item in recorded if _answers(item, named))
    if direct:
        return direct
    other = tuple(i.id for i in recorded if any(_is_one_of(i, c) for c in named.otherwise))
    return other or tuple(i.id for i in recorded if any(_covers(i, c) for c in named.concepts))


def _answers(item: RecordedExamination, named: Named) -> bool:
    if named.scope in ("physical", "organ"):
        if item.physical:
            return _examines(item, named)
        return named.scope == "organ" and _tests_organ(item, named)
    if named.modality:
        return not item.physical and _images(item, named)
    return any(_gives(item, c) for c in named.concepts)


# Looked at wherever the examination is, so also told under other regions.
_SPREAD = ("skin", "lymph_node")


def _examines(item: RecordedExamination, named: Named) -> bool:
    lexicon = load_examination_lexicon()
    sides = {n.side for n in item.name + item.category if n.side}
    if named.side and sides and named.side not in sides:
        return False
    for asked in named.regions:
        if asked in _SPREAD and asked in item.value_regions:
            return True
        for region in item.regions:
            if lexicon.within(region, asked) or (asked == "chest" and region == "heart"):
                return True
            if region != "physical" and lexicon.within(asked, region):
                others = [r for r in item.value_regions if not lexicon.within(asked, r)]
                if asked in item.value_regions or (item.summary and not others):
                    return True
    return False


def _tests_organ(item: RecordedExamination, named: Named) -> bool:
    lexicon = load_examination_lexicon()
    for region in named.regions:
        if any(_is_one_of(item, group) for group in lexicon[region].organ_tests):
            return True
    return any(
        n.modality and n.regions and _regions_agree(n.regions, named.regions)
        for n in item.name or item.category
    )


def _images(item: RecordedExamination, named: Named) -> bool:
    """True if modality, region and side agree; the category is asked where the name is silent."""
    modality = named.modality or IMAGING
    by_name = [n for n in item.name if n.modality]
    headings = item.category if not by_name or not named.regions else ()
    if set(named.concepts) & {c for n in item.category for c in n.concepts}:
        return True
    for own in (*by_name, *headings):
        if not own.modality or not _is_scan(own.modality, modality):
            continue
        if not named.regions:
            return True
        # Name and category complete each other ("头颅" / "CT"); else what was seen may tell where.
        regions = own.regions or tuple(r for n in item.name + item.category for r in n.regions)
        regions = regions or item.value_regions
        sides_agree = not own.side or not named.side or own.side == named.side
        if sides_agree and (not regions or _regions_agree(regions, named.regions)):
            return True
    return False


def _is_scan(own: str, asked: str) -> bool:
    """True if a recorded scan is of the asked kind; a CT with contrast shows vessels too."""
    lexicon = load_examination_lexicon()
    return lexicon.within(own, asked) or (
        own == "ct_contrast" and lexicon.within(asked, "ct_contrast")
    )


def _regions_agree(left: Sequence[str], right: Sequence[str]) -> bool:
    lexicon = load_examination_lexicon()
    return any(lexicon.within(a, b) or lexicon.within(b, a) for a in left for b in right)


def _gives(item: RecordedExamination, asked: str) -> bool:
    """True if the item is the asked test, one of the asked group, or speaks of the asked sign."""
    lexicon = load_examination_lexicon()
    if asked in ("physical", "specialist_exam"):
        return item.physical
    if asked == "pathology" and any(n.modality == "biopsy" for n in item.name + item.category):
        return True
    if _is_one_of(item, asked):
        return True
    if lexicon[asked].kind == "sign" or asked in _SIGN_GROUPS:
        return item.physical and any(lexicon.within(c, asked) for c in item.mentioned)
    return False


_SIGN_GROUPS = ("vital_signs", "growth", "neuro_signs")


def _is_one_of(item: RecordedExamination, group: str) -> bool:
    return group in item.groups and not (group == "blood_tests" and item.specimen)


def _covers(item: RecordedExamination, asked: str) -> bool:
    """True if the item is a whole that has the asked test in it and does not leave it out."""
    lexicon = load_examination_lexicon()
    own = {c for n in (item.category if item.generic else item.name) for c in n.concepts}
    for concept in own:
        if lexicon[concept].kind not in ("panel", "imaging") or concept == asked:
            continue
        if lexicon.within(asked, concept):
            others = {c for c in item.mentioned if c != concept and lexicon.within(c, concept)}
            if asked in item.mentioned or not others:
                return True
    return False
