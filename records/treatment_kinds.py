"""The kinds of treatment that a plan or a course of treatment names, in either language.

Coarse on purpose: a plan that says "antibiotics" and a course that says which one agree in kind.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from records.medical_record import Language

_KINDS: dict[str, tuple[str, str]] = {
    "surgery": (
        r"手术(?!史)|切除|清扫|内固定|置换|修补|清创|缝合|吻合|剥除|造口|[开剖]腹|开颅|剖宫",
        r"surg|operat|\w*ectomy|resect|excis|repair|fixation|replacement|debride|sutur|caesarean"
        r"|cesarean|laparo\w*",
    ),
    "intervention": (
        r"介入|支架|栓塞|导管|冠脉造影|PCI|消融|起搏|穿刺|引流",
        r"stent|emboli[sz]ation|catheter|percutaneous|angioplasty|ablation|pacemaker|drain\w*",
    ),
    "endoscopy": (r"内镜|胃镜下|腔镜|镜下|取石|碎石", r"endoscop\w*|arthroscop\w*|lithotrip\w*"),
    "antibiotic": (
        r"抗生素|抗感染|抗菌|消炎|头孢|青霉素|西林|沙星|霉素|培南|硝唑",
        r"antibiotic|antimicrobial|antibacterial|ceph?[af]\w+|cef\w+|\w*penicillin|\w+cillin"
        r"|\w+floxacin|\w+mycin|\w+cycline|\w+penem|\w+nidazole|vancomycin",
    ),
    "antiviral": (r"抗病毒|洛韦|他韦|利巴韦林|干扰素", r"antivir\w*|\w+vir\b|interferon|ribavirin"),
    "fluids": (
        r"补液|输液|扩容|水电解质|电解质|营养支持|补充血容量",
        r"fluid|saline|hydrat\w*|rehydrat\w*|electrolyte|nutrition\w*",
    ),
    "transfusion": (r"输血|红细胞|血浆|血小板输", r"transfus\w*|red cells?|plasma|platelets"),
    "haemostasis": (r"止血", r"h[a]?emosta\w*|tranexamic"),
    "steroid": (
        r"激素|地塞米松|泼尼松|强的松|甲强龙|可的松|布地奈德",
        r"steroid|corticosteroid|glucocorticoid|\w*prednisolone|prednisone|dexamethasone"
        r"|hydrocortisone|budesonide",
    ),
    "immunosuppression": (
        r"免疫抑制|环磷酰胺|甲氨蝶呤|他克莫司|环孢素|免疫球蛋白|丙球",
        r"immunosuppress\w*|methotrexate|cyclophosphamide|tacrolimus|azathioprine|immunoglobulin"
        r"|tocilizumab|rituximab",
    ),
    "cancer": (
        r"化疗|放疗|放化疗|靶向|免疫治疗|内分泌治疗|新辅助",
        r"chemotherap\w*|radiotherap\w*|radiation|targeted|immunotherap\w*",
    ),
    "antihypertensive": (
        r"降压|控制血压|地平|普利|沙坦|洛尔",
        r"antihypertens\w*|blood pressure control|\w+dipine|\w+pril\b|\w+sartan|\w+olol\b",
    ),
    "diuretic": (r"利尿|呋塞米|速尿|螺内酯", r"diuretic|furosemide|spironolactone"),
    "glucose": (
        r"降糖|胰岛素|控制血糖|二甲双胍|列净|列汀",
        r"insulin|metformin|glucose control|glyc\w+ control|\w+gliflozin|\w+gliptin",
    ),
    "lipid": (r"他汀|调脂|降脂", r"\w*statin\b|lipid"),
    "antithrombotic": (
        r"抗凝|抗血小板|阿司匹林|氯吡格雷|肝素|华法林|沙班|溶栓",
        r"anticoag\w*|antiplatelet|aspirin|clopidogrel|\w*heparin|warfarin|\w+xaban|thrombolys\w*"
        r"|prasugrel|ticagrelor",
    ),
    "oxygen": (
        r"吸氧|氧疗|呼吸机|机械通气|辅助通气|气管插管",
        r"oxygen|ventilat\w*|intubat\w*|CPAP",
    ),
    "airway": (
        r"祛痰|化痰|止咳|平喘|雾化|支气管扩张|特罗",
        r"bronchodilat\w*|inhale\w*|nebuli\w*|\w+terol\b|salbutamol|expectorant|mucolytic",
    ),
    "pain": (
        r"止痛|镇痛|止疼|解痉|布洛芬|对乙酰氨基酚|双氯芬酸",
        r"analges\w*|pain relief|paracetamol|acetaminophen|ibuprofen|NSAIDs?|opioid|morphine"
        r"|antispasmodic",
    ),
    "acid": (
        r"抑酸|质子泵|拉唑|护胃|制酸|胃黏膜保护|胃粘膜",
        r"proton pump|\w+prazole|antacid|H2 blocker|famotidine",
    ),
    "nerve": (
        r"营养神经|神经营养|改善循环|活血|甘露醇|脱水|降颅|甲钴胺|维生素B",
        r"mannitol|neurotroph\w*|vitamin B|intracranial pressure",
    ),
    "immobilisation": (
        r"石膏|夹板|牵引|制动|外固定|支具|复位",
        r"plaster|splint\w*|traction|immobili\w*|brace|reduction",
    ),
    "rehabilitation": (
        r"康复|功能锻炼|理疗|物理治疗|针灸|推拿",
        r"rehabilit\w*|physiotherap\w*|physical therapy|exercise",
    ),
    "delivery": (
        r"分娩|顺产|引产|剖宫产|接生|催产",
        r"deliver(?:y|ed)|induction of labou?r|caesarean|cesarean",
    ),
    "evacuation": (
        r"流产|清宫|刮宫|宫腔镜|米非司酮|诊刮",
        r"evacuation|curettage|misoprostol|mifepristone|hysteroscop\w*",
    ),
    "traditional": (r"中药|中医|汤(?=[加,，。])|辨证", r"herbal|traditional chinese|acupuncture"),
    "mind": (
        r"心理|抗抑郁|抗焦虑|镇静|精神科",
        r"psycho\w*|antidepress\w*|anxiolytic|counsel\w*|sedat\w*|cognitive",
    ),
    "anticonvulsant": (
        r"抗癫痫|丙戊酸|卡马西平|左乙拉西坦|抗惊厥",
        r"anticonvuls\w*|antiepilep\w*|valpro\w*|levetiracetam|carbamazepine",
    ),
    "dialysis": (r"透析|血液净化|血滤", r"dialysis|h[a]?emofiltration"),
    "thyroid": (r"优甲乐|甲状腺素|甲巯咪唑|丙硫氧嘧啶|抗甲状腺", r"thyroxine|\w*imazole\b"),
    "iron": (r"铁剂|补铁|叶酸|纠正贫血", r"\biron\b|folic acid|folate|B12"),
    "conservative": (
        r"保守|卧床|观察(?!室)|动态监测",
        r"conservative|bed rest|watchful|observation",
    ),
}

_NAMES: dict[Language, dict[str, str]] = {
    "zh": {
        "surgery": "手术",
        "intervention": "介入与穿刺",
        "endoscopy": "内镜与碎石",
        "antibiotic": "抗菌药",
        "antiviral": "抗病毒药",
        "fluids": "补液与营养",
        "transfusion": "输血",
        "haemostasis": "止血",
        "steroid": "糖皮质激素",
        "immunosuppression": "免疫治疗",
        "cancer": "抗肿瘤治疗",
        "antihypertensive": "降压",
        "diuretic": "利尿",
        "glucose": "控制血糖",
        "lipid": "调脂",
        "antithrombotic": "抗栓",
        "oxygen": "氧疗与通气",
        "airway": "气道用药",
        "pain": "止痛解痉",
        "acid": "抑酸护胃",
        "nerve": "营养神经与脱水降颅压",
        "immobilisation": "复位与固定",
        "rehabilitation": "康复",
        "delivery": "分娩",
        "evacuation": "宫腔手术与流产",
        "traditional": "中医药",
        "mind": "心理与精神用药",
        "anticonvulsant": "抗癫痫药",
        "dialysis": "血液净化",
        "thyroid": "甲状腺用药",
        "iron": "铁剂与叶酸",
        "conservative": "保守与观察",
    },
    "en": {
        "surgery": "surgery",
        "intervention": "intervention or drainage",
        "endoscopy": "endoscopy or lithotripsy",
        "antibiotic": "antibiotics",
        "antiviral": "antivirals",
        "fluids": "fluids and nutrition",
        "transfusion": "transfusion",
        "haemostasis": "haemostasis",
        "steroid": "steroids",
        "immunosuppression": "immunosuppression",
        "cancer": "cancer therapy",
        "antihypertensive": "blood pressure",
        "diuretic": "diuretics",
        "glucose": "glucose control",
        "lipid": "lipid lowering",
        "antithrombotic": "antithrombotics",
        "oxygen": "oxygen or ventilation",
        "airway": "airway medicines",
        "pain": "pain relief",
        "acid": "acid suppression",
        "nerve": "intracranial pressure and nerve support",
        "immobilisation": "reduction or immobilisation",
        "rehabilitation": "rehabilitation",
        "delivery": "delivery",
        "evacuation": "uterine evacuation",
        "traditional": "traditional medicine",
        "mind": "psychological and psychiatric care",
        "anticonvulsant": "anticonvulsants",
        "dialysis": "dialysis",
        "thyroid": "thyroid medicines",
        "iron": "iron and folate",
        "conservative": "conservative care",
    },
}


@lru_cache(maxsize=4096)
def treatment_kinds(text: str, language: Language) -> frozenset[str]:
    """The kinds that a text names; a text may name none."""
    plain = unicodedata.normalize("NFKC", text)
    return frozenset(kind for kind, pattern in _patterns(language).items() if pattern.search(plain))


def kind_name(kind: str, language: Language) -> str:
    """What a kind is called."""
    return _NAMES[language][kind]


@lru_cache(maxsize=2)
def _patterns(language: Language) -> dict[str, re.Pattern[str]]:
    if language == "zh":
        return {kind: re.compile(words[0], re.I) for kind, words in _KINDS.items()}
    return {kind: re.compile(rf"\b(?:{words[1]})", re.I) for kind, words in _KINDS.items()}
