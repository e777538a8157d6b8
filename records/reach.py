"""How a doctor could come to each reference diagnosis: by rules that a reader of cases can check.

- `known_history`: the patient's own sections affirm it by name; asking is enough.
- `named_in_result`: a recorded result affirms it by name; ordering that examination is enough.
- `unreachable`: no affirmed finding and no result that is not plainly normal has to do with the
  organ or the process that its name tells of, or the one examination that could show it is still
  awaited. A name that tells of none known here is never called unreachable.
- `inferable`: everything else.

Names are compared by what they name: without brackets, side, degree, course and type
("高血压2级高危组" is 高血压), and by the other names that the knowledge file has. Chinese names may
have up to three characters put in ("胃窦癌" names 胃癌).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from records.knowledge import load_knowledge
from records.medical_record import Diagnosis, Examination, Language, MedicalRecord, Reach

_ASIDE = re.compile(r"[（(][^()（）]*[)）]")
_ZH_QUALIFIER = re.compile(
    r"(?:双侧?|左侧?|右侧?)(?=[一-龥]{2})|急性|慢性|亚急性|陈旧性|继发性|原发性|复发性|轻度|中度|"
    r"重度|"
    r"[1-4一二三四ⅠⅡⅢⅣI]+[级期型]|(?:很|极)?高危|[中低]危|(?:综合治疗|放疗|化疗|手?术|"
    r"治疗)后(?:状态)?|后遗症期?|"
    r"轻症|重症|病史|待查|可能性?大?|首诊|初发"
)
_ZH_TAIL = re.compile(r"(?<=[一-龥]{2})(?:形成|病变|状态|症|病)$")
_ZH_JOIN = re.compile(r"[：:，,、]|合并|伴有?|并发?(?=[一-龥])")
_EN_QUALIFIER = re.compile(
    r"\b(?:acute|chronic|subacute|active|old|prior|primary|secondary|recurrent|mild|moderate|"
    r"severe|"
    r"bilateral|left|right|history of|status post|disorder|disease|infection)\b",
    re.I,
)
_SAME = (
    ("梗塞", "梗死"),
    ("冠状动脉粥样硬化性心脏病", "冠心病"),
    ("癫痫发作", "癫痫"),
    ("慢性阻塞性肺疾病", "慢阻肺"),
    ("’", "'"),
    ("leuko", "leuco"),
    ("tumour", "tumor"),
    ("haem", "hem"),
    ("anaemia", "anemia"),
    ("oedema", "edema"),
    ("oesoph", "esoph"),
)
_DENIED = re.compile(
    r"(?:无|未见|未|否认|没有|排除|除外|不支持|不考虑|\bno\b|\bnot\b|\bwithout\b|\bden(?:y|ies)\b|"
    r"\bnegative\b|"
    r"\babsen\w+|\bruled?\s+out\b|\bruling\s+out\b|\bnormal\b)[^，,。；;.]{0,60}$",
    re.I,
)
_NORMAL = re.compile(
    r"正常|未[见触闻查引]|无|阴性|良好|还好|尚可|对称|如常|清晰?$|齐$|否认|没有|\bno\b|\bnot\b|"
    r"\bnormal|\bnegative|"
    r"\bwithout\b|\bunremarkable|\bintact|\bwithin (?:normal|reference)|\bclear\b|\bdenies",
    re.I,
)
_AWAITED = re.compile(r"待结果|待回报|待查|未回|未出|\bpending\b|\bawait", re.I)
_CLAUSE = re.compile(r"[，,。；;：:\n]|\.\s")
_RELATIVE = re.compile(r"父|母亲?(?!婴)|兄|弟|姐|妹|家族")

# What a diagnosis's name tells of, and the words by which a record bears on it.
_SYSTEMS: tuple[tuple[str, str], ...] = (
    (
        r"肺|支气管|呼吸|气胸|胸膜|哮喘|pneumon|lung|pulmon|bronch|respirat|asthma|pleur",
        r"肺|呼吸|气[短促喘管]|咳|痰|喘|胸[闷痛片]|啰音|罗音|发绀|紫绀|缺氧|血氧|发热|发烧|lung|"
        r"breath|"
        r"cough|sputum|wheez|dyspn|respirat|chest|oxygen|rales|crackle|cyano|retraction|grunt|"
        r"fever|"
        r"PaO2|PaCO2",
    ),
    (
        r"动脉(?:粥样)?硬化|颈动脉|主动脉|血管炎|arteriosclero|atheroscler|aort",
        r"动脉|血管|斑块|钙化|杂音|脉搏|间歇性跛行|arter|aort|vascul|plaque|murmur|pulse|bruit|"
        r"blood pressure|chest pain|tearing|ripping|syncope",
    ),
    (
        r"vasculitis",
        r"vascul|arter|purpur|rash|lesion|papul|macul|wheal|plaque|ulcer|joint|arthr|kidney|urin|"
        r"nerve|neuropath|sinus|lung|cough|fever|weight|ANCA|immunofluoresc",
    ),
    (
        r"心|冠脉|冠状|房颤|cardi|heart|atrial|ventricular septal|coronary|valv",
        r"心|胸[闷痛口]|气短|呼吸|浮肿|水肿|脉搏|晕厥|ST段|T波|BNP|脑钠肽|肌钙蛋白|heart|chest|"
        r"cardi|"
        r"murmur|palpit|syncope|edema|swelling|breath|ECG|EKG|troponin",
    ),
    (
        r"肝|胆|黄疸|hepat|liver|cholang|cholecyst|cholelith|gallbladder|gallstone|bili|jaundice",
        r"肝|胆|黄[疸染]|ALT|AST|转氨酶|TBIL|右上腹|乏力|纳差|jaundice|icter|yellow|bilirubin|"
        r"liver|"
        r"alkaline|prurit|itch|fatigue|upper quadrant|\bRUQ\b|gallbladder|gallstone|epigastr",
    ),
    (
        r"肾|尿|膀胱|nephr|renal|kidney|(?<!chole)cystitis|urin",
        r"肾|尿|肌酐|CREA|BUN|浮肿|水肿|腰|urin|uria\b|suprapubic|void|creatinine|urea|flank|edema|swelling|"
        r"blood pressure|bladder",
    ),
    (
        r"胃|肠|食管|消化|阑尾|胰|gastr|intestin|colitis|bowel|esoph|duoden|pancrea|hemorrhoid|"
        r"dumping",
        r"腹|胃|肠|食|吞咽|恶心|呕|便|纳差|消瘦|abdom|stomach|bowel|nausea|vomit|stool|diarr|"
        r"constip|"
        r"swallow|rect|append|weight|meconium|feeding|jaundice",
    ),
    (
        r"甲状腺|(?<!para)thyroid",
        r"甲状腺|颈|脖子|怕热|多汗|心悸|TSH|T4|T3|thyroid|neck|heat|cold|goit|fatig|tired|weight|"
        r"constip|menstr|hair|depress|sweat|tremor|palpit",
    ),
    (
        r"脑|癫痫|神经|中风|cerebr|brain|epilep|seizure|neur(?!ofibrom)|myel|encephal|stroke",
        r"脑|肢体|无力|麻|抽|头|晕|意识|言语|肌力|反射|睡眠|记忆|手脚|站|brain|weak|numb|seizure|"
        r"head|"
        r"gait|speech|vision|consci|memory|reflex|tremor|walk|dizz|confus|pain|tingl",
    ),
    (
        r"糖尿病|血糖|酮症|diabet|glyc",
        r"糖|渴|多饮|多尿|喝水|GLU|消瘦|体重|酮|glucose|thirst|polyuria|weight|A1c",
    ),
    (
        r"贫血|白血病|血小板|anemi|leukemi|thrombocyt|hemophil|lymphoma|erythropo",
        r"血红蛋白|HGB|红细胞|贫血|苍白|乏力|出血|血小板|hemoglobin|hematocrit|platelet|WBC|"
        r"leukocyt|"
        r"pale|pallor|bleed|bruis|fatigue|lymph|petechi|blood|fever|malaise|weight|epistaxis|infect|"
        r"bone|joint|swelling|spleen",
    ),
    (
        r"皮炎|湿疹|皮肤|疱|疹|derm|eczema|skin|rash|melanoma|keratos|pemphig|erythema",
        r"皮|疹|痒|斑|疱|rash|skin|lesion|itch|prurit|macul|papul|plaque|blister|patch|vesic|bulla|erosion|wheal|purpur|"
        r"nodul|ulcer|bump",
    ),
    (
        r"眼|视|白内障|retin|ocul|cataract|glaucom",
        r"眼|视|瞳孔|眶|vision|eye|visual|pupil|fundus|retina",
    ),
    (
        r"鼻|上颌窦|咽|扁桃体|上呼吸道|耳|\bear\b|sinus|pharyn|tonsil|labyrinth",
        r"鼻|咽|喉|扁桃|上颌窦|耳|发热|发烧|咳|头|\bears?\b|nose|throat|hearing|sinus|vertig|dizz|"
        r"fever|"
        r"spinning|nasal|rhinorr|congest|facial|maxillary",
    ),
)


def tag_reach(record: MedicalRecord) -> MedicalRecord:
    """The record with `reach` set by rule on each diagnosis that was not given one by hand."""
    diagnoses = tuple(
        diagnosis
        if "reach" in diagnosis.model_fields_set
        else diagnosis.model_copy(update={"reach": _reach(diagnosis, record)})
        for diagnosis in record.diagnoses
    )
    return record.model_copy(update={"diagnoses": diagnoses})


def _reach(diagnosis: Diagnosis, record: MedicalRecord) -> Reach:
    names = _names(diagnosis.name, record.language)
    examinations = (*record.physical_examination, *record.auxiliary_examinations)
    if any(_says(text, name) for text in _told(record) for name in names):
        return "known_history"
    if any(_says(e.value, name) for e in examinations for name in names):
        return "named_in_result"
    return "inferable" if _borne_on(diagnosis.name, record, examinations) else "unreachable"


def _names(name: str, language: Language) -> tuple[str, ...]:
    """What a diagnosis may be called: its name by itself, and shorn of side, degree and course."""
    bare = _ASIDE.sub("", name).strip()
    if language == "zh":
        parts = [_ZH_TAIL.sub("", _ZH_QUALIFIER.sub("", part)) for part in _ZH_JOIN.split(bare)]
        called = [bare, *parts]
        shortest = 2
    else:
        called = [bare, *(aside.strip("()") for aside in _ASIDE.findall(name))]
        shorn = " ".join(_EN_QUALIFIER.sub(" ", bare).split())
        # "Acute pancreatitis" is named by "pancreatitis", "Lyme disease" by "Lyme".
        called.append(shorn)
        shortest = 3
    keyed = [_key(one) for one in called]
    keyed += [other for one in keyed for other in _other_names(language).get(one, ())]
    return tuple(dict.fromkeys(one for one in keyed if len(one) >= shortest))


@cache
def _other_names(language: Language) -> dict[str, tuple[str, ...]]:
    """For each name in the knowledge file all names of that disease."""
    others: dict[str, tuple[str, ...]] = {}
    for disease in load_knowledge():
        names = tuple(_key(name) for name in disease.names.get(language, ()))
        others.update(dict.fromkeys(names, names))
    return others


def _key(text: str) -> str:
    key = text.lower()
    for written, same in _SAME:
        key = key.replace(written, same)
    return " ".join(key.split())


def _told(record: MedicalRecord) -> Iterator[str]:
    """What the patient affirms of itself."""
    for finding in record.findings:
        family = finding.section == "family_history" or "relation" in finding.attributes
        if finding.present and not family and not _RELATIVE.search(finding.text):
            yield finding.text


def _says(text: str, name: str) -> bool:
    """Whether a text affirms a name."""
    key = _key(text)
    if re.search(r"[一-龥]", name):
        # 胃癌 is also 胃窦癌, 结肠癌 also 结肠肝曲癌; longer names are not taken apart.
        first = 1 if re.fullmatch(r".[癌瘤]", name) else 2
        parted = range(first, len(name)) if len(name) <= 6 else ()
        pattern = "|".join(
            f"{re.escape(name[:i])}[^，。；、]{{0,3}}{re.escape(name[i:])}" for i in parted
        )
        pattern = f"{re.escape(name)}|{pattern}" if pattern else re.escape(name)
    else:
        pattern = rf"\b{re.escape(name)}(?:e?s)?\b"
    return any(not _DENIED.search(key[: found.start()]) for found in re.finditer(pattern, key))


def _borne_on(name: str, record: MedicalRecord, examinations: Iterable[Examination]) -> bool:
    """Whether anything recorded that is not plainly normal has to do with what a name tells of."""
    words = [related for tells, related in _SYSTEMS if re.search(tells, name, re.I)]
    listed = list(examinations)
    if not words:
        subject = re.match(r"[A-Za-z][A-Za-z0-9]{2,}(?=[一-龥]|-)", name)
        asked = [e for e in listed if subject and subject[0].lower() in e.name.lower()]
        return not asked or not all(_AWAITED.search(e.value) for e in asked)
    bearing = re.compile("|".join(words), re.I)
    if any(bearing.search(text) and not _NORMAL.search(text) for text in _told(record)):
        return True
    for examination in listed:
        if examination.abnormal is False or _AWAITED.search(examination.value):
            continue
        heading = f"{examination.category or ''} {examination.name}"
        for clause in _CLAUSE.split(examination.value):
            if not clause.strip() or _NORMAL.search(clause):
                continue
            measured = re.match(r"\W*\d", clause) is not None
            if bearing.search(clause) or (bearing.search(heading) and not measured):
                return True
        if examination.abnormal and bearing.search(heading):
            return True
        if bearing.search(examination.name) and re.match(r"\W*\d", examination.value):
            # A number whose range is not given: a doctor can read it, this rule cannot.
            return True
    return False
