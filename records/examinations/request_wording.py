"""The wording of requests: what of a message asks for examinations, and how names are joined."""

from __future__ import annotations

import re

from records.examinations.examination_lexicon import normalise

# "Whatever shows …" asks for a purpose and not for an examination, whatever else it mentions.
_FISHING = re.compile(
    r"(?:\b(?:whatever|whichever|anything|everything|something|"
    r"any (?:kind of |sort of |other )?(?:tests?|exams?|"
    r"examinations?|scans?|labs?|blood tests?|investigations?|imaging|stud(?:y|ies))|"
    r"(?:a|the|some|which|what) (?:kind of )?(?:tests?|exams?|scans?) "
    r"(?:that|which|to|can|will|would|might))\b[^.,;:\n]*)|"
    r"[^。,;\n]*能[^。,;\n]{0,4}[出到]来?的?(?:检查|项目)?都[^。,;\n]*|"
    r"(?:(?:任何|随便|凡是|该做什么|什么都|啥都|"
    r"能(?:看出|查出|证明|确定|确诊|说明|判断|检查出)|"
    r"能(?:知道|反映|显示|告诉)(?=[^。,;:\n]*的(?:检查|项目|化验)(?!的?结果)))[^。,;:\n]*)|"
    r"(?:(?:什么|哪些|哪种|哪个|啥)(?:检查|检测|化验)?(?:能|可以|最|才|比较)[^。,;:\n]*)",
    re.IGNORECASE,
)
# A purpose ("…, 以评估肝功能", "to assess liver function") is not a second request.
_PURPOSE = re.compile(
    r"(?:(?:以便?|来|用于|用以|从而|以此|便于|目的是)\s*"
    r"(?:进一步|更好地?|更准确地?|更全面地?|更详细地?|全面)?\s*"
    r"(?:评估|排除|了解|明确|判断|确定|查看|确认|观察|监测|检查|看看?|诊断|确诊|评价|检测|帮助|"
    r"发现|"
    r"鉴别|查明|找出|寻找)|"
    r"(?<=[,;、])\s*(?:评估|排除|观察|看看?是?否?有?没?有?|查看是否|确定是否|明确是否|了解是否|"
    r"明确|"
    r"排查|评价|了解)|"
    r"为了?(?!我|您|你|患者|病人)|"
    r"\b(?:to|in order to|so as to)\s+(?:help\s+)?(?:assess|evaluate|rule out|exclude|see if|"
    r"see whether|determine|look for|confirm|check for|check whether|check if|investigate|detect|"
    r"find out|screen for|identify|help)\b|"
    r"\b(?:looking for|because of|for (?:suspected|possible|signs of|evidence of)|ruling out)\b)"
    r"[^。,;\n]*",
    re.IGNORECASE,
)
# "Whether I have hepatitis" names a disease, "whether there is a chest CT" an examination.
_WHETHER = re.compile(
    r"(?P<intro>\b(?:whether|if)\b)\s+"
    r"(?:i|he|she|we|this|it|there|the patient|my \w+|the \w+)"
    r"(?:'m|'s|\s+(?:have|has|had|am|is|are|was|might|may|could|got|caught))\b[^.,;?\n]*|"
    r"\b(?:do|am|have) i\b[^.,;?\n]*|\bis (?:he|she)\b[^.,;?\n]*|"
    r"(?P<zh_intro>有没有|是否|是不是|有无|会不会|得没得|得了)"
    r"(?![^。,;?\n]*(?:结果|报告|检查|数值|数据|记录|检测|化验|指标))[^。,;?\n]*",
    re.IGNORECASE,
)
# Results and diagnoses that are told, thanks for what was given, what need not be done.
_TOLD = re.compile(
    r"[^。,;?\n]*(?:根据[^。,;\n]*(?:结果|检查)|检查结果(?:显示|提示|表明)|(?:显示|提示|"
    r"表明)(?![仪器屏])|"
    r"结果(?:都|均|是|为)?(?:正常|异常)|谢谢(?:您|你)?(?:告诉|提供|的)|不需要|无需|不用做|暂不|"
    r"(?:诊断为|确诊为|患有|诊断是|控制)|"
    r"\b(?:showed|shows|revealed|came back|no need for|do not need|don't need|not necessary|"
    r"diagnosed with|(?:was|were|is|are) (?:all )?(?:normal|abnormal|elevated|low|high|negative|"
    r"positive))\b)[^。,;?\n]*",
    re.IGNORECASE,
)
# The patient plays the examiner: what follows is not the request.
_FOREIGN_TURN = re.compile(
    r"[<(\[【《]\s*/?\s*(?:检查员|对?医生|对?患者|examiner|doctor|patient|reporter)\s*(?:讲|"
    r"说)?\s*[>)\]】》]"
    r"(?!\s*$).*",
    re.IGNORECASE | re.DOTALL,
)
_QUESTION = re.compile(r"吗|是否|么\b|\b(?:if|whether)\b|^\s*(?:is|are|was|were)\b", re.IGNORECASE)
ALL_OF_IT = re.compile(
    r"\b(?:all|every|everything|each|any|whole|complete set|full set|entire|whatever|"
    r"according to|what do(?:es)?|read out|read me)\b|"
    r"所有|全部|一切|统统|任何|随便|都(?:告诉|给|念|说|发|拿|看)|全套|各项|各种|化验单|报告单|念|"
    r"读一",
    re.IGNORECASE,
)
"""All of a very wide group names nothing."""
NARROWING = re.compile(
    r"[\s(:,]*(?:检查|检测|测试|tests?|scans?)?[\s(:,]*(?:"
    r"例如|比如|譬如|诸如|包括但不限于|主要是|主要检查|重点是|主要包括|其中包括|包括|包含|特别是|"
    r"尤其是|如|像|即|"
    r"such as|specifically|particularly|especially|including|include|e\.g\.?|for example|"
    r"for instance|like|"
    r"namely|i\.e\.?|[:(]|,\s*检查|查一?[个下]?|化验一?下?)[\s(:,]*(?:检查|进行|做|查看|测定|an?|"
    r"the)?\s*",
    re.IGNORECASE,
)
"""Between a group and its members: "blood tests such as …"."""
CLOSING = re.compile(
    r"\s*(?:检查|检测|扫描)?\s*(?:水平|指标)?(?:\)|等|的)+\s*(?:的|其他|相关|必要的|一些)*\s*",
    re.IGNORECASE,
)
"""Between members and their group: "CBC, CRP 等血液检查"."""
OTHER = re.compile(
    r"\s*(?:检查|检测|扫描|scans?)?\s*(?:[,、]|或者?|和|及|以及|还有|or|and)*\s*"
    r"(?:可能的|需要的)?(?:其他|其它|别的|any other|other|another|further)(?:相关|必要)?的?\s*",
    re.IGNORECASE,
)
"""Before a group of which some have been named: "CT or other imaging"."""


def request_text(text: str) -> str:
    """The part of a message that asks for examinations, normalised; the rest is blanked out."""
    request = _FOREIGN_TURN.sub("", normalise(text))
    request = _WHETHER.sub(_keep_intro, request)
    request = _TOLD.sub(_keep_question, request)
    for pattern in (_FISHING, _PURPOSE):
        request = pattern.sub(lambda found: " " * len(found.group()), request)
    return request


def _keep_question(found: re.Match[str]) -> str:
    """Keep "is the CBC normal?", which asks for what "the CBC is normal" tells."""
    asked = _QUESTION.search(found.group()) or found.string[found.end() :].startswith("?")
    return found.group() if asked else " " * len(found.group())


def without_purposes(text: str) -> str:
    """A normalised text with what an examination is for blanked out ("… to rule out a stroke")."""
    return _PURPOSE.sub(lambda found: " " * len(found.group()), text)


def _keep_intro(found: re.Match[str]) -> str:
    intro = found.group("intro") or found.group("zh_intro") or ""
    return intro.ljust(len(found.group()))
