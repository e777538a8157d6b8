"""Text in the other language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import texts
from records.medical_record import MedicalRecord

_HAN = re.compile(r"[㐀-鿿]")
_ENGLISH_RUN = re.compile(r"(?:\b[A-Za-z][a-z'’]+\b[ ,.;]{1,2}){4,}[a-z'’]{2,}")
"""Five English words in a row: no name of a gene, drug or score is that long."""
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
                sure = not _HAN.search(text)
                report = fault if sure else warning
                yield report("language", field, f'English in a Chinese record: "{shown}"')
