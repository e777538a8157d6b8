"""What the name of a disease says: its units of content, and how much each of them tells.

"Disease" and "acute" are in many names and tell little; "appendicitis" is in few and tells which.
How many names a unit is in was counted once over the names of the bundled terminology and knowledge
(`tests/records/make_name_counts.py`) and stays: marks must not change when a name is added.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from records.content_overlap import content_units
from records.medical_record import Language

_HAN = re.compile(r"[㐀-鿿]")
_JOINS = frozenset("的了和及与并为伴性")
"""Characters that join others in a name and say nothing alone."""
_SIDES = frozenset(("left", "right", "bilateral", "left-sid", "right-sid"))
_SIDE_MASS = 0.5
"""A side is in few names of a terminology and in very many of a clinic, and an English name has so
few units that it would outweigh the disease; Chinese names have a unit for every character."""


def name_units(text: str, language: Language) -> frozenset[str]:
    """The units of a name, or of a text that holds names: words, and in Chinese also characters.

    Single characters beside the pairs let names that share a root but no pair meet half way.
    """
    units = content_units(text, language)
    if language == "zh":
        plain = unicodedata.normalize("NFKC", text)
        units |= frozenset(c for c in _HAN.findall(plain) if c not in _JOINS)
    return units


def name_mass(units: Iterable[str], language: Language) -> float:
    """How much units tell together: the sum of ln((N + 1) / (n + 1)) for units in n of N names.

    An English side ("left") tells a fixed small amount.
    """
    counts, total = _counted(language)
    # Summed in one order, whatever the order of a set is in this process.
    return math.fsum(
        _SIDE_MASS if unit in _SIDES else math.log((total + 1) / (counts.get(unit, 0) + 1))
        for unit in sorted(units)
    )


def units_share(wanted: frozenset[str], there: frozenset[str], language: Language) -> float:
    """Share of what a name's units say that a text's have, 0 to 1; 0 for a name without any."""
    mass = name_mass(wanted, language)
    return name_mass(wanted & there, language) / mass if mass else 0.0


@lru_cache(maxsize=2)
def _counted(language: Language) -> tuple[dict[str, int], int]:
    """In how many names each unit is, and how many names there are."""
    path = files("records").joinpath("name_counts.json")
    counted = json.loads(path.read_text(encoding="utf-8"))[language]
    return counted["counts"], counted["names"]
