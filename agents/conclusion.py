"""Whether a doctor's message goes beyond asking: it names a disease or a treatment."""

from __future__ import annotations

import re

# Word forms rather than a list: a model's diagnosis need not be in any terminology of ours.
_DISEASE = {
    "zh": re.compile(
        r"诊断|[\u4e00-\u9fff](?:炎|癌|瘤|病(?!史|情|历|人|房|因|程|区|了|的)|综合征|梗死|梗塞|结石|骨折"
        r"|感染|溃疡|贫血|哮喘|肝硬化|衰竭|高血压|中风|痛风|息肉|囊肿|疝|流感|感冒|糖尿病|过敏症"
        r"|紊乱|早产|早破|临产|梗阻|栓塞|狭窄|脱位|损伤|中毒|积液|增生|脱垂|痔疮|结节)"
    ),
    "en": re.compile(
        r"\bdiagnos|\w(?:itis|oma|osis|emia|aemia|pathy)\b"
        r"|\b(?:disease|disorder|syndrome|infection|infarct|cancer|fracture|diabetes|hypertension"
        r"|asthma|stroke|pneumonia|ulcer|gout|failure|hernia|migraine|flu|influenza|tumou?r"
        r"|embolism|epilepsy|tuberculosis|abscess|stones?)",
        re.IGNORECASE,
    ),
}
_TREATMENT = {
    "zh": re.compile(
        r"治疗|方案|手术|服用|口服|静滴|静脉滴注|注射|处方|用药|抗生素|药物|毫克|开[些点]?药"
        r"|[\u4e00-\u9fff](?:霉素|沙星|西林|洛尔|地平|普利|沙坦|他汀|拉唑|双胍|胶囊|颗粒|片剂)"
        r"|(?:注意|调整|避免|保持|多).{0,12}(?:饮食|休息|作息|喝水|饮水|卫生|生活习惯|心态|劳累)"
    ),
    "en": re.compile(
        r"\b(?:treat|prescri|surg|operat|antibiotic|medication|therapy|tablets?|inject|infus"
        r"|manage|start (?:you )?on|admit you|recommend (?:rest|a |an )"
        r"|\w+(?:prazole|cillin|mycin|statin|pril|sartan|olol|xaban|azole|floxacin|profen"
        r"|solone|formin|parin|dipine|cycline|triptan|tidine)\b"
        r"|\d+\s*mg\b|take .{0,40}(?:daily|a day|times)"
        r"|(?:plenty of|get (?:some )?) ?(?:rest|fluids)"
        r"|avoid .{0,30}(?:food|alcohol|exercise|lifting))",
        re.IGNORECASE,
    ),
}


def names_disease(text: str) -> bool:
    """True if the text names a disease, or says that it diagnoses; in either language."""
    return any(pattern.search(text) for pattern in _DISEASE.values())


def names_treatment(text: str) -> bool:
    """True if the text names a treatment: a drug, an operation, or what to do and avoid."""
    return any(pattern.search(text) for pattern in _TREATMENT.values())


def names_disease_or_treatment(text: str) -> bool:
    """True if the text names either; after such a message a patient may end the visit."""
    return names_disease(text) or names_treatment(text)
