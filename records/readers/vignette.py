"""An English case told in one go, sorted by who knows what: history, signs, results of studies.

Whole sentences are sorted, word for word as they stand, by the words that open them; only the
first one is parted, into who came and what they complained of. Where nothing tells, a sentence is
what the one before it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from records.medical_record import Examination, HistorySection
from records.readers.reading import take_reading

Sort = Literal[
    "history_of_present_illness",
    "past_history",
    "family_history",
    "medication_history",
    "sign",
    "result",
]

_PERSON = (
    r"(?:(?:the|this|his|her|their)\s+)?(?:(?:patient|boy|girl|child|infant|man|woman)['’]s\s+)?"
    r"(?:patient|he|she|they|boy|girl|man|woman|child|infant|mom|mother|father|"
    r"parents?|family(?:\s+members?)?|husband|wife|partner)"
)
_ADVERBS = (
    r"(?:(?:also|otherwise|further|additionally|currently|initially|recently|previously|then|now|"
    r"first|further|occasionally|never|only|usually)\s+)*"
)
_REPORTS = (
    r"(?:den(?:y|ies|ied)|reports?|reported|states?|stated|notes|noted|notices?|noticed|says?|said|"
    r"recalls?|recalled|admits?|admitted|endorses?|endorsed|describes?|described|"
    r"complain(?:s|ed)?|acknowledge[sd]?|mentions?|mentioned|attribute[sd]?|believe[sd]?|feels?|"
    r"felt|experience[sd]?|underwent|received|takes?|took|tried|tries|uses?|used|started|began|"
    r"works?|worked|lives?|lived|travel(?:s|l?ed)|smokes?|smoked|drinks?|contracted|visited|sought|"
    r"ha(?:s|ve)\s+(?:been|taken|tried|used|had|not|never|a|an|no|lost|gained|recently|also|always|any)|"
    r"had\s+(?:been|taken|tried|used|not|never|a|an|no|similar|recently|stepped|opted)|"
    r"(?:does|did|do)\s+not|(?:is|was|are|were)\s+(?:very\s+)?(?:otherwise|not|currently|born|treated|diagnosed|"
    r"given|prescribed|hospitalized|admitted|healthy|unaware|concerned|worried|taking|started|seen)|"
    r"is\s+an?\b|was\s+an?\b)"
)
_TOLD = re.compile(
    rf"(?:^|[,;]\s+|\b(?:that|and|when|as|but)\s+){_PERSON}\s+{_ADVERBS}{_REPORTS}\b|"
    r"\b(?:medical|family|social|surgical|medication|sexual|travel|treatment)"
    r"(?:,?\s+(?:and|or|social|family|medical)\b)*\s+histor(?:y|ies)\b|"
    r"\breview\s+of\s+systems\b|\botherwise\s+healthy\b|\bdenie[sd]\b|\bdeny\b|"
    r"\b(?:current\s+)?medications?\s+includ|\bno\s+(?:personal|known)\b|"
    r"\b(?:years?|months?|weeks?|days?|hours?)\s+(?:ago|earlier|prior|previously)\b|"
    r"\baccording\s+to\b|\bat\s+birth\b|\btreatments?\s+failed\b|\bwhen\s+(?:asked|questioned)\b|"
    r"\b(?:rash|lesions?|symptoms?|pain|eruption|spots?|papules?|plaques?|patches|growth|bumps?|"
    r"bullae|condition)\s+(?:\w+ly\s+|have\s+|has\s+|had\s+|would\s+|always\s+)*"
    r"(?:began|begins?|started|starts?|appear(?:s|ed)?\s+(?:after|when|in|during|within|every|"
    r"initially|consistently|suddenly|spontaneously)|developed|resolved?s?|persist(?:s|ed)?|spread|"
    r"progressed|grown|been\s+(?:present|growing|there)|improved?s?|worsen(?:s|ed)?|itch(?:es)?|"
    r"bleeds?|bled|changed|occur(?:s|red)?)\b",
    re.I,
)
_EXAMINED = re.compile(
    r"^(?:on|upon|at)\s+(?:[\w-]+\s+){0,3}?(?:exam(?:ination)?|inspection|palpation)\b|"
    r"^(?:(?:the|his|her|a|an|further|complete|full|initial|results?\s+of)\s+)*(?:[\w-]+\s+){0,3}?"
    r"(?:exam(?:ination)?s?|evaluation|examination\s+results)\s+(?:of\s+[^.,]{1,60}?\s+)?(?:\w+ly\s+)?(?:show|reveal|demonstrat|was|were|"
    r"is|disclos|are|detect|identif|notable|significant|found|yield|confirm|finding|also)|"
    r"\bon\s+(?:physical\s+|skin\s+|clinical\s+|general\s+)?examination\b|"
    r"^(?:(?:her|his|the)?\s*vital(?:s|\s+signs)\b|(?:her|his|the)?\s*(?:blood\s+pressure|temperature|heart\s+rate|pulse)\s+(?:is|"
    r"was)|auscultation|palpation|percussion|inspection)\b|"
    r"\b(?:has|had|with)\s+an?\s+(?:temperature|blood\s+pressure|heart\s+rate|pulse)\s+of\s+\d|"
    r"\bphysical\s+(?:exam(?:ination)?|findings)\b",
    re.I,
)
_SEEN = re.compile(
    r"(?<!benefit )(?<!improvement )(?<!relief )\b(?:is|are|was|were)\s+(?:also\s+)?"
    r"(?:identified|noted|observed|seen|visible|present|evident|"
    r"appreciated|palpable|found(?!\s+by)|apparent)\b|"
    r"\bthere\s+(?:is|are|was|were)\s+(?!(?:no|an?)\s+(?:family|identifiable|known|personal|"
    r"history|neonatal))",
    re.I,
)
_STUDY = re.compile(
    r"(?P<name>(?:\b(?!(?:the|a|an|and|of|on|in|is|was|were|are|her|his|from|subsequent|repeat|"
    r"initial|further|results?|showed|shows|shown|with|for|by|to|after|that|this|these|deep|which|"
    r"also|an?other|each|both|through|revealed|reveals|had|has|or|no|not|additional|abnormal|"
    r"normal|performed|via|using|relevant|pertinent|recent|completed|include)\b)[\w-]{1,40}\s+){0,3}?"
    r"(?:\b[\w-]{0,30}biops(?:y|ies)\b|\b(?:immuno)?histo(?:patholog|log|chemi)\w*|"
    r"\bimmunohistochem\w*|\bderm(?:at)?oscop\w*|\bimmunofluorescence\b|"
    r"\b(?:KOH|potassium\s+hydroxide)(?:\s+\(KOH\))?(?:\s+(?:preparation|test|examination|mount|prep))?|"
    r"\bcultures?\b|\bCT\b(?:\s+scan)?|\bcomputed\s+tomograph\w*(?:\s+\(CT\))?|\bMRI\b|"
    r"\bmagnetic\s+resonance\s+imaging\b|\bradiograph\w*|\bx-rays?\b|\bultraso\w+|"
    r"\blaborator(?:y|ies)(?:\s+(?:tests?|testing|studies|work[\s-]?up|evaluation|findings|results|"
    r"values|data|investigations?))?|\b(?:blood|thyroid\s+function|function|serum|patch|skin|"
    r"genetic|serologic(?:al)?|antibody|antiglobulin|tuberculin)\s+(?:tests?|testing|work|counts?|"
    r"studies)\b|\btests?\s+(?:of|for)\s+[\w-]+(?:\s+function)?|\btesting\b|"
    r"\b(?:white|red)(?:[\s-]blood)?[\s-]cell\s+counts?\b|\bantigen\s+tests?\b|\bCXR\b|"
    r"\burinalysis\b|\b(?:blood\s+)?smears?\b|\bserolog\w+|\belectrocardiogra\w+|\bECG\b|\bEKG\b|"
    r"\bechocardiogra\w+|\b\w*(?:endo|colono|broncho|laryngo|arthro)scop\w+|"
    r"\b(?:bronchoalveolar\s+)?lavage\b|\belectrophoresis\b|\bcatheterization\b|"
    r"\bmicroscop(?:y|ic\s+examination)\b|\bstain(?:ing)?\b|\bpolymerase\s+chain\s+reaction\b|"
    r"\bPCR\b|\b(?:complete\s+)?blood\s+count\b|\bwood['’]?s?\s+(?:lamp|light)(?:\s+"
    r"examination)?|\belectromyogra\w+|\blumbar\s+puncture\b|\bsequencing\b|\bscrapings?\b))",
    re.I,
)
_RESULT = re.compile(
    r"\b(?:show(?:s|ed|n|ing)?|reveal(?:s|ed|ing)?|demonstrate[sd]?|identif(?:y|ies|ied)|positive|"
    r"negative|normal|notable|consistent|unremarkable|within|found|finds|detect(?:s|ed)|confirm(?:s|"
    r"ed)?|disclose[sd]?|indicate[sd]?|yield(?:s|ed)?|elevated|decreased|increased|reveals|"
    r"remarkable|significant|suggest(?:s|ed|ive)|had|are\s+as\s+follows|grew|exhibit(?:s|ed)?|"
    r"visible|with)\b",
    re.I,
)
_RAISED = re.compile(r"\blevels?\s+(?:is|are|was|were|of)\b|\bfindings\s+consistent\s+with\b", re.I)

_KIN = r"(?:family|mother|father|brother|sister|sibling|parents?|son|daughter|relative)"
_PAST = re.compile(
    r"^(?:(?:the|his|her|their)\s+)?(?:patient['’]s\s+)?(?:other\s+)?(?:past\s+)?"
    r"(?:medical|surgical)\s+history\b|"
    rf"^{_PERSON}\s+{_ADVERBS}(?:has|had)\s+(?:a|no)\s+(?:significant\s+|relevant\s+)?(?:past\s+)?"
    r"(?:medical|surgical)\s+history\b",
    re.I,
)
_FAMILY = re.compile(
    r"^(?:(?:the|his|her|their|there\s+(?:is|was)\s+(?:a|no)|no|any|an?)\s+)?(?:patient['’]s\s+)?"
    r"family\s+history\b|^no\s+one\s+in\b.{0,30}\bfamily\b|^(?:the|his|her)\s+(?:\w+['’]s\s+)?"
    r"(?:parents|mother|father|brother|sister)\s+(?:(?:is|are)\s+(?:healthy|well|alive)|"
    r"has\s+a\s|have\s+an?\s|had\s+a\s|was\s+diagnosed)\b",
    re.I,
)
_MEDICATION = re.compile(
    r"^(?:(?:his|her|the|current|patient['’]s)\s+)*medications?\s+(?:includ|list|consist)|"
    rf"^{_PERSON}\s+{_ADVERBS}(?:takes\s+(?!part|care|place)|is\s+(?:currently\s+)?taking\s|"
    r"(?:does|is)\s+not\s+tak(?:e|ing)\s+any)",
    re.I,
)
_OTHER_HISTORY = re.compile(
    r"\bdenie[sd]\b|\bdeny\b|(?:\band|,)\s+(?:s?he\s+)?(?:notes|reports|has\s+no)\b|\bsocial\b|\bpresents?\b|\breview\s+of\s+systems\b",
    re.I,
)

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|dr|mr|mrs|ms|st|no|approx|eg|cf)|(?-i:\b[A-Z]))$", re.I
)
_QUESTION = re.compile(r"(?:what|which)\b[^.]*\?", re.I)
_CAME = re.compile(
    r"(?P<who>[^.;]{3,160}?\b(?:presents?|presented|comes|came|is\s+seen|was\s+seen|is\s+evaluated|"
    r"was\s+referred|is\s+referred|is\s+brought|was\s+brought|is\s+admitted|was\s+admitted|"
    r"complains|complained)\b"
    r"[^.;,]{0,90}?)\s+(?:with|for|because\s+of|due\s+to|about|complaining\s+of|"
    r"(?<=complains )of|(?<=complained )of)\s+"
    r"(?:(?:the\s+)?(?:chief\s+|a\s+)?complaints?\s+of\s+)?(?P<complaint>\S.*)",
    re.I | re.S,
)
_WITH = re.compile(
    r"^(?P<who>.*?)\s+with\s+(?P<past>.+?)\s+"
    r"(?P<came>(?:presents?|presented|comes|came|is|was|complains|complained)\b.*)$",
    re.I | re.S,
)
_CAME_WITH = re.compile(r"(?:presents?|presented)\s[^.;,]{0,90}?\bwith\s", re.I)
_COMING = re.compile(
    r"\s+who\s+(?:\w+\s+)?\w+(?:\s+to\s+.*)?$|,\s+aged?\s+\d+\s+years,", re.I | re.S
)
_TELLS_MORE = re.compile(r"\b(?:who|whose|that|which|with|after|since|born|undergoing)\b|,", re.I)
# Part of the body or of the examination by the words that name it; the first to be named has it.
_REGIONS: tuple[tuple[str, str], ...] = (
    ("Vital signs", r"vital\s+signs|afebrile|blood\s+pressure|temperature|heart\s+rate|pulse"),
    ("Lymph nodes", r"lymphadenopathy|lymph\s+nodes?"),
    ("Nails", r"nails?|fingernails?|toenails?|onycho\w+|subungual"),
    ("Hair and scalp", r"hairs?|scalp|alopecia"),
    (
        "Skin",
        r"skin|rash|lesions?|plaques?|papul\w+|macul\w+|patch(?:es)?|nodul\w+|vesic\w+|pustul\w+|"
        r"bullae|blisters?|erosions?|ulcer\w*|erythem\w+|wheals?|purpur\w+|petechi\w+|eruption|"
        r"scal(?:e|es|y|ing)|hyperpigment\w+|hypopigment\w+|telangiect\w+|crust\w*|scar\w*",
    ),
    ("Eyes", r"eyes?|eyelids?|ocular|conjunctiv\w+|visual|pupils?|icterus|sclera\w*"),
    ("Mouth and throat", r"oral|mouth|tongue|lips?|gums?|throat|pharyn\w+|tonsil\w*|mucosa\w*"),
    ("Lungs", r"lungs?|wheez\w+|crackles|breath\s+sounds|chest"),
    ("Heart", r"heart|cardiac|murmurs?|volume\s+overload"),
    ("Abdomen", r"abdom\w+|liver|spleen|hepatosplenomegaly|bowel\s+sounds"),
    ("Genitals", r"penis|penile|scrot\w+|genital\w*|vulva\w*|vagina\w*|labia\w*"),
    ("Nervous system", r"neuro\w+|sensory|reflexes|gait|strength|asterixis"),
    ("Joints and limbs", r"joints?|knees?|arms?|legs?|calf|hands?|feet|limbs?|fingers?|toes?"),
)


@dataclass(frozen=True)
class Vignette:
    """One case as its sentences tell it, each in exactly one place."""

    who: str | None
    """The first sentence as far as it says who came: "A 40-year-old man presents"."""
    chief_complaint: str | None
    history: dict[HistorySection, str]
    physical_examination: tuple[Examination, ...]
    auxiliary_examinations: tuple[Examination, ...]


def read_vignette(sentences: Sequence[str], separator: str = " ") -> Vignette:
    """Sort the sentences of a case; neighbours in a section are joined by `separator`."""
    stripped = (sentence.strip() for sentence in sentences)
    told = [said for said in stripped if said and not _QUESTION.fullmatch(said)]
    if not told:
        return Vignette(None, None, {}, (), ())
    who, past, complaint = _opening(told[0])
    sorted_: dict[Sort, list[str]] = {"past_history": [past]} if past else {}
    before: Sort = "history_of_present_illness"
    for sentence in told[1:]:
        before = sort_sentence(sentence, before)
        sorted_.setdefault(before, []).append(sentence)
    history: dict[HistorySection, str] = {
        section: separator.join(sorted_[section])
        for section in (
            "history_of_present_illness",
            "past_history",
            "family_history",
            "medication_history",
        )
        if section in sorted_
    }
    signs = tuple(_sign(i, text) for i, text in enumerate(sorted_.get("sign", ()), 1))
    return Vignette(who, complaint, history, signs, results_told(sorted_.get("result", ())))


def split_sentences(text: str) -> list[str]:
    """The sentences of a running text; abbreviations and decimal points end none."""
    found: list[str] = []
    start = 0
    for stop in re.finditer(r"[.!?]['\"”’)]*\s+(?=[A-Z\"“(0-9])", text):
        if text[stop.start()] == "." and _ABBREVIATION.search(
            text, max(0, stop.start() - 8), stop.start()
        ):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]


def sort_sentence(sentence: str, before: Sort) -> Sort:
    """What a sentence tells of, by its own words or else by what the one before it told of."""
    study = _STUDY.search(sentence)
    if _EXAMINED.search(sentence) and not (study and study.start() < 12):
        return "sign"
    if study and not _TOLD.match(sentence):
        # A study that was done and of which nothing came is all that the patient knows of it.
        told = _RESULT.search(sentence, study.start())
        return "result" if told else "history_of_present_illness"
    if _RAISED.search(sentence):
        return "result"
    if _TOLD.search(sentence):
        return _history(sentence)
    if before in ("sign", "result"):
        return before
    if _SEEN.search(sentence):
        return "sign"
    return _history(sentence)


def results_told(sentences: Iterable[str]) -> tuple[Examination, ...]:
    """Sentences that give results, each an examination under the name of its study."""
    items: list[Examination] = []
    name = None
    for number, text in enumerate(sentences, 1):
        name = study_name(text) or name or "Test results"
        items.append(Examination(id=f"e{number}", name=name, value=text.strip()))
    return tuple(items)


def study_name(text: str) -> str | None:
    """The first study that a text names, in its own words: "skin biopsy"; None if it names none."""
    found = _STUDY.search(text)
    return " ".join(found["name"].split()) if found else None


def region_name(text: str) -> str | None:
    """The part of the examination that a sign belongs to; None if its words do not tell."""
    places = [
        (found.start(), i)
        for i, (_, words) in enumerate(_REGIONS)
        if (found := re.search(rf"\b(?:{words})\b", text, re.I))
    ]
    return _REGIONS[min(places)[1]][0] if places else None


def _sign(number: int, text: str) -> Examination:
    return Examination(
        id=f"p{number}",
        name=region_name(text) or "Physical examination",
        category="Physical examination" if region_name(text) else None,
        value=text,
        abnormal=take_reading(text).abnormal,
    )


def _history(sentence: str) -> Sort:
    if _OTHER_HISTORY.search(sentence):
        return "history_of_present_illness"
    if _PAST.search(sentence) and not re.search(rf"\b{_KIN}\b", sentence, re.I):
        return "past_history"
    if _FAMILY.search(sentence):
        return "family_history"
    return "medication_history" if _MEDICATION.search(sentence) else "history_of_present_illness"


def _opening(sentence: str) -> tuple[str | None, str | None, str]:
    """Who came, what they had before, and the complaint; only the sentence where one is unsure."""
    past = None
    came = sentence
    parted = _WITH.match(sentence)
    if parted and ("history" in parted["past"] or _CAME_WITH.match(parted["came"])):
        past = parted["past"]
        came = f"{parted['who']} {parted['came']}"
    found = _CAME.fullmatch(came)
    if found is None or _TELLS_MORE.search(_COMING.sub(" ", found["who"])):
        return None, None, sentence
    return found["who"], past, found["complaint"].strip()
