"""A patient's wording of the record's clauses: first person, lay words, nothing added."""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.facts.negation import negated_spans
from records.medical_record import Language

Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(pairs: Sequence[tuple[str, str]], flags: int = 0) -> Rules:
    return tuple((re.compile(pattern, flags), to) for pattern, to in pairs)


_ZH_RULES = _rules(
    (
        (r"^[，、,；;：:\s]+|[，、,；;：:。\s]+$", ""),
        (r"^(?:但|且|并且|并|及|和|以及|或|等)(?=.)", ""),
        (r"患者自述|患者自诉|患者诉|患者报告|患者自|患者于|患儿于|患者因", "我"),
        (r"^(?:患者|患儿|病人)|(?:患者|患儿|病人)(?=[\u4e00-\u9fff])", "我"),
        (r"^我自(?=\d)", "我从"),
        (r"你", "我"),
        (r"否认有|否认|未诉", "没有"),
        (r"未见明显|未见", "没有"),
        (r"^无力", "没力气"),
        (r"(?<=[\d.])\s*℃", "℃"),
        (r"^(?:均)?无(?=[^明诱])", "没有"),
        (r"无明显诱因下?|无诱因", "没什么原因就"),
        (r"入院前|就诊前", "来之前"),
        (r"入院", "住院"),
        (r"于当日", "当天"),
        (r"(?<!再次)(?<!又)(?<!后)出现", "有"),
        (r"双下肢", "两条腿"),
        (r"下肢", "腿"),
        (r"发热", "发烧"),
        (r"腹痛", "肚子疼"),
        (r"腹胀", "肚子胀"),
        (r"头痛", "头疼"),
        (r"胸痛", "胸口疼"),
        (r"恶心", "恶心"),
        (r"纳差", "吃不下饭"),
        (r"食欲减退|食欲不振", "没胃口"),
        (r"乏力", "没力气"),
        (r"心悸", "心慌"),
        (r"气促|气急", "喘不上气"),
        (r"浮肿|水肿", "肿"),
        (r"肢体无力", "手脚没力气"),
        (r"无力(?!感)", "没力气"),
        (r"瘙痒", "痒"),
        (r"腹泻", "拉肚子"),
        (r"[无未不](?:见|有)?(?:明显)?(?:缓解|好转|减轻|改善)", "没见好"),
        (r"缓解", "好一些"),
        (r"既往体健|平素体健|既往健康", "以前身体挺好"),
        (r"病史", "病"),
        (r"口服", "吃"),
        (r"服用", "吃"),
        (r"我院", "你们医院"),
        (r"外院", "别的医院"),
        (r"我我", "我"),
    )
)

_EN_RULES = _rules(
    (
        (r"^[\s,;:–-]+|[\s,;:.–-]+$", ""),
        (r"^(?:and|or|but|also|additionally|however|which|that|as well as|along with|with)\s+", ""),
        (
            r"\b(?:the |this )?(?:patient|pt)(?:'s)?\s+(?:also\s+|further\s+)?(?:reports?|"
            r"states?|notes?|mentions?|describes?|complains? of|"
            r"presents? (?:with|for)|endorses?|admits?(?: to)?|recalls?|says|"
            r"indicates?)\s+(?:that\s+)?(?:she |he |they )?",
            "I have ",
        ),
        (
            r"\b(?:she|he|they)\s+(?:also\s+|further\s+)?(?:reports?|states?|notes?|mentions?|"
            r"describes?|complains? of|endorses?|"
            r"admits?(?: to)?|recalls?|says|indicates?)\s+(?:that\s+)?(?:she |he |they )?",
            "I have ",
        ),
        (
            r"^(?:reports?|notes?|mentions?|complains? of|describes?|endorses?|admits? to)\s+",
            "I have ",
        ),
        (
            r"I have (?:a |an )?(\S+)[- ](day|week|month|year|"
            r"hour)s? history of\s+(?:experiencing )?",
            r"for about \1 \2(s) I've had ",
        ),
        (r"I have (?:experiencing|having)\s+", "I've been having "),
        (
            r"I have (?=noticing|feeling|being|developing|taking|seeing|drinking|urinating|waking)",
            "I've been ",
        ),
        (
            r"I have (?=these symptoms|the symptoms|the pain|the lesion|it\b|there\b|a friend|"
            r"no\b)",
            "",
        ),
        (r"I have (?=is\b|was\b|has\b|had\b|does\b|did\b|can\b|feels?\b)", "I "),
        (r"\bhas a history of\b", "have had"),
        (
            r"\b(gave|told|kept|made|left|lets|gives?|tells?|makes|keeps|telling|mocking|helping|"
            r"wakes|woke|helps|allowed) her\b(?! own)",
            r"\1 me",
        ),
        (
            r"\bher(?=\s+(?:an?|the|to|that|she|is|in|on|at|from|with|for|up|down|out)\b|[,;.]|$)",
            "me",
        ),
        (r"\b(?:the patient['’]s|patient['’]s|his|her|their)\b", "my"),
        (r"\b(?:the |this )?patient\b|\b(?:she|he)\b", "I"),
        (r"\b(?:himself|herself)\b", "myself"),
        (r"\bhim\b", "me"),
        (r"\bI (?:has|have has)\b", "I have"),
        (r"\bI is\b", "I am"),
        (r"\bI does\b", "I do"),
        (r"\bI was (?=noted|found)", "I was "),
        (
            r"\bI (experience|feel|take|drink|smoke|work|live|use|deni|need|walk|sleep|eat|play|"
            r"exercise)s\b",
            r"I \1",
        ),
        (
            r"^(?:exacerbations?|worsening)(?: of (?:the )?\w+)? (?=during|with|after|on|when)",
            "it gets worse ",
        ),
        (
            r"^(?:relief|improvement)(?: of (?:the )?\w+)? (?=during|with|after|on|when)",
            "it gets better ",
        ),
        (r"^is (?=\w)", "I am "),
        (
            r"^(?:I have )?(?:past medical history is )?unremarkable$",
            "nothing much in my medical history",
        ),
        (r"^Works\b", "I work"),
        (r"^Lives\b", "I live"),
        (r"^Drinks\b", "I drink"),
        (r"^drinks\b", "I drink"),
        (r"^(?:Smokes|smokes)\b", "I smoke"),
        (r"^(?:Takes|takes|taking)\b", "I take"),
        (r"^(?:Does|does)\b", "I do"),
        (r"^(?:Has|has)\b", "I have"),
        (r"^(?:Married|married)\b", "I'm married"),
        (r"^(?:Retired|retired)\b", "I'm a retired"),
        (r"^(?:Sexually active|sexually active)\b", "I'm sexually active"),
        (r"^(?:Non-?smoker|non-?smoker|Nonsmoker)\b", "I don't smoke"),
        (r"\bmyocardial infarction\b", "heart attack"),
        (r"\bhypertension\b", "high blood pressure"),
        (r"\bdyspnea\b", "shortness of breath"),
        (r"\bI have I\b", "I"),
        (r"\bI I\b", "I"),
        (r"\(s\)", "s"),
    ),
    re.IGNORECASE,
)
_DENIES = {
    "zh": re.compile(r"^(?:我|患者|患儿)?(?:均|也|并)?(?:否认有?|无|没有|未见|未诉|未出现|没)"),
    "en": re.compile(
        r"^(?:and |or |the |this )*(?:patient |she |he |i )?(?:also )?(?:denies|denied|"
        r"reports no|has no|have no|no|without|not)\s+"
        r"(?:having |experiencing |any |recent |a )*(?:history of )?",
        re.IGNORECASE,
    ),
}


_THIRD_PERSON = re.compile(
    r"(?:(?<=\bI )|(?<=\bI often )|(?<=\bI also )|(?<=\bI now )|(?<=\bI usually )|"
    r"(?<=\bI sometimes )|(?<=\bI never )|"
    r"^(?=(?:eats|feels|sleeps|uses|needs|gets|wakes|goes|enjoys|attends|"
    r"consumes|expresses|dresses|performs|shows|recalls|plays)\b))([a-z]+s)\b"
)
_NOT_THIRD_PERSON = frozenset({"was", "is", "has", "does", "always", "sometimes", "perhaps", "as"})


_SECOND_VERB = re.compile(
    r"(?<=\b)((?:and|but|or|then) (?:now |also |often )?(?:manage|drink|work|smoke|live|use|"
    r"take|eat|play|need|feel|get|enjoy|avoid))s\b"
)


def _first_person(match: re.Match[str]) -> str:
    verb = match.group(1)
    if verb in _NOT_THIRD_PERSON or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        base = verb[:-3] + "y"
    elif verb.endswith(("shes", "ches", "sses", "xes", "oes")):
        base = verb[:-2]
    else:
        base = verb[:-1]
    return base if match.start() else f"I {base}"


def in_own_words(clause: str, language: Language) -> str:
    """Turn a clause of the record into the patient's speech, without final punctuation."""
    text = clause.strip()
    for pattern, replacement in _ZH_RULES if language == "zh" else _EN_RULES:
        text = pattern.sub(replacement, text)
    if language == "en":
        text = _THIRD_PERSON.sub(_first_person, text)
        if text.startswith("I "):
            text = _SECOND_VERB.sub(r"\1", text)
    return text.strip()


def denied(symptom: str, clause: str, language: Language) -> str:
    """A recorded negative in the patient's speech.

    Args:
        symptom: what is denied, its negation stripped.
        clause: the record's words; in a list ("denies fever, cough") they may hold no negation.
        language: the language of both.
    """
    text = clause.strip(" ,.;，。、；")
    opens = _DENIES[language].match(text)
    if opens and text[opens.end() :]:
        rest = text[opens.end() :]
    elif negated_spans(text, language) or _NEGATIVE_WORD.search(text):
        return in_own_words(text, language)
    else:
        rest = symptom if len(symptom) * 2 >= len(text) else text
    if language == "zh":
        own = in_own_words(rest, language)
        return f"没觉得{own}" if re.search(r"没|不(?!适)", own) else f"没有{own}"
    rest = re.sub(r"^any ", "", rest)
    if _ADJECTIVE.fullmatch(rest):
        return f"not {in_own_words(rest, language)}"
    return f"no {in_own_words(_lowered(rest), language)}"


def _lowered(text: str) -> str:
    """Without a capital at the beginning, unless it is a name or an abbreviation."""
    first = text.split(" ", 1)[0]
    name = first[1:2].isupper() or first.endswith(("'s", "’s"))
    return text if name else text[:1].lower() + text[1:]


_ADJECTIVE = re.compile(
    r"(?:painful|itchy|tender|red|sore|swollen|warm|pregnant|confused|worse|better)"
    r"(?: (?:with|on|to|at|after|when|by|during)\b.*)?",
    re.IGNORECASE,
)
_NEGATIVE_WORD = re.compile(
    r"^(?:non-?\w|un\w|afebrile|painless)|[无未不](?:见|有)?(?:明显)?(?:缓解|好转|减轻|改善)",
    re.IGNORECASE,
)


def sentence(clauses: Sequence[str], language: Language) -> str:
    """Join clauses into one sentence."""
    kept = [c for c in dict.fromkeys(clauses) if c]
    if not kept:
        return ""
    if language == "zh":
        return "，".join(kept) + "。"
    text = "; ".join(kept)
    return text[:1].upper() + text[1:] + "."
