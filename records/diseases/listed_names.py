"""Everything that a diagnosis text lists, as AI Hospital's extracting model took it.

Protocol `published` counts what the paper counted. There a model named the diseases, and its
printed numbers of diseases tell that it took every item of a list for one: complications and
findings (出血, 移位), and both sides of any coordination. `disease_names` is stricter: it is what
`code` counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.diseases import disease_names_zh as zh
from records.diseases.disease_names import extract_diseases, plain_text
from records.medical_record import Language

_SHORTEST, _LONGEST = 2, 40
_BREAKS = re.compile(
    r"[\n;；,，。、:：/]|伴随?有?(?!随)|合并有?|并发(?!症)|并且?有?(?!发症)|以及|或者?(?!许)|和|与|及其?"
    r"|(?:所)?(?:引起|导致|造成|引发|诱发)的?|所致的?|[相有]关的|包括|(?<=[\u3400-\u9fff])-(?=[\u3400-\u9fff])"
)
_NAMED_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]{2,40})[)\]]")
_BRACKETS = re.compile(r"[(\[【{〔][^()\[\]【】{}〔〕]*[)\]】}〕]")
_LATIN = re.compile(r"[A-Z]{3,8}|[A-Za-z][A-Za-z' -]{5,}")
_NOTHING = re.compile(
    r"[\d\W]*|无|暂无|不详|未知|不明|诊断(?:结果)?|初步诊断|(?:最后|最终)诊断|其[他它].*|等.*|.*(?:正常|明确|可能性?)"
)


def listed_diseases(text: str, language: Language) -> tuple[str, ...]:
    """Name every item of a diagnosis text that is not excluded and not mere talk.

    Args:
        text: The diagnosis part of a report, or a reference diagnosis.
        language: Its language. In English, which the paper has none of, these are the names of
            `extract_diseases`.

    Returns:
        Names without numbering, hedges and stages, each once, in the text's order.
    """
    if language != "zh":
        return extract_diseases(text, language)
    return tuple(dict.fromkeys(_names(plain_text(text))))


def _names(text: str) -> Iterator[str]:
    text = zh.without_told_apart(text)
    opened = _NAMED_IN_BRACKETS.sub(lambda m: f"、{m[1]}、" if _tells(m[1]) else "", text)
    for clause in re.split(r"[\n。;；,，!！?？]", _BRACKETS.sub("", opened)):
        for claimed in zh.claims(clause.strip()):
            for piece in _BREAKS.split(claimed):
                name = zh.trimmed(piece)
                if _SHORTEST <= len(name) <= _LONGEST and not _NOTHING.fullmatch(name):
                    yield name


def _tells(inside: str) -> bool:
    """True if what is in brackets names a disease: a kind, an example or a Latin name, no stage."""
    pieces = [zh.trimmed(piece) for piece in _BREAKS.split(inside)]
    return any(zh.is_disease(piece) or _LATIN.fullmatch(piece) for piece in pieces)
