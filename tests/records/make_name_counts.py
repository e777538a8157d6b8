"""Counts anew in how many disease names each unit of content is; run it as a script, it is no test.

    python tests/records/make_name_counts.py

Writes records/name_counts.json from the names of the bundled terminology and knowledge file. The
rubric weighs names by these counts: whoever writes them anew raises the version of its rules.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import get_args

import records
from records.knowledge import load_knowledge
from records.medical_record import Language
from records.name_content import name_units

ROOM = Path(records.__file__).parent


def counted(language: Language) -> dict[str, object]:
    """The number of names, and by unit the number of names that have it."""
    text = (ROOM / "diseases" / "icd10_names.json").read_text(encoding="utf-8")
    names = [name for listed in json.loads(text)[language].values() for name in listed]
    names += [name for disease in load_knowledge() for name in disease.names.get(language, ())]
    counts = Counter(unit for name in names for unit in name_units(name, language))
    return {"names": len(names), "counts": dict(sorted(counts.items()))}


def main() -> None:
    """Write the file."""
    found = {language: counted(language) for language in get_args(Language)}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    (ROOM / "name_counts.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
