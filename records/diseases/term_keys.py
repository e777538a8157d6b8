"""Keys under which two spellings of one disease name are the same."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_BRACKETS = re.compile(r"\s*[(\[【{〔][^()\[\]【】{}〔〕]*[)\]】}〕]")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_HAN = re.compile(r"[\u3400-\u9fff]")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})

_BRITISH: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"oedem", "edem"),
        (r"oesoph", "esoph"),
        (r"oestr", "estr"),
        (r"foet", "fet"),
        (r"coeli", "celi"),
        (r"amoeb", "ameb"),
        (r"rrhoea", "rrhea"),
        (r"pnoea", "pnea"),
        (r"haem", "hem"),
        (r"aemi", "emi"),
        (r"aetio", "etio"),
        (r"anaest", "anest"),
        (r"gynaec", "gynec"),
        (r"paed", "ped"),
        (r"faec", "fec"),
        (r"caec", "cec"),
        (r"orthopaed", "orthoped"),
        (r"leucorrh", "leukorrh"),
        (r"leuco", "leuko"),
        (r"tumour", "tumor"),
        (r"behaviour", "behavior"),
        (r"colour", "color"),
        (r"labour", "labor"),
        (r"fibre\b", "fiber"),
        (r"goitre", "goiter"),
        (r"litre", "liter"),
        (r"centre", "center"),
        (r"titre", "titer"),
        (r"sulph", "sulf"),
        (r"isation", "ization"),
        (r"ise(d?)\b", r"ize\1"),
        (r"lyse(d?)\b", r"lyze\1"),
        (r"mould", "mold"),
        (r"diarrhea\w*", "diarrhea"),
    )
)
_ANY_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _BRITISH))
_ALIKE = {
    "hemorrhagic": "hemorrhage",
    "cancer": "malignant neoplasm",
    "carcinoma": "malignant neoplasm",
    "cancerous": "malignant neoplasm",
    "tumor": "neoplasm",
    "renal": "kidney",
    "hepatic": "liver",
    "cardiac": "heart",
    "pulmonary": "lung",
    "gastric": "stomach",
    "cerebral": "brain",
    "cutaneous": "skin",
    "dermal": "skin",
    "ocular": "eye",
    "bony": "bone",
    "osseous": "bone",
    "vesical": "bladder",
    "uterine": "uterus",
    "ovarian": "ovary",
    "cervical": "cervix",
    "colonic": "colon",
    "rectal": "rectum",
    "esophageal": "esophagus",
    "pancreatic": "pancreas",
    "splenic": "spleen",
    "prostatic": "prostate",
    "testicular": "testis",
    "laryngeal": "larynx",
    "nasal": "nose",
    "biliary": "bile",
    "tracheal": "trachea",
    "femoral": "femur",
    "tibial": "tibia",
    "humeral": "humerus",
    "tubercular": "tuberculosis",
    "tuberculous": "tuberculosis",
    "viral": "virus",
    "bacterial": "bacteria",
    "fungal": "fungus",
    "diabetic": "diabetes",
    "hypertensive": "hypertension",
    "anemic": "anemia",
    "allergic": "allergy",
    "traumatic": "trauma",
    "obstructive": "obstruction",
    "infectious": "infection",
    "infective": "infection",
    "ischemic": "ischemia",
    "thrombotic": "thrombosis",
    "embolic": "embolism",
    "alcoholic": "alcohol",
    "ii": "2",
    "i": "1",
    "iii": "3",
    "iv": "4",
    "one": "1",
    "two": "2",
    "hodgkin's": "hodgkin",
    "intestinal": "intestine",
    "duodenal": "duodenum",
    "vaginal": "vagina",
    "vulvar": "vulva",
    "breastfeeding": "lactation",
    "fractured": "fracture",
    "broken": "fracture",
    "ruptured": "rupture",
    "perforated": "perforation",
    "dislocated": "dislocation",
    "inflammatory": "inflammation",
    "dependency": "dependence",
    "addiction": "dependence",
}
"""Words of one meaning, as an adjective and a noun or in common and in clinical speech."""

_IDLE = frozenset(
    re.findall(
        r"\w+",
        "a an and as at by due for from in into is its nec nos not of on or other others otherwise "
        "specified site sites elsewhere classified stated the to type types unspecified with "
        "without "
        "disease diseases disorder disorders syndrome condition conditions",
    )
)
"""Words that a name may have or lack without being another name; they weigh little in ranking."""
_OMITTED = re.compile(
    r"[,:]?\s*\b(?:unspecified(?:\s+(?:site|type|organism|cause))?|not\s+elsewhere\s+classified"
    r"|not\s+otherwise\s+specified|site\s+unspecified|type\s+unspecified|nos|nec)\b",
    re.I,
)
_WITHOUT = re.compile(r",?\s*\b(?:without|not)\b.*", re.I | re.S)
"""What a title says that it lacks is no part of what it means."""
_IRREGULAR = {
    "diagnoses": "diagnosis",
    "calculi": "calculus",
    "stones": "stone",
    "vertebrae": "vertebra",
    "feet": "foot",
    "teeth": "tooth",
    "metastases": "metastasis",
    "pelves": "pelvis",
    "testes": "testis",
    "fibroids": "fibroid",
}

_JOIN = re.compile(
    r",?\s+(?:with|complicated\s+by|accompanied\s+by|associated\s+with|together\s+with"
    r"|along\s+with)(?:\s+(?:an?|the))?\s+"
)
_JOINED_ALIKE = {"bleeding": "hemorrhage", "bleed": "hemorrhage"}
_DEGREE = frozenset(("mellitus", "severe", "mild", "moderate"))
_ZH_JOIN = re.compile(r"伴随|伴有?|(?<!妊娠)(?<!妊娠期)合并|并发(?!症)")

_ZH_ALIKE: tuple[tuple[str, str], ...] = (
    ("综合症", "综合征"),
    ("症候群", "综合征"),
    ("梗塞", "梗死"),
    ("返流", "反流"),
    ("粘膜", "黏膜"),
    ("粘液", "黏液"),
    ("机能", "功能"),
    ("恶性肿瘤", "癌"),
    ("扁桃腺", "扁桃体"),
    ("甲亢", "甲状腺功能亢进"),
    ("甲减", "甲状腺功能减退"),
    ("慢阻肺", "慢性阻塞性肺病"),
    ("阻塞性肺疾病", "阻塞性肺病"),
    ("房颤", "心房颤动"),
    ("室早", "室性早搏"),
    ("心梗", "心肌梗死"),
    ("脑梗", "脑梗死"),
    ("肾衰竭", "肾功能衰竭"),
    ("ⅰ", "1"),
    ("ⅱ", "2"),
    ("ⅲ", "3"),
    ("ⅳ", "4"),
    ("ii型", "2型"),
    ("i型", "1型"),
    ("一型", "1型"),
    ("二型", "2型"),
    ("功能亢进症", "功能亢进"),
    ("功能减退症", "功能减退"),
    ("骨性关节炎", "骨关节炎"),
    ("心房纤颤", "心房颤动"),
    ("子宫颈", "宫颈"),
    ("大肠", "结肠"),
)
_ZH_SIDE = re.compile(r"双侧|左侧|右侧|两侧|单侧|[左右双](?!旋|心室|心衰|房|束|半)")
_ZH_DEGREE = re.compile(
    r"轻度|中度|重度|轻症|重症|轻微|少量|大量|中量|微量|多发性?|单发|巨大|小(?=结石|结节|囊肿)"
    r"|粉碎性?|开放性|闭合性"
    r"|活动性|部分|不?完全性|不全性|多处|复发性?|早期|晚期|中期|[上中下]段|[上中下]叶|术后|持续性"
    r"|阵发性|频发|弥漫性"
    r"|局限性|散在|亚急性|陈旧性|广泛性?|第?\d+-?\d*|伴?疼痛|可能"
)
_ZH_NOT_WORD = re.compile(r"[^\u3400-\u9fffa-z0-9+]+")


def has_han(text: str) -> bool:
    """True if the text has a Chinese character, so that it is read by characters."""
    return bool(_HAN.search(text))


def folded(text: str) -> str:
    """Fold case, width and accents."""
    text = text[:300]
    if text.isascii():
        return text.replace("`", "'").lower()
    flat = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).lower()
    if flat.isascii():
        return flat
    marks = unicodedata.normalize("NFD", flat)
    return unicodedata.normalize("NFC", "".join(c for c in marks if not unicodedata.combining(c)))


def without_brackets(text: str) -> str:
    """Drop bracketed qualifiers; a text that is all brackets stays."""
    stripped = _BRACKETS.sub(" ", _BRACKETS.sub(" ", text)).strip()
    return stripped or text.strip()


def bracketed(text: str) -> list[str]:
    """The texts in square brackets, which in ICD titles are synonyms: `Varicella [chickenpox]`."""
    return re.findall(r"\[([^\[\]]+)\]", text)


@lru_cache(maxsize=65536)
def word(token: str) -> str:
    """One English word in American spelling and in the singular."""
    token = token.removesuffix("'s").replace("'", "")
    if _ANY_BRITISH.search(token):
        for pattern, replacement in _BRITISH:
            token = pattern.sub(replacement, token)
    if token in _IRREGULAR:
        return _IRREGULAR[token]
    if len(token) > 4 and token.endswith("ies"):
        return token[:-3] + "y"
    if len(token) > 4 and token.endswith(("ches", "shes", "sses", "xes")):
        return token[:-2]
    if len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "us", "is")):
        return token[:-1]
    return token


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of an English name, spelled alike; brackets and "unspecified" are dropped."""
    text = _OMITTED.sub(" ", without_brackets(folded(name)).replace("s'", "s"))
    text = (
        text.replace("x-ray", "xray").replace("covid-19", "covid19").replace("covid 19", "covid19")
    )
    return tuple(word(token) for token in _WORD.findall(text))


def english_key(name: str) -> str:
    """The words in order: equal for names that differ in spelling only."""
    found = words(name)
    # The last word is no article: hepatitis A.
    return " ".join(w for w in found if w not in ("the", "a", "an") or w is found[-1])


def english_bag(name: str) -> tuple[str, ...]:
    """The meaning words, each as its plainest equal, sorted: equal whatever their order."""
    plain: list[str] = []
    found = words(_WITHOUT.sub(" ", name))
    for token in found:
        plain.extend(_ALIKE.get(token, token).split())
    kept = {token for token in plain if token not in _IDLE}
    if found and found[-1] == "a":
        kept.add("a")  # Hepatitis A.
    return tuple(sorted(kept))


def chinese_key(name: str) -> str:
    """The characters without brackets, spaces and punctuation, variants written alike."""
    text = _ZH_NOT_WORD.sub("", without_brackets(folded(name)))
    for written, plain in _ZH_ALIKE:
        if written in text and not (plain != written and plain in text and written in plain):
            text = text.replace(written, plain)
    return text


def english_joined(name: str) -> str:
    """The key of a name with a circumstance ("ulcer with haemorrhage"), however it is joined."""
    flat = folded(name)
    joined = _JOIN.sub(" with ", flat)
    key = english_key(name if joined == flat else joined)
    return " ".join(_JOINED_ALIKE.get(w, w) for w in key.split() if w not in _DEGREE)


def chinese_joined(key: str) -> str:
    """A Chinese key without side and without the word that joins a circumstance."""
    return _ZH_JOIN.sub("", chinese_unsided(key)) or key


def chinese_unsided(key: str) -> str:
    """A Chinese key without its side (左侧, 双), which ICD-10 does not code."""
    return _ZH_SIDE.sub("", key) or key


def chinese_undegreed(key: str) -> str:
    """A Chinese key without degree, number and extent, which a category does not tell apart."""
    return _ZH_DEGREE.sub("", chinese_unsided(key)) or key
