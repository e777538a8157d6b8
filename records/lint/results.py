"""Results against their own flag: what is called normal or abnormal, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.facts.negation import is_negated
from records.lint.numbers import read_range, read_value
from records.lint.quantities import measurement_of
from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import examination_field, examinations
from records.medical_record import Examination, Language, MedicalRecord

_ADULT = 18.0
_NEGATIVE = re.compile(
    r"阴性|未检出|未见|未查见|无|[-－—]|\(-\)|negative|not detected|none|absent|nil", re.IGNORECASE
)
_POSITIVE = re.compile(
    r"(?:强|弱)?阳性|[1-4]?\+{1,4}|\(\+{1,4}\)|检出|(?:strongly |weakly )?positive|detected|"
    r"present",
    re.IGNORECASE,
)

_WHOLLY_NORMAL = re.compile(
    r"(?:均|大致|基本)?(?:未见|未发现|无)(?:明显|显著)?异常(?:发现)?[。.]?|(?:均|大致)?正常[。.]?|"
    r"normal\.?|unremarkable\.?|no abnormalit(?:y|ies)(?: (?:seen|found|detected))?\.?|"
    r"within normal limits\.?",
    re.IGNORECASE,
)
_ILL = {
    "zh": re.compile(
        r"压痛|反跳痛|叩击痛|啰音|奔马律|肿大|水肿|占位|肿块|包块|骨折|积液|渗出|穿孔|坏死|梗死|"
        r"阳性|"
        r"升高|增高|减低|低下|异常"
    ),
    "en": re.compile(
        r"\b(?:tender(?:ness)?|rebound|guarding|crackles|rales|wheez\w+|gallop|enlarged|oedema|"
        r"edema|"
        r"mass|fractured?|effusion|perforat\w+|infarct\w*|positive|elevated|raised|reduced|"
        r"abnormal\w*)\b",
        re.IGNORECASE,
    ),
}
"""Words of illness: a result that affirms one is seldom normal."""
_HARMLESS = re.compile(
    r"[无未不没陈旧轻少曾]|Rh|血型|阴性|除外|正常|\b(?:no|not|non\w*|without|neither|nor|old|"
    r"minimal|trivial|mild|"
    r"normal|negative|absent|free|never|physiological)\b",
    re.IGNORECASE,
)


def check_results(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on `abnormal` flags that the range, the size or the words of a result belie."""
    adult = (record.demographics.age_years or 0) >= _ADULT
    for examination in examinations(record):
        yield from _against_range(examination)
        yield from _against_sense(examination, adult)
        yield from _against_words(examination, record.language)


def _against_range(examination: Examination) -> Iterator[Remark]:
    field = f"{examination_field(examination)}.abnormal"
    reference = short(examination.reference_range or "")
    shown = f"{short(examination.reading, 40)} (reference {reference})"
    if examination.abnormal is None or not examination.reference_range:
        return
    value, ranges = read_value(examination.value), read_range(examination.reference_range)
    if value and ranges:
        if value.bounded or len(ranges) != len(value.numbers):
            return
        pairs = zip(ranges, value.numbers, strict=True)
        inside = [limits.holds(number) for limits, number in pairs]
        below = len(value.numbers) == 2 and all(
            limits.high is not None and number <= limits.high
            for limits, number in zip(ranges, value.numbers, strict=True)
        )
        if not examination.abnormal and not all(inside) and not below:
            yield fault("abnormal", field, f"false, but {shown} lies outside; true would be right")
        elif not examination.abnormal and not all(inside):
            yield warning("abnormal", field, f"false, but {shown} lies below; true may be right")
        elif examination.abnormal and all(inside):
            yield warning("abnormal", field, f"true, but {shown} lies inside; false may be right")
        return
    if _NEGATIVE.fullmatch(examination.reference_range.strip()):
        said = examination.value.strip()
        if not examination.abnormal and _POSITIVE.fullmatch(said):
            yield fault("abnormal", field, f"false, but {shown}; true would be right")
        elif examination.abnormal and _NEGATIVE.fullmatch(said):
            yield fault("abnormal", field, f"true, but {shown}; false would be right")


def _against_sense(examination: Examination, adult: bool) -> Iterator[Remark]:
    """A number without a range of its own that no one calls normal."""
    if examination.abnormal is not False or read_range(examination.reference_range or ""):
        return
    measured = measurement_of(examination)
    if measured is None or measured.value.bounded:
        return
    limits = measured.quantity.normal.get(measured.unit.dimension)
    if limits is None and adult:
        limits = measured.quantity.normal_adult.get(measured.unit.dimension)
    if limits and not all(limits[0] <= number <= limits[1] for number in measured.base):
        field = f"{examination_field(examination)}.abnormal"
        what = f"false, but {short(examination.reading, 40)} is not normal; true would be right"
        yield fault("abnormal", field, what)


def _against_words(examination: Examination, language: Language) -> Iterator[Remark]:
    """Words of illness in a result that is called normal, and the reverse."""
    field = f"{examination_field(examination)}.abnormal"
    value = examination.value
    if examination.abnormal and _WHOLLY_NORMAL.fullmatch(value.strip()) and not examination.note:
        yield fault("abnormal", field, f'true, but the result is "{short(value)}"')
    if examination.abnormal is not False or examination.reference_range:
        return
    for clause in re.split(r"[，,。；;]|\.\s", value):
        found = _ILL[language].search(clause)
        if (
            found
            and not _HARMLESS.search(clause)
            and not is_negated(value, value.find(clause) + found.start(), language)
        ):
            what = f'false, but the result has "{short(clause)}"; true may be right'
            yield warning("abnormal", field, what)
            return
