"""The version of the rules by which diseases are named, listed, linked and matched.

A terminology's hash does not cover what is done with it. The version is made of what the rules say
about the texts of `rule_probes.json`, over a small terminology of its own, and of their words and
patterns: whoever changes a rule changes the version with it, and marks made before are made anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from records.diseases import (
    chinese_index,
    disease_names,
    disease_names_en,
    disease_names_zh,
    disease_overlap,
    english_index,
    listed_names,
    term,
    term_keys,
    terminology,
)
from records.medical_record import Language

_MODULES = (
    chinese_index,
    disease_names,
    disease_names_en,
    disease_names_zh,
    disease_overlap,
    english_index,
    listed_names,
    term,
    term_keys,
    terminology,
)
_PROBES = Path(__file__).with_name("rule_probes.json")
_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@lru_cache(maxsize=1)
def rules_version() -> str:
    """8 hexadecimal characters; the same on every machine as long as the rules are the same."""
    digest = hashlib.sha256()
    for line in (*_yields(), *_words()):
        digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:8]


def _yields() -> Iterator[str]:
    """What the rules make of each probe."""
    probes: dict[str, Any] = json.loads(_PROBES.read_text(encoding="utf-8"))
    small = terminology.Terminology.from_pairs((code, name) for code, name in probes["terms"])
    for language in _LANGUAGES:
        named = []
        for text in probes[language]:
            named.append(disease_overlap.predicted_links(text, language, small))
            listed = disease_overlap.listed_links(text, language, small)
            near = [(one.icd10, one.how) for one in small.candidates(text, language)]
            told = [[(one.name, one.icd10) for one in links] for links in (named[-1], listed)]
            yield json.dumps([told, near], ensure_ascii=False)
        yield json.dumps([disease_overlap.overlap(one, other) for one, other in pairwise(named)])


def _words() -> Iterator[str]:
    """The constants of the rules: no list of probes has every ending of a disease's name in it."""
    for module in _MODULES:
        yield from _constants(module)


def _constants(module: ModuleType) -> Iterator[str]:
    for name, value in sorted(vars(module).items()):
        if name.isupper():
            yield f"{module.__name__}.{name} = {_spelled(value)}"


def _spelled(value: object) -> str:
    """A constant in full; `repr` cuts a long pattern and shuffles a set."""
    if isinstance(value, re.Pattern):
        return f"{value.pattern!r}/{value.flags}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {_spelled(item)}' for key, item in value.items())}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_spelled, value)))}}}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_spelled, value))})"
    return repr(value)
