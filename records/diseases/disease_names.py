"""Disease names out of a diagnosis text: what a Doctor or a reference says the patient has.

A diagnosis text is anything from a bare name to a paragraph. Names count once each, in the order
of the text. Uncertain ones count too ("possible", 考虑, 待查); excluded ones do not ("ruled out",
排除), nor do those that are only told apart (鉴别诊断). How diseases are counted follows AI
Hospital (arXiv 2402.09742, section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from records.diseases import disease_names_en, disease_names_zh
from records.medical_record import Language

_LONGEST = 20_000
"""Characters read; no diagnosis is longer, and a repeating model's reply is."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
_FORMAT = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b-\x1f\x7f]")
_MARKUP = re.compile(r"\*\*|__|`+|^[ \t]*[>#]+|#+[ \t]*$", re.M)
_NUMBERING = re.compile(
    r"^[ \t]*(?:(?:\(?\d{1,2}\)|\d{1,2}[.、](?!\d)|\(?[一二三四五六七八九十]{1,3}[)、.]|[①-⑳]"
    r"|[(]?[a-hivx]{1,3}\)|(?-i:[A-E])\.(?=\s+(?-i:[A-Z]))|[-*•·●▪+–—])[ \t]*)+",
    re.M | re.I,
)
_NUMBERED_INLINE = re.compile(
    r"[①-⑳]|(?<=[\s,;。，；、:：])(?:\(\d{1,2}\)|\d{1,2}[.、](?=\s*[^\d\s]))"
    r"|(?:(?<=[;；,，、。])|(?<=[;；,，、。]\s))\d{1,2}\)"
)


_ENGLISH_CODE = re.compile(r"\b[A-TZ]\d\d\.\d{1,2}\b")
_CHINESE_CODE = re.compile(r"(?<![A-Za-z0-9])[A-TZ]\d\d\.\d{1,2}(?![0-9])|\s[A-TZ]\d\d\Z")
_SEGMENT = re.compile(r"([\n;；,，、])")


def extract_diseases(
    text: str, language: Language, known: Callable[[str], bool] | None = None
) -> tuple[str, ...]:
    """Name the diseases that a diagnosis text claims.

    Args:
        text: The diagnosis part of a report, or a reference diagnosis; only its first 20,000
            characters are read.
        language: Its language.
        known: Whether a phrase is one disease's name as it stands. Where it is, a connector in it
            ("ulcer with haemorrhage") does not split it; the longest such name counts. None knows
            no name.

    Returns:
        Names without numbering, hedges, stages and brackets, each once, in the text's order.
    """
    plain = plain_text(text)
    if not plain:
        return ()
    plain = _without_codes(plain, language)
    names = disease_names_zh.names if language == "zh" else disease_names_en.names
    return tuple(dict.fromkeys(names(plain, known or _nothing)))


def _nothing(name: str) -> bool:
    return False


def _without_codes(text: str, language: Language) -> str:
    """Drop a code that stands beside a name; a code alone is a name."""
    code = _CHINESE_CODE if language == "zh" else _ENGLISH_CODE

    def bare(segment: str) -> str:
        rest = code.sub(" ", segment)
        return rest if re.search(r"[^\W\d_]{2}", rest) else segment

    return "".join(map(bare, _SEGMENT.split(text)))


def guess_language(text: str) -> Language:
    """Tell the language by its script: Chinese as soon as it outweighs the Latin words."""
    window = text[:2000]
    return "zh" if len(_HAN.findall(window)) > len(_LATIN.findall(window)) else "en"


def plain_text(text: str) -> str:
    """Undo mark-up: full-width forms, bold, numbering and bullets; numbered items get own lines."""
    text = _FORMAT.sub("", text[:_LONGEST].translate(_NARROW).replace("\r", "\n"))
    text = _MARKUP.sub("", text)
    text = _NUMBERED_INLINE.sub("\n", text)
    return _NUMBERING.sub("", text).strip()
