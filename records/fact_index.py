"""A patient's findings with the concepts, places and topics that each is about."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from records.lexicon import Concept, Lexicon, Mention, load_lexicon, words
from records.medical_record import Finding, HistorySection, Language
from records.questions import GENERAL, Side, side_of
from records.views import PatientView

Place = tuple[str, str]
"""A general symptom at a body site: ("pain", "site_knee")."""

SOCIAL_TOPICS = frozenset(
    {"occupation", "living", "marital", "diet", "exercise", "lifestyle", "name", "age", "sex"}
)
_ELSEWHERE = frozenset(
    {
        "surgery",
        "allergy",
        "transfusion",
        "family",
        "smoking",
        "alcohol",
        "drugs",
        "vaccination",
        "travel",
        "contacts",
        "occupation",
        "sexual",
        "marital",
        "menstruation",
        "obstetric",
        "birth_history",
        "medication",
        "injury",
        "living",
    }
)
"""Topics that take a clause of the past history out of the past illnesses."""

_DRUG = {
    "zh": re.compile(
        r"服用|口服|服药|用药|药|片|胶囊|滴丸|霉素|西林|沙星|头孢|洛尔|普利|沙坦|地平|他汀|双胍|波糖|列酮|"
        r"格列|胰岛素|阿司匹林|布洛芬|激素|硝酸甘油|华法林|拉唑|替丁|注射液|降压|降糖|丸(?!疼|痛)"
    ),
    "en": re.compile(
        r"\b(?:\w{3,}(?:pril|olol|sartan|statin|formin|prazole|cillin|mycin|floxacin|azole|dipine|"
        r"tidine|"
        r"zepam|zolam|oxetine|traline|triptan|gliptin|glutide|parin|vir|mab|lone|sone|thiazide|"
        r"semide|dronate|codone|profen|cycline|zide|oxin|barbital|idone|apine|tadine|lamine|"
        r"pramine|"
        r"amide|lukast|terol|tropium|navir|udine|cept|micin|azine|adol)|"
        r"medications?|medicines?|drugs?(?! use)|pills?|tablets?|takes?|(?<!history )taking|took|"
        r"prescri\w+|"
        r"insulin|aspirin|contraceptives?|antibiotics?|supplements?|vitamins?|multivitamins?|"
        r"lithium|steroids?|inhalers?|nsaids?|acetaminophen|warfarin|digoxin|levothyroxine|"
        r"antacids?|laxatives?|over-the-counter|isotretinoin|methotrexate|iron tablets?)\b",
        re.IGNORECASE,
    ),
}
_DRUG_DENIED = re.compile(
    r"(?:no|not|denies|without|none).{0,30}(?:medication|drug)|无.{0,6}(?:用药|服药)", re.IGNORECASE
)
_TREATED = {
    "zh": re.compile(r"治疗|服用|口服|用药|给予|就诊|就医|输液|处理|药|手法|外院|当地"),
    "en": re.compile(
        r"\bdid not help|little help|\btreat|therap|\btook\b|\btaking\b|\btried\b|medicat|"
        r"antibiotic|remed|managed|attempts|"
        r"\bused\b|\busing\b|"
        r"\bicing\b|relief|saw a|visited|evaluated|prescri|given",
        re.IGNORECASE,
    ),
}
_TESTED = {
    "zh": re.compile(
        r"检查|彩超|超声|心电图|CT|MRI|核磁|胃镜|X线|X光|化验|尿常规|血常规|提示|示：|测|门诊查|活检"
    ),
    "en": re.compile(
        r"\btest|x-ray|\bscan|\bct\b|\bmri\b|imaging|ultraso|\blabs?\b|ekg|ecg|biops|endoscop|"
        r"colonosc|"
        r"screening|pap smear|examin",
        re.IGNORECASE,
    ),
}
_RELATIVE_SPEAKS = re.compile(
    r"(?:mother|father|parents?|wife|husband|son|daughter|family|brother|sister|roommate|"
    r"partner)s?(?: members?)?\s+"
    r"(?:also |further |first |have |has )*(?:report|state|note|mention|say|bring|brought|found|"
    r"describe|"
    r"believe|"
    r"observe|notice|witness|deni|recall|claim|became|is concerned|are concerned|was concerned|"
    r"says)"
    r"|by (?:his|her|their) (?:mother|father|parents?|wife|husband|son|daughter|family|brother|"
    r"sister)"
    r"|(?:妈妈|母亲|家长|家属|父母|家人)(?:说|代述|诉|发现|反映|讲|带)",
    re.IGNORECASE,
)
_KNOWN_ILLNESS = re.compile(
    r"病史|确诊|诊断|患有|既往|曾|history|diagnosed|known|diagnosis of|suffers from", re.IGNORECASE
)
_FORMER = re.compile(
    r"反复|再次|首次|第一次|初次|类似|曾.{0,8}(?:出现|发作|有过)|多次.{0,6}发作|从未|similar|recurr|"
    r"first time|never (?:had|experienced)|\b(?:previous|prior|earlier|another|"
    r"past) (?:\w+ )?episodes?|"
    r"happened before|previously|in the past|on and off|intermittent",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。！？!?\n]|[.](?=\s|$)")


@dataclass(frozen=True, eq=False)
class Fact:
    """One finding and what it is about."""

    finding: Finding
    order: int
    """Its place among the view's findings."""
    own_words: str
    """The record's words for it alone."""
    direct: frozenset[str]
    """Concepts that it names, sites left out."""
    concepts: frozenset[str]
    """Those, and all wider ones."""
    sites: frozenset[str]
    """Body sites that it names, and all wider ones."""
    places: frozenset[Place]
    """General symptoms with the site that they are at, sites as named."""
    topics: frozenset[str]
    side: Side | None
    """The side of the body that it is on, if one."""
    sentence: tuple[HistorySection, int]
    """Section and number of the sentence that it stands in."""

    @property
    def id(self) -> str:
        """The finding's id."""
        return self.finding.id

    @property
    def present(self) -> bool:
        """False for a recorded negative."""
        return self.finding.present


@dataclass(frozen=True)
class FactIndex:
    """All facts of one view."""

    language: Language
    facts: tuple[Fact, ...]
    complaint: tuple[Fact, ...]
    """The facts of the chief complaint, of the persona's where the record has no other."""
    complaint_places: frozenset[Place]
    """Where the complaint's general symptoms are."""

    def by_id(self, finding_id: str) -> Fact:
        """The fact of a finding's id; KeyError if there is none."""
        for fact in self.facts:
            if fact.id == finding_id:
                return fact
        raise KeyError(finding_id)


def places_of(mentions: Sequence[Mention], lexicon: Lexicon) -> frozenset[Place]:
    """The general symptoms of a short text with every body site that it names."""
    sites = [c.id for m in mentions for c in m.concepts if c.kind == "site"]
    found: set[Place] = set()
    for concept in (c for m in mentions for c in m.concepts):
        if concept.head and concept.site:
            found.add((concept.head, concept.site))
        if concept.kind in ("symptom", "circumstance", "condition"):
            heads = [concept.id] if not concept.head else [concept.head]
            found.update((head, site) for head in heads for site in sites)
    return frozenset(found)


def _topics(
    finding: Finding, own_words: str, named: Sequence[Concept], language: Language
) -> frozenset[str]:
    section = finding.section
    lexicon = load_lexicon()
    topics = {
        a
        for c in named
        for a in lexicon.ancestors(c.id)
        if lexicon.concepts[a].kind in ("topic", "medicine")
    }
    if section in ("history_of_present_illness", "chief_complaint", "persona"):
        topics -= SOCIAL_TOPICS - {"occupation", "diet"}
    topics -= _RULED
    if section == "family_history":
        topics.add("family")
    elif _RELATIVE_SPEAKS.search(own_words):
        topics.discard("family")
    drug = section == "medication_history" or bool(_DRUG[language].search(own_words))
    for topic, pattern in (
        ("treatment", _TREATED[language]),
        ("prior_tests", _TESTED[language]),
        ("previous_episode", _FORMER),
        ("surgery", _OPERATED),
        ("prior_diagnosis", _DIAGNOSED),
        ("care_sought", _SOUGHT_CARE),
    ):
        if pattern.search(own_words):
            topics.add(topic)
    if drug or any(c.kind == "medicine" for c in named):
        topics.add("medication")
    if section == "medication_history":
        topics.discard("prior_tests")
        if not _FOR_COMPLAINT.search(own_words):
            topics.discard("treatment")
    if "allergy" in topics:
        topics -= {"medication", "treatment"}
    if "animals" in topics:
        topics.discard("contacts")
    if "alcohol" in topics:
        topics.discard("diet")
    if "drugs" in topics:
        topics -= {"treatment", "medication"}
    if _SEEKS_CARE.search(own_words):
        topics -= {"treatment", "hospitalization"}
    illness = any(c.kind in ("condition", "group") and c.id != "fracture" for c in named)
    if section == "personal_history" and not (illness and "history" in own_words):
        topics.discard("family")
    if topics & {"obstetric", "birth_history"} and section != "family_history":
        topics.discard("family")
    if "family" in topics:
        return frozenset(topics - {"surgery", "medication", "past_illness", "treatment"})
    felt = topics & {"sleep", "bowel", "urination", "weight", "mood", "appetite"}
    if section == "past_history":
        topics.add("past_history_all")
        if illness or not (topics & _ELSEWHERE or felt):
            topics.add("past_illness")
    elif illness and _KNOWN_ILLNESS.search(own_words):
        topics.add("past_illness")
    return frozenset(topics)


_RULED = frozenset(
    {"treatment", "prior_tests", "medication", "previous_episode", "past_illness", "surgery"}
    | {"prior_diagnosis", "past_history_all", "care_sought"}
)
"""Topics that a pattern decides, not a word of the lexicon alone."""
_OPERATED = re.compile(
    r"手术|术后|切除|置换|移植|支架|搭桥|开刀|surg|operat|\w(?:ectomy|plasty|otomy|ostomy)\b|"
    r"\brepair\b|bypass|\bstent|transplant|cesarean|c-section",
    re.IGNORECASE,
)
_DIAGNOSED = re.compile(r"诊断|确诊|拟诊|医生说|考虑为|diagnos|was told|were told", re.IGNORECASE)
_SOUGHT_CARE = re.compile(
    r"就诊|就医|医院|外院|门诊|诊所|急诊|saw (?:a|her|his)|visited|emergency|evaluated|hospital",
    re.IGNORECASE,
)
_SEEKS_CARE = re.compile(r"进一步|来我院|收住|故入院|求.{0,4}诊治")
_FOR_COMPLAINT = re.compile(
    r"因|自服|时服|无改善|缓解|好转|效|for (?:the|her|his)|help|relief|since yesterday|"
    r"this morning",
    re.IGNORECASE,
)


def _own_words(view: PatientView, finding: Finding) -> str:
    if finding.start is None or finding.end is None:
        return finding.text
    return view.section_text(finding.section)[finding.start : finding.end] or finding.text


def _fact(view: PatientView, finding: Finding, order: int, lexicon: Lexicon) -> Fact:
    own_words = _own_words(view, finding)
    mentions = lexicon.mentions(own_words, view.language)
    if finding.symptom not in own_words:
        mentions += lexicon.mentions(finding.symptom, view.language)
    named = [c for m in mentions for c in m.concepts]
    direct = frozenset(c.id for c in named if c.kind != "site")
    named_sites = [c.id for c in named if c.kind == "site"] + [c.site for c in named if c.site]
    sites = frozenset(a for site in named_sites for a in lexicon.ancestors(site))
    before = view.section_text(finding.section)[: finding.start or 0]
    return Fact(
        finding=finding,
        order=order,
        own_words=own_words,
        direct=direct,
        concepts=frozenset(a for c in direct for a in lexicon.ancestors(c)),
        sites=sites,
        places=places_of(mentions, lexicon),
        topics=_topics(finding, own_words, named, view.language),
        side=side_of(own_words),
        sentence=(finding.section, len(_SENTENCE_END.findall(before))),
    )


def _with_results(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """A clause after a test, in its sentence, that names nothing else is the test's result too."""
    found: list[Fact] = []
    for fact in facts:
        last = found[-1] if found else None
        if (
            last
            and "prior_tests" in last.topics
            and last.sentence == fact.sentence
            and not fact.topics
            and not _SEEKS_CARE.search(fact.own_words)
            and "入院" not in fact.own_words
            and not any(
                load_lexicon().concepts[c].kind == "symptom" for c in fact.direct - {"mass"}
            )
        ):
            fact = replace(fact, topics=frozenset({"prior_tests"}))
        found.append(fact)
    return tuple(found)


def _with_places(facts: tuple[Fact, ...], language: Language) -> tuple[Fact, ...]:
    """A general symptom without a place is at the place of its neighbour in the sentence."""
    found = list(facts)
    order = (-1, 1) if language == "zh" else (1, -1)
    for n, fact in enumerate(facts):
        heads = fact.direct & GENERAL
        if not heads or fact.places or fact.sites:
            continue
        for step in order:
            beside = facts[n + step] if 0 <= n + step < len(facts) else None
            if beside and beside.sentence == fact.sentence and beside.places:
                sites = {site for _, site in beside.places}
                lent = frozenset((head, site) for head in heads for site in sites)
                found[n] = replace(
                    fact, places=lent, sites=beside.sites, side=fact.side or beside.side
                )
                break
    return tuple(found)


_CACHE: OrderedDict[tuple[object, ...], FactIndex] = OrderedDict()
_CACHE_SIZE = 64


def index_facts(view: PatientView) -> FactIndex:
    """The facts of a view, indexed once and kept for the last views asked about."""
    key = (
        view.record_id,
        view.language,
        tuple((f.id, f.text, f.present, f.start) for f in view.findings),
    )
    if key in _CACHE:
        _CACHE.move_to_end(key)
        return _CACHE[key]
    lexicon = load_lexicon()
    facts = _with_results(tuple(_fact(view, f, n, lexicon) for n, f in enumerate(view.findings)))
    facts = _with_places(facts, view.language)
    complaint = tuple(f for f in facts if f.finding.section == "chief_complaint") or tuple(
        f for f in facts if f.finding.section == "persona"
    )
    places = frozenset(p for f in complaint for p in f.places)
    index = FactIndex(view.language, facts, complaint, places)
    _CACHE[key] = index
    if len(_CACHE) > _CACHE_SIZE:
        _CACHE.popitem(last=False)
    return index


_ZH_RUN = re.compile(r"[一-鿿]+|[a-z0-9]+", re.IGNORECASE)
_EN_EMPTY = frozenset(
    [
        "about",
        "after",
        "also",
        "and",
        "any",
        "anything",
        "are",
        "as",
        "at",
        "be",
        "been",
        "before",
        "by",
        "can",
        "chang",
        "could",
        "current",
        "currently",
        "day",
        "deni",
        "describ",
        "describe",
        "did",
        "do",
        "does",
        "during",
        "else",
        "ever",
        "experienc",
        "experience",
        "feel",
        "feeling",
        "for",
        "from",
        "get",
        "go",
        "going",
        "got",
        "had",
        "happen",
        "has",
        "hav",
        "have",
        "he",
        "history",
        "how",
        "i",
        "if",
        "in",
        "is",
        "issue",
        "it",
        "just",
        "know",
        "let",
        "like",
        "long",
        "make",
        "many",
        "may",
        "me",
        "mention",
        "might",
        "month",
        "more",
        "new",
        "much",
        "my",
        "no",
        "not",
        "note",
        "notice",
        "noticed",
        "now",
        "of",
        "often",
        "on",
        "or",
        "other",
        "past",
        "patient",
        "please",
        "problem",
        "recent",
        "recently",
        "report",
        "she",
        "should",
        "similar",
        "since",
        "so",
        "some",
        "something",
        "still",
        "symptom",
        "tell",
        "than",
        "that",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "time",
        "to",
        "us",
        "use",
        "using",
        "very",
        "was",
        "we",
        "week",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "year",
        "you",
        "your",
    ]
)


def content(text: str, language: Language) -> frozenset[str]:
    """What a text is made of: pairs of characters in Chinese, stems of telling words in English."""
    if language == "zh":
        return frozenset(
            run[i : i + 2] for run in _ZH_RUN.findall(text.lower()) for i in range(len(run) - 1)
        )
    return frozenset(w for w, _, _ in words(text) if len(w) > 2 and w not in _EN_EMPTY)
