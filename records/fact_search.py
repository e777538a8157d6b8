"""The facts that are about one named thing, one attribute, one topic, or everything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from records.attributes import Attribute, attribute_words
from records.fact_index import Fact, FactIndex, Place, content
from records.lexicon import Concept, load_lexicon
from records.questions import GENERAL, Question, Unit

CURRENT = ("persona", "chief_complaint", "history_of_present_illness")
"""Sections that tell of the present illness."""
_OF_OTHERS = frozenset({"family", "contacts"})
"""Topics of a clause that tells of other people's illness."""
BODY_FUNCTIONS = frozenset({"sleep", "bowel", "urination", "weight", "mood"})
"""Topics that are felt, so that a clause about one is about nothing else."""

_SAME_THING = {"mass": "swelling", "swelling": "mass"}
"""General symptoms that patients and records use for each other at one place."""
_ILLNESS_OF = {
    "c_lung": "g_respiratory",
    "c_heart": "g_cardiac",
    "c_gi": "g_digestive",
    "c_kidney": "g_urinary",
    "c_neuro": "g_neuro",
    "c_skin": "g_skin",
    "c_eye": "g_eye",
    "c_psych": "g_psych",
}
"""Whose long-standing complaints answer a question for illnesses of an organ."""
_ORGAN = {
    "site_bladder": "g_urinary",
    "site_kidney": "g_urinary",
    "site_epigastrium": "g_digestive",
    "site_heart": "g_cardiac",
    "site_lung": "g_respiratory",
    "site_eye": "g_eye",
    "site_skin": "g_skin",
}
"""The complaints that answer a question for an organ alone ("any trouble with your eyes?")."""
_WIDE_SITES = frozenset({"site_body", "site_limb"})
_NORMAL = re.compile(
    r"正常|良好|如常|无异常|尚可|规律|无(?:明显)?(?:变化|改变)|\bnormal\b|\bregular\b|unremarkable|"
    r"no (?:recent )?(?:significant )?change|changes? in",
    re.IGNORECASE,
)
_UNREMARKABLE = re.compile(_NORMAL.pattern + r"|清楚|清醒|一般|不详|尚|还好", re.IGNORECASE)
_HEALTHY = re.compile(
    r"体健|健康|身体.{0,4}好|无特殊|慢性.{0,4}病|healthy|unremarkable|significant|notable|no past|"
    r"no medical|no known|chronic|no other|no previous|major illness|past medical|medical history",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"(?:无|没有)(?:明显)?(?:其他|其它|特殊)(?:不适|症状)|no (?:other|additional|further)|"
    r"otherwise",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"症状|病情|疼痛|^(?:其|该|发作|每次|休息|持续|自行|可|约|反复|多在|伴|特别|尤其)|"
    r"\b(?:it|these|this|they|symptoms?|episodes?|pain|attacks?|lesion|condition|rash|mass)\b",
    re.IGNORECASE,
)
_ONE_EPISODE = re.compile(r"每次|一次|each|every time|\bepisodes?\b|attacks?\b", re.IGNORECASE)
_LASTING = re.compile(r"持续|每次|就是|一会|\blast|minutes?|seconds?", re.IGNORECASE)
_ONLY_WORSE = re.compile(r"^(?:再次)?(?:加重|加剧)")
_SIMILAR = re.compile(r"类似|同样|同类|similar|same|like this", re.IGNORECASE)
_FOOD = re.compile(r"食物|食品|food|peanut|shellfish|花粉|尘螨|pollen|dust", re.IGNORECASE)
_DRUGS = re.compile(r"药|素|林|drug|medic|cillin", re.IGNORECASE)
_NEEDS_WORDS = 0.33
"""Least share of an unknown item's content that a fact must hold to answer it."""


def related_sites(asked: str, told: Iterable[str]) -> bool:
    """Whether a told site is the asked one, inside it, or around it; the whole body is neither."""
    lexicon = load_lexicon()
    above = lexicon.ancestors(asked) - _WIDE_SITES - {"site_joint"}
    return any(asked in lexicon.ancestors(site) or site in above for site in told)


def _told_places(head: str, fact: Fact) -> list[Place]:
    ancestors = load_lexicon().ancestors
    heads = {head, _SAME_THING.get(head, head)}
    return [p for p in fact.places if heads & ancestors(p[0])]


def _names(concept: Concept, unit: Unit, fact: Fact, index: FactIndex) -> bool:
    """Whether a fact is about a concept, at the sites asked if any."""
    head = concept.head or concept.id
    asked = [concept.site] if concept.site else [s.id for s in unit.sites]
    told = [site for _, site in _told_places(head, fact)]
    if asked and told:
        return any(related_sites(site, told) for site in asked)
    if concept.id in fact.concepts and not told:
        return not asked or fact.finding.section in CURRENT or concept.id not in GENERAL
    if concept.id in GENERAL and not asked:
        here = [s for h, s in index.complaint_places if load_lexicon().ancestors(h) & {head}]
        if here and told:
            return any(related_sites(site, here) for site in told)
    return concept.id in fact.concepts and not (asked and not concept.site)


def _other_side(unit: Unit, fact: Fact) -> bool:
    return bool(unit.side and fact.side and unit.side != fact.side)


def _denies_elsewhere(concept: Concept, unit: Unit, fact: Fact) -> bool:
    """Say whether a denial is of less than what is asked: no chest pain is not no pain."""
    if fact.present or concept.kind != "symptom" or concept.id in fact.direct:
        return False
    asked = [concept.site] if concept.site else [s.id for s in unit.sites]
    told = {site for _, site in _told_places(concept.head or concept.id, fact)}
    ancestors = load_lexicon().ancestors
    return not any(told & ancestors(site) for site in asked)


def matches(unit: Unit, fact: Fact, index: FactIndex) -> bool:
    """Whether a fact is about what is named."""
    if _other_side(unit, fact):
        return False
    at_site = any(s.id in fact.sites or _ORGAN.get(s.id) in fact.concepts for s in unit.sites)
    if unit.has({"discomfort"}) and at_site and fact.present:
        return True
    if unit.has({"clear_mind"}) and "loss_of_consciousness" in fact.concepts:
        return True
    if unit.concepts:
        return any(
            _names(c, unit, fact, index) and not _denies_elsewhere(c, unit, fact)
            for c in unit.concepts
        )
    return at_site


def about_unit(unit: Unit, index: FactIndex) -> tuple[Fact, ...]:
    """The facts about one thing asked for; a recorded general statement where there is none."""
    facts = tuple(f for f in index.facts if not f.topics & _OF_OTHERS)
    found = tuple(f for f in facts if matches(unit, f, index))
    if unit.formerly and unit.felt:
        found = (
            tuple(
                f
                for f in found
                if f.finding.section == "past_history" or "previous_episode" in f.topics
            )
            or found
        )
    if found:
        return found
    if not unit.concepts:
        return _by_words(unit.words, facts, index)
    lexicon = load_lexicon()
    wider = frozenset(
        a
        for c in unit.concepts
        for a in lexicon.ancestors(c.id) - {c.id}
        if lexicon.concepts[a].kind in ("group", "topic")
    )
    # "No pain" denies a pain anywhere, "no loss of consciousness" a faint.
    wider |= frozenset(
        a
        for c in unit.concepts
        for a in lexicon.ancestors(c.id) - {c.id}
        if lexicon.concepts[a].kind == "symptom"
    )
    groups = tuple(
        f
        for f in facts
        if not f.present and f.direct & wider and not (f.places and f.direct & GENERAL)
    )
    if groups:
        return groups
    normal = tuple(f for f in facts if f.direct & wider and _NORMAL.search(f.own_words))
    if normal:
        return normal
    if unit.has({"c_genetic"}):
        return ()
    if all(c.kind == "condition" or c.id.startswith("c_") for c in unit.concepts):
        felt = {_ILLNESS_OF.get(c.id) for c in unit.concepts}
        past = [f for f in facts if f.finding.section == "past_history"]
        return tuple(f for f in past if f.concepts & felt) or tuple(
            f for f in past if "past_illness" in f.topics and _HEALTHY.search(f.own_words)
        )
    if all(c.kind == "medicine" for c in unit.concepts):
        return tuple(f for f in facts if not f.present and "medication" in f.direct)
    return ()


def _by_words(text: str, facts: Sequence[Fact], index: FactIndex) -> tuple[Fact, ...]:
    wanted = content(text, index.language)
    if not wanted:
        return ()
    scored = [(len(wanted & content(f.own_words, index.language)) / len(wanted), f) for f in facts]
    return tuple(f for score, f in scored if score >= _NEEDS_WORDS)


def about_topic(
    unit: Unit, others: Sequence[Unit], clause: str, index: FactIndex
) -> tuple[Fact, ...]:
    """The facts on one topic of the history, narrowed to what the clause says of it."""
    topics = {c.id for c in unit.concepts if c.kind == "topic"}
    if "family" in topics:
        return _family(others, clause, index)
    found = tuple(f for f in index.facts if f.topics & topics and "family" not in f.topics)
    if "medication" in topics and any(
        f.finding.section == "medication_history" for f in index.facts
    ):
        found = tuple(
            f
            for f in found
            if f.finding.section == "medication_history" or topics - {"medication"} & f.topics
        )
    if topics & (BODY_FUNCTIONS | {"appetite"}):
        # "Bowels are normal" says it; that there is no diarrhoea either was not asked.
        told = tuple(f for f in found if f.present or f.direct & topics)
        found = told or found
    if topics & {"past_illness", "medication"}:
        # Asked what one has had or takes, one does not list what one has not.
        found = tuple(f for f in found if f.present) or found
    if topics == {"allergy"}:
        found = _of_kind(found, clause)
    if found:
        return found
    rest = [c for c in unit.concepts if c.kind != "topic"]
    if rest:
        return about_unit(Unit(unit.words, tuple(rest), unit.sites, unit.side), index)
    wider = {a for t in topics for a in load_lexicon().ancestors(t) - {t} if not a.startswith("g_")}
    return tuple(f for f in index.facts if f.topics & wider and "family" not in f.topics)


def _of_kind(found: tuple[Fact, ...], clause: str) -> tuple[Fact, ...]:
    """Allergies to drugs, or to food, where the question says which."""
    drugs, food = bool(_DRUGS.search(clause)), bool(_FOOD.search(clause))
    if drugs == food:
        return found
    wrong = _FOOD if drugs else _DRUGS
    return tuple(f for f in found if not wrong.search(f.own_words)) or found


def _family(others: Sequence[Unit], clause: str, index: FactIndex) -> tuple[Fact, ...]:
    asked = {name for name, words in _RELATIVES.items() if words.search(clause)}
    found = tuple(
        f
        for f in index.facts
        if "family" in f.topics and (not asked or asked & _relatives(f) or not _relatives(f))
    )
    named = [u for u in others if any(c.kind != "topic" for c in u.concepts)]
    if not named and not _SIMILAR.search(clause):
        return found
    if named:
        narrowed = tuple(f for f in found if any(matches(u, f, index) for u in named))
    else:
        complaint = frozenset(c for f in index.complaint for c in f.concepts)
        narrowed = tuple(f for f in found if _SIMILAR.search(f.own_words) or f.direct & complaint)
    if named and not narrowed:
        wanted = content(clause, index.language)
        narrowed = tuple(f for f in found if wanted & content(f.own_words, index.language) - _KIN)
    if named and not narrowed and all(u.has({"c_genetic"}) for u in named):
        return about_unit(named[0], index)
    return narrowed or tuple(f for f in found if not f.present and not f.direct - {"family"})


def _relatives(fact: Fact) -> set[str]:
    return {name for name, words in _RELATIVES.items() if words.search(fact.own_words)}


_RELATIVES = {
    "father": re.compile(r"父|爸|\b(?:father|dad|parents?)\b", re.IGNORECASE),
    "mother": re.compile(r"(?<!祖)(?<!伯)母|妈|\b(?:mother|mom|mum|parents?)\b", re.IGNORECASE),
    "sibling": re.compile(r"兄|弟|姐|妹|哥|\b(?:brother|sister|sibling|twin)s?\b", re.IGNORECASE),
    "grandparent": re.compile(
        r"祖|爷|奶奶|外公|外婆|姥|\bgrand(?:mother|father|parent)", re.IGNORECASE
    ),
    "child": re.compile(r"儿子|女儿|子女|\b(?:son|daughter|children)\b", re.IGNORECASE),
}
_KIN = frozenset(
    {"family", "mother", "father", "brother", "sister"}
    | {"家族", "家里", "家人", "母亲", "父亲", "有没", "没有"}
)


def effect_of_treatment(felt: Sequence[Unit], index: FactIndex) -> tuple[Fact, ...]:
    """What came of the treatments taken for the present illness, for the symptoms named if any."""
    pattern = attribute_words(index.language)["effect"].answer
    treated = {f.sentence for f in index.facts if "treatment" in f.topics}
    found = tuple(
        f
        for f in index.facts
        if f.present
        and pattern.search(f.own_words)
        and ("treatment" in f.topics or (f.sentence in treated and not _own_symptoms(f)))
    )
    return tuple(f for f in found if any(matches(u, f, index) for u in felt)) or found


def answering_attributes(
    attributes: Sequence[Attribute],
    about: Sequence[Unit],
    clause: str,
    index: FactIndex,
    spoken_of: Sequence[Fact] = (),
) -> tuple[Fact, ...]:
    """The clauses that tell an attribute of what is asked about, else of the chief complaint.

    If the record denies what is asked about, the denial answers. Where nothing is named,
    `spoken_of` holds the facts that the last answer told.
    """
    base: list[Fact]
    if spoken_of and not about:
        base = [f for f in spoken_of if f.present]
    elif about:
        base = [
            f
            for f in index.facts
            if not f.topics & _OF_OTHERS and any(matches(u, f, index) for u in about)
        ]
        if not any(f.present for f in base):
            return tuple(base)
        base = [f for f in base if f.present and f.finding.section in CURRENT] or [
            f for f in base if f.present
        ]
    else:
        names = frozenset(c for f in index.complaint for c in f.direct)
        names |= frozenset(
            a
            for c in _symptoms_only(names)
            for a in load_lexicon().ancestors(c)
            if a not in GENERAL and load_lexicon().concepts[a].kind == "symptom"
        )
        base = [
            f
            for f in index.facts
            if f.present
            and f.finding.section in CURRENT
            and (f in index.complaint or f.concepts & names)
        ]
    near = _neighbours(base, index)
    if not about and not spoken_of:
        near += [f for f in index.facts if f not in base and f not in near and _floats(f)]
    near = [f for f in near if not any(_other_side(u, f) for u in about)]
    loose = [f for f in index.facts if f.finding.section in CURRENT]
    words = attribute_words(index.language)
    under = frozenset(
        c.id
        for m in load_lexicon().mentions(clause, index.language)
        for c in m.concepts
        if c.kind == "circumstance"
    )
    swayed = [f for f in (*base, *near) if f.direct & under and _CHANGE.search(f.own_words)]
    found = {f.order: f for f in swayed if {"trigger", "relief", "course"} & set(attributes)} | {
        f.order: f
        for attribute in attributes
        for f in (*base, *near, *(g for g in loose if _stands_alone(g, attribute)))
        if _tells(f, attribute, words[attribute].answer, clause)
    }
    if set(attributes) <= {"trigger", "relief"} and not _OPEN.search(clause):
        # "Is it worse when you bend?" asks for bending, not for all that makes it worse.
        asked = content(clause, index.language)
        named = {n: f for n, f in found.items() if asked & content(f.own_words, index.language)}
        found = named or found
    if not found and set(attributes) == {"severity"}:  # "Only now and then" tells how bad it is.
        return answering_attributes(("frequency",), about, clause, index, spoken_of)
    return tuple(found[n] for n in sorted(found))


_OPEN = re.compile(r"什么|哪|怎|如何|\b(?:what|anything|any|how|something)\b", re.IGNORECASE)


def _stands_alone(fact: Fact, attribute: Attribute) -> bool:
    """Whether a clause may tell an attribute far from what it is an attribute of."""
    if attribute == "cause":
        return fact.present and not _own_symptoms(fact)
    return attribute == "radiation" and bool(fact.concepts & GENERAL)


def _symptoms_only(concepts: Iterable[str]) -> list[str]:
    known = load_lexicon().concepts
    return [c for c in concepts if known[c].kind == "symptom"]


def _floats(fact: Fact) -> bool:
    """Whether a clause speaks of "the symptoms" without naming any."""
    return (
        fact.finding.section in CURRENT
        and not _own_symptoms(fact)
        and bool(_REFERS_BACK.search(fact.own_words))
    )


def _tells(fact: Fact, attribute: Attribute, pattern: re.Pattern[str], clause: str) -> bool:
    if attribute in ("onset", "duration"):
        if _ONLY_WORSE.match(fact.own_words) or "relief" in fact.finding.attributes:
            return False
        if _RELIEF.search(fact.own_words) and not _own_symptoms(fact):
            return False
        if attribute == "duration" and _ONE_EPISODE.search(clause):
            return bool(_LASTING.search(fact.own_words))
        if {"onset", "duration"} & set(fact.finding.attributes):
            return True
    if attribute in fact.finding.attributes:
        return True
    if attribute == "course" and ("relief" in fact.finding.attributes or fact.direct & {"rest"}):
        return False
    if attribute == "site" and fact.sites - {"site_body"}:
        return True
    return bool(pattern.search(fact.own_words))


def _neighbours(base: Sequence[Fact], index: FactIndex) -> list[Fact]:
    """Clauses that go on about the same, in the same or the next sentence: no other is named."""
    names = frozenset(c for f in base for c in f.concepts)
    same = {f.sentence for f in base}
    after = {(section, n + 1) for section, n in same}
    back = {f.sentence for f in index.facts if _REFERS_BACK.search(f.own_words)}
    return [
        f
        for f in index.facts
        if f not in base
        and (f.present or f.finding.attributes or _RELIEF.search(f.own_words))
        and f.finding.section in CURRENT
        and _own_symptoms(f) <= names
        and (
            f.sentence in same
            or (f.sentence in after and (f.sentence in back or f.finding.section == "persona"))
        )
    ]


_RELIEF = re.compile(
    r"缓解|好转|减轻|改善|见好|relie|improv|better|resolv|go(?:es)? away", re.IGNORECASE
)
_CHANGE = re.compile(
    r"缓解|好转|减轻|改善|见好|加重|加剧|明显|严重|relie|improv|better|worse|help|aggravat",
    re.IGNORECASE,
)


def _own_symptoms(fact: Fact) -> frozenset[str]:
    concepts = load_lexicon().concepts
    return frozenset(
        c
        for c in fact.direct - {"discomfort"}
        if concepts[c].kind in ("symptom", "condition") or c in BODY_FUNCTIONS
    )


def open_story(question: Question, index: FactIndex, said: frozenset[str]) -> tuple[Fact, ...]:
    """The facts that answer a general question: the complaint, the story, or what is left."""
    if question.opening == "complaint":
        return index.complaint + tuple(
            f
            for f in index.facts
            if f.finding.section == "persona" and f.present and f not in index.complaint
        )
    named = [u for u in question.units if u.sites or any(c.kind != "topic" for c in u.concepts)]
    if question.opening == "story" and named:
        base = [f for f in index.facts if any(matches(u, f, index) for u in named)]
        if base:
            near = _neighbours([f for f in base if f.present], index)
            return tuple(sorted((*base, *near), key=_order))
    current = [f for f in index.facts if f.finding.section in CURRENT]
    current = [f for f in current if "prior_tests" not in f.topics]
    if question.opening == "story":
        return tuple(f for f in current if f.present)
    return _others(question, current, index, said)


def _others(
    question: Question, current: Sequence[Fact], index: FactIndex, said: frozenset[str]
) -> tuple[Fact, ...]:
    if not question.excluded:
        said |= frozenset(f.id for f in index.complaint)
    told = frozenset(c for f in index.facts if f.id in said for c in _own_symptoms(f))
    told |= frozenset(c.head for u in question.excluded for c in u.concepts if c.head)
    return tuple(
        f
        for f in current
        if f.id not in said
        and not any(matches(u, f, index) for u in question.excluded)
        and (
            (f.present and bool(_own_symptoms(f) - told) and not _UNREMARKABLE.search(f.own_words))
            or _NOTHING_ELSE.search(f.own_words)
        )
    )


def _order(fact: Fact) -> int:
    return fact.order
