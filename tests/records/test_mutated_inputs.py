"""Damaged files of cases: every reader refuses them in one line with its place, or reads them.

`HOSPITAL_MUTATIONS` sets how many are tried (a few hundred by default; 10,000 for the record).
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from records.readers import inspect_file, read_records, write_records
from tests.records.case_samples import (
    JSON_SAMPLES,
    TABLE,
    TABLE_SAMPLES,
    WORKBOOK,
    Sample,
    workbook_parts,
    zipped,
)

MUTATIONS = int(os.environ.get("HOSPITAL_MUTATIONS", "300"))
GIVEN_UP = 120.0
"""Seconds after which one file is a hang: where the reader is gets printed, and the run ends."""

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PUBLISHED = {
    "published osce": "agentclinic/agentclinic_medqa.jsonl",
    "published nejm": "agentclinic/agentclinic_nejm.jsonl",
    "published mediq": "mediq/all_craft_md.jsonl",
    "published symptomcheck": "symptomcheck/avey_vignettes_even.jsonl",
    "published triage": "triage/semigran_vignettes_most.jsonl",
}
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 1e308, "", " ", "\n", "-", "None", "\u0000", "\u202e", "½", "🩺",
    "(((", "“", "1.", "- : ;", "A" * 3000, "9" * 3000, "一" * 3000,
    "no fever, " * 1500, "and " * 2000, "无、" * 2000,
    "1. " * 1500, "-a" * 2000, " " * 5000 + "x", ":" * 3000, "(" * 3000, [], {}, [[]], [None],
    [{}], {"": ""}, [1, "x"], {"id": "x"},
)  # fmt: skip
TOKENS = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n",
    b"\r", b"\t", b";", b"'", b"\\ud800", b"1e999", b"NaN", b"-", b"null",
    b"[" * 3000, b'{"a":' * 3000,
    b"9" * 5000, "\u2028".encode(), "：".encode(), b"=", b"#", b'"""', b"*",
)  # fmt: skip
# What is wrong with a file as a whole has no place in it.
OF_THE_FILE = re.compile(
    r"is empty|is an empty list|no known format|is a workbook;|is no workbook|is damaged|"
    r"no such sheet|at end of document|\bline \d+|\bcolumn \d+|nested too deeply|"
    r"has no row|is JSON, which needs"
)


def samples() -> list[Sample]:
    found = [*JSON_SAMPLES, *TABLE_SAMPLES, WORKBOOK]
    for name, path in PUBLISHED.items():
        if (DATA / path).is_file():
            with (DATA / path).open("rb") as lines:
                found.append(Sample(name, next(lines) + next(lines)))
    cases = DATA / "mvme" / "patients_full.json"
    if cases.is_file():
        first = json.loads(cases.read_text(encoding="utf-8"))[:1]
        found.append(Sample("published mvme", json.dumps(first, ensure_ascii=False).encode()))
    return found


def mutated(sample: Sample, chance: random.Random) -> Sample:
    """A sample damaged in one to three places, in its bytes or its structure."""
    content, mapping = sample.content, sample.mapping
    for _ in range(chance.randint(1, 3)):
        if mapping is not None and chance.random() < 0.3:
            mapping = damaged(mapping, chance)
        elif sample is WORKBOOK and chance.random() < 0.7:
            parts = {name: text.encode() for name, text in workbook_parts(TABLE).items()}
            name = chance.choice([*parts, "xl/worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"])
            content = zipped({**parts, name: damaged(parts[name], chance)})
        elif mapping is None and chance.random() < 0.6:
            content = restructured(content, chance)
        else:
            content = damaged(content, chance)
    return Sample(sample.name, content, mapping)


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Bytes with one of them, or a span, changed, lost, doubled or put in."""
    at, to = sorted(chance.randint(0, len(raw)) for _ in range(2))
    to = min(to, at + chance.choice((1, 1, 8, 200)))
    kind = chance.randrange(6)
    if kind == 0:
        return raw[:at]
    if kind == 1:
        return raw[:at] + raw[to:]
    if kind == 2:
        return raw[:at] + raw[at:to] * chance.choice((2, 3, 300)) + raw[to:]
    if kind == 3:
        return raw[:at] + chance.choice(TOKENS) + raw[to:]
    if kind == 4:
        return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
    return raw[to:] + raw[at:to] + raw[:at]


def restructured(raw: bytes, chance: random.Random) -> bytes:
    """JSON with one value replaced, lost, renamed, doubled or wrapped."""
    try:
        lines = [json.loads(line) for line in raw.decode().splitlines()]
    except (ValueError, RecursionError):
        return damaged(raw, chance)
    if not lines:
        return damaged(raw, chance)
    holder, key = chance.choice(list(places(lines, 4 if chance.random() < 0.5 else 99)))
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice([key[:-1], key.upper(), "id", "", "diagnoses"])] = holder.pop(key)
    elif kind == 2 and isinstance(holder, list):
        holder.insert(0, holder[key])
    elif kind == 3:
        value = holder[key]
        holder[key] = chance.choice([[value], {"value": value}, json.dumps(value), [value] * 40])
    elif kind == 4 and isinstance(holder[key], str):
        text = holder[key]
        at = chance.randint(0, len(text))
        junk = chance.choice([j for j in JUNK if isinstance(j, str)])
        holder[key] = text[:at] + junk + text[at:]
    else:
        holder[key] = chance.choice(JUNK)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return text.encode("utf-8", "surrogatepass")


def places(value: Any, depth: int) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a JSON value down to a depth."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if depth and isinstance(value[key], dict | list):
            yield from places(value[key], depth - 1)


def check(sample: Sample, folder: Path) -> str:
    """Read one file; "read" or "refused"."""
    path, mapping = folder / "cases", folder / "cases.mapping.toml"
    path.write_bytes(sample.content)
    mapping.unlink(missing_ok=True)
    if sample.mapping is not None:
        mapping.write_bytes(sample.mapping)
    records, faults = inspect_file(path)
    assert records or faults
    for fault in faults:
        said = str(fault)
        assert fault.file in (path, mapping), said
        assert "\n" not in said, said
        assert fault.record or fault.field or OF_THE_FILE.search(fault.what), said
    if faults:
        return "refused"
    write_records(records, folder / "own.jsonl")
    assert read_records(folder / "own.jsonl") == records
    return "read"


@pytest.mark.parametrize("name", [sample.name for sample in samples()])
def test_damage_is_refused_in_its_place_or_read(tmp_path: Path, name: str) -> None:
    known = samples()
    sample = next(sample for sample in known if sample.name == name)
    assert check(sample, tmp_path) == "read"
    outcomes: dict[str, int] = {}
    chance = random.Random(name)
    for _ in range(-(-MUTATIONS // len(known))):
        broken = mutated(sample, chance)
        (tmp_path / "last").write_bytes(broken.content)
        faulthandler.dump_traceback_later(GIVEN_UP, exit=True)
        try:
            outcome = check(broken, tmp_path)
        finally:
            faulthandler.cancel_dump_traceback_later()
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert outcomes.get("refused")
