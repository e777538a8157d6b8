"""English histories by clause: lists taken apart, negation kept over the whole list.

Purely by form: "denies fever, cough or chest pain" is three negatives; "alcohol or drug use" two
statements that share their head; a piece that cannot stand alone ("which worsens at night", "for
two weeks") stays with the statement that it qualifies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.clause import Clause, Span, cut, has_words, shielded, trim

_EDGE = ",;:.!?…*•-–—"
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|dr|mr|mrs|ms|st|no|approx|lbs?|oz|etc)|\b[A-Z])$", re.I
)
_PERSON = (
    r"(?:(?:the|her|his|this|patient['’]s|child['’]s|infant['’]s|newborn['’]s|baby['’]s|other)\s+)*"
    r"(?:patient|infant|baby|child|newborn|boy|girl|mother|father|parents?|family(?:\s+members?)?|husband"
    r"|wife|boyfriend|girlfriend|roommates?|caregivers?|he|she|they|i|woman|man)"
)
_ADVERB = (
    r"(?:also|further|additionally|currently|then|occasionally|recently|now|otherwise|specifically)"
)
_SAYS = (
    r"(?:reports?|reported|reporting|notes?|noted|mentions?|mentioned|states?|stated|complains?\s+of|"
    r"complaining\s+of|presents?\s+(?:with|for)|presented\s+with|endorses?|admits?\s+to|recalls?|"
    r"recounts|describes|experiences|positive\s+for|significant\s+for)"
)
# The recorder's words before what the patient has: "The patient also reports (that)".
_REPORTED = re.compile(
    rf"(?:{_PERSON}\s+(?:{_ADVERB}\s+)*)?{_SAYS}\s+(?:that\s+(?!(?:resolved|started|began|is|was|are|were)"
    r"\b))?(?:(?:experiencing|having|noticing|feeling)\s+)?",
    re.I,
)
_DISCOURSE = re.compile(
    r"(?:(?:additionally|however|furthermore|moreover|also|otherwise|overall|upon further questioning|"
    r"on review),?\s+)+",
    re.I,
)
_DENIES = re.compile(
    rf"(?:{_PERSON}\s+(?:{_ADVERB}\s+)*)?(?:den(?:y|ies|ied|ying)|negative\s+for|"
    r"(?:does|do|did|has|have|had)\s+not\s+(?:report(?:ed)?|recall(?:ed)?|mention(?:ed)?|note[d]?|endorse[d]?|"
    r"complain(?:ed)?\s+of))\s+(?:(?:any|having|experiencing|a\s+history\s+of|being|known)\s+)*",
    re.I,
)
_NEGATED = re.compile(
    rf"(?:(?:there(?:\s+(?:is|are|was|were|have\s+been|has\s+been)|['’]s)|{_PERSON})\s+)?"
    rf"(?:(?:has|have|had|is|are|was|were|reports?|with|but|and|{_ADVERB})\s+)*"
    r"(?P<cue>no|not|never|none|without|nor|neither|absent|absence\s+of|lack\s+of|free\s+of|"
    r"(?:does|do|did|is|are|was|were|has|have|had|can|could)(?:\s+not|n['’]t)|cannot|non-?(?=smok|drink))"
    r"\b[\s-]*(?:(?:any|other|additional|further|known|reported|notable|obvious)\s+)*",
    re.I,
)
_RECORDERS_NO = re.compile(r"(?:no\s+)?(?:reports?|mention|evidence|history|signs?)\s+of\s+", re.I)
_FINITE = re.compile(
    rf"(?:{_PERSON}|it|there|these|this|which|who)?\s*(?:{_ADVERB}\s+)*"
    r"(?:has|have|had|is|are|was|were|does|do|did|reports?|states?|notes?|mentions?|takes?|uses?|drinks?|"
    r"smokes?|lives?|works?|worsens?|improves?|started|began|developed|noticed|appears?|denies|attends?|"
    r"enjoys|consumes|feels?|describes|experienced|underwent|recently|shows?|quit|required|spread|admits"
    r")\b",
    re.I,
)
# A noun with a verb close behind it: a statement of its own, not the next member of a list.
_CLAUSAL = re.compile(
    r"(?:[\w'’-]+\s+){1,6}?(?:is|are|was|were|has|have|had|takes|remains?)\b", re.I
)
_SUBJECT = re.compile(
    rf"(?:{_PERSON}|it|there|these|this|those|its|their|my|we|symptoms?|episodes?|pain)\b|"
    r"(?:the|a|an|his|her|no)\s+\w+",
    re.I,
)
# A piece that begins like this qualifies the one before it.
_DEPENDENT = re.compile(
    r"(?:which|who|whom|whose|where|that|especially|particularly|specifically|namely|described|characterized|"
    r"resulting|leading|suggesting|indicating|indicative|causing|making|requiring|sparing|followed|relieved|"
    r"worsened|worsening(?=\s+(?:with|by|at|when|during|over|in|to|after)\b|$)|worse|aggravated|alleviated|improving|managed|treated|controlled|diagnosed|lasting|"
    r"starting|beginning|radiating|located|occurring|since|during|after|before|when|while|although|though|"
    r"despite|because|due|for|at|in|on|of|to|by|per|from|about|approximately|around|over|up|roughly|"
    r"\d|one|two|three|primarily|mainly|mostly|initially|apart|except|besides|other\s+than|if|until|as|so|"
    r"immediately|shortly|soon|right\s+after|often|sometimes|usually|half|twice|once|respectively|affected|noting|possibly|likely|now|age|"
    r"gravida|para|where|failing|accompanying)\b",
    re.I,
)
_ADVERBIAL = re.compile(
    r"(?:since|during|after|before|when|while|over|for|in|on|at|upon|although|though|despite|because|given|"
    r"following|prior|earlier|last|previously|if|as|from|within|by|due|until|"
    r"(?:\d+|an?|one|two|three|four|five|six|several|a\s+few)\s+(?:\w+\s+)?(?:years?|months?|weeks?|days?|hours?)"
    r"\s+(?:ago|later|prior|earlier))\b",
    re.I,
)
_ONE_ADVERB = re.compile(
    r"(?:\w+ly|however|also|furthermore|moreover|overall|otherwise|then|instead|now|today|yesterday)",
    re.I,
)
# Inside a piece: a new statement begins, and the connective itself is left out.
_TURN = re.compile(
    r",?\s*\b(?:accompanied\s+by|associated\s+with|along\s+with|together\s+with|as\s+well\s+as|such\s+as|"
    r"including|but\s+(?:also\s+)?(?!not\s+limited)|(?:with(?=\s+(?:no|occasional|associated|some|intermittent)\b)))"
    r"\s*|\s*\b(?=without\s+(?!reg)\w)",
    re.I,
)
_AND = re.compile(r"\s+(?:and/or|and|or|nor)\s+|\s*&\s*", re.I)
_LEADING_AND = re.compile(r"(?:and/or|and|or|nor|but|plus|with|then)\s+", re.I)
_PREPOSITION = re.compile(
    r"\b(?:in|on|of|to|with|at|from|for|over|about|around|by|during|after|before|when|while|between|into|"
    r"under|despite|via|within|across|through|than|like)\b",
    re.I,
)
_SYMPTOM_HEAD = re.compile(
    r"\b(?:\w*(?:aches?|emia|uria|pnea|rrhea|rrhage|algia|itis|osis|oma|phagia|pathy|plegia|paresis)|pains?|"
    r"fevers?|chills|rigors|nausea|vomiting|cough\w*|swelling|weakness|fatigue|tiredness|malaise|dizziness|vertigo|"
    r"numbness|tingling|bleeding|itch\w*|rash\w*|edema|wheez\w*|bruising|sweat\w*|cramp\w*|stiffness|redness|"
    r"discharge|anxiety|depression|insomnia|confusion|lethargy|seizures?|diabetes|hypertension|asthma|loss|gain|"
    r"difficult\w*|discomfort|tenderness|palpitations|jaundice|irritability|hyperlipidemia|use|weight)\b",
    re.I,
)
_HEAD = (
    r"(?:history|functions?|habits|use|abuse|problems?|issues|illness(?:es)?|symptoms?|diseases?|disorders?|"
    r"weakness|changes?|exposures?|contacts?|trauma|injur(?:y|ies)|surger(?:y|ies)|conditions?|allerg(?:y|ies)|"
    r"infections?|movements?|tenderness|discharge|incontinence|disturbances?|intake|consumption|therapy|"
    r"complications?|complaints?|pains?|cancers?|intolerance|loss|stools?|smoke|behaviors?|difficulties)"
)
# Words that need the noun behind them: "alcohol" in "alcohol or drug use", "skin" in "skin or nipple
# changes". A true adjective shares any noun, the others only a head of the list above.
_ADJECTIVE = re.compile(r"(?!history|memory|animal|meal)\w+(?:al|ic|ary|ive|ous|ar|ory)", re.I)
_MODIFIER = re.compile(
    rf"{_ADJECTIVE.pattern}|joint|muscle|bowel|bladder|back|chest|neck|family|tobacco|alcohol|drug|arm|hand|leg|"
    r"arm/hand|skin|nipple|mouth|hearing|vision|night|urine|hair|heat|cold|recent|previous|prior|past|sick|"
    r"drinking|smoking|insect",
    re.I,
)
_SHARED_HEAD = re.compile(rf"(?:(?:[\w/-]+\s+){{1,2}})(?P<head>{_HEAD}(?:\s.*)?)$", re.I)
_SHARED_NOUN = re.compile(rf"(?:{_ADJECTIVE.pattern})\s+(?P<head>\w+s)$", re.I)

_LENGTH = (
    r"(?:(?:about|approximately|around|almost|nearly|over)\s+)?(?:\d+(?:\s*[–-]\s*\d+)?|an?|one|two|three|four|five|"
    r"six|seven|eight|nine|ten|several|(?:a\s+)?few)[\s-]*(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)"
)
_DURATION = re.compile(
    rf"(?:for|over|during|in)\s+(?:the\s+)?(?:past|last)?\s*{_LENGTH}|"
    r"(?:for|over)\s+(?:the\s+)?(?:past|last)\s+(?:few\s+|several\s+)?(?:years?|months?|weeks?|days?|hours?)",
    re.I,
)
_LASTING = re.compile(rf"{_LENGTH}(?=(?:\s+|-)history)", re.I)
_TOLD_OF = re.compile(
    r"\s+(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:reported|noted|mentioned|provided|available|stated)"
    r"(?:\s+(?:by|at|in)\s.*)?$",
    re.I,
)
_ONSET = re.compile(
    rf"{_LENGTH}\s+(?:ago|prior)|since\s+[\w\s]{{2,20}}|(?:this|last)\s+(?:morning|night|week)",
    re.I,
)
_SEVERITY = re.compile(
    r"\b(?:mild|moderate|severe|intense|slight|low-grade|extreme)(?:ly)?\b", re.I
)
_RELIEF = re.compile(
    r"(?:relieved|alleviated|improves?|improved|better)\s+(?:by|with|after|when|at)\s+[\w\s-]+",
    re.I,
)
_TRIGGER = re.compile(
    r"(?:worsen(?:s|ed|ing)?|worse|aggravated|exacerbat\w+|triggered)\s+(?:by|with|after|when|at|during|on|in)\s+"
    r"[\w\s-]+",
    re.I,
)
_VALUE = re.compile(
    r"\d+(?:[./,]\d+)*\s*(?:°\s*[CF]|kg|g|lbs?|mg|mmHg|%|packs?|pack-years|beers?|/min|bpm|episodes|times)\b",
    re.I,
)
_LEAD = re.compile(
    rf"(?:(?:{_PERSON}|it|there|['’]s)\s+)?(?:(?:has|have|had|is|are|was|were|been|be|being|does|do|did|also|"
    r"currently|recently|previously|occasionally|sometimes|often|experiencing|experienced|experiences|having|"
    r"developed|developing|noticed|noticing|feeling|feels|presented|presents|presenting|suffered|with|from|diagnosed|known|"
    r"underwent|takes?|taking|reports?|notes?|including|not|no|without|any)\b\s*)*"
    rf"(?:(?:an?|the|any|some|his|her|their|my)\s+)?(?:{_LENGTH}[\s-]+)?"
    r"(?:(?:long(?:-standing)?|significant|recent|sudden|progressive(?:ly)?|new|"
    r"worsening|persistent|recurrent|frequent|intermittent|generalized|occasional|severe|mild|moderate|"
    r"noticeable|slight|intense|several|multiple|known|other|additional)\s+)*"
    r"(?:(?:(?:past\s+|medical\s+|prior\s+)*history|episodes?|presence|onset|sensation|feelings?|symptoms|instances|reports?|signs?|use|regimen|"
    r"intake)\s+(?:significant\s+)?(?:of|for|like)\s+)?(?:experiencing\s+|having\s+|developing\s+|feeling\s+)?"
    r"(?:(?:an?|the|any|some|his|her|their)\s+)?",
    re.I,
)


def english_clauses(text: str) -> list[Clause]:
    """The clauses of an English text in order; their spans never overlap."""
    inside = shielded(text)
    found: list[Clause] = []
    for sentence in cut((0, len(text)), lambda i: _ends_sentence(text, i) and not inside[i]):
        negative = False
        for piece in _pieces(text, sentence, inside):
            for clause in _piece(text, piece, inside, negative):
                negative = not clause.present
                found.append(clause)
    return found


def _ends_sentence(text: str, i: int) -> bool:
    if text[i] in "!?;\n":
        return True
    if text[i] != ".":
        return False
    behind = text[i + 1 : i + 2]
    if behind and not behind.isspace() and behind not in "\"'”’)":
        return False
    return not _ABBREVIATION.search(text, max(0, i - 8), i) or not text[i + 1 :].strip()


def _pieces(text: str, sentence: Span, inside: list[bool]) -> Iterator[Span]:
    """The pieces between commas, those that cannot stand alone joined to the one they qualify."""
    pieces: list[Span] = []
    waiting: int | None = None
    for start, end in cut(sentence, lambda i: _is_comma(text, i) and not inside[i]):
        said = text[start:end].strip()
        bare = _LEADING_AND.sub("", said, count=1)
        told = _REPORTED.sub("", said, count=1) if _REPORTED.match(said) else said
        if waiting is not None:
            pieces.append((waiting, end))
            waiting = None
        elif not pieces and _waits(told, text[end : sentence[1]]):
            waiting = start
        elif pieces and _DEPENDENT.match(bare) and not _starts_negation(bare):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    if waiting is not None:
        pieces.append((waiting, sentence[1]))
    yield from pieces


def _is_comma(text: str, i: int) -> bool:
    between_digits = text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit()
    return text[i] == "," and not between_digits


def _waits(said: str, rest: str) -> bool:
    """Whether a first piece only says when or how, and what it says it of comes behind the comma."""
    if _ONE_ADVERB.fullmatch(said):
        return True
    behind = rest.lstrip(", ")
    return bool(_ADVERBIAL.match(said) and (_SUBJECT.match(behind) or _FINITE.match(behind)))


def _starts_negation(said: str) -> bool:
    return bool(_DENIES.match(said) or re.match(r"(?:no|not|without|never)\b", said, re.I))


def _piece(text: str, span: Span, inside: list[bool], negative: bool) -> Iterator[Clause]:
    """The statements of one piece; a list goes on with the polarity of the piece before it."""
    for part in _parts(text, span, inside):
        start, end = trim(text, part, _EDGE)
        for opening in (_LEADING_AND, _DISCOURSE):
            found = opening.match(text, start, end)
            if found and has_words(text[found.end() : end]):
                turned = found[0].strip().lower() == "but"
                negative = negative and not turned
                start = found.end()
        said = text[start:end]
        if not has_words(said):
            continue
        denied, negated, reported = (
            p.match(text, start, end) for p in (_DENIES, _NEGATED, _REPORTED)
        )
        if denied and has_words(text[denied.end() : end]):
            start, topic, negative = denied.end(), denied.end(), True
        elif negated and has_words(text[negated.end() : end]):
            topic, negative = negated.end(), True
        else:
            if reported and has_words(text[reported.end() : end]):
                start, negative = reported.end(), False
                inner = _NEGATED.match(text, start, end)
                if inner and has_words(text[inner.end() : end]):
                    negative = True
            elif negative and (_FINITE.match(said) or _CLAUSAL.match(said)):
                negative = False
            topic = start
        yield from _listed(text, (start, end), topic, inside, negative)


def _parts(text: str, span: Span, inside: list[bool]) -> Iterator[Span]:
    start = span[0]
    for turn in _TURN.finditer(text, *span):
        if inside[turn.start()] or not has_words(text[start : turn.start()]):
            continue
        if not has_words(text[turn.end() : span[1]]):
            break
        yield start, turn.start()
        start = turn.start() if "but" in turn[0].lower() else turn.end()
    yield start, span[1]


def _listed(
    text: str, span: Span, topic: int, inside: list[bool], negative: bool
) -> Iterator[Clause]:
    """The members that "and" and "or" join, each a clause, with the head that they share."""
    members = list(_members(text, span, topic, inside, negative))
    last = text[members[-1][0] : members[-1][1]]
    for start, end in members:
        own = text[start:end]
        head = _common_head(text[max(start, topic) : end], last) if end != members[-1][1] else ""
        whole = f"{own} {head}" if head else own
        about = whole[max(0, topic - start) :] if topic < end else whole
        yield Clause(start, end, whole, _symptom(about), not negative, _attributes(own))


def _common_head(left: str, right: str) -> str:
    """The noun that the last member has for one before it too; "" if there is none."""
    words = left.split()
    if not words:
        return ""
    shared = _SHARED_HEAD.match(right) if _MODIFIER.fullmatch(words[-1]) else None
    if shared is None and _ADJECTIVE.fullmatch(words[-1]):
        shared = _SHARED_NOUN.match(right)
    return shared["head"] if shared else ""


def _members(
    text: str, span: Span, topic: int, inside: list[bool], negative: bool
) -> Iterator[Span]:
    start, end = span
    for word in _AND.finditer(text, topic, end):
        left, right = text[max(start, topic) : word.start()], text[word.end() : end]
        if inside[word.start()] or not has_words(left) or not has_words(right):
            continue
        if _parts_company(left, right, negative):
            yield trim(text, (start, word.start()), _EDGE)
            start = word.end()
    yield trim(text, (start, end), _EDGE)


def _parts_company(left: str, right: str, negative: bool) -> bool:
    """Whether "left and right" are two statements, not one that names two places or adjectives."""
    if _FINITE.match(right) or _starts_negation(right) or _REPORTED.match(right):
        return True
    if re.search(r"\b(?:between|both|either)\b", left, re.I) or re.search(r"\d$", left):
        return False
    last = left.split()[-1]
    shares = bool(_common_head(last, right))
    placed = _PREPOSITION.search(re.sub(r"^(?:\S+\s+){0,3}?history\s+of\s+", "", left, flags=re.I))
    if placed:
        # "a rash on trunk and limbs", "changes in bowel or bladder habits": one statement.
        if shares or re.match(r"\s*\S+\s*$", right) and not _SYMPTOM_HEAD.search(right):
            return False
        return (
            bool(_SYMPTOM_HEAD.search(right))
            and not re.match(r"\S+ing\b(?!\S)", right)
            or (bool(_SYMPTOM_HEAD.match(right)))
        )
    if shares:
        return len(left.split()) <= 2
    if len(right.split()) == 1 and not negative and not _SYMPTOM_HEAD.search(right):
        # "red and scaly", "gym and recess": two words for one thing, unless both are symptoms.
        return bool(_SYMPTOM_HEAD.search(left)) or len(left.split()) == 1 and not left.islower()
    return True


def _symptom(said: str) -> str:
    """What a clause is about: without articles, durations, leading verbs and brackets."""
    short = re.sub(r"\s*\([^()]*\)", "", said).strip()
    short = _TOLD_OF.sub("", short) or short
    for ending in (_DURATION, _ONSET):
        found = ending.search(short)
        if found and has_words(short[: found.start()]):
            short = short[: found.start()].strip(_EDGE + " ")
    lead = _LEAD.match(short)
    if lead and has_words(short[lead.end() :]):
        short = short[lead.end() :]
    head = re.split(
        r",|\s+(?:that|which|who|when|while|after|before|during|because|since|due\s+to|especially)\s+",
        short,
    )[0]
    short = head if has_words(head) else short
    return short.strip(_EDGE + " ") or said


def _attributes(said: str) -> dict[str, str]:
    found = {
        "duration": _DURATION.search(said) or _LASTING.search(said),
        "onset": _ONSET.search(said),
        "severity": _SEVERITY.search(said),
        "relief": _RELIEF.search(said),
        "trigger": _TRIGGER.search(said),
        "value": _VALUE.search(said),
    }
    return {name: match[0].strip() for name, match in found.items() if match}
