"""The bundled records: cases written for this project, one JSON line each, a file a language.

They live in `records/library/<language>.jsonl` in the project's own format; `source` is "hospital"
and `reviewed_by` stays empty until a clinician signs.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from records.medical_record import Language, MedicalRecord

_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@cache
def _library() -> tuple[MedicalRecord, ...]:
    folder = files("records").joinpath("library")
    return tuple(
        MedicalRecord.model_validate_json(line)
        for language in _LANGUAGES
        for line in folder.joinpath(f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        if line.strip()
    )


def bundled_records() -> list[MedicalRecord]:
    """All bundled records, Chinese before English, in the order of their ids.

    The records are frozen and read once; the list is the caller's own.
    """
    return list(_library())
