"""Spoken Chinese by clause: what each clause of a patient's answers is about, and its polarity.

The clauses are those of `records.findings.chinese_clauses`, which reads recorders' prose; patients
speak with more words around the matter, answer in lists, and deny in ways that no recorder writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from records.facts.lexicon import load_lexicon
from records.facts.negation import is_negated
from records.findings.chinese_clauses import chinese_clauses
from records.findings.clause import Clause
from records.medical_record import HistorySection
from records.rebuild.answers import told
from records.rebuild.dialogues import Said
from records.rebuild.sections import section_of
from records.rebuild.statement import DENIABLE, LEADING, PLAIN, Statement, named_concepts

# Possessive, here and below: words that can be cut in two ways must not be tried in all of them.
_VAGUE = re.compile(
    r"(?:没有?|无|也|还|都|过|有|任何|什么|出现|感觉到?|发现|觉得|其[他它]|别的|特别|特殊|类似|明显|异常|"
    r"以上|上述|这些|身体|不舒服|不适|症状|情况|问题|变化|疾病|病史|史|病|地方|部位|反应|药物?|生病|相关|"
    r"严重|大|的|了|等|他|更|次|一|此外|性质|相比|强度|差不多|医生|方面|这种|这样|种|特定|时候|家族|中|里|"
    r"以前|之前|最近|目前|我|，)*+"
)
_CONJUNCTION = re.compile(
    r"(?:除了?|只是|就是|但是|不过|而且|并且|以及|同时|另外|比如说?|例如|如(?!厕|果)|像是?|包括)++[，,]?"
)
_ONE_CHARACTER = frozenset("疼痛吐累晕烧咳喘肿痒麻冷热")
_LED = re.compile(
    r"^(?:过(?!敏|期|度|劳|程)|才?开始|会(?!阴|厌)|感觉到?|感到|觉得|患有?|有过?(?!力|效))+"
)
_TAILED = re.compile(
    r"(?:的?(?:历史?|情况|症状|感觉|问题|习惯|现象|病例|病史|经历)|史|等|之类|的|了|也|都|是){1,6}+$"
)
_CUT_SHORT = re.compile(r"(?:个|是|了|持续|大概|大约|已经|有|约|左右|前后|时候)$")
_AGE_OR_SEX = re.compile(
    r"(?:我|今年|现在|目前|是|一|个|位|名|已经|的|\d{1,3}岁(?:\d+个月)?|男|女|性|孩|人|生|士|多|了|作为|患者)++"
)
_AFFIRMS = re.compile(
    r"没有?(?:什么|一点|多少|太多|多大|任何)?"
    r"(?:力气|力量|劲|精神|胃口|食欲|知觉|好转|缓解|见好|改善|效果|消退|减轻|控制)(?![不减下差异改])"
)
"""Denials that affirm: "没有力气" is weakness, "没有缓解" a symptom that lasts."""
_DENIES = re.compile(
    r"^(?:我|也|并|都|倒|还)*(?:不是(?!很|太|特别)|不会(?!太)|不(?:觉得|感觉)(?!很|太|特别)|不(?=[吸抽喝饮]))"
)
_DENIED_LAST = re.compile(r"(?<!有)(?:倒|都|也|并|均|倒是)没有?$")
_CUE = re.compile(
    r"没有?|无(?![力法精])|否认|未|(?:^|(?<=[我也并还都倒从]))不(?![振适舒稳清良佳规全足安宁净畅通])"
)


def statements_of(messages: Iterable[Said]) -> list[Statement]:
    """All that a patient's messages tell, in order, each clause a statement."""
    found: list[Statement] = []
    order = 0
    for message in messages:
        for sentence in told(message):
            order += 1
            section: HistorySection | None = None
            for clause in chinese_clauses(sentence):
                # What stands in a list after "家族中没有" is of the family too.
                listed = section is not None and not _CUE.search(clause.text) and not clause.present
                section = section if listed else section_of(clause.text)
                symptom, present = _meaning(clause)
                led = _CONJUNCTION.match(sentence, clause.start, clause.end - 1)
                start = led.end() if led else clause.start
                statement = Statement(
                    message.place,
                    message.opening,
                    order,
                    sentence,
                    start,
                    clause.end,
                    clause.text[start - clause.start :],
                    symptom,
                    present,
                    tuple(sorted(clause.attributes.items())),
                    section or section_of(clause.text),
                )
                if not _is_vague(statement):
                    found.append(statement)
    return found


def _meaning(clause: Clause) -> tuple[str, bool]:
    """What a spoken clause is about and whether it affirms it."""
    symptom = _short(clause.symptom, clause.text)
    affirms = _AFFIRMS.search(clause.text)
    if affirms and not _CUE.search(clause.text[: affirms.start()]):
        return (symptom if clause.present else _short(clause.text, clause.text)), True
    if clause.present:
        denied = _DENIES.match(clause.text)
        rest = clause.text[denied.end() :] if denied else ""
        if rest and "没" not in rest:
            return rest, False
        return symptom, not (_DENIED_LAST.search(clause.text) or _all_denied(clause.text))
    cue = _CUE.search(clause.text)
    if cue:
        # "腹泻没有腹痛" denies the pain alone.
        before, behind = clause.text[: cue.start()], clause.text[cue.end() :]
        if all(any(k == "symptom" for _, k in named_concepts(part)) for part in (before, behind)):
            return _short(behind, clause.text), False
    return symptom, False


def _short(symptom: str, text: str) -> str:
    """A spoken symptom without the words that only lead to it or trail after it."""
    short = _LED.sub("", LEADING.sub("", re.sub(r"(?:之?外|以外)$", "", symptom)))
    if _CUT_SHORT.search(short):
        short = LEADING.sub("", text)
    trimmed = _TAILED.sub("", short)
    return next((s for s in (trimmed, short, symptom) if len(s) > 1), symptom)


def _all_denied(text: str) -> bool:
    """Whether all that a clause names stands behind a denial: "鸡蛋也没有过敏"."""
    if not re.search(r"没有|没(?=[过出发])|无(?!力|法|精)", text) or "不是" in text:
        return False
    named = [m for m in load_lexicon().mentions(text, "zh") if m.concept.kind in PLAIN]
    named = named or [m for m in load_lexicon().mentions(text, "zh") if m.concept.id in DENIABLE]
    return bool(named) and all(is_negated(text, m.start, "zh") for m in named)


def is_denied_in_words(statement: Statement) -> bool:
    """Whether its own words deny: of "没有头痛、发热" the first does, the second does not."""
    own = statement.sentence[statement.start : statement.end]
    return bool(_CUE.search(own) or _DENIES.match(own))


def _is_vague(statement: Statement) -> bool:
    """Whether it says nothing that could be asked for: "没有其他不适"."""
    bare = re.sub(r"^我", "", statement.text)
    if _AGE_OR_SEX.fullmatch(bare):
        return True  # the demographics have it
    if len(bare) < 2 and bare not in _ONE_CHARACTER:
        return True
    return bool(_VAGUE.fullmatch(bare) or _VAGUE.fullmatch(statement.symptom)) or (
        not statement.concepts and not statement.sites and not statement.content
    )
