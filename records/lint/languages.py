"""Text in the other language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import texts
from records.medical_record import MedicalRecord

_HAN = re.compile(r"[㐀-鿿]")
_ENGLISH_RUN = re.compile(r"(?:\b[A-Za-z][a-z'’]*\b[ ,.;]{1,2}){4,12}[a-z'’]{2,}")
"""Five English words in a row: few names of genes, drugs and scores are that long …"""
_GRAMMAR = re.compile(
    r"\b(?:the|a|an|of|and|or|is|are|was|has|had|have|with|without|in|on|for|to|no|not|she|he|his|"
    r"her)\b",
    re.IGNORECASE,
)
"""… and none of them is a sentence: two of these words make one."""
_PLAIN_ENGLISH = re.compile(
    r"(?:not |un)?(?:normal|negative|positive|abnormal|remarkable|absent|present|none|yes|no|male|"
    r"female|mild|moderate|severe|elevated|decreased|increased)\.?",
    re.IGNORECASE,
)


def check_language(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on every text that is not in the record's language.

    Abbreviations and international names stand in Chinese records as they do in Chinese wards.
    """
    for field, text in texts(record):
        if record.language == "en":
            found = _HAN.search(text)
            if found:
                shown = short(text[max(0, found.start() - 10) : found.start() + 20])
                yield fault("language", field, f'Chinese in an English record: "{shown}"')
        else:
            run = _ENGLISH_RUN.search(text)
            if run or _PLAIN_ENGLISH.fullmatch(text.strip()):
                shown = short(run[0] if run else text)
                sure = not _HAN.search(text) or (run and len(_GRAMMAR.findall(run[0])) > 1)
                report = fault if sure else warning
                yield report("language", field, f'English in a Chinese record: "{shown}"')
