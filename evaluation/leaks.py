"""Whether a patient gave the diagnosis away before any doctor came to it.

A patient knows its own story and no more (`PatientView`). A model in its chair may name the disease
all the same: it guessed, or a doctor talked it out of its part. Such a visit tells less of its
doctor, and is marked by a repair of kind `diagnosis_leaked` at the patient's message.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from records.diseases.disease_names import extract_diseases
from records.diseases.icd10 import default_terminology
from records.medical_record import Diagnosis, Language, MedicalRecord
from records.views import PatientView
from records.visit import EXAMINER, PATIENT, Message, Repair

LEAKED = "diagnosis_leaked"
_SYMPTOMS = "R"
"""Chapter of ICD-10 whose names are a patient's own words."""
_SHORTEST = 5
"""Letters of a name in Latin script; shorter ones are words of everyday language: CAP, flu."""
_LATIN = re.compile(r"[a-z]")


def leaks_marked(messages: Sequence[Message], record: MedicalRecord) -> tuple[Message, ...]:
    """The messages, those marked in which the patient names a reference diagnosis first.

    A name that the patient's view holds is its own, and what a doctor has named is no secret. A
    diagnosis's names are those of the record and of its ICD-10 category, in both languages.

    Args:
        messages: of a visit, in their order.
        record: of that visit.
    """
    if not any(message.role == PATIENT for message in messages):
        return tuple(messages)
    own = PatientView.of(record).model_dump_json()
    secrets = dict(_secrets(own, record.diagnoses, record.language))
    told: list[Message] = []
    for message in messages:
        text = _plain(message.text)
        named = [name for name, names in secrets.items() if names.stand_in(text)]
        if message.role == PATIENT and named:
            leaks = (Repair(kind=LEAKED, detail=name) for name in named)
            others = (repair for repair in message.repairs if repair.kind != LEAKED)
            message = message.model_copy(update={"repairs": (*others, *leaks)})
        if message.role != EXAMINER:
            # Named once, it is in the room; what the examiner reports is for the doctor's ears.
            secrets = {name: names for name, names in secrets.items() if name not in named}
        told.append(message)
    return tuple(told)


@dataclass(frozen=True)
class _Names:
    """The names of one diagnosis, in plain text."""

    names: tuple[str, ...]
    pattern: re.Pattern[str]

    def stand_in(self, text: str) -> bool:
        """True if one of them stands in a plain text, as words of its own."""
        # Hardly a message holds any, and to see that takes a tenth of what the pattern takes.
        return any(name in text for name in self.names) and bool(self.pattern.search(text))


@lru_cache(maxsize=1024)
def _secrets(
    own: str, diagnoses: tuple[Diagnosis, ...], language: Language
) -> tuple[tuple[str, _Names], ...]:
    """The diagnoses that a view, as JSON, does not hold; sought again in a case's every visit."""
    known = _plain(own)
    found = ((diagnosis.name, _names_of(diagnosis, language)) for diagnosis in diagnoses)
    return tuple((name, names) for name, names in found if names and not names.stand_in(known))


def _names_of(diagnosis: Diagnosis, language: Language) -> _Names | None:
    """Every name of a diagnosis; None for a symptom, which is no secret."""
    terminology = default_terminology()
    code = diagnosis.icd10 or terminology.link(diagnosis.name, language).icd10
    if code is not None and code.startswith(_SYMPTOMS):
        return None
    names = [diagnosis.name, *extract_diseases(diagnosis.name, language)]
    if code is not None:
        names += terminology.names_of(code[:3])
    plain = tuple(
        name
        for name in dict.fromkeys(_plain(name) for name in names)
        if len(name) >= (_SHORTEST if name.isascii() else 2)
    )
    patterns = [
        rf"(?<![a-z]){re.escape(name)}(?:e?s)?(?![a-z])" if _LATIN.search(name) else re.escape(name)
        for name in plain
    ]
    return _Names(plain, re.compile("|".join(patterns))) if plain else None


def _plain(text: str) -> str:
    """In one case and width, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
