"""Which topics of a history a clause of the record belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.facts.lexicon import Concept, load_lexicon
from records.medical_record import Finding, Language

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
    "zh": re.compile(
        r"治疗|服用|口服|用药|给予|[未没]就[诊医]|输液|滴注|静滴|注射|肌注|针刀|外敷|外用|外贴|处理|药|手法|[化放]疗|透析|针灸|理疗|推拿"
    ),
    "en": re.compile(
        r"\bdid not help|little help|\btaken\b|\buse of\b|\btreat|therap|\btook\b|\btaking\b|"
        r"\btried\b|medicat|"
        r"antibiotic|remed|managed|attempts|"
        r"\bused\b|\busing\b|"
        r"\bicing\b|relief|saw a|visited|evaluated|prescri|given",
        re.IGNORECASE,
    ),
}
_TESTED = {
    "zh": re.compile(
        r"检查|彩超|超声|心电图|CT|MRI|核磁|磁共振|[胃肠]镜|[胸平腹]片|造影|X线|X光|化验|尿常规|血常规|提示|示：|测|门诊查|活检"
    ),
    "en": re.compile(
        r"\btest|x-ray|\bscan|\bct\b|\bmri\b|imaging|ultraso|\blabs?\b|ekg|ecg|biops|endoscop|"
        r"colonosc|"
        r"screening|pap smear|examin",
        re.IGNORECASE,
    ),
}
RELATIVE_SPEAKS = re.compile(
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
    r"近.{1,4}[月年].{0,6}[\d几多一两二三]+次|反复|再次|首次|第一次|初次|类似|曾.{0,8}(?:出现|发作|有过)|多次.{0,6}发作|从未|similar|recurr|"
    r"first time|never (?:had|experienced)|\b(?:previous|prior|earlier|another|"
    r"past) (?:\w+ )?episodes?|"
    r"happened before|previously|in the past(?! (?:few |\w+ )?(?:year|month|week|day))|"
    r"in the same way|on and off|intermittent",
    re.IGNORECASE,
)


def topics_of(
    finding: Finding, own_words: str, named: Sequence[Concept], language: Language
) -> frozenset[str]:
    """Ids of the topics of a finding, by its section, its words and the concepts that it names.

    Args:
        finding: the finding.
        own_words: the record's words for it alone.
        named: the lexicon's concepts that they name.
        language: the record's language.
    """
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
    elif RELATIVE_SPEAKS.search(own_words):
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
    if topics & {"drugs", "alcohol", "smoking"} and not any(c.kind == "medicine" for c in named):
        topics -= {"treatment", "medication"}
    if SEEKS_CARE.search(own_words):
        topics -= {"treatment", "hospitalization", "care_sought"}
    if "***" in own_words:  # Blackened in the record: of nobody knows what.
        return frozenset()
    illness = any(c.kind in ("condition", "group") and c.id != "fracture" for c in named)
    if section == "personal_history" and not (
        (illness and "history" in own_words) or _RUNS_IN_FAMILY.search(own_words)
    ):
        topics.discard("family")
    if topics & {"obstetric", "birth_history"} and section != "family_history":
        topics.discard("family")
    if "family" in topics:
        return frozenset(topics - {"surgery", "medication", "past_illness", "treatment"})
    felt = topics & {"sleep", "bowel", "urination", "weight", "mood", "appetite"}
    if section == "past_history":
        topics.add("past_history_all")
        if (illness and "contacts" not in topics) or not (topics & _ELSEWHERE or felt):
            topics.add("past_illness")
    elif illness and _KNOWN_ILLNESS.search(own_words):
        topics.add("past_illness")
    return frozenset(topics)


_RUNS_IN_FAMILY = re.compile(
    r"family history|(?:history|illness|disease|problem|symptom)s? in (?:the|his|her) family|"
    r"relatives?\b",
    re.IGNORECASE,
)
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
SEEKS_CARE = re.compile(r"进一步|来我院|来医院|收住|故入院|求.{0,4}诊治")
_FOR_COMPLAINT = re.compile(
    r"因|自服|时服|无改善|缓解|好转|效|for (?:the|her|his)|help|relief|since yesterday|"
    r"this morning",
    re.IGNORECASE,
)
