"""Disease names out of English diagnosis text. The text comes without mark-up and numbering."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from records.diseases.disease_names_zh import is_disease

_ENDINGS = (
    r"\w+(?:itis|itides|oma|omas|omata|osis|oses|iasis|a?emia|emic|opathy|opathies|algia|uria"
    r"|rrhea|rrhoea|plegia|paresis"
    r"|rrhage|rrhages|rrhagia|stones?|ectasis|ectasia|sclerosis|trophy|pnea|pnoea|phagia|phasia"
    r"|dynia|penia|cytosis|lithiasis"
    r"|megaly|edema|oedema|cele|ptosis|stenosis|spasm|spasms|thorax|toxicosis|ism|oedema|praxia"
    r"|plasia|philia|lysis)"
    r"|diseases?|disorders?|syndromes?|infections?|failure|fractures?|injur(?:y|ies)|cancers?"
    r"|tumou?rs?|lesions?"
    r"|insufficiency|deficiency|obstruction|infarction|infarcts?|strokes?|attacks?|ischa?emia"
    r"|hypertension|hypotension"
    r"|diabetes|mellitus|asthma|pneumonia|flu|influenza|cold|covid(?:-19)?|sepsis|shock"
    r"|abscess(?:es)?|ulcers?|ulceration"
    r"|h?a?emorrhage|bleeding|bleed|embolism|embolus|emboli|thrombosis|thrombus|aneurysms?"
    r"|dissection|perforation"
    r"|rupture|tears?|sprains?|strains?|dislocations?|subluxation|contusions?|concussion|wounds?"
    r"|burns?|lacerations?"
    r"|stones?|calculi|calculus|cysts?|polyps?|hernias?|prolapse|masses|mass|nodules?|effusions?"
    r"|edema|oedema"
    r"|depression|anxiety|psychosis|schizophrenia|dementia|delirium|epilepsy|seizures?|migraines?"
    r"|headaches?|pain"
    r"|vertigo|syncope|dizziness|palsy|paralysis|neuropathy|insomnia|gout|lupus|psoriasis|eczema"
    r"|urticaria|acne|rash"
    r"|measles|mumps|rubella|chickenpox|varicella|shingles|zoster|herpes|malaria|tetanus|cholera"
    r"|plague|rabies|fever"
    r"|warts?|scabies|lice|candida|thrush|pregnancy|abortion|miscarriage|labou?r|preeclampsia"
    r"|pre-eclampsia|eclampsia"
    r"|menopause|endometriosis|fibroids?|incontinence|retention|constipation|diarrh(?:ea|oea)"
    r"|reflux|gerd|copd|dvt"
    r"|stemi|nstemi|tia|uti|chf|ckd|aki|ards|hiv|aids|ibs|ibd|pid|pcos|adhd|ptsd|ocd|bph|sle|tb"
    r"|acs|cad|mi|pe|oa|ra|af"
    r"|angina|arrest|arrhythmias?|fibrillation|flutter|tachycardia|bradycardia|blocks?"
    r"|regurgitation|murmur"
    r"|cirrhosis|hepatitis|jaundice|ascites|varices|cholestasis|colic|poisoning|overdose"
    r"|intoxication|toxicity|reaction"
    r"|allergy|allergies|anaphylaxis|rhinitis|croup|bronchiolitis|atelectasis|emphysema|fibrosis"
    r"|cataracts?|glaucoma"
    r"|blindness|loss|myopia|detachment|degeneration|malformation|anomaly|defects?|atresia|palate"
    r"|dysplasia|neoplasms?"
    r"|malignancy|malignancies|metasta(?:sis|ses)|leuka?emia|lymphoma|carcinoma|dystrophy"
    r"|sclerosis|parkinson's|alzheimer's"
    r"|exacerbation|crisis|coma|withdrawal|dependence|abuse|addiction|use disorder|obesity"
    r"|malnutrition|dehydration"
    r"|imbalance|torsion|intussusception|volvulus|gangrene|necrosis|varicocele|hydrocele"
    r"|hemorrhoids|haemorrhoids"
    r"|fissures?|fistulas?|fistulae|impingement|entrapment|compression|radiculopathy|stenosis"
    r"|scoliosis|kyphosis|instability"
    r"|osteoporosis|bursitis|tendin(?:itis|opathy)|fasciitis|cellulitis|impetigo|folliculitis"
    r"|melanoma|gravidarum|previa"
    r"|accreta|abruption|distress|apnea|apnoea|hypoxia|acidosis|alkalosis|withdrawal|hyperplasia"
    r"|hypertrophy|atrophy"
    r"|dysfunction|abnormality|abnormalities|damage|impairment|delay|stasis|spasms?|cramps?|disc"
    r"|discs|disk"
)
_DISEASE = re.compile(
    rf"(?:\A|.*[\s/-])(?:{_ENDINGS})(?:\s+(?:type|of|in|type)\s+[\w\s'-]{{1,40}}|\s+(?:[12]|i{{1,3}}))?\Z",
    re.I,
)
_INSIDE = re.compile(rf"\b(?:{_ENDINGS})\b", re.I)

_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_DIFFERENTIAL = re.compile(
    r"\b(?:differential(?:s|\s+diagnos[ei]s)?|ddx)\b(?!\s+(?:cyanosis|hearing)).*\Z", re.I | re.S
)
_SENTENCES = re.compile(r"(?<=[a-z)\]0-9]{2})[.!?](?=\s|\Z)|[;\n。；]", re.I)
_LEAD = re.compile(
    r"^.*?\b(?:diagnos(?:is|es)\b(?:[^,:]{0,60}?\b(?:is|are|of|as|would be|includes?|remains)\b"
    r"|\s*:)|diagnosed\s+(?:with|as)|diagnose\s+\w+\s+with"
    r"|(?:consistent|compatible|in keeping)\s+with|suggest(?:s|ive\s+of|ing|ed)?|indicat(?:es?"
    r"|ive\s+of|ing)|points?\s+(?:to|toward|towards)"
    r"|concern(?:ing)?\s+for|suspicious\s+for|suspicion\s+(?:of|for)|(?:suffer(?:s|ing)?\s+from)"
    r"|appears?\s+to\s+(?:have|be)|seems?\s+to\s+(?:have|be)"
    r"|(?:patient|she|he|you|they|child)\s+(?:\w+\s+){0,2}(?:has|have|had)|most\s+likely"
    r"|likely\s+(?:to\s+(?:be|have)|due\s+to)|in\s+favou?r\s+of)\b"
    r"(?:\s*:|\s+(?:be|is|are|that\s+of|to\s+be|the|an?|having|due\s+to)\b)*\s*",
    re.I,
)
_EXCLUDED_BEFORE = re.compile(
    r"\b(?:no\s+(?:\w+\s+){0,2}(?:evidence|signs?|features|suggestion|indication|history"
    r"|suspicion)\s+(?:of|for|to\s+suggest)|(?:to\s+|must\s+|need\s+to\s+|should\s+)*(?:rule"
    r"|ruling|ruled)\s+out"
    r"|r/o|(?:to\s+)?exclud(?:e|es|ed|ing)|without|negative\s+for|absence\s+of|(?:is|are|was"
    r"|were)?\s*(?:not|no\s+longer)\b|denies|no|unlikely\s+to\s+be|rather\s+than|instead\s+of"
    r"|unlike)\s+",
    re.I,
)
_CANNOT_EXCLUDE = re.compile(
    r"\b(?:can\s?not|can't|could\s+not|couldn't|not"
    r"|yet\s+to)\s+(?:yet\s+)?(?:be\s+)?(?:entirely\s+|completely\s+|fully\s+)?(?:ruled?\s+out"
    r"|excluded?)\b",
    re.I,
)
_EXCLUDED_AFTER = re.compile(
    r"\b(?:(?:has|have|had|was|were|is|are|been|can|be|being|effectively)\s+)*(?:ruled\s+out"
    r"|excluded|unlikely|less\s+likely|not\s+(?:likely|supported|present|suspected))\b",
    re.I,
)
_STOP = re.compile(
    r"\s+(?:because|given|based\s+on|as\s+(?:evidenced|shown|suggested|indicated|demonstrated"
    r"|confirmed)|supported\s+by|which|that|since|considering"
    r"|in\s+view\s+of|in\s+light\s+of|evidenced\s+by|confirmed\s+(?:by|on)|seen\s+on|noted\s+on"
    r"|requiring|requires?|needs?|pending|status\s+post|s/p|presenting|presents|manifest\w*"
    r"|characteri[sz]ed|is\s+(?:a|the|an|most|likely|possible|probable|suspected|confirmed"
    r"|supported)|are\s+\w+|was\s+\w+|should|could|would|will|may|might|must|has|have|had|where"
    r"|while|although|though"
    r"|at\s+(?:its|the|their)|but|however|until|if|so)\b.*\Z|\s+[-–—]+\s+.*\Z",
    re.I | re.S,
)
_HEDGE_START = re.compile(
    r"\A(?:(?:the|an?|some|and|or|also|with|possible|possibly|probable|probably|likely"
    r"|most\s+likely|suspected|suspect|suspicion\s+of|presumed|presumptive|query|questionable"
    r"|apparent"
    r"|potential|may\s+(?:be|have)|might\s+(?:be|have)|could\s+be|is|are|be|to\s+be|patient|final"
    r"|primary\s+diagnosis|secondary\s+diagnosis|final\s+diagnosis|working\s+diagnosis|diagnosis"
    r"|diagnoses|diagnosed\s+with|features\s+of|clinical|evidence\s+of|case\s+of|episode\s+of"
    r"|development\s+of"
    r"|onset\s+of|a\s+history\s+of|history\s+of|known|concurrent|concomitant|associated"
    r"|underlying|co-?existing|co-?morbid|comorbid|including|such\s+as|superimposed|consider"
    r"|considering|either|both|of|in|due\s+to|secondary\s+to|subsequent|resulting)\b[\s:]*"
    r"|[\s\"'“‘?,:.~-]+)+",
    re.I,
)
_HEDGE_END = re.compile(
    r"(?:[\s,.:;?!\"”’*]|\b(?:possible|possibly|probable|probably|likely|suspected|presumed"
    r"|most\s+likely|to\s+be\s+confirmed|pending|confirmed|status|unspecified\s+cause|and|or|with"
    r"|of|etc)\b\.?)+\Z",
    re.I,
)
_STAGE = re.compile(
    r"[\s,]*\b(?:(?:stage|grade|class|classification|category)\s+(?:[0-4][a-d]?|i{1,3}v?|iv"
    r"|v)(?:[a-d])?|(?:nyha|kdigo|gold|killip|child-pugh|asa|who)\b(?:\s+(?:class|stage|grade"
    r"|group))?\s*(?:[a-d0-4]|i{1,3}v?|iv)?|[cp]?t[0-4x][a-d]?\s?n[0-3x][a-c]?\s?m[01x])\s*\Z",
    re.I,
)
_SIDE_NOTE = re.compile(
    r"\A(?:acute|chronic|severe|mild|moderate|left|right|bilateral|left-sided|right-sided"
    r"|uncomplicated|recurrent|unspecified|active|early|advanced)\Z",
    re.I,
)
_GENERIC = re.compile(
    r"\A(?:(?:other|another|any|some|these|this|certain|various|specific|the|underlying|serious"
    r"|similar|alternative)\s+.*|(?:the\s+)?(?:disease|disorder|condition|infection|syndrome"
    r"|injury|lesion|pain|mass|loss|cold|damage|reaction|failure|delay|tissue)s?)\Z",
    re.I,
)
_GIVEN_UP = re.compile(
    r"\b(?:can\s?not|can't|could\s+not|unable|impossible|insufficient|not\s+(?:possible|enough"
    r"|able|provided|available)|further|recommend\w*|advis\w*|consult\w*|needed|information"
    r"|physician|please|additional\s+tests?|treat\w*|as\s+an\s+ai|symptoms?|findings?|results?"
    r"|examinations?|tests?|history)\b",
    re.I,
)
_SOFT = re.compile(
    r"(\s*,\s*(?:and|or|with|plus)?\s+|\s+(?:and/or|and|or|as\s+well\s+as|along\s+with"
    r"|together\s+with|plus|with|complicated\s+by|complicating|accompanied\s+by|associated\s+with"
    r"|secondary\s+to|due\s+to|caused\s+by|resulting\s+(?:in|from)|leading\s+to|causing"
    r"|in\s+the\s+setting\s+of|on\s+a?\s*background\s+of|superimposed\s+on|following|after|versus"
    r"|vs\.?)\s+|\s*/\s*(?=\w{4})|\s*\+\s*|\s+&\s+)",
    re.I,
)
_JOINS = re.compile(r"\s+\w[^,]*\s|,\s*(?:with|plus)\s", re.I)
"""A connector that may be inside a name, as "with" in "ulcer with haemorrhage"."""
_MOST_JOINED = 4


def names(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    """Yield the diseases of a text, in order, doublets included.

    Connectors do not split a name that is known as it stands.
    """
    text = _DIFFERENTIAL.sub("", text)
    for source in (_without_brackets(text), re.sub(r"[()\[\]]", " ", text)):
        found = [
            name for sentence in _SENTENCES.split(source) for name in _of_sentence(sentence, known)
        ]
        if found:
            yield from found
            return
    yield from _lone_name(_without_brackets(text))


def reason(piece: str) -> str:
    """Why a piece without a name names none."""
    if _DIFFERENTIAL.search(piece):
        return "only told apart"
    claimed = _CANNOT_EXCLUDE.sub("", piece)
    if _EXCLUDED_BEFORE.search(f"{claimed} ") or _EXCLUDED_AFTER.search(claimed):
        return "excluded"
    if _STAGE.search(piece):
        return "a stage or degree"
    return "talk" if _GIVEN_UP.search(piece) else "no disease's name"


def _without_brackets(text: str) -> str:
    for _ in range(4):
        stripped = _BRACKETS.sub(" ", text)
        if stripped == text:
            break
        text = stripped
    return text


def _of_sentence(sentence: str, known: Callable[[str], bool]) -> Iterator[str]:
    sentence = " ".join(sentence.split())
    if not sentence:
        return
    sentence = _CANNOT_EXCLUDE.sub("possible", sentence)
    head, colon, tail = sentence.partition(":")
    if colon and tail.strip() and not _LEAD.match(sentence):
        if _is_disease(_trimmed(head)):
            yield from _from_list(head, known)
            if len(tail) > 80:
                return
        sentence = tail.strip()
    led = _LEAD.match(sentence)
    if led:
        sentence = sentence[led.end() :]
    gone = _EXCLUDED_AFTER.search(sentence)
    if gone and not _EXCLUDED_BEFORE.search(sentence[: gone.end()]):
        # "A likely, B ruled out": what stands in the same clause before the verdict is out.
        kept = re.split(r"[,]", sentence[: gone.start()])[:-1]
        sentence = ",".join(kept)
    out = _EXCLUDED_BEFORE.search(sentence)
    if out:
        sentence = sentence[: out.start()]
    sentence = _STOP.sub("", sentence)
    if _GIVEN_UP.search(sentence):
        return
    yield from _from_list(sentence, known)


def _from_list(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    """Split at connectors where both sides are names; else the connector is inside a name."""
    pieces = _SOFT.split(text)
    held = ""
    whole = _trimmed(text)
    if len(pieces) > 1 and _one_name(whole):
        yield whole
        return
    beyond = 0
    for i in range(0, len(pieces), 2):
        if i < beyond:
            continue
        joined = 0 if held else _longest_known(pieces[i:], known)
        if joined:
            yield _trimmed("".join(pieces[i : i + joined]))
            beyond = i + joined + 1
            continue
        piece = pieces[i]
        held += piece
        name = _trimmed(held)
        if _is_disease(name) or _known_item(name, known):
            yield name
            held = ""
        elif i + 1 < len(pieces):
            connector = pieces[i + 1]
            held = "" if "," in connector and not _adjective(held) else held + connector
    return


def _known_item(name: str, known: Callable[[str], bool]) -> bool:
    """True if a phrase is a disease's name though it does not end as one: broken collarbone."""
    vague = _GENERIC.match(name) or _SIDE_NOTE.match(name) or _GIVEN_UP.search(name)
    return len(name) >= 4 and not vague and known(name)


def _longest_known(pieces: list[str], known: Callable[[str], bool]) -> int:
    """How many pieces from the first are a known name with their connectors; 0 if it is none."""
    most = 1
    while most + 1 < len(pieces) and _JOINS.fullmatch(pieces[most]) and most < 2 * _MOST_JOINED:
        most += 2
    return next((n for n in range(most, 1, -2) if known(_trimmed("".join(pieces[:n])))), 0)


def _adjective(piece: str) -> bool:
    return len(piece.split()) <= 3


def _one_name(name: str) -> bool:
    """A fixed name with a connector inside it."""
    return bool(
        re.fullmatch(
            r"(?:hand,? foot,? and mouth disease|(?:food and drug|drug and alcohol) \w+"
            r"|nausea and vomiting"
            r"|(?:acute |chronic )?(?:anemia|anaemia) (?:due to|of) .{3,30}"
            r"|(?:attention.deficit.*|obsessive.*|head and neck .*|ear,? nose,? and throat .*))",
            name,
            re.I,
        )
    )


def _trimmed(piece: str) -> str:
    for _ in range(3):
        before = piece
        piece = _HEDGE_START.sub("", piece)
        piece = _HEDGE_END.sub("", piece)
        piece = _STAGE.sub("", piece)
        if piece == before:
            break
    return piece


def _is_disease(name: str) -> bool:
    return (
        2 <= len(name) <= 90
        and len(name.split()) <= 10
        and bool(
            is_disease(name)
            or _DISEASE.match(name)
            or (_INSIDE.search(name) and len(name.split()) <= 6)
        )
        and not _GENERIC.match(name)
        and not _SIDE_NOTE.match(name)
    )


def _lone_name(text: str) -> Iterator[str]:
    """A text that is one short phrase is a name, whatever its ending."""
    first, *more = [line for line in text.split("\n") if line.strip()] or [""]
    name = _STOP.sub("", " ".join(first.split()))
    led = _LEAD.match(name)
    name = _trimmed(name[led.end() :] if led else name)
    short = len(name) >= 3 and len(name.split()) <= 5 and not more and "," not in first
    if short and not re.search(r"[.;:]", name) and not _EXCLUDED_BEFORE.search(name + " "):
        nothing = re.fullmatch(r"(?i)none|unknown|n/?a|pending|unclear|undetermined|[\d\W]*", name)
        doubt = _GIVEN_UP.search(name) or _GENERIC.match(name) or _EXCLUDED_AFTER.search(name)
        if not (nothing or doubt):
            yield name
