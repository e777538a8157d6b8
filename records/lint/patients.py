"""Ages and sexes that do not fit what the record says of the patient."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import examination_field, examinations, history_texts
from records.medical_record import MedicalRecord, Sex

_ADULT = 18.0
_CHILD = 5.0
"""Below this age a history tells as much of the mother."""
_NEAR = 120
"""Characters before a finding in which another person may be named."""
_RELATED = re.compile(
    r"妻|丈夫|配偶|爱人|伴侣|母|父|女友|男友|姐|妹|兄|弟|儿子|女儿|婆|媳|家族|家人|新生儿|宫内|"
    r"\b(?:wife|husband|partner|mother|father|maternal|paternal|sister|brother|daughter|son|"
    r"girlfriend|"
    r"boyfriend|famil\w+|aunt|uncle|grand\w+|parents?|deliver\w*|born|birth|her(?= pregnan)|"
    r"in utero|"
    r"relative\w*|she|he)\b",
    re.IGNORECASE,
)
"""Where a clause names someone else, what it says may be that person's."""

_FEMALE = re.compile(
    r"妊娠|怀孕|孕[0-9一-十周期妇产]|产后|分娩|流产|月经|绝经|停经|痛经|闭经|子宫|宫颈|卵巢|"
    r"输卵管|阴道|"
    r"附件区|\b(?:pregnan\w+|gravida|menstru\w+|menopaus\w+|postmenopaus\w+|amenorrh\w+|"
    r"menorrhagia|"
    r"dysmenorrh\w+|uter(?:us|ine)|cervical smear|ovar(?:y|ian|ies)|vagina\w*|fallopian|"
    r"endometri\w+|"
    r"hysterectomy|miscarriage|vulva\w*)\b",
    re.IGNORECASE,
)
_MALE = re.compile(
    r"前列腺|睾丸|阴茎|阴囊|精囊|附睾|包皮|遗精|勃起|\b(?:prostat\w+|testi(?:s|cle|cular|cles)|"
    r"penis|penile|"
    r"scrot\w+|epididym\w+|erectile|foreskin|vasectomy)\b",
    re.IGNORECASE,
)
_OF_THE_OTHER: dict[Sex, re.Pattern[str]] = {"male": _FEMALE, "female": _MALE}
_ABSENT = re.compile(
    r"未[见探]|无|缺如|没有|不适用|\b(?:no|not|absent|without|n/a)\b|综合征|转移|直肠子宫|syndrome",
    re.IGNORECASE,
)
_CODES_OF: dict[Sex, re.Pattern[str]] = {
    "female": re.compile(r"O|C5[1-8]|D25|D26|D27|D28|D06|N7[0-7]|N8[0-9]|N9[0-8]|Z3[2-9]|E28"),
    "male": re.compile(r"C6[0-3]|D29|N4[0-9]|N50|N51|D07\.[4-6]|D40"),
}
_PREGNANT = re.compile(
    r"妊娠|早孕|孕\d+周|子痫|产后出血|\bpregnan|eclampsia|gestation", re.IGNORECASE
)
_NEWBORN = re.compile(r"新生儿|早产儿|\bneonat|\bnewborn|of prematurity", re.IGNORECASE)
_MENOPAUSE = re.compile(r"绝经|更年期|\b(?:post)?menopaus", re.IGNORECASE)
_OLD_AGE = re.compile(r"老年性|老年人|年龄相关性|\bsenile|\bage-related|\bpresbyc", re.IGNORECASE)
_PAEDIATRIC = re.compile(r"儿科|儿内|儿外|小儿|新生儿|p[a]?ediatric|neonat", re.IGNORECASE)
_GERIATRIC = re.compile(r"老年|geriatric|elderly", re.IGNORECASE)
_WOMENS = re.compile(r"妇科|产科|妇产|gyn[a]?ecolog|obstetric", re.IGNORECASE)
_NOT_WOMENS = re.compile(r"妇儿|妇幼")
_WORKER = re.compile(
    r"工人|农民|司机|教师|职员|退休|个体|经理|医生|护士|会计|军人|\b(?:retired|driver|teacher|"
    r"worker|nurse|"
    r"farmer|engineer|accountant|manager|builder|mechanic|clerk)\b",
    re.IGNORECASE,
)
_PUPIL = re.compile(
    r"[小初高]中?学?学生|中学生|学龄|幼儿(?!园?教师|园老师)|散居儿童|婴儿|\b(?:pupil|schoolchild|"
    r"schoolboy|schoolgirl|"
    r"infant|toddler|nursery child|primary school child)\b",
    re.IGNORECASE,
)
_GROWN = 22.0
_RETIRED = re.compile(r"退休|\bretired\b", re.IGNORECASE)
_ZH_AGE = re.compile(
    r"^(?:患者|病人|患儿)?[，,、\s]*(?:(?P<sex>男|"
    r"女)[性孩童婴]?[，,、\s]*)?(?P<age>\d{1,3})岁(?!时|前|起|开始|"
    r"以|后|多年)(?:[，,、\s]*(?P<after>男|女))?"
)
_EN_AGE = re.compile(
    r"^(?:the patient is |this is |a |an )*(?P<age>\d{1,3})[- ]years?[- ]old (?:\w+ ){0,2}?"
    r"(?P<sex>man|woman|male|female|boy|girl|lady|gentleman)?",
    re.IGNORECASE,
)
_WOMAN = frozenset({"女", "woman", "female", "girl", "lady"})
_YEARS = re.compile(
    r"(?<![\d.])(\d{1,3})\s*(?:余|多)?年(?!前?级|代|生)|\b(\d{1,3})\+?\s*years?\b(?![- ]old)"
)
_SHE, _HE = re.compile(r"\b(?:she|her|hers)\b", re.I), re.compile(r"\b(?:he|his|him)\b", re.I)


def check_patient(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on what the patient, as described, cannot have, be or be treated for."""
    yield from _told_age(record)
    yield from _sex(record)
    yield from _age(record)


def _sex(record: MedicalRecord) -> Iterator[Remark]:
    sex = record.demographics.sex
    if sex is None:
        return
    other: Sex = "female" if sex == "male" else "male"
    right = f"demographics.sex is {sex}"
    named = set()
    for diagnosis in record.diagnoses:
        by_name = _OF_THE_OTHER[sex].search(diagnosis.name)
        by_code = diagnosis.icd10 is not None and _CODES_OF[other].match(diagnosis.icd10)
        if by_name or by_code:
            what = f'"{short(diagnosis.name)}" ({diagnosis.icd10 or "no code"}) in a {sex} patient'
            yield fault("sex", f"diagnoses.{diagnosis.id}", f"{what}; {right}")
    for examination in examinations(record):
        text = f"{examination.name} {examination.value}"
        found = _OF_THE_OTHER[sex].search(text)
        if found and not _ABSENT.search(text) and found[0] not in named:
            # A region's name alone ("pelvis and genitals") says little.
            named.add(found[0])
            certain = found.start() < len(examination.name)
            report = fault if certain else warning
            what = f'"{found[0]}" examined in a {sex} patient ("{short(text)}")'
            yield report("sex", examination_field(examination), f"{what}; {right}")
    for finding in record.findings:
        found = _OF_THE_OTHER[sex].search(f"{finding.symptom} {finding.text}")
        beside = record.section_text(finding.section)
        if finding.start is not None:
            beside = beside[max(0, finding.start - 60) : finding.end]
        if (
            found
            and finding.present
            and finding.section != "family_history"
            and not _RELATED.search(f"{beside} {finding.text}")
            and found[0] not in named
        ):
            named.add(found[0])
            what = f'"{short(finding.text)}" of a {sex} patient; {right}'
            yield fault("sex", f"findings.{finding.id}", what)
    department = record.department or ""
    womens = _WOMENS.search(department) and not _NOT_WOMENS.search(department)
    if sex == "male" and womens and (record.demographics.age_years or 0) > 1:
        yield fault("sex", "department", f'"{short(department)}" for a male patient')
    yield from _pronouns(record, sex)


def _pronouns(record: MedicalRecord, sex: Sex) -> Iterator[Remark]:
    text = record.history_of_present_illness or ""
    if record.language != "en" or (record.demographics.age_years or 0) < _ADULT:
        return  # A child's history is told by someone else.
    own, other = (_HE, _SHE) if sex == "male" else (_SHE, _HE)
    if len(other.findall(text)) >= 2 and not own.search(text):
        word = "she" if sex == "male" else "he"
        what = f'speaks of the patient as "{word}"; demographics.sex is {sex}'
        yield fault("sex", "history_of_present_illness", what)


def _told_age(record: MedicalRecord) -> Iterator[Remark]:
    """The age and sex that a text begins with, against those recorded."""
    who = record.demographics
    told = [("demographics.description", who.description or ""), *history_texts(record)]
    for field, text in told:
        found = (_ZH_AGE if record.language == "zh" else _EN_AGE).match(text.strip())
        if found is None or field in ("family_history", "persona.chief_complaint"):
            continue
        age = int(found["age"])
        if who.age_years is not None and abs(age - who.age_years) > 1.01:
            what = f"says {age} years; demographics.age_years is {who.age_years:g}"
            yield fault("age", field, what)
        word = (found["sex"] or found.groupdict().get("after") or "").lower()
        if word and who.sex is not None and (word in _WOMAN) != (who.sex == "female"):
            yield fault("sex", field, f'says "{word}"; demographics.sex is {who.sex}')


def _age(record: MedicalRecord) -> Iterator[Remark]:
    age = record.demographics.age_years
    if age is None:
        return
    is_ = f"demographics.age_years is {age:g}"
    department = record.department or ""
    if _PAEDIATRIC.search(department) and age > _ADULT:
        yield fault("age", "department", f'"{short(department)}" for an adult; {is_}')
    if "新生儿" in department and age > 0.2:
        yield fault("age", "department", f'"{short(department)}" for no newborn; {is_}')
    if _GERIATRIC.search(department) and age < 45:
        yield fault("age", "department", f'"{short(department)}" for a younger patient; {is_}')
    for diagnosis in record.diagnoses:
        field, name = f"diagnoses.{diagnosis.id}", f'"{short(diagnosis.name)}"'
        code = diagnosis.icd10 or ""
        if (_PREGNANT.search(diagnosis.name) or code.startswith("O")) and not 9 <= age <= 60:
            yield fault("age", field, f"{name} at this age; {is_}")
        if (_NEWBORN.search(diagnosis.name) or code.startswith("P")) and age > 2:
            yield fault("age", field, f"{name} is of newborns; {is_}")
        if _OLD_AGE.search(diagnosis.name) and age < 40:
            yield warning("age", field, f"{name} is of the old; {is_}")
    for finding in record.findings:
        field, text = f"findings.{finding.id}", finding.text
        before = max(0, (finding.start or 0) - _NEAR)
        beside = record.section_text(finding.section)[before : before + _NEAR]
        related = _RELATED.search(text) or (age < _CHILD and _RELATED.search(beside))
        if not finding.present or finding.section == "family_history" or related:
            continue
        if _MENOPAUSE.search(finding.symptom) and age < 35:
            report = fault if age < 25 else warning
            yield report("age", field, f'"{short(text)}" at this age; {is_}')
        years = [int(a or b) for a, b in _YEARS.findall(text)]
        if years and max(years) > age + 1:
            what = f'"{short(text)}" is longer than the patient has lived; {is_}'
            yield fault("age", field, what)
    occupation = record.demographics.occupation or ""
    if _WORKER.search(occupation) and age < 14:
        yield fault("age", "demographics.occupation", f'"{short(occupation)}" for a child; {is_}')
    elif _PUPIL.search(occupation) and age > _GROWN:
        yield fault("age", "demographics.occupation", f'"{short(occupation)}" for an adult; {is_}')
    elif _RETIRED.search(occupation) and age < 40:
        yield warning("age", "demographics.occupation", f'"{short(occupation)}"; {is_}')
