"""The forms of English case histories: what opens, turns, joins and closes a statement.

Word lists here are of function words and of the commonest heads of clinical noun phrases; they
decide where a statement ends, never what it means.
"""

from __future__ import annotations

import re

EDGE = ",;:.!?…*•-–—"
ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|dr|mr|mrs|ms|st|no|approx|lbs?|oz|etc)|(?-i:\b[A-Z]))$", re.I
)
PERSON = (
    r"(?:(?:the|her|his|this|patient['’]s|child['’]s|infant['’]s|newborn['’]s|baby['’]s|other)\s+)*"
    r"(?:patient|infant|baby|child|newborn|boy|girl|mother|father|parents?|"
    r"family(?!\s+history)(?:\s+members?)?|husband"
    r"|wife|boyfriend|girlfriend|roommates?|caregivers?|he|she|they|i|woman|man)"
)
ADVERB = (
    r"(?:also|further|additionally|currently|then|occasionally|recently|now|otherwise|specifically)"
)
SAYS = (
    r"(?:reports?|reported|reporting|notes?|noted|mentions?|mentioned|states?|stated|"
    r"complains?\s+of|"
    r"complaining\s+of|presents?\s+(?:with|for)|presented\s+with|endorses?|admits?\s+to|recalls?|"
    r"recounts|describes|reveals|believes|cites|experiences|positive\s+for|significant\s+for)"
)
# The recorder's words before what the patient has: "The patient also reports (that)".
REPORTED = re.compile(
    rf"(?:{PERSON}\s+(?:{ADVERB}\s+)*)?{SAYS}\s+(?:that\s+(?!(?:resolved|started|began|is|was|are|"
    rf"were)"
    r"\b))?(?:(?:experiencing|having|noticing|feeling)\s+)?",
    re.I,
)
DISCOURSE = re.compile(
    r"(?:(?:additionally|specifically|however|furthermore|moreover|also|otherwise|overall|"
    r"upon further questioning|on review),?\s+)+",
    re.I,
)
DENIES = re.compile(
    rf"(?:{PERSON}\s+(?:{ADVERB}\s+)*)?(?:den(?:y|ies|ied|ying)|negative\s+for|"
    r"(?:does|do|did|has|have|had)\s+not\s+(?:report(?:ed)?|mention(?:ed)?|note[d]?|endorse[d]?|"
    r"complain(?:ed)?\s+of))\s+(?:(?:any|having|experiencing|a\s+history\s+of|being|known)\s+)*",
    re.I,
)
NEGATED = re.compile(
    rf"(?:(?:there(?:\s+(?:is|are|was|were|have\s+been|has\s+been)|['’]s)|{PERSON})\s+)?"
    rf"(?:(?:has|have|had|is|are|was|were|reports?|takes|uses|shows?|with|but|and|{ADVERB})\s+)*"
    r"(?P<cue>no|not|never|none|without|nor|neither|absent|absence\s+of|lack\s+of|free\s+of|"
    r"(?:does|do|did|is|are|was|were|has|have|had|can|could)(?:\s+not|n['’]t)|cannot|non-?(?=smok|"
    r"drink))"
    r"\b[\s-]*(?:(?:any|other|additional|further|known|reported|notable|obvious)\s+)*",
    re.I,
)
RECORDERS_NO = re.compile(r"(?:no\s+)?(?:reports?|mention|evidence|history|signs?)\s+of\s+", re.I)
FINITE = re.compile(
    rf"(?:{PERSON}|it|there|these|this|which|who)?\s*(?:{ADVERB}\s+)*"
    r"(?:has|have|had|is|are|was|were|does|do|did|reports?|states?|notes?|mentions?|experiences|"
    r"takes|uses|drinks|"
    r"smokes|lives|works|can|could|worsens?|improves?|started|began|developed|noticed|appears?|"
    r"denies|attends?|"
    r"enjoys|consumes|feels|describes|experienced|underwent|recently|shows?|quit|required|spread|"
    r"admits"
    r")\b",
    re.I,
)
# A noun with a verb close behind it: a statement of its own, not the next member of a list.
CLAUSAL = re.compile(
    r"(?:[\w'’-]+\s+){1,6}?(?:is|are|was|were|has|have|had|takes|remains?)\b", re.I
)
SUBJECT = re.compile(
    rf"(?:{PERSON}|it|there|these|this|those|its|their|my|we|symptoms?|episodes?|pain)\b|"
    r"(?:the|a|an|his|her|no)\s+\w+",
    re.I,
)
# A piece that begins like this qualifies the one before it.
DEPENDENT = re.compile(
    r"(?:which|who|whom|whose|where|that|especially|particularly|specifically|namely|described|"
    r"characterized|"
    r"resulting|leading|suggesting|indicating|indicative|causing|making|requiring|sparing|"
    r"followed|relieved|"
    r"worsened|worsening(?=\s+(?:with|by|at|when|during|over|in|to|after)\b|$)|worse|aggravated|"
    r"alleviated|improving|managed|treated|controlled|diagnosed|lasting|"
    r"starting|beginning|radiating|located|occurring|since|during|after|before|when|while|"
    r"although|though|"
    r"despite|because|due|for|at|in|on|of|to|by|per|from|about|approximately|around|over|up|"
    r"roughly|"
    r"\d|one|two|three|primarily|mainly|mostly|initially|apart|except|besides|other\s+than|if|"
    r"until|as|so|"
    r"immediately|shortly|soon|right\s+after|half|twice|once|respectively|affected|noting|"
    r"possibly|likely|now|age|"
    r"gravida|para|where|failing|accompanying)\b",
    re.I,
)
ADVERBIAL = re.compile(
    r"(?:the\s+(?:following|next|previous|same)\s+(?:day|week|month|morning|night)|since|during|"
    r"after|before|when|while|over|for|in|on|at|upon|although|though|despite|because|given|"
    r"following|prior|earlier|last|if|as|from|within|by|due|until|"
    r"(?:\d+|an?|one|two|three|four|five|six|several|a\s+few)\s+(?:\w+\s+)?(?:years?|months?|"
    r"weeks?|days?|hours?)"
    r"\s+(?:ago|later|prior|earlier))\b",
    re.I,
)
ONE_ADVERB = re.compile(
    r"(?:\w+ly|however|also|furthermore|moreover|overall|otherwise|then|instead|now|today|"
    r"yesterday)",
    re.I,
)
# Inside a piece: a new statement begins, and the connective itself is left out.
TURN = re.compile(
    r"(?<!\s)\s*\b(?:accompanied\s+by|associated\s+with|along\s+with|together\s+with|as\s+well\s+as|"
    r"such\s+as|"
    r"including|but\b(?!\s+not\s+limited)|except(?:\s+for)?|apart\s+from|aside\s+from|besides|"
    r"without\b(?!\s+reg)|"
    r"with(?=\s+(?:no|occasional|associated|some|intermittent)\b)|"
    r"and\s+(?=(?:also\s+|he\s+|she\s+|they\s+)*(?:den(?:y|ies|ied)|reports?|notes|mentions|"
    r"states|has|had|is|was|"
    r"does|did|experiences|takes|uses|drinks|smokes|lives|works|underwent|no|not|never)\b))\s*",
    re.I,
)
# Of these, what goes along with something denied is no statement of its own.
COMPANION = re.compile(r"(?:accompanied|associated|along|together|as\s+well|with)\b", re.I)
# A connective at the start of a statement, left out of what it says.
CONNECTIVE = re.compile(
    r"(?:accompanied\s+by|associated\s+with|along\s+with|together\s+with|as\s+well\s+as|such\s+as|"
    r"including|"
    r"except(?:\s+for)?|apart\s+from|aside\s+from|besides|with(?!out|in|\s+no\b))\s+",
    re.I,
)
AND = re.compile(r"(?<!\s)(?:\s+(?:and/or|and|or|nor)\s+|\s*&\s*)", re.I)
# The quotation mark that closed the sentence before.
QUOTE_LEFT = re.compile(r"[\"'”’]\s+")
LEADING_AND = re.compile(r"(?:and/or|and|or|nor|but|plus|with|then)\s+", re.I)
HISTORY_OF = re.compile(
    r"^(?:\S+\s+){0,4}?(?:history|regimen|symptoms|signs|episodes?|complaints)\s+of\s+", re.I
)
# A statement about several places may go on with another place behind a comma.
PLACED = re.compile(
    r"\b(?:pain|rash|lesions?|swelling|oriented|weakness|numbness|itching)\b.*\b(?:in|to|on|"
    r"over)\b",
    re.I,
)
GERUND = re.compile(
    r"(?!swelling|vomiting|bleeding|itching|wheezing|bruising|sweating|coughing|cramping|"
    r"tingling)\w+ing\b",
    re.I,
)
PREDICATED = re.compile(
    r"(?!(?:an?|the|his|her|their|some|my)\b)(?:(?!that\b|which\b|"
    r"who\b)[\w'’-]+\s+){1,7}?(?:began|started|have|has|worsens?|improves?|resolved|"
    r"increases?|developed)\b",
    re.I,
)
# Adjectives that wait for their noun: "small painless, pink bumps".
STACKED = re.compile(
    r"(?:^|\s)(?:non\w+(?<!ness)|\w+-colored|\w+less|painful|tender|firm|soft|swollen|red|white|"
    r"yellow|dark|crusty|scaly|itchy|"
    r"rough|smooth|\w+-like|hard|dull|sharp|raised|watery|foul-smelling)$",
    re.I,
)
AFTERTHOUGHT = re.compile(
    r",|(?<!\s)\s+(?:that|which|who|when|while|after|before|during|because|since|due\s+to|especially)\s+",
    re.I,
)
RELATION = re.compile(
    r"\b(?:mother|father|brother|sister|uncle|aunt|grandfather|grandmother|siblings?|son|daughter|"
    r"cousin)"
    r"(?=['’]s?\b|\s+(?:also\s+)?(?:has|had|is|was|died|with|underwent|took|taking|suffers)\b)|"
    r"\bfamily\s+history\b",
    re.I,
)
# What ties a piece behind "and" to the one before it.
RELATIVE = re.compile(
    r"(?:which|who|whom|whose|that|when|where|while|during|after|before|for|since)\b", re.I
)
PREPOSITION = re.compile(
    r"\b(?:in|on|of|to|with|at|from|for|over|about|around|by|during|after|before|when|while|"
    r"between|into|"
    r"under|despite|via|within|across|through|than|like)\b",
    re.I,
)
SYMPTOM_HEAD = re.compile(
    r"\b(?:\w*(?:aches?|emia|uria|pnea|rrhea|rrhage|algia|itis|osis|oma|phagia|pathy|plegia|"
    r"paresis)|pains?|"
    r"fevers?|chills|rigors|nausea|vomiting|cough\w*|swelling|weakness|fatigue|tiredness|malaise|"
    r"dizziness|vertigo|"
    r"numbness|tingling|bleeding|itch\w*|rash\w*|edema|wheez\w*|bruising|sweat\w*|cramp\w*|"
    r"stiffness|redness|"
    r"discharge|anxiety|depression|insomnia|confusion|lethargy|seizures?|diabetes|hypertension|"
    r"asthma|loss|gain|"
    r"difficult\w*|hallucinations?|prurit\w+|discoloration|\w+sthesias?|\w+xia|onset|delusions?|"
    r"syncope|faint\w*|tremors?|hoarseness|stridor|convulsions|constipation|bloating|heartburn|"
    r"urgency|frequency|incontinence|symptoms|illness(?:es)?|deficits?|problems?|abnormalit\w+|"
    r"disorders?|impairment|infections?|trauma|injur\w+|travel|complaints?|exposures?|"
    r"contacts|surger\w+|cancer|changes?|disease|allerg\w+|discomfort|tenderness|palpitations|"
    r"jaundice|irritability|hyperlipidemia|use|weight)\b",
    re.I,
)
HEAD = (
    r"(?:history|functions?|habits|use|abuse|problems?|issues|illness(?:es)?|symptoms?|diseases?|"
    r"disorders?|"
    r"weakness|changes?|exposures?|contacts?|trauma|injur(?:y|ies)|surger(?:y|ies)|conditions?|"
    r"allerg(?:y|ies)|"
    r"infections?|movements?|tenderness|discharge|incontinence|disturbances?|intake|consumption|"
    r"therapy|"
    r"complications?|complaints?|pains?|cancers?|intolerance|loss|stools?|smoke|behaviors?|"
    r"difficulties)"
)
# Words that need the noun behind them: "alcohol" in "alcohol or drug use", "skin" in "skin or
# nipple changes". A true adjective shares any noun, the others only a head of the list above.
ADJECTIVE = re.compile(r"(?!history|memory|animal|meal)\w+(?:al|ic|ary|ive|ous|ar|ory)", re.I)
MODIFIER = re.compile(
    rf"{ADJECTIVE.pattern}|joint|muscle|bowel|bladder|back|chest|neck|family|tobacco|alcohol|drug|"
    rf"arm|hand|leg|"
    r"arm/hand|skin|nipple|mouth|hearing|vision|night|urine|hair|heat|cold|recent|previous|prior|"
    r"past|sick|"
    r"drinking|smoking|insect",
    re.I,
)
SHARED_HEAD = re.compile(rf"(?:(?:[\w/-]+\s+){{1,2}})(?P<head>{HEAD}(?:\s.*)?)$", re.I)
SHARED_NOUN = re.compile(rf"(?:{ADJECTIVE.pattern})\s+(?P<head>\w+s)$", re.I)

LENGTH = (
    r"(?:(?:about|approximately|around|almost|nearly|over)\s+)?(?:(?<!\d)\d{1,9}(?:\s*[–-]\s*\d{1,9})?|an?|one|"
    r"two|three|four|five|"
    r"six|seven|eight|nine|ten|several|(?:a\s+)?few)[\s-]*(?:years?|months?|weeks?|days?|hours?|"
    r"minutes?|seconds?)"
)
DURATION = re.compile(
    rf"\b(?:for|over|during|in|within)\s+(?:the\s+)?(?:past|last)?\s*{LENGTH}|"
    r"\b(?:for|over)\s+(?:the\s+)?(?:past|last)\s+(?:few\s+|several\s+)?(?:years?|months?|weeks?|"
    r"days?|hours?)",
    re.I,
)
LASTING = re.compile(rf"{LENGTH}(?=(?:\s+|-)history)", re.I)
TOLD_OF = re.compile(
    r"(?<!\s)\s+(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:reported|noted|mentioned|provided|"
    r"available|stated)"
    r"(?:\s+(?:by|at|in)\s.*)?$",
    re.I,
)
ONSET = re.compile(
    rf"{LENGTH}\s+(?:ago|prior)|since\s+[\w\s]{{2,20}}|(?:this|last)\s+(?:morning|night|week)",
    re.I,
)
SEVERITY = re.compile(r"\b(?:mild|moderate|severe|intense|slight|low-grade|extreme)(?:ly)?\b", re.I)
RELIEF = re.compile(
    r"(?:relieved|alleviated|improves?|improved|better)\s+(?:by|with|after|when|at)\s+[\w\s-]+",
    re.I,
)
TRIGGER = re.compile(
    r"(?:worsen(?:s|ed|ing)?|worse|aggravated|exacerbat\w+|triggered)\s+(?:by|with|after|when|at|"
    r"during|on|in)\s+"
    r"[\w\s-]+",
    re.I,
)
VALUE = re.compile(
    r"(?<!\d)\d{1,9}(?:[./,]\d{1,9}){0,4}\s*(?:°\s*[CF]|kg|g|lbs?|mg|mmHg|%|packs?|pack-years|beers?|/min|bpm|"
    r"episodes|times)\b",
    re.I,
)
LEAD = re.compile(
    rf"(?:(?:{PERSON}|it|there|['’]s)\s+)?(?:(?:has|have|had|is|are|was|were|been|be|being|does|"
    rf"do|did|also|"
    r"currently|recently|previously|occasionally|sometimes|often|experiencing|experienced|"
    r"experiences|having|"
    r"developed|developing|noticed|noticing|feeling|feels|presented|presents|presenting|suffered|"
    r"with|from|diagnosed|known|"
    r"underwent|takes?|taking|reports?|notes?|including|not|no|without|any)\b\s*)*"
    rf"(?:(?:an?|the|any|some|his|her|their|my)\s+)?(?:(?:{LENGTH}|\w+-long)[\s-]+)?"
    r"(?:(?:long(?:-standing)?|significant|recent|sudden|progressive(?:ly)?|new|"
    r"worsening|persistent|recurrent|frequent|intermittent|generalized|occasional|severe|mild|"
    r"moderate|"
    r"noticeable|slight|intense|several|multiple|known|other|additional)\s+)*"
    r"(?:(?:(?:past\s+|medical\s+|prior\s+)*history|episodes?|presence|onset|sensation|feelings?|"
    r"symptoms|instances|reports?|signs?|use|regimen|"
    r"intake)\s+(?:significant\s+)?(?:of|for|like)\s+)?(?:experiencing\s+|having\s+|developing\s+|"
    r"feeling\s+)?"
    r"(?:(?:an?|the|any|some|his|her|their)\s+)?",
    re.I,
)
