"""Chinese histories by clause: enumerations taken apart, negation kept over the whole list.

Purely by form: 无/否认/未见/没有 a、b、c are three negatives; 饮食、睡眠均正常 are two statements
that share their predicate; 药物、食物过敏史 two that share their head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.findings.clause import Clause, Span, cut, has_words, shielded, trim

_SENTENCE_END = "。！？!?；;\n"
_EDGE = "，,、。；;：:！!？?…　"
_OPENING = re.compile(
    r"(?:(?:患者|患儿|病人|家属|家长|其)(?:自述|自诉|诉|报告|称|代诉)?|自述|自诉|代诉|同时|另外|"
    r"此外|"
    r"并且|但是|不过|[还并]?伴(?:有|随着?)?(?!侣)|但|并(?!发|存|列)|且|而(?!言)|以及|及(?!时|其)|"
    r"和(?!谐)|或者?|"
    r"就是(?=觉得|感))+"
)
# A turn of the sentence: what follows has a polarity of its own.
_TURN = re.compile(r"(?<=[^，、还也并])(?=但(?!愿)|不过|伴有|伴随|伴(?![侣有随])|偶有|仅有|只是)")
_NEGATION = re.compile(
    r"否认(?:曾?有|存在|患)?|(?:并|亦|也|均|从|皆|尚|暂)?无(?!意[间中]|意识(?!障|丧|不清|模|改)|"
    r"法|力|名|休|比|奈|精|效|菌|"
    r"(?:明显|特殊|确切)?(?:的)?诱因)|(?:也|并|从|都)?没(?:有|再)?(?!一会|多久|几天|过多久|什么力|"
    r"力|劲|精神|胃口|好转|见好|食欲|味道)|"
    r"(?:从|均|并|尚)?未(?!婚|成年|知|明确?|测|监测|查|注意|满|来|免)"
    r"(?:见|诉|出现|发现|感受到|感到|觉|闻及|触及|伴有?|发生|有)?|不伴有?|(?:并|倒|也|都)?不(?=疼|"
    r"痛|痒|咳|吐|"
    r"晕|烧|发[烧热]|恶心|闷|喘|肿|麻|吸烟|抽烟|饮酒|喝酒|嗜烟|嗜酒)"
)
_NEGATED_BEHIND = re.compile(
    r"(?:(?:这些|上述|以上)?(?:都|均|皆|也)(?:没有?|无|否认)|[（(][-－][)）])$"
)
# What may stand before a negation without being a statement of its own.
_NEUTRAL = re.compile(
    r"(?:.{0,10}(?:后|时|中|内|来|前|起|期间|以来|以后)|平素|既往|近期|目前|现|仍|也|亦|均|都|则|"
    r"倒是|头倒?是?"
    r"|一般|身体|夜间|有时|家族中?|家中|本人|我|大概)?"
)
_HAS_VERB = re.compile(r"有|出现|伴|因|诊断|服|予|行|示|提示|觉得|感")
_CONJUNCTION = re.compile(
    r"以及|(?<![累涉波触伤危普提遍])及(?![时其格])|和(?![谐缓解蔼平])|与(?!其|此)|或者?(?!许|多或)"
)
_GUARDED_AND = re.compile(r"(?:[温缓饱柔调总]和|参与|给与)$")
_TRIGGER = re.compile(r"(?:后|时|因|由于).{0,4}(?:出现|发生|感|伴|加重|诱发)")
_BODY_ONLY = re.compile(
    r"(?:[左右双上下前后两]?侧?)?(?:[一-龥]{0,3}(?:部|眼|肢|侧|腹|头|颈|胸|背|腰|手|足|脚|腿|臂|"
    r"耳|区|膝|肩|髋|踝))"
)
_PREDICATE = re.compile(
    r"(?P<all>均|都|皆)?(?P<said>(?:未见|无)(?:明显)?(?:异常|变化)|正常|良好|尚可|尚好|还好|还行|"
    r"一般|欠佳|如常|不详)$"
)
# Words that say nothing alone: they share the predicate of the list (睡眠 in 睡眠、大便正常).
_FUNCTION = re.compile(
    r"(?:精神|食欲|饮食|胃纳|睡眠|[大小二]便|大小便|体重|体力|状态|情况|功能|质量|活动|发育|营养|"
    r"听力|视力|记忆力)$"
)
_ACT = re.compile(r"(?:呼吸|吞咽|排尿|排便|行走|言语|进食|入睡|翻身|张口|发音)$")
_HEAD = re.compile(r"(?:过敏史?|困难|接触史|嗜好|史)$")
_OPPOSITE = re.compile(r"(?:减退|亢进|增多|减少|升高|降低|加重|减轻|增加|下降|改善|好转)")
_ETC = re.compile(r"等(?=$|[一-龥]{0,8}$)")

_TIME = re.compile(
    r"(?:近|约|大约|大概|最近|前后)?(?:\d{1,9}(?:\.\d{1,9})?|[一二两三四五六七八九十百半数多几]{1,9})\s*(?:余|"
    r"多|来)?(?:个)?(?:半)?"
    r"(?:年|月|周|星期|天|日|小时|分钟|秒)(?:余|多|半|以上)?(?:前|来|内|以来|以前)?"
)
_TIME_LAST = re.compile(rf"(?:{_TIME.pattern})$")
_WHEN = (
    r"当日|昨[天日]|今[天日]|近期|最近|上午|下午|夜间|晨起|平素|平时|既往|目前|现在?|入院[前时]|"
    r"病程中|"
    r"自?(?:发|起)病以来|此后|随后|后来|去年|上个月|从那以后"
)
# A piece that only says when or on what condition; it belongs to the statement behind it.
_ADVERBIAL = re.compile(
    rf"(?:我|患者|患儿)?(?:自[述诉])?(?:自|从|在|于)?(?:这|那|最近|大概|大约)?(?:{_TIME.pattern}|"
    rf"{_WHEN})(?:开始|起)?|"
    r".{1,10}的?时候|(?:自|从).{1,8}(?:以来|起|开始)|(?:只要|如果|一旦|每当|每次).{1,16}|"
    r"(?:特别是|尤其是?).{1,12}(?:后|时)"
)
_AFTERTHOUGHT = re.compile(r"特别是|尤其是?|大约|大概(?!两)|比如说")
_LEADING = re.compile(
    rf"(?:{_TIME.pattern}|(?:{_WHEN})|[^后，]{{1,6}}(?<!诊断)后(?!遗|背|脑|枕|颈)|有时候?|有(?:点|"
    rf"些)?|曾|患有?|偶有?|时有|"
    r"反复|持续(?!约|性)|逐渐|开始|突然|再次|出现|发现|发生|感到|感觉到?|感(?!冒|染)|自觉|觉得|"
    r"明显|轻度|中度|重度|轻微|"
    r"剧烈|稍|较(?!差|重)|无(?:明显|特殊)?诱因下?|无意[间中]|下(?=发|出)|于|在(?!当)|自(?!行)|从|"
    r"起(?=无|出)|行(?!走)|服用|"
    r"口服|接受过?|经历|分别|我|这(?![种个样])|那(?!种)|的|还|和(?=\d)|在[^，]{1,8}(?:院|诊所|"
    r"门诊)|就(?!医|诊)|总是|一直|特别(?!是)|任何|其他|什么|如(?!厕)|像是|因(?!此)|"
    r"[^、]{0,16}(?:出现|诊断为|确诊为?|显示|提示|检查示|常规示|拟诊为|表现为))"
)
_TAIL = re.compile(r"(?:入院|就诊|等[一-龥]{0,6}|史|的感觉|的症状|(?:这些)?(?:都|均)没有?)$")
# "咳嗽病史" is 咳嗽, "传染病史" 传染病: what may stand before 病 in the name of an illness.
_ILLNESS = re.compile(r"(?<![染性尿心脏疾发血肝肾肺胃神传液肤统管腺骨眼])病$")
_SEVERITY = re.compile(r"轻度|中度|重度|轻微|剧烈|严重|明显(?!诱因)")
_RELIEF = re.compile(r"(?:[一-龥]{1,6}后|休息)?(?:可|能)?(?:自行)?缓解$")
_TRIGGER_TOLD = re.compile(
    r"(?:活动|劳累|受凉|进食|饮食|运动|情绪激动|感冒|外伤|饮酒)(?:.{0,6})[后时]"
)
_VALUE = re.compile(r"\d{1,9}(?:[./]\d{1,9})?\s*(?:mmHg|℃|°C|度|次/分|kg|公斤|g|mg|cm|片|支|包|次)")
_RELATION = re.compile(
    r"(?:父亲?|母亲?|爸爸|妈妈|爷爷|奶奶|外公|外婆|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|儿子|女儿|家族|"
    r"家人|父母)"
    r"(?![说诉带陪觉很系们生]|发现|告诉)"
)
_SITE = re.compile(
    r"[左右双两]侧?(?:上|下)?(?:肢体?|手脚?|脚|腿|眼|耳|膝|肩|乳|胸|腹|颈部?|腰|髋|踝|足)|"
    r"[左右]?[上下]腹部?|心前区|"
    r"胸骨后|腰背部|全身"
)


def chinese_clauses(text: str) -> list[Clause]:
    """The clauses of a Chinese text in order; their spans never overlap."""
    inside = shielded(text)
    found: list[Clause] = []
    for sentence in cut((0, len(text)), lambda i: text[i] in _SENTENCE_END and not inside[i]):
        negative = False
        for comma in _commas(text, sentence, inside):
            for piece in _turns(text, comma, inside):
                told = text[piece[0] : piece[1]].lstrip()
                goes_on = bool(re.match(r"如(?!果|同)|例如|比如|包括|像是", told))
                clauses = list(_piece(text, piece, inside, negative and goes_on))
                negative = bool(clauses) and not clauses[-1].present
                found.extend(clauses)
    return found


def _commas(text: str, sentence: Span, inside: list[bool]) -> Iterator[Span]:
    """The pieces between commas; one that only says when or how goes with the one it belongs to."""
    pieces: list[Span] = []
    waiting: int | None = None
    for start, end in cut(sentence, lambda i: _is_comma(text, i) and not inside[i]):
        said = text[start:end].strip()
        if pieces and _AFTERTHOUGHT.match(said) and not _ADVERBIAL.fullmatch(said):
            pieces[-1] = (pieces[-1][0], end)
            continue
        if waiting is not None:
            start, waiting = waiting, None
        if _ADVERBIAL.fullmatch(said):
            waiting = start
        else:
            pieces.append((start, end))
    if waiting is not None:
        pieces.append((waiting, sentence[1]))
    yield from pieces


def _is_comma(text: str, i: int) -> bool:
    if text[i] == "，":
        return True
    between_digits = text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit()
    return text[i] == "," and not between_digits


def _turns(text: str, span: Span, inside: list[bool]) -> Iterator[Span]:
    start = span[0]
    for turn in _TURN.finditer(text, span[0], span[1]):
        if not inside[turn.start()] and turn.start() > start:
            yield start, turn.start()
            start = turn.start()
    yield start, span[1]


def _piece(text: str, span: Span, inside: list[bool], negative: bool) -> Iterator[Clause]:
    """The members of one clause without commas, all with the polarity of the clause."""
    span = trim(text, span, _EDGE)
    opening = _OPENING.match(text, *span)
    if opening and has_words(text[opening.end() : span[1]]):
        span = trim(text, (opening.end(), span[1]), _EDGE)
    said = text[span[0] : span[1]]
    if not has_words(said):
        return
    present, listed, subject = _polarity(text, span, inside)
    behind = _NEGATED_BEHIND.search(said)
    if negative or behind:
        present = False
    if present and re.match(r"如(?!果|同|厕)|例如|比如|包括", said):
        listed = span[0]
    if said.startswith("否认") and listed < span[1]:
        # The recorder's verb, not the patient's: the member itself is what the patient would say.
        span = trim(text, (listed, span[1]), _EDGE)
    members = _members(text, span, listed, inside, negated=not present)
    yield from _shared(text, members, (listed, subject), present)


def _polarity(text: str, span: Span, inside: list[bool]) -> tuple[bool, int, str]:
    """Whether the clause is affirmed, from where on it enumerates, and what is denied of what."""
    cue = next(
        (c for c in _NEGATION.finditer(text, *span) if not inside[c.start()] and c.end() < span[1]),
        None,
    )
    if cue:
        lead = text[span[0] : cue.start()]
        if _NEUTRAL.fullmatch(lead):
            return False, cue.end(), "头" if lead.startswith("头") else ""
        # "腰痛未缓解" affirms 腰痛; "甲状腺未见异常" denies.
        rest = text[cue.end() : span[1]]
        lasting = re.match(r"(?:明显|见|得到|再|能)*(?:缓解|改善|好转|减轻|恢复|加重)", rest)
        short = len(lead) <= 12 and "、" not in lead and not _HAS_VERB.search(lead)
        if short and not lasting:
            when = re.search(r"(?:后|时|中|内|来|前|起|期间|\d.*)$", lead)
            subject = "" if when else re.sub(r"(?:倒是?|也|都|均|亦|仍|则|还|我|但)+$", "", lead)
            return False, cue.end(), subject
    return True, span[0], ""


def _members(
    text: str, span: Span, listed: int, inside: list[bool], *, negated: bool
) -> list[Span]:
    parts = list(cut(span, lambda i: text[i] == "、" and i >= listed and not inside[i]))
    several = len(parts) > 1 or negated
    members: list[Span] = []
    for part in parts:
        members.extend(_conjoined(text, part, max(listed, part[0]), inside, several))
    members = [m for m in (trim(text, m, _EDGE) for m in members) if has_words(text[m[0] : m[1]])]
    return _rejoined(text, members)


def _conjoined(
    text: str, span: Span, listed: int, inside: list[bool], several: bool
) -> Iterator[Span]:
    start = span[0]
    for word in _CONJUNCTION.finditer(text, listed, span[1]):
        left, right = text[start : word.start()], text[word.end() : span[1]]
        if inside[word.start()] or not has_words(left) or not has_words(right):
            continue
        if _GUARDED_AND.search(text[start : word.end()]) or _TRIGGER.search(right):
            continue
        if _OPPOSITE.match(right) or "，" in right:
            continue
        if re.search(r"[前后时]$", left) and re.match(r"\d|[一二两三四五六七八九十]", right):
            continue
        if several or (len(left) <= 12 and len(right) <= 14):
            yield start, word.start()
            start = word.end()
    yield start, span[1]


def _rejoined(text: str, members: list[Span]) -> list[Span]:
    """Members that say nothing alone (a region, one of several triggers) go with a neighbour."""
    joined: list[Span] = []
    for member in members:
        said = text[member[0] : member[1]]
        before = text[joined[-1][0] : joined[-1][1]] if joined else ""
        waits = before and (_BODY_ONLY.fullmatch(before) or _TRIGGER.search(said))
        if joined and (waits or _BODY_ONLY.fullmatch(said)):
            joined[-1] = (joined[-1][0], member[1])
        else:
            joined.append(member)
    return joined


def _shared(
    text: str, members: list[Span], denied: tuple[int, str], present: bool
) -> Iterator[Clause]:
    """Clauses of the members, each with the predicate or head that the last one has for all."""
    listed, subject = denied
    last = text[members[-1][0] : members[-1][1]] if members else ""
    for start, end in members:
        own = text[start:end]
        ending = _common_ending(own, last, present) if end != members[-1][1] else ""
        whole = own + ending
        topic = whole
        if start < listed < end:
            topic = subject + text[listed:end].replace("什么", "") + ending
        yield Clause(start, end, whole, _symptom(topic), present, _attributes(own, present))


def _common_ending(own: str, last: str, present: bool) -> str:
    """What a member of a list shares with the last: 正常 in 睡眠、大便正常, 史 in 手术、外伤史."""
    if _ETC.search(last):
        return ""
    predicate, head = _PREDICATE.search(last), _HEAD.search(last)
    if predicate and present and predicate.start() > 0:
        shared = bool(predicate["all"]) or _FUNCTION.search(own) is not None
        return predicate["said"] if shared else ""
    if head and head.start() > 0 and not own.endswith(("史", head[0])):
        return head[0] if head[0] != "困难" or _ACT.search(own) else ""
    return ""


def _symptom(said: str) -> str:
    """What a clause is about: without time, degree, leading verb and the tail of a list."""
    short = re.sub(r"[（(][^()（）]*[)）]", "", said).strip(_EDGE)
    quoted = re.search(r"“([^“”]+)”", short)
    if quoted:
        return quoted[1]
    while (found := _LEADING.match(short)) and short[found.end() :].strip(_EDGE + "的了"):
        short = short[found.end() :].strip(_EDGE)
    endings = [_TAIL, _TIME_LAST, _TAIL, _PREDICATE, _TAIL]
    if "病史" in short:
        endings.append(_ILLNESS)
    for ending in endings:
        shorter = ending.sub("", short).strip(_EDGE)
        short = shorter if has_words(shorter) else short
    return short or said


def _attributes(said: str, present: bool) -> dict[str, str]:
    found = {
        "relief": _RELIEF.search(said) if present and not re.search("[无未不没]", said) else None,
        "trigger": _TRIGGER_TOLD.search(said),
        "severity": _SEVERITY.search(said),
        "site": _SITE.search(said),
        "value": _VALUE.search(said),
        "relation": _RELATION.search(said),
    }
    told = {name: match[0] for name, match in found.items() if match}
    when = _TIME.search(said)
    if when:
        since = when[0].endswith("前") or re.match(r"\d{4}年", when[0])
        told["onset" if since else "duration"] = when[0]
    return told
