"""Which examinations a doctor's message orders or advises now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.examinations.examination_lexicon import load_examination_lexicon, normalise
from records.examinations.examination_reading import Named, read_names
from records.examinations.request_reading import requested_names
from records.examinations.request_wording import without_purposes
from records.medical_record import Language

_ORDER = {
    "zh": re.compile(
        r"建议|推荐|需要|须要|应该|应当|可以(?:先|去)?做|安排|做一?[下个次些]|去做|进行|"
        r"查一?[下个]|检查一下|"
        r"完善|开具|开一?[个张些]|先[做查]|请[您你]?(?:先|再)?(?:去|到[^,]{0,6})?(?:做|查|测)|"
        r"我们(?:来|先|再)?[做查]|测一?[下个]|量一?[下个]|拍一?[个张]|拍片|复查|申请|加做|最好|"
        r"得做|要做|"
        r"(?:为|给|帮|想让|让)[您你](?:做|安排|检查|开|查|测|听|量)|验一下|抽血|化验一下|不妨|"
        r"有必要|预约|同意|愿意|还要|检查[:,]|听一?下|"
        r"(?:提供|告知|告诉我|给我看)[^,]*(?:结果|报告)"
    ),
    "en": re.compile(
        r"\b(?:order|orders|ordering|recommended|willing to|agree to|let's|let us|"
        r"we(?: also| now| then| first)?(?:'ll| will| need| should| must| have to| can|"
        r"'re going to| are going to|'d like)|"
        r"i(?:'d| would)? (?:like|want|need|recommend|suggest|advise|propose)|i(?:'ll| will)|"
        r"you(?:'ll| will)? (?:need|should|must|have to)|please|recommend|suggest|advise|arrange|"
        r"schedule|perform|obtain|undergo|request(?:ing)?|send (?:off|for)|get (?:a|an|some|the)|"
        r"run (?:a|an|some|the)|would be (?:helpful|useful|good)|"
        r"(?:is|are) (?:needed|necessary|indicated|required|warranted)|"
        r"(?:may|can|could) i (?:examine|listen|palpate|check|take)|i(?:'m| am) going to|"
        r"next step|could you (?:get|have|do)|time to (?:get|do|check))\b",
        re.IGNORECASE,
    ),
}
# The past, and results that are talked about.
_PAST = {
    "zh": re.compile(
        r"[做查测]过|进行过|接受过|检查过|[做查测]了|(?:有没有|是否|曾经?|以前|之前|既往|上次|"
        r"最近一次|最近)"
        r"[^,]{0,8}(?:[做查测]|进行|接受)|结果(?:显示|提示|表明|是|为|都|均|正常|异常|如何|怎)|"
        r"显示|提示|"
        r"表明|(?:根据|从|结合|鉴于|考虑到|基于)[^,]*(?:结果|检查|检测|报告|来看|CT|超声|片)|"
        r"已经?(?:做|查|完成|进行|安排)|感谢|谢谢|做完|(?:检查|报告)(?:均|都|未|已)|等[^,]*结果|"
        r"提到|"
        r"偏[高低]|升高|降低|[您你]的[^,]{0,12}(?:是多少|正常|怎么样|结果)"
    ),
    "en": re.compile(
        r"\b(?:did you|have you (?:had|ever|been|done|recently|already|undergone|taken)|"
        r"has (?:he|she|anyone)|had you|were you|do you (?:have|know|remember)|previous(?:ly)?|"
        r"in the past|already|last (?:week|month|year|time)|shows?|showed|showing|reveal(?:s|ed)|"
        r"demonstrat(?:es|ed)|suggests that|indicat(?:es|ed)|confirm(?:s|ed)|came back|"
        r"(?:is|are|was|were) (?:normal|abnormal|elevated|low|high|positive|negative|consistent|"
        r"unremarkable|reassuring)|based on|according to|given (?:the|your)|thank you for|"
        r"results? (?:of|from) (?:your|the)|your (?:results?|labs?) )\b",
        re.IGNORECASE,
    ),
}
_NEGATED = {
    "zh": re.compile(
        r"(?:不|无)(?:需要?|必|用|要|建议|应该?|适合|宜|考虑)|没(?:有)?必要|暂(?:时)?(?:不|缓)|"
        r"先不|避免|"
        r"并非|而不是"
    ),
    "en": re.compile(
        r"\b(?:no need|(?:do|does|don't|did|will|won't|would|wouldn't|should|shouldn't|is|isn't|"
        r"are|"
        r"aren't|need|not)(?: not|n't)? (?:need|necessary|needed|recommend|required|indicated)"
        r"(?<!you need)(?<!will need)(?<!is necessary)(?<!is needed)(?<!are needed)"
        r"(?<!is required)(?<!are required)(?<!is indicated)(?<!are indicated)(?<!would recommend)"
        r"(?<!are necessary)(?<!would need)(?<!do need)(?<!will recommend)|unnecessary|needn't|"
        r"don't (?:think|want)|rather than|instead of|hold off|avoid|no indication|not going to)\b",
        re.IGNORECASE,
    ),
}
# Advice on a condition or for a later day; what is watched and not examined.
_LATER = {
    "zh": re.compile(
        r"如果|假如|倘若|一旦|万一|若|定期|每(?:年|月|周|天|日|隔|\d)|复诊|随访|出院后|以后|"
        r"之后再|治疗后|"
        r"术[前后]|[一二三四五六七八九十两半\d]+个?(?:天|周|月|年)后|日常|平时|长期|控制|观察|"
        r"留意|注意|"
        r"自我监测|密切监测|下降"
    ),
    "en": re.compile(
        r"\b(?:if|unless|in case|should (?:the|your|symptoms|it)(?! be)|regular(?:ly)?|"
        r"periodic(?:ally)?|every (?:\d|few|six|three|month|year|week|day)|follow[ -]?up|"
        r"annual(?:ly)?|monthly|weekly|after (?:treatment|surgery|discharge)|"
        r"in (?:\w+ )?(?:weeks?|months?|years?)(?! )|later|long[ -]term|"
        r"(?:monitor|control|watch) (?:your|the|his|her))\b",
        re.IGNORECASE,
    ),
}
_PLAN = re.compile(
    # A heading, or a label within a paragraph.
    r"(?:^|(?<=[。.;；!！]))\W*(?:\d+\s*[.、)]\s*)?(?:治疗(?:方案|计划|建议)|"
    r"后续(?:治疗|管理)|treatment(?: plan)?|management|"
    r"follow[ -]?up(?: plan)?)\W*(?:(?:如下|包括)\W*)?(?:[:：]|$)|治疗(?:方案|计划)(?:如下|包括|"
    r"是|可能包括)",
    re.IGNORECASE | re.MULTILINE,
)
_RECITAL = re.compile(
    r"\W*(?:[^:。]{0,14}:\s*)?(?:"
    r"(?:体格|辅助|实验室|影像学?)?(?:检查|查体|化验)(?:结果)?(?:显示|提示|表明|发现|所见|见|结果)"
    r"|(?:examinations?|tests?|investigations?|results?|labs?|findings?)\s+"
    r"(?:shows?|showed|reveal(?:s|ed)?|found|results|findings|were|are)"
    r")\s*:",
    re.IGNORECASE,
)
"""What opens a list of results: their names are quoted, up to the end of the sentence …"""
_STILL_ORDERS = re.compile(
    r"建议|推荐|请|需要|应该|应当|安排|\b(?:please|recommend|suggest|advise|order|need|should|"
    r"let's|arrange)\b",
    re.IGNORECASE,
)
"""… unless a clause turns to what is to be done."""
_SENTENCE = re.compile(r"[^。!?;]+?(?:[。!?;]|(?<=[^\d][^\d])\.(?=\s|$)|$)")
_ITEM = re.compile(r"\s*(?:[*•·]+|\(?\d+\s*[.、)]\s*|[①-⑩]|\(?[a-h]\))\s*|\s+(?=\S)", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s*(?:主要)?(?:包括|例如|比如|如|including|such as|these include|this includes)", re.I
)
_MEASURED = re.compile(
    r"测|量|查|听|做|监护|评估|measur|check|take|examin|test|record", re.IGNORECASE
)


def orders_examinations(text: str, language: Language) -> tuple[str, ...]:
    """Names of the examinations that a doctor's message tells the patient to have done now.

    Left out: questions about past examinations, results that are talked about, what is advised on a
    condition or for a later day, what is said to be unnecessary, and a treatment plan.

    Returns:
        The names as the message has them, in its order, each once; empty if it orders none.
    """
    plan = _PLAN.search(text)
    message = normalise(text[: plan.start()] if plan else text)
    names: dict[object, str] = {}
    listing = False
    for line in message.split("\n"):
        if not line.strip():
            continue
        item = _ITEM.match(line)
        if listing and item:
            head = re.split(r"[:。]", line[item.end() :], maxsplit=1)[0]
            if "?" not in line and not _LATER[language].search(head):
                _take(names, head, head)
            continue
        listing = False
        for clause, sentence in _ordering_clauses(line, language):
            _take(names, clause, sentence)
        listing = bool(
            re.search(r"[::]\s*\**\s*$", line)
            and _ORDER[language].search(line)
            and re.search(
                r"检查|检测|化验|项目|test|exam|investigat|stud|imaging|lab|following", line
            )
        )
    return tuple(dict.fromkeys(names.values()))


def _ordering_clauses(line: str, language: Language) -> Iterator[tuple[str, str]]:
    """The clauses of a line that order something, each with its sentence."""
    ordering = quoting = False
    for found in _SENTENCE.finditer(line):
        sentence = found.group()
        quoting = bool(_RECITAL.match(sentence)) or quoting
        ordering = ordering and bool(_GOES_ON.match(sentence))
        question = sentence.rstrip().endswith("?")
        if question and not re.search(
            r"建议|安排|好吗|可以吗|行吗|愿意|同意|提供|可以|\b(?:shall|can we|could we|may i|"
            r"can i|"
            r"would you|"
            r"could you|why don't)\b",
            sentence,
            re.IGNORECASE,
        ):
            continue
        for clause in re.split(r"(?<=[,])", sentence):
            if _LATER[language].search(clause) and not _is_addition(clause):
                ordering = False
                if re.match(
                    r"\s*(?:如果|若|一旦|假如|万一|倘若|if\b|unless\b|in case)", clause, re.I
                ):
                    break
                continue
            quoting = quoting and not _STILL_ORDERS.search(clause)
            if quoting or _NEGATED[language].search(clause) or _PAST[language].search(clause):
                ordering = False
                continue
            ordering = ordering or bool(_ORDER[language].search(clause))
            if ordering:
                yield clause, sentence
        quoting = quoting and sentence.endswith(";")


def _is_addition(clause: str) -> bool:
    """True if the clause names a purpose that only sounds like later ("to watch …")."""
    return bool(re.search(r"以(?:便)?(?:观察|控制|注意)|来观察", clause))


def _take(names: dict[object, str], clause: str, sentence: str) -> None:
    asking = without_purposes(clause)
    for named in requested_names(asking):
        if _is_sign(named) and not _MEASURED.search(sentence):
            continue
        name = re.sub(r"\s+", " ", asking[named.start : named.end]).strip()
        if not read_names(name):
            # The examining word stood elsewhere ("examine the heart and the abdomen").
            name += "查体" if re.search(r"[一-鿿]", name) else " examination"
        # One name a thing: "肝功能检查" and then "肝功能" are one order.
        names.setdefault((named.concepts, named.modality, named.regions, named.scope), name)


def _is_sign(named: Named) -> bool:
    lexicon = load_examination_lexicon()
    return bool(named.concepts) and all(lexicon[c].kind == "sign" for c in named.concepts)
