"""The version of the rules: it changes when they do, and with nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

from records.diseases import (
    chinese_index,
    disease_names_en,
    disease_names_zh,
    disease_overlap,
    english_index,
    listed_names,
    rules_version,
    term,
    term_keys,
)


def counted_anew() -> str:
    return rules_version.rules_version.__wrapped__()


@pytest.mark.parametrize("seed", ["1", "2"])
def test_it_is_the_same_in_every_process(seed: str) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "from records.diseases.rules_version import rules_version; print(rules_version())",
        ],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": seed},
    )
    assert told.stdout.strip() == rules_version.rules_version() == counted_anew()


@pytest.mark.parametrize(
    ("module", "name", "changed"),
    [
        (disease_names_zh, "_DISEASE", re.compile("(?:病|炎)\\Z")),
        (disease_names_en, "_GIVEN_UP", re.compile(disease_names_en._GIVEN_UP.pattern)),
        (term_keys, "_ALIKE", term_keys._ALIKE | {"quux": "disease"}),
        (term_keys, "_IDLE", term_keys._IDLE | {"quux"}),
        (term_keys, "_BRITISH", term_keys._BRITISH[:-1]),
        (term, "FUZZY_THRESHOLD", 51.0),
    ],
)
def test_a_word_or_pattern_that_no_probe_has_changes_it(
    module: ModuleType, name: str, changed: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counted_anew()
    monkeypatch.setattr(module, name, changed)
    assert counted_anew() != before


@pytest.mark.parametrize(
    ("module", "name", "changed"),
    [
        (disease_names_zh, "_apart", lambda name, known: iter((name,))),
        (disease_names_zh, "_known_item", lambda name, known: False),
        (disease_names_zh, "_lone_name", lambda text: iter(())),
        (disease_names_en, "_adjective", lambda piece: False),
        (disease_names_en, "_longest_known", lambda pieces, known: 0),
        (disease_names_en, "_one_name", lambda name: False),
        (listed_names, "_tells", lambda inside: False),
        (disease_overlap, "normal_name", lambda name: name),
        (disease_overlap, "_same_category", lambda one, other: False),
        (chinese_index, "_agreement", lambda name, term: 0.3),
        (english_index, "_handicap", lambda term: 40.0),
        (term_keys, "chinese_undegreed", lambda key: key),
    ],
)
def test_a_rule_that_works_otherwise_changes_it(
    module: ModuleType, name: str, changed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counted_anew()
    monkeypatch.setattr(module, name, changed)
    assert counted_anew() != before
