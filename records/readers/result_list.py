"""Results written as a list in English: "Chest film: normal - Blood culture: negative".

Items stand on lines of their own, behind bullets, numbers or semicolons, or one after another with
a colon behind each name; "Imaging results:" before a bullet heads the items below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from records.findings.clause import cut, shielded
from records.medical_record import Examination
from records.readers.reading import name_and_result, take_reading
from records.readers.vignette import region_name, split_sentences, study_name

_NEAR = 60
"""Characters at the start of an item among which the name of its study is looked for."""
_BULLET = r"(?:[-–*•]|\d{1,2}[.)])\s"
_HEADING = re.compile(
    rf"(?:(?<=^)|(?<=\s))(?P<name>[A-Z][\w/-]*(?:\s[a-z(][\w/()-]*){{0,20}})\s*:\s+(?={_BULLET})"
)
_ITEM = re.compile(rf"(?:^|\s){_BULLET}|\n|(?<=[.)])\s+(?=[A-Z][^.:;\n]{{1,60}}:\s)", re.MULTILINE)
_HEADED = re.compile(
    r"\s+(?:for\s+the\s+patient\s+)?(?:(?:is|are)\s+as\s+follows|includes?|indicated?s?|shows?)$"
)
_STAGE = re.compile(r"\binformation\b|\bextracted\b|\bprovided\b")
_NAMED = re.compile(r"(?P<name>[^:.;]{1,90}?)\s*:\s+(?P<result>\S.*)", re.DOTALL)


def listed_examinations(text: str, prefix: str) -> tuple[Examination, ...]:
    """Itemise a text of results; no word is lost but bullets and headings of nothing.

    Args:
        text: the results, in English.
        prefix: of the items' ids, "p" for signs or "e" for results.
    """
    items: list[Examination] = []
    for heading, item in _items(text):
        name, result = _named(item, heading, prefix)
        reading = take_reading(result)
        items.append(
            Examination(
                id=f"{prefix}{len(items) + 1}",
                name=name,
                category=heading if heading and heading != name else None,
                value=reading.value,
                unit=reading.unit,
                reference_range=reading.reference_range,
                abnormal=reading.abnormal,
                note=reading.note,
            )
        )
    return tuple(items)


def _items(text: str) -> Iterator[tuple[str | None, str]]:
    """Each item with the heading above it."""
    heading: str | None = None
    start = 0
    blocks: list[tuple[str | None, str]] = []
    for found in _HEADING.finditer(text):
        blocks.append((heading, text[start : found.start()]))
        said = _HEADED.sub("", found["name"])
        heading, start = None if _STAGE.search(said) else said, found.end()
    blocks.append((heading, text[start:]))
    for above, block in blocks:
        for piece in _ITEM.split(block):
            inside = shielded(piece)
            for start, end in cut((0, len(piece)), partial(_is_semicolon, piece, inside)):
                item = piece[start:end].strip().removesuffix(".").strip()
                if item:
                    yield above, item


def _is_semicolon(text: str, inside: list[bool], i: int) -> bool:
    return text[i] == ";" and not inside[i]


def _named(item: str, heading: str | None, prefix: str) -> tuple[str, str]:
    """The name of an item and what is said of it."""
    named = _NAMED.fullmatch(item)
    if named:
        return named["name"].strip(), named["result"].strip()
    measured = name_and_result(item)
    if measured and len(measured[0].split()) <= 4:
        return measured
    own = region_name(item) if prefix == "p" else study_name(item[:_NEAR])
    return own or heading or ("Physical examination" if prefix == "p" else "Test results"), item


def told_signs(text: str) -> tuple[Examination, ...]:
    """Signs told in sentences or listed, each under its name or its part of the body."""
    return listed_examinations("\n".join(split_sentences(text)), "p")
