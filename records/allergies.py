"""Orders of a plan that the record's own allergies forbid, by families of medicines.

Coarse and cautious: only an allergy that the history affirms, only a medicine named outright, and
never in a clause that withholds it ("no penicillin", "停用阿司匹林", "改用…代替…").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from records.medical_record import Finding, Language, MedicalRecord

_FAMILIES: dict[str, tuple[dict[Language, str], dict[Language, str]]] = {
    "penicillin": (
        {"zh": r"青霉素|阿莫西林", "en": r"penicillin|amoxicillin"},
        {
            "zh": r"(?<!非)青霉素|[\u4e00-\u9fff]{1,3}西林",
            "en": r"\w*penicillin|\w+cillin\b|co-amoxiclav|augmentin",
        },
    ),
    "cephalosporin": (
        {"zh": r"头孢", "en": r"cephalospor|cef\w+"},
        {"zh": r"头孢", "en": r"cephalosporin|cef[a-z]{4,}|cephal[a-z]+"},
    ),
    "sulfonamide": (
        {"zh": r"磺胺", "en": r"sul(?:ph|f)a|sul(?:ph|f)onamide"},
        {
            "zh": r"磺胺|复方新诺明",
            "en": r"sul(?:ph|f)a\w+|sul(?:ph|f)onamide|co-trimoxazole|bactrim",
        },
    ),
    "anti-inflammatory": (
        {"zh": r"阿司匹林|布洛芬|非甾体", "en": r"aspirin|ibuprofen|nsaid|anti-inflammator"},
        {
            "zh": r"阿司匹林|布洛芬|双氯芬酸|吲哚美辛|非甾体",
            "en": r"aspirin|ibuprofen|naproxen|diclofenac|indomet\w+|nsaid|anti-inflammatory",
        },
    ),
    "iodine": (
        {"zh": r"碘|造影剂", "en": r"iodine|contrast"},
        {"zh": r"碘造影|含碘|增强CT|造影剂", "en": r"iodinated|contrast"},
    ),
    "macrolide": (
        {"zh": r"大环内酯|红霉素|阿奇霉素", "en": r"macrolide|erythromycin|azithromycin"},
        {"zh": r"红霉素|阿奇霉素|克拉霉素", "en": r"erythromycin|azithromycin|clarithromycin"},
    ),
    "quinolone": (
        {"zh": r"喹诺酮|沙星", "en": r"quinolone|floxacin"},
        {"zh": r"[\u4e00-\u9fff]{1,3}沙星|喹诺酮", "en": r"\w+floxacin|quinolone"},
    ),
}
_ALLERGY: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"过敏(?!性(?:鼻炎|紫癜|皮炎|哮喘))"),
    "en": re.compile(r"\ballerg|\banaphyla|hypersensitiv", re.I),
}
_WITHHELD: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(
        r"不[用宜可能给选服]|勿|禁|停[用药止]?|避免|代替|替代|换用|过敏|慎|忌|无须|不需|而非|以后|待.{0,10}后"
    ),
    "en": re.compile(
        r"\b(?:no|not|never|avoid\w*|stop\w*|withh\w+|instead|rather|without|replac\w+|allerg\w*"
        r"|contraindicat\w*|caution|discontinu\w*|free of|later|(?<!at )once|in future"
        r"|next pregnancy)\b",
        re.I,
    ),
}
"""Words of a clause that gives nothing now: it withholds, stops, replaces or puts off."""
_GIVES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[给予]|[改使服应]用|口服|静[脉滴推]|肌注|加用|可用|宜|治疗"),
    "en": re.compile(r"\b(?:give\w*|start\w*|use|begin\w*|treat\w*|then|but|with|by|take)\b", re.I),
}
"""Words by which a later clause of a withholding sentence gives after all."""
_SENTENCE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[^。；;\n]+"),
    "en": re.compile(r"(?:[^.;\n]|\.(?=\d))+"),
}
_CLAUSE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[^，,]+"),
    "en": re.compile(r"[^,]+"),
}


def giving_clauses(plan: str, language: Language) -> list[str]:
    """The clauses of a plan that give something now.

    Left out is what is withheld or put off, and what follows in a list of it ("no aspirin,
    ibuprofen or naproxen").
    """
    found = []
    for sentence in _SENTENCE[language].findall(plan):
        withheld = False
        for clause in _CLAUSE[language].findall(sentence):
            if _WITHHELD[language].search(clause):
                withheld = True
                continue
            withheld = withheld and not _GIVES[language].search(clause)
            if not withheld:
                found.append(clause)
    return found


@dataclass(frozen=True)
class ForbiddenOrder:
    """One order against one allergy."""

    allergy: Finding
    order: str
    """The plan's words for the medicine."""


def forbidden_orders(plan: str, record: MedicalRecord) -> tuple[ForbiddenOrder, ...]:
    """The medicines that a plan gives although the record tells of an allergy to their family.

    One for each allergy and family, in the order of the record.
    """
    language = record.language
    clauses = giving_clauses(plan, language)
    found = []
    for finding in record.findings:
        if not finding.present or finding.section == "family_history":
            continue
        if not _ALLERGY[language].search(f"{finding.symptom} {finding.text}"):
            continue
        for allergen, medicines in _FAMILIES.values():
            told = f"{finding.symptom} {finding.text}"
            if not re.search(allergen[language], told, re.IGNORECASE):
                continue
            for clause in clauses:
                given = re.search(medicines[language], clause, re.IGNORECASE)
                if given:
                    found.append(ForbiddenOrder(finding, given.group()))
                    break
    return tuple(found)
