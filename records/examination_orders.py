"""Which examinations a doctor's message orders or advises now."""

from __future__ import annotations

import re

from records.examination_lexicon import load_examination_lexicon, normalise
from records.examination_reading import read_names
from records.medical_record import Language

_SENTENCE = re.compile(r"[^。！!?？；;\n]+[。！!?？；;\n]?|[^.\n]+\.(?=\s|$)")
_ORDER = {
    "zh": re.compile(
        r"建议|需要|应该|应当|可以做|安排|做一[下个次些]|去做|做个|做些|进行|查一下|查个|"
        r"检查一下|完善|开具|开一?[个张些]|"
        r"先做|先查|请[您你]?做|请[您你]?去|让我们|我们(?:来|先)?[做查]|测一下|测个|拍一?[个张]|"
        r"拍片|复查|申请|加做|最好做|得做|要做|想(?:给|让)[您你]|"
        r"为[您你](?:做|安排|检查)|给[您你](?:做|安排|检查|开)|验一下|抽血|化验一下|不妨做|"
        r"有必要做|预约"
    ),
    "en": re.compile(
        r"\b(?:order|orders|ordering|let's (?:get|do|check|run|obtain|start with|have|also)|"
        r"let us (?:get|do|check|run)|"
        r"we (?:need|should|must|will need|'ll need|'ll do|'ll get|will get|will do|will check|"
        r"will run|can do|have to)|we'll (?:need|do|get|check|run)|"
        r"i(?:'d| would)? (?:like|want|need|recommend|suggest|advise)|i(?:'ll| will) (?:order|"
        r"request|arrange|get|check|do|need)|"
        r"you (?:need|should (?:have|get|undergo|do)|will need|'ll need|must)|please (?:get|have|"
        r"do|undergo|go for|arrange|take|perform|check|obtain|provide)|"
        r"recommend|suggest|advise|arrange|schedule|perform|obtain|undergo|request(?:ing)?|"
        r"send (?:off|for)|"
        r"(?:get|run|do|take|have) (?:a|an|some|the|your)|would be (?:helpful|useful)|"
        r"is (?:needed|necessary|indicated|required)|are (?:needed|necessary|indicated|required)|"
        r"(?:may i|can i|could i) (?:examine|listen|palpate|check)|i am going to|i'm going to|"
        r"next step)\b",
        re.IGNORECASE,
    ),
}
_PAST = {
    "zh": re.compile(
        r"(?:做过|查过|检查过|有没有做|是否做|曾经|之前|以前|既往|最近有?做|有没有查|是否进行过|"
        r"进行过|有过|做了|查了|"
        r"(?:结果)?(?:显示|提示|表明|示|发现|正常|异常|升高|降低|偏高|偏低)|根据[^,，]*(?:结果|"
        r"检查)|从[^,，]*(?:结果|来看)|已经|结果出来|做完|等[^,，]*结果)"
    ),
    "en": re.compile(
        r"\b(?:did you|have you (?:had|ever|been|done|recently)|has (?:he|she|anyone)|had you|"
        r"were you|was (?:your|there)|previous(?:ly)?|in the past|"
        r"already|earlier|last (?:week|month|year|time)|before this|shows?|showed|showing|"
        r"reveals?|revealed|demonstrated?|"
        r"suggests that|indicates?|confirm(?:s|ed)|came back|(?:is|are|was|were) (?:normal|"
        r"abnormal|elevated|low|high|positive|negative|consistent)|"
        r"based on|according to|given (?:the|your)|results? (?:of|from) your)\b",
        re.IGNORECASE,
    ),
}
_NEGATED = {
    "zh": re.compile(
        r"(?:不需要|无需|不必|不用|没必要|没有必要|暂时?不(?:用|需要|做)?|不建议|无须|不要|先不|"
        r"不应|不适合|避免|暂缓)"
    ),
    "en": re.compile(
        r"\b(?:no need|don't need|do not need|not necessary|needn't|won't need|will not need|"
        r"not needed|isn't needed|"
        r"unnecessary|not recommend|don't recommend|not required|without|rather than|instead of|"
        r"not indicated|hold off|avoid|no indication)\b",
        re.IGNORECASE,
    ),
}
_LATER = {
    "zh": re.compile(
        r"如果|若|一旦|倘若|假如|万一|定期|每(?:年|月|周|天|日|隔|\d)|复诊|随访|出院后|以后|"
        r"之后再|治疗后|术后|半年后|[一二三四五六七八九十两\d]+(?:个)?(?:天|周|月|年)后|日常|"
        r"平时|长期"
    ),
    "en": re.compile(
        r"\b(?:if|should (?:the|your|symptoms|it)|unless|in case|regularly|periodic(?:ally)?|"
        r"routinely|every (?:\d|few|six|three|month|year|week|day)|"
        r"follow[ -]?up|annual(?:ly)?|monthly|weekly|after (?:treatment|surgery|discharge)|"
        r"in (?:\w+ )?(?:weeks?|months?|years?)|later|long[ -]term|monitor(?:ing)? (?:your|the))\b",
        re.IGNORECASE,
    ),
}
_PLAN = re.compile(
    r"治疗方案|治疗计划|治疗建议|treatment plan|follow[ -]?up plan|^\s*treatment\s*:", re.I | re.M
)


def orders_examinations(text: str, language: Language) -> tuple[str, ...]:
    """Names of the examinations that a doctor's message tells the patient to have done now.

    Left out: questions about past examinations, results that are talked about, what is advised on a
    condition or for a later day, what is said to be unnecessary, and a treatment plan.

    Returns:
        The names as the message has them, in its order, each once; empty if it orders none.
    """
    lexicon = load_examination_lexicon()
    plan = _PLAN.search(text)
    message = normalise(text[: plan.start()] if plan else text)
    names: dict[str, None] = {}
    ordering = False
    for match in _SENTENCE.finditer(message):
        sentence = match.group()
        listed = bool(re.match(r"\s*(?:[-*•·(]|\d+\s*[.、)])", sentence))
        clauses = [c for c in re.split(r"(?<=[,，])", sentence) if c]
        if not listed:
            ordering = False
        if _LATER[language].search(sentence) and not _ORDER[language].search(
            sentence[: _LATER[language].search(sentence).start()]  # type: ignore[union-attr]
        ):
            continue
        for clause in clauses:
            if _NEGATED[language].search(clause) or _LATER[language].search(clause):
                ordering = False
                continue
            if _PAST[language].search(clause) and not _ORDER[language].search(clause):
                ordering = False
                continue
            ordering = ordering or bool(_ORDER[language].search(clause))
            if not ordering:
                continue
            if re.search(r"[?？]\s*$", sentence) and _PAST[language].search(clause):
                continue
            for named in read_names(clause):
                if named.concepts and all(lexicon[c].broad for c in named.concepts):
                    if lexicon[named.concepts[0]].kind == "physical":
                        names[clause[named.start : named.end].strip()] = None
                    continue
                names[clause[named.start : named.end].strip()] = None
        if ":" not in sentence and "：" not in sentence and not listed:
            ordering = False
    return tuple(names)
