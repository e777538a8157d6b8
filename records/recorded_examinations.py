"""Recorded examinations in the lexicon's terms, and which of them answer a named examination."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from records.examination_lexicon import (
    ExaminationConcept,
    load_examination_lexicon,
    normalise,
    specimen_of,
)
from records.examination_reading import IMAGING, Named, concepts_in, read_names, regions_in
from records.medical_record import Examination

# Names that say nothing without their category.
GENERIC_NAME = re.compile(
    r"(?:preliminary |other |special |general |further |key |additional )?"
    r"(?:findings?|results?|comments?|notes?|level|value|interpretation|others?|general|examination|exam|impression|"
    r"inspection|palpation|percussion|auscultation|observation|inspection and palpation|histopathology|"
    r"histopathology findings|description|optional|analysis|tests?|special tests?|summary|report|conclusion|appearance)|"
    r"(?:其他|其它|检查|结果|检查结果|所见|检查所见|提示|结论|描述|诊断|印象|视诊|触诊|叩诊|听诊|辅助检查|体格检查|查体|"
    r"其他检查|其它检查|一般|备注|影像所见|超声所见|影像表现|报告)(?:所见|结果)?",
    re.IGNORECASE,
)
_GLOBAL = re.compile(
    r"未见(?:明显)?异常|无(?:明显|特殊)?异常|正常|未见异|大致正常|待结果|待回报|待查|"
    r"\b(?:normal|unremarkable|no abnormalit(?:y|ies)|within normal limits|wnl|pending|negative)\b",
    re.IGNORECASE,
)
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
    regions: tuple[str, ...]
    """Of the physical examination: the regions the item is about."""
    value_regions: tuple[str, ...]
    mentioned: frozenset[str]
    """Concepts that the value mentions."""
    summary: bool
    """True if the value speaks of the whole ("no abnormality", "pending")."""
    own_names: tuple[re.Pattern[str], ...]
    """Name and category, where only the record knows them."""

    @classmethod
    def of(cls, examination: Examination) -> RecordedExamination:
        """Read one item."""
        generic = bool(GENERIC_NAME.fullmatch(normalise(examination.name).strip()))
        category = examination.category or ""
        specimen = specimen_of(category) or specimen_of(examination.name)
        physical = examination.id.startswith("p")
        name = () if generic else _name(examination.name, specimen)
        headed = _name(category, specimen)
        value = concepts_in(examination.value)
        if not name and not headed and not physical:
            name = read_names(examination.value, specimen=specimen)[:1]
        heading = "" if generic else examination.name
        regions = regions_in(f"{heading} ; {category}") if physical else ()
        value_regions = regions_in(examination.value)
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
            regions=regions,
            value_regions=value_regions,
            mentioned=frozenset(c.id for c in value),
            summary=bool(_GLOBAL.search(examination.value)) and len(examination.value) < 30,
            own_names=_own_names(examination, name, headed, generic),
        )


def _name(text: str, specimen: str | None) -> tuple[Named, ...]:
    named = read_names(text, specimen=specimen)
    if named or not text:
        return named
    # A region as a heading ("Abdomen", "头颅") is the region's examination.
    regions = regions_in(text)
    return (Named(0, len(text), (), None, regions, None, "physical"),) if regions else ()


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
    """The ids of the items that answer a named examination, in the record's order."""
    return tuple(item.id for item in recorded if _answers(item, named))


def _answers(item: RecordedExamination, named: Named) -> bool:
    if named.scope in ("physical", "organ"):
        return (item.physical and _examines(item, named)) or (
            named.scope == "organ" and not item.physical and _tests_organ(item, named)
        )
    if named.modality:
        return not item.physical and _images(item, named)
    lexicon = load_examination_lexicon()
    return any(_gives(item, lexicon[c]) for c in named.concepts)


def _examines(item: RecordedExamination, named: Named) -> bool:
    lexicon = load_examination_lexicon()
    for asked in named.regions:
        for region in item.regions:
            if lexicon.within(region, asked) or (asked == "chest" and region == "heart"):
                return _same_side(item, named)
            if (
                lexicon.within(asked, region)
                and region != "physical"
                and (asked in item.value_regions or item.summary)
            ):
                return _same_side(item, named)
    return False


def _same_side(item: RecordedExamination, named: Named) -> bool:
    sides = {n.side for n in item.name + item.category if n.side}
    return not named.side or not sides or named.side in sides


def _tests_organ(item: RecordedExamination, named: Named) -> bool:
    lexicon = load_examination_lexicon()
    for region in named.regions:
        for group in lexicon[region].organ_tests:
            if _gives(item, lexicon[group]):
                return True
    return any(
        n.modality and n.regions and _regions_agree(n.regions, named.regions)
        for n in item.name or item.category
    )


def _images(item: RecordedExamination, named: Named) -> bool:
    lexicon = load_examination_lexicon()
    asked = named.modality or IMAGING
    for source in (item.name, item.category):
        for own in source:
            if not own.modality or not lexicon.within(own.modality, asked):
                continue
            if not named.regions:
                return True
            regions = own.regions or _other_regions(item)
            if not regions:
                # The record does not say where: what was seen may tell.
                regions = item.value_regions
            if (not regions or _regions_agree(regions, named.regions)) and _sides_agree(own, named):
                return True
    return False


def _other_regions(item: RecordedExamination) -> tuple[str, ...]:
    """Regions that the name and the category give to each other ("头颅" / "CT")."""
    return tuple(dict.fromkeys(r for n in item.name + item.category for r in n.regions))


def _sides_agree(own: Named, named: Named) -> bool:
    return not own.side or not named.side or own.side == named.side


def _regions_agree(left: Sequence[str], right: Sequence[str]) -> bool:
    lexicon = load_examination_lexicon()
    return any(lexicon.within(a, b) or lexicon.within(b, a) for a in left for b in right)


def _gives(item: RecordedExamination, asked: ExaminationConcept) -> bool:
    """True if the item is the asked test, or one of the asked panel, category or kind."""
    lexicon = load_examination_lexicon()
    if asked.kind == "physical" or asked.id == "vital_signs":
        if asked.id in ("physical", "specialist_exam"):
            return item.physical
    if asked.id == "pathology":
        return any(n.modality == "biopsy" for n in item.name + item.category) or _named_within(
            item, asked.id
        )
    if _named_within(item, asked.id):
        return True
    if asked.kind == "sign" or asked.id in ("vital_signs", "growth", "neuro_signs"):
        return item.physical and any(lexicon.within(c, asked.id) for c in item.mentioned)
    own = [c for n in item.name or item.category for c in n.concepts]
    for concept in own:
        # A panel reported as a whole answers for its members.
        if concept != asked.id and lexicon.within(asked.id, concept):
            others = {
                c
                for c in item.mentioned
                if c not in (concept, asked.id) and lexicon.within(c, concept)
            }
            kind = lexicon[concept].kind
            if kind == "panel" and (asked.id in item.mentioned or not others):
                return True
    return False


def _named_within(item: RecordedExamination, group: str) -> bool:
    lexicon = load_examination_lexicon()
    return any(
        lexicon.within(concept, group) or concept == group
        for n in item.name + item.category
        for concept in n.concepts
    )
