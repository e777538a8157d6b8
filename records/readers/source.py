"""A file of cases as it lies on disk: its entries, each with the place that an error names."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from records.errors import Fault, InputError

FORMATS = (
    "own JSON Lines (one record a line), MVME JSON (a list), or JSON Lines of AgentClinic "
    "OSCE, AgentClinic NEJM, MediQ, SymptomCheck or Semigran triage vignettes"
)


@dataclass(frozen=True)
class Entry:
    """One JSON value of a file: a line of JSON Lines or an element of a JSON list."""

    place: str
    """ "line 3" or "record 3", counted from one."""
    number: int
    value: Any


class _TwiceError(ValueError):
    """A JSON object names a field twice; one of the two would be lost without a word."""


def load_entries(path: Path, raw: bytes | None = None) -> tuple[list[Entry], list[Fault]]:
    """Read a file as a JSON list, a JSON object or JSON Lines.

    Args:
        path: the file.
        raw: its content, where it is at hand.

    Returns:
        The entries that are JSON, and a fault for each line that is not.

    Raises:
        InputError: there is no such file, it cannot be read, is not UTF-8, or holds nothing.
    """
    text = _decoded(path, read_content(path) if raw is None else raw)
    stripped = text.lstrip()
    if stripped.startswith("["):
        return _document(path, text)
    entries: list[Entry] = []
    faults: list[Fault] = []
    # Only "\n" ends a line: str.splitlines() would also cut at U+2028 inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        value, problem = _parse(line)
        if problem is None:
            entries.append(Entry(place, number, value))
        else:
            what = f"not JSON: {problem}; each line is to hold one whole JSON object"
            faults.append(Fault(path, what, place))
    if faults and stripped.startswith("{"):
        # One object spread over many lines is a single record, not many broken ones.
        value, problem = _parse(text)
        if problem is None:
            return [Entry("record 1", 1, value)], []
    return entries, faults


def read_content(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError([Fault(path, "no such file")]) from None
    except IsADirectoryError:
        raise InputError([Fault(path, "is a directory; name one file of cases in it")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Fault(path, f"cannot be read: {reason}")]) from None


def may_be_json(raw: bytes) -> bool:
    """Whether a content opens as a JSON object or list does; a table does not."""
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def _decoded(path: Path, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        what = f"byte {error.start} is not UTF-8; save the file in UTF-8"
        raise InputError([Fault(path, what, f"line {line}")]) from None
    if not text.strip():
        raise InputError([Fault(path, f"is empty; expected cases as {FORMATS}")])
    return text


def _document(path: Path, text: str) -> tuple[list[Entry], list[Fault]]:
    value, problem = _parse(text)
    if problem is not None:
        what = f"not JSON: {problem}; the list is to be one JSON document"
        raise InputError([Fault(path, what, _broken(text))])
    if not value:
        raise InputError([Fault(path, "is an empty list; expected at least one case")])
    return [Entry(f"record {i}", i, item) for i, item in enumerate(value, 1)], []


def _broken(text: str) -> str | None:
    """The first element of a JSON list that is no JSON, as "record 3"; None if all of them are."""
    decoder = json.JSONDecoder(object_pairs_hook=_no_field_twice)
    at, number = text.index("[") + 1, 1
    while True:
        at = _past_space(text, at)
        try:
            value, at = decoder.raw_decode(text, at)
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except (ValueError, RecursionError):
            return f"record {number}"
        at = _past_space(text, at)
        if text[at : at + 1] != ",":
            return None if text[at : at + 1] == "]" else f"record {number}"
        at, number = at + 1, number + 1


def _past_space(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _parse(text: str) -> tuple[Any, str | None]:
    try:
        value = json.loads(text, object_pairs_hook=_no_field_twice)
        # An escape such as \\ud83d without its other half is JSON, but no text that can be written.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value, None
    except UnicodeEncodeError:
        return None, "half of a surrogate pair is missing; write the character itself"
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}"
        return None, f"{error.msg} at {where}"
    except _TwiceError as error:
        return None, str(error)
    except (RecursionError, ValueError) as error:
        # A ValueError that is nothing else comes from the limit on the digits of a number.
        deep = isinstance(error, RecursionError)
        return None, "nested too deeply" if deep else "a number has thousands of digits"


def _no_field_twice(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(f'the field "{key}" stands twice in one object')
        found[key] = value
    return found
