"""How much of one text's content another text has: the coarse measure where no facts are known.

Chinese content is pairs of neighbouring characters, English content is word stems; words that say
nothing (function words, and the vocabulary of every plan and report) do not count.
"""

from __future__ import annotations

import re
import unicodedata

from records.facts.lexicon import stem
from records.medical_record import Language

_RUN = re.compile(r"[一-鿿㐀-䶿]+|[a-z]+(?:-[a-z]+)*|\d+(?:\.\d+)?")
_LIST_NUMBER = re.compile(r"(?m)^\s*[(（]?\d{1,2}[.、)）]\s*(?!\d)")

# Characters that join words and words that every report has; splitting there keeps pairs apart.
_SILENT_ZH = re.compile(
    r"患者|病人|治疗|诊断|进行|给予|予以|考虑|情况|症状|表现|目前|建议|需要|可能|根据|以及|如果|"
    r"提示|显示|结果|检查|支持|符合|明确|病史|主诉|查体|辅助|"
    r"[的了和及与并为予者在有其等于对由至或是而将可因后前中]"
)
_SILENT_EN = frozenset(
    """
    a an and any are as at be been being by can could did do does for from had has have he her his
    if in into is it its may might more no nor not of on or our should so some such than that the
    their them then there these they this to up was were which while who will with without would
    patient treatment treat diagnosis diagnose plan consider recommend give given include shows show
    suggest suggests support supports consistent finding findings history also
    """.split()  # noqa: SIM905
)


def content_units(text: str, language: Language) -> frozenset[str]:
    """The units of content in a text; a text without any has an empty set.

    Latin words and numbers count in Chinese texts too (drug names, values), as do Chinese
    characters in English ones.
    """
    plain = _LIST_NUMBER.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    if language == "zh":
        plain = _SILENT_ZH.sub(" ", plain)
    units: set[str] = set()
    for match in _RUN.finditer(plain):
        run = match.group()
        if "a" <= run[0] <= "z":
            if len(run) > 1 and _SILENT_EN.isdisjoint((run, stem(run))):
                units.add(stem(run))
        elif run[0].isdigit() or len(run) == 1:
            units.add(run)
        else:
            units.update(run[i : i + 2] for i in range(len(run) - 1))
    return frozenset(units)


def content_recall(reference: str, text: str, language: Language) -> float | None:
    """Share of the reference's content that the text has, 0 to 1; None if there is no content."""
    wanted = content_units(reference, language)
    if not wanted:
        return None
    return len(wanted & content_units(text, language)) / len(wanted)
