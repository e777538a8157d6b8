"""Reports without a diagnosis part: refusals, and a diagnosis that stands in a sentence."""

from __future__ import annotations

import re

from records.diseases.disease_names import extract_diseases, guess_language

_REFUSAL_WINDOW = 4000

_REFUSAL = re.compile(
    r"(?:无法|不能|难以|没办法|做不出|不足以|暂不能)"
    r"[^。！？\n]{0,40}?(?:诊断|确诊|判断|确定|明确|总结|得知|治疗方案|医疗建议)"
    r"|(?:未能|暂未|尚未|没有|暂无|未)(?:能?[做作得给]出|获得|得出|有|完全)?(?:明确|确定|具体"
    r"|完整|确切|明显|准确)?的?(?:具体|明确)?的?(?:疾病)?"
    r"(?:诊断|确诊|治疗方案|确定(?:具体)?(?:的)?疾病)"
    r"|(?:诊断|确诊)[^。！？\n]{0,12}?(?:无法|不能|难以)[^。！？\n]{0,8}?(?:确定|明确|得知|给出"
    r"|做出|作出)"
    r"|(?:诊断|病因)(?:结果)?(?:暂|尚)?(?:不明确?|未明确?|不详|待定|未知)"
    r"|(?:不能|无法)(?:替代|代替)(?:专业)?医生"
    r"|(?:cannot|can't|can ?not|could not|couldn't|unable to|not able to|not possible to|impossible"
    r" to|won't|will not|decline to|not (?:in a position|qualified) to|insufficient|not enough|no"
    r" sufficient|inadequate)\b[^.!?\n]{0,80}?\b(?:diagnos\w*|determin\w*|assess\w*|conclu\w*"
    r"|medical advice|report|information|data)"
    r"|\b(?:diagnosis|it)\b[^.!?\n]{0,30}?(?:cannot|can't|could not) be\b"
    r"|\b(?:no|without an?) diagnosis\b|\bas an? (?:ai|artificial|language model|virtual)",
    re.I,
)
_NOT_GIVEN = re.compile(
    r"(?:没有|未曾?|并未|尚未|未能|没|缺少|缺乏)(?:收到|获得|得到|获取到?|提供|给出|涉及|进行|足够)?[^。！？\n]{0,30}?"
    r"(?:信息|症状|检查|结果|病史|资料)|作为一个?(?:AI|人工智能|语言模型)|(?:AI|人工智能|语言模型)助手"
    r"|\b(?:no|not|without|missing|lack(?:s|ing)?)\b[^.!?\n]{0,40}?\b(?:information|symptoms?|results?"
    r"|details|history|data)\b",
    re.I,
)
"""In a text without any diagnosis: the reason that is given for it."""
_SPEAKER = re.compile(
    r"\bas an? (?:ai|artificial|(?:large )?language model|virtual)\b[^.,;:!?\n]*"
    r"|作为一?[个名款]?(?:AI|人工智能|大?语言模型)[^，,。；！？\n]*",
    re.I,
)
"""What a refusal says of who refuses: in it, no word is a disease."""
_NOTHING = re.compile(
    r"\W*(?:无|暂无|不详|未知|待定|待查|待明确|不明|未明确|没有|未提供|none|n/?a|unknown"
    r"|undetermined|"
    r"pending|tbd|not (?:available|provided|determined|given|applicable)|to be determined|"
    r"inconclusive|indeterminate)\W*",
    re.I,
)
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?\n]?")
_SENTENCE_EN = re.compile(r"(?<=[.!?])\s+|\n")
_STATES_ZH = re.compile(
    r"(?:诊断(?:结果)?(?:为|是)|考虑(?:诊断)?(?:为|是)?|确诊为?|推测(?:可能)?(?:是|为)"
    r"|(?:最|很)?可能(?:是|为|患有)|初步判断(?:为|是)|印象为?)(?P<name>.{2,200})",
    re.S,
)
_STATES_EN = re.compile(
    r"(?:diagnos(?:is|es)\b[^.:\n]{0,30}?\b(?:is|are|of)\b|diagnosed (?:with|as)\b"
    r"|(?:most likely|probably|likely|suggestive of|consistent with|points? to|suffering from)\b)"
    r"(?P<name>.{2,300})",
    re.I | re.S,
)
_CONDITIONAL = re.compile(
    r"如果|若|假如|倘若|一旦|才能|之后|例如|需要[^，,]{0,12}确定|\bif\b|\bonce\b|\buntil\b"
    r"|\bwhether\b|\bin order to\b|由[^，,]{0,6}多种",
    re.I,
)
_TURN = re.compile(
    r"[,，;；]\s*(?:但|不过|然而|可是|具体|(?:but|however|though|although|which)\b)", re.I
)


def stated_diagnosis(text: str) -> str:
    """The diagnosis that a text without such a part states in a sentence; "" if it states none."""
    window = text[:_REFUSAL_WINDOW]
    for pattern, sentences in (
        (_STATES_ZH, _SENTENCE.findall(window)),
        (_STATES_EN, _SENTENCE_EN.split(window)),
    ):
        for whole in sentences:
            match = pattern.search(whole)
            if not match:
                continue
            # What a sentence turns to ("…, but that needs a scan") takes nothing back.
            turn = _TURN.search(whole, match.start())
            sentence = whole[: turn.start()] if turn else whole
            match = pattern.search(sentence)
            if _CONDITIONAL.search(sentence) or not match:
                continue
            if not _NOTHING.fullmatch(match.group("name")):
                stated = sentence[match.start() :].strip()
                if extract_diseases(stated, guess_language(stated)):
                    return stated
    return ""


def declines(diagnosis: str, text: str) -> bool:
    """True if a report gives no diagnosis and says so; an uncertain diagnosis is one.

    Args:
        diagnosis: its part; "" if there is none.
        text: the whole report.
    """
    if not diagnosis:
        window = text[:_REFUSAL_WINDOW]
        return bool(_REFUSAL.search(window) or _NOT_GIVEN.search(window))
    if _NOTHING.fullmatch(diagnosis[:200]):
        return True
    window = diagnosis[:_REFUSAL_WINDOW]
    said = _SPEAKER.sub(" ", window)
    return bool(_REFUSAL.search(window)) and not extract_diseases(said, guess_language(said))
