"""The facts about one thing that is named, and those that answer a general question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.facts.attribute_search import neighbours, symptoms_only
from records.facts.fact_index import Fact, FactIndex
from records.facts.lexicon import load_lexicon
from records.facts.questions import Question
from records.facts.text_content import content
from records.facts.unit_matching import CURRENT, ILLNESS_AT, OF_OTHERS, matches, own_symptoms
from records.facts.units import GENERAL, Unit

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
_NORMAL = re.compile(
    r"正常|良好|如常|无异常|尚可|规律|无(?:明显)?(?:变化|改变)|不详|\bnormal\b|\bregular\b|unremarkable|"
    r"no (?:recent )?(?:significant )?change|changes? in",
    re.IGNORECASE,
)
_UNREMARKABLE = re.compile(_NORMAL.pattern + r"|清楚|清醒|一般|不详|尚|还好", re.IGNORECASE)
_HEALTHY = re.compile(
    r"体健|健康|身体.{0,4}好|无特殊|慢性.{0,4}病|healthy|unremarkable|significant|notable|no past|"
    r"no medical|no known|chronic|no other|no previous|major illness|past medical|medical history",
    re.IGNORECASE,
)
_OF_CARE = frozenset({"prior_tests", "prior_diagnosis", "care_sought"})
_BLOOD_IN_IT = re.compile(r"\bblood in (?:it|them)\b|\bwithout blood\b", re.IGNORECASE)
_ATE = re.compile(r"吃了|进食|食用|\b(?:ate|eaten|consumption of|tried various)\b", re.IGNORECASE)
_PARTICULAR_DRUG = re.compile(r"[抗降止治].{0,3}药")
_BESIDE = {
    "vision_loss": frozenset({"diplopia", "floaters", "halos", "flashes"}),
}
"""Symptoms that one tells of who is asked for another ("do you see clearly?" - double)."""
_HOW_IT_WENT = re.compile(r"改善|减轻|缓解|好转")
"""Tells how a symptom went on, which a question for its presence does not ask."""
_COLD = frozenset({"sore_throat", "nasal_congestion", "runny_nose", "sneezing"})
"""Symptoms that a patient who is asked for a cold tells of."""
_CAUSES = frozenset({"cold_exposure", "exertion", "diet_irregular", "stress"})
_UNPROVOKED = re.compile(
    r"无(?:明显)?诱因|without (?:any )?(?:obvious|clear|apparent) (?:cause|trigger)"
)
_NOTHING_ELSE = re.compile(
    r"(?:无|没有)(?:明显)?(?:其他|其它|特殊)(?:不适|症状)|no (?:other|additional|further)|"
    r"otherwise",
    re.IGNORECASE,
)


def _no_such_before(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """A recorded denial that the complaint was ever there before."""
    denials = (f for f in facts if not f.present and "previous_episode" in f.topics)
    return tuple(f for f in denials if _SUCH.search(f.own_words))


_SUCH = re.compile(r"类似|首次|从未|similar|such|like this|episode|complaint", re.IGNORECASE)
_VAGUE = content(
    "trouble getting night morning evening today bit lot thing things anyone anybody someone "
    "around while bad usual usually normal normally over through okay right still come came take "
    "taken well good "
    "keep put look seem turn start stop hard easy need want sit out off down together",
    "en",
)
"""Words that alone name nothing."""
_NEEDS_WORDS = 0.33
"""Least share of an unknown item's content that a fact must hold to answer it."""


def about_unit(unit: Unit, index: FactIndex) -> tuple[Fact, ...]:
    """The facts about one thing asked for; a recorded general statement where there is none."""
    facts = tuple(f for f in index.facts if not f.topics & OF_OTHERS)
    found = tuple(f for f in facts if matches(unit, f, index))
    if unit.has({"common_cold"}):
        found = tuple(f for f in facts if f in found or _of_a_cold(f, facts))
    if unit.formerly and unit.felt:
        found = (
            tuple(
                f
                for f in found
                if f.finding.section == "past_history" or "previous_episode" in f.topics
            )
            or _no_such_before(facts)
            or found
        )
    if not unit.concepts:
        illness = {ILLNESS_AT.get(s.id) for s in unit.sites}
        found = tuple(f for f in found if f.concepts & illness) or found
    if unit.felt:
        found = tuple(f for f in found if not f.topics & _OF_CARE) or found
    if unit.of_kind("medicine"):
        found = tuple(f for f in found if "allergy" not in f.topics) or found
    if index.language == "zh" and unit.felt and unit.concepts and not unit.formerly:
        found = tuple(f for f in found if f.finding.section in CURRENT) or found
        found = tuple(f for f in found if not _HOW_IT_WENT.search(f.own_words)) or found
    if not found and any("bleeding" in load_lexicon().ancestors(c.id) for c in unit.concepts):
        found = tuple(f for f in facts if _BLOOD_IN_IT.search(f.own_words))
    if not found and unit.has({"diet_irregular"}):
        found = tuple(f for f in facts if f.present and _ATE.search(f.own_words))
    organ = {c for c, g in _ILLNESS_OF.items() if unit.has({g})}
    if organ and not any(f.present for f in found):
        # "Any trouble with your eyes?" asks for glaucoma too.
        found = tuple(f for f in facts if f.present and f.concepts & organ) or found
    if found:
        return found
    if not unit.concepts:
        return _by_words(unit.words, facts, index)
    lexicon = load_lexicon()
    if unit.has({"common_cold"}):
        cold = tuple(f for f in facts if f.present and f.direct & _COLD)
        if cold:
            return cold
    beside = frozenset(b for c in unit.concepts for b in _BESIDE.get(c.id, ()))
    found = tuple(f for f in facts if f.present and f.direct & beside)
    if found:
        return found
    if unit.has(_CAUSES):
        current = (f for f in facts if f.finding.section in CURRENT)
        unprovoked = tuple(f for f in current if _UNPROVOKED.search(f.own_words))
        if unprovoked:
            return unprovoked
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
        if lexicon.concepts[a].kind in ("symptom", "condition")
    )
    groups = tuple(
        f
        for f in facts
        if not f.present and _of_group(f, wider) and not (f.places and f.direct & GENERAL)
    )
    if groups:
        return _of_first_parent(unit, groups)
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
        return tuple(
            f
            for f in facts
            if not f.present
            and "medication" in f.direct
            and not f.direct - {"medication"}
            and not _PARTICULAR_DRUG.search(f.own_words)
        )
    return ()


_ATE = re.compile(r"吃了|进食|食用|\b(?:ate|eaten|consumption of|tried various)\b", re.IGNORECASE)
_COLD = frozenset({"sore_throat", "nasal_congestion", "runny_nose", "sneezing"})


def _of_a_cold(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether a fact is one of several of a cold that its sentence tells of."""
    beside = [f for f in facts if f.present and f.sentence == fact.sentence]
    signs = {c for f in beside for c in f.direct & (_COLD | {"fever", "cough"})}
    told = fact.present and len(signs) > 1 and bool(signs & _COLD)
    return told and bool(fact.direct & signs)


def _of_group(fact: Fact, wider: frozenset[str]) -> bool:
    """Whether a fact names a wider thing: of a topic only if it is a fact on that topic."""
    concepts = load_lexicon().concepts
    return any(c in fact.topics or concepts[c].kind != "topic" for c in fact.direct & wider)


def _of_first_parent(unit: Unit, groups: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Denials of the first group that an illness is of: tuberculosis is first an infection."""
    lexicon = load_lexicon()
    for concept in unit.concepts:
        for parent in concept.parents if concept.kind == "condition" else ():
            found = tuple(f for f in groups if f.direct & lexicon.ancestors(parent))
            if found:
                return found
    return groups


def _by_words(text: str, facts: Sequence[Fact], index: FactIndex) -> tuple[Fact, ...]:
    wanted = content(text, index.language) - _VAGUE
    if not wanted:
        return ()
    scored = [(len(wanted & content(f.own_words, index.language)) / len(wanted), f) for f in facts]
    return tuple(f for score, f in scored if score >= _NEEDS_WORDS)


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
        near = neighbours([f for f in base if f.present], index)
        return tuple(sorted((*base, *near), key=_order))
    current = [f for f in index.facts if f.finding.section in CURRENT]
    current = [f for f in current if "prior_tests" not in f.topics]
    if question.opening == "story":
        return tuple(
            f
            for f in current
            if f.present and not _UNREMARKABLE.search(f.own_words) and "care_sought" not in f.topics
        )
    return _others(question, current, index, said)


def _others(
    question: Question, current: Sequence[Fact], index: FactIndex, said: frozenset[str]
) -> tuple[Fact, ...]:
    if not question.excluded:
        said |= frozenset(f.id for f in index.complaint)
    told = frozenset(c for f in index.facts if f.id in said for c in own_symptoms(f))
    told |= frozenset(c.head for u in question.excluded for c in u.concepts if c.head)
    return tuple(
        f
        for f in current
        if f.id not in said
        and not any(matches(u, f, index) for u in question.excluded)
        and (
            (
                f.present
                and bool(symptoms_only(own_symptoms(f) - told))
                and not _UNREMARKABLE.search(f"{f.own_words} {f.finding.text}")
                and not f.topics & {"prior_diagnosis", "care_sought"}
            )
            or _NOTHING_ELSE.search(f.own_words)
        )
    )


def _order(fact: Fact) -> int:
    return fact.order
