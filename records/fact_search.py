"""The facts that are about one named thing, one attribute, one topic, or everything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from records.attributes import Attribute, attribute_words
from records.fact_index import Fact, FactIndex, content, places_of
from records.lexicon import Concept, load_lexicon
from records.medical_record import Finding, Language
from records.negation import is_negated
from records.questions import Question, Unit

_CURRENT = ("persona", "chief_complaint", "history_of_present_illness")
_NORMAL = re.compile(
    r"正常|良好|如常|无异常|尚可|规律|无(?:明显)?(?:变化|改变)|\bnormal\b|\bregular\b|unremarkable|"
    r"no (?:recent )?(?:significant )?change|changes? in",
    re.IGNORECASE,
)
_HEALTHY = re.compile(
    r"体健|健康|身体.{0,4}好|无特殊|慢性.{0,4}病|healthy|unremarkable|significant|notable|no past|"
    r"no medical|no known|chronic|no other|no previous|major illness",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"(?:无|没有)(?:明显)?(?:其他|其它|特殊)(?:不适|症状)|no (?:other|additional|further)|otherwise",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"症状|病情|疼痛|^(?:其|该|发作|每次|休息|持续|自行|可|约|反复|多在|伴)|"
    r"\b(?:it|these|this|they|symptoms?|episodes?|pain|attacks?|lesion|condition|rash|mass)\b",
    re.IGNORECASE,
)
_NEEDS_WORDS = 0.5
"""Least share of an unknown item's content that a fact must hold to answer it."""


def related_sites(asked: str, told: Iterable[str]) -> bool:
    """Whether a told site is the asked one, inside it, or around it; the whole body is neither."""
    lexicon = load_lexicon()
    wide = {"site_body", "site_limb"}
    above = lexicon.ancestors(asked) - wide
    return any(asked in lexicon.ancestors(site) or site in above or site == asked for site in told)


def _names(concept: Concept, sites: Sequence[Concept], fact: Fact) -> bool:
    """Whether a fact is about a concept, at the sites asked if any."""
    lexicon = load_lexicon()
    place = concept.site
    head = concept.head if concept.head else concept.id
    asked_sites = [place] if place else [s.id for s in sites]
    if concept.id in fact.concepts and not (sites and not place):
        return True
    told = [s for h, s in fact.places if head in lexicon.ancestors(h)]
    if asked_sites and any(related_sites(s, told) for s in asked_sites):
        return True
    return concept.id in fact.concepts and not told


def _matches(unit: Unit, fact: Fact) -> bool:
    if unit.concepts:
        return any(
            _names(c, unit.sites, fact) and not _denies_elsewhere(c, unit, fact)
            for c in unit.concepts
        )
    return bool(unit.sites) and any(s.id in fact.sites for s in unit.sites)


def _denies_elsewhere(concept: Concept, unit: Unit, fact: Fact) -> bool:
    """ "No chest pain" does not answer whether there is pain."""
    if fact.present or concept.site or unit.sites or concept.kind == "group":
        return False
    return concept.id in GENERAL and concept.id not in fact.direct


GENERAL = frozenset(
    {"pain", "swelling", "numbness", "weakness", "itching", "mass", "bleeding", "discharge", "rash"}
    | {"stiffness", "redness", "discomfort"}
)
"""Symptoms that say nothing until a place is named."""


def about_unit(unit: Unit, index: FactIndex) -> tuple[Fact, ...]:
    """The facts about one thing asked for; a recorded general statement where there is none."""
    found = tuple(f for f in index.facts if _matches(unit, f) and "family" not in f.topics)
    if found or not unit.concepts:
        return found or _by_words(unit.words, index)
    lexicon = load_lexicon()
    wider = frozenset(
        a
        for c in unit.concepts
        for a in lexicon.ancestors(c.id) - {c.id}
        if lexicon.concepts[a].kind in ("group", "topic")
    )
    groups = tuple(
        f for f in index.facts if not f.present and f.direct & wider and "family" not in f.topics
    )
    if groups:
        return groups
    normal = tuple(f for f in index.facts if f.direct & wider and _NORMAL.search(f.own_words))
    if normal:
        return normal
    if all(c.kind == "condition" or c.id.startswith("c_") for c in unit.concepts):
        return tuple(
            f for f in index.facts if "past_illness" in f.topics and _HEALTHY.search(f.own_words)
        )
    return ()


def _by_words(text: str, index: FactIndex) -> tuple[Fact, ...]:
    wanted = content(text, index.language)
    if not wanted:
        return ()
    scored = [
        (len(wanted & content(f.own_words, index.language)) / len(wanted), f) for f in index.facts
    ]
    return tuple(f for score, f in scored if score >= _NEEDS_WORDS)


def about_topic(unit: Unit, others: Sequence[Unit], index: FactIndex) -> tuple[Fact, ...]:
    """The facts on one topic of the history; narrowed to what else is named, for the family."""
    topics = {c.id for c in unit.concepts if c.kind == "topic"}
    found = tuple(
        f
        for f in index.facts
        if f.topics & topics or f.concepts & topics and "family" not in f.topics
    )
    if topics == {"family"}:
        named = [u for u in others if any(c.kind != "topic" for c in u.concepts)]
        if named:
            narrowed = tuple(f for f in found if any(_matches(u, f) for u in named))
            return narrowed or tuple(f for f in found if not f.present)
    if found:
        return found
    rest = [c for c in unit.concepts if c.kind != "topic"]
    return about_unit(Unit(unit.words, tuple(rest), unit.sites), index) if rest else ()


def answering_attributes(
    attributes: Sequence[Attribute], about: Sequence[Unit], index: FactIndex
) -> tuple[Fact, ...]:
    """The clauses that tell an attribute of what is asked about, else of the chief complaint.

    If the record denies what is asked about, the denial answers.
    """
    if about:
        base = [f for f in index.facts if any(_matches(u, f) for u in about)]
        if not any(f.present for f in base):
            return tuple(base)
        base = [f for f in base if f.present]
    else:
        names = frozenset(c for f in index.complaint for c in f.direct)
        base = [
            f
            for f in index.facts
            if f.present
            and f.finding.section in _CURRENT
            and (f in index.complaint or f.direct & names)
        ]
    words = attribute_words(index.language)
    near = _neighbours(base, index)
    if not about:
        near += [
            f
            for f in index.facts
            if f.present
            and f.finding.section in _CURRENT
            and not _own_symptoms(f)
            and f not in base
            and f not in near
            and _REFERS_BACK.search(f.own_words)
        ]
    found: list[Fact] = []
    for attribute in attributes:
        pattern = words[attribute].answer
        told = [f for f in base if _tells(f, attribute, pattern)]
        beside = [f for f in near if _tells(f, attribute, pattern)]
        found += told + beside
    return tuple(sorted(set(found), key=lambda f: f.order))


def _tells(fact: Fact, attribute: Attribute, pattern: re.Pattern[str]) -> bool:
    if attribute in fact.finding.attributes:
        return True
    if attribute == "site" and fact.sites - {"site_body"}:
        return True
    return bool(pattern.search(fact.own_words))


def _neighbours(base: Sequence[Fact], index: FactIndex) -> list[Fact]:
    """Clauses that go on about the same: they name no other symptom, in the same or next sentence."""
    names = frozenset(c for f in base for c in f.concepts)
    same = {f.sentence for f in base}
    after = {(section, n + 1) for section, n in same}
    back = {f.sentence for f in index.facts if _REFERS_BACK.search(f.own_words)}
    return [
        f
        for f in index.facts
        if f not in base
        and f.present
        and f.finding.section in _CURRENT
        and _own_symptoms(f) <= names
        and (f.sentence in same or (f.sentence in after and f.sentence in back))
    ]


def _own_symptoms(fact: Fact) -> frozenset[str]:
    concepts = load_lexicon().concepts
    return frozenset(c for c in fact.direct if concepts[c].kind == "symptom" or c in BODY_FUNCTIONS)


BODY_FUNCTIONS = frozenset({"sleep", "bowel", "urination", "weight", "mood"})
"""Topics that are felt, so that a clause about one is about nothing else."""


def open_story(question: Question, index: FactIndex, said: frozenset[str]) -> tuple[Fact, ...]:
    """The facts that answer a general question: the complaint, the story, or what is left."""
    if question.opening == "complaint":
        return tuple(f for f in index.complaint) + tuple(
            f for f in index.facts if f.finding.section == "persona" and f not in index.complaint
        )
    if question.opening == "story" and _named(question.units):
        units = _named(question.units)
        base = [f for f in index.facts if any(_matches(u, f) for u in units)]
        if base:
            return tuple(
                sorted({*base, *_neighbours([f for f in base if f.present], index)}, key=_order)
            )
    current = [f for f in index.facts if f.finding.section in _CURRENT]
    if question.opening == "story":
        return tuple(f for f in current if f.present)
    known = {f.id for f in index.complaint} | said
    complaint = frozenset(c for f in index.complaint for c in _own_symptoms(f))
    told = frozenset(c for f in index.facts if f.id in said for c in _own_symptoms(f))
    return tuple(
        f
        for f in current
        if f.id not in known
        and (
            (f.present and _own_symptoms(f) - complaint - told and not _excluded(question, f))
            or (_NOTHING_ELSE.search(f.own_words))
        )
    )


def _excluded(question: Question, fact: Fact) -> bool:
    return any(_matches(u, fact) for u in question.excluded)


def _named(units: Sequence[Unit]) -> list[Unit]:
    return [u for u in units if any(c.kind != "topic" for c in u.concepts) or u.sites]


def _order(fact: Fact) -> int:
    return fact.order


_STATEMENT_CLAUSE = {
    "zh": re.compile(r"[^。；;！!？?\n，,]+"),
    "en": re.compile(r"(?:[^.;!?\n]|(?<=\d)\.(?=\d))+"),
}
_SAME_WORDS = 0.6


def said_of(text: str, findings: Sequence[Finding], language: Language) -> tuple[str, ...]:
    """Ids of the findings that a statement tells with the same polarity."""
    lexicon = load_lexicon()
    told: list[tuple[bool, frozenset[str], frozenset[tuple[str, str]], frozenset[str]]] = []
    for clause in _STATEMENT_CLAUSE[language].finditer(text):
        mentions = lexicon.mentions(clause.group(), language)
        for mention in mentions:
            if all(c.kind == "site" for c in mention.concepts):
                continue
            names = frozenset(c.id for c in mention.concepts if c.kind != "site")
            negated = is_negated(clause.group(), mention.start, language)
            told.append((not negated, names, places_of(mentions, lexicon), frozenset()))
        told.append((True, frozenset(), frozenset(), content(clause.group(), language)))
    return tuple(f.id for f in findings if _is_told(f, told, language))


def _is_told(
    finding: Finding,
    told: Sequence[tuple[bool, frozenset[str], frozenset[tuple[str, str]], frozenset[str]]],
    language: Language,
) -> bool:
    lexicon = load_lexicon()
    mentions = lexicon.mentions(finding.symptom, language)
    names = frozenset(
        c.id
        for m in mentions
        for c in m.concepts
        if c.kind in ("symptom", "condition", "circumstance", "topic", "group")
    )
    places = places_of(mentions, lexicon)
    if names:
        for present, said, said_places, _ in told:
            if present != finding.present or not (said & names):
                continue
            if places and said_places:
                heads = {h for h, _ in places}
                if any(
                    related_sites(s, [t for h2, t in said_places if h2 in heads]) for _, s in places
                ):
                    return True
                continue
            return True
        return False
    wanted = content(finding.symptom, language)
    return bool(wanted) and any(
        len(wanted & words) / len(wanted) >= _SAME_WORDS and finding.present
        for _, _, _, words in told
    )
