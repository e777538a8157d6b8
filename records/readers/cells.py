"""The cells of a table file: CSV or TSV text, or a sheet of a workbook (xlsx, xls, ods, xlsb)."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path

from records.errors import Fault, InputError

_WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_SECONDS = 120.0
"""A workbook that takes longer is damaged or no list of cases."""
_DELIMITERS = "\t;,|"

Rows = list[tuple[int, list[str]]]
"""Rows that hold anything, each with its number as a spreadsheet shows it, counted from one."""


def is_workbook(raw: bytes) -> bool:
    """Whether bytes begin as a workbook of any of the formats does."""
    return raw.startswith(_WORKBOOK)


def workbook_rows(path: Path, sheet: str | None) -> Rows:
    """The rows of a workbook's sheet, the first if none is named.

    Raises:
        InputError: it cannot be read, has no such sheet, or python-calamine is not installed.
    """
    if importlib.util.find_spec("python_calamine") is None:
        what = (
            "is a workbook, which needs the extra 'tables': pip install 'ai-hospital[tables]'; "
            "or save it as CSV"
        )
        raise InputError([Fault(path, what)])
    script = Path(__file__).with_name("workbook_cells.py")
    command = [sys.executable, "-P", str(script), str(path), *([sheet] if sheet else [])]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
        said = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise InputError([Fault(path, "takes too long to read; save it as CSV")]) from None
    except ValueError:
        what = "is damaged and cannot be read; open it in a spreadsheet and save it anew"
        raise InputError([Fault(path, what)]) from None
    if "error" in said:
        known = ", ".join(said["sheets"])
        what = (
            f"no such sheet; there are {known}"
            if said["error"] == "no such sheet"
            else (f"is no workbook that can be read: {said['error']}; save it anew or as CSV")
        )
        raise InputError([Fault(path, what, record=f"sheet {sheet}" if sheet else None)])
    return _numbered(said["rows"])


def text_rows(path: Path, raw: bytes, encoding: str, delimiter: str | None) -> Rows:
    """The rows of a CSV or TSV text; its delimiter is taken from the first line if not given.

    Raises:
        InputError: it is not in that encoding, or a quotation mark does not close.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) and encoding == "utf-8":
        encoding = "utf-16"
    try:
        text = raw.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        line = raw[:start].count(b"\n") + 1
        what = (
            f"byte {start} is not {encoding}; save the table in UTF-8, or say in the mapping "
            'what it is in, as encoding = "gb18030"'
        )
        raise InputError([Fault(path, what, f"line {line}")]) from None
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(text), strict=True
    )
    rows: list[list[str]] = []
    try:
        rows.extend(reader)
    except csv.Error as error:
        what = f"is no row of a table: {error}; close every quotation mark, double those inside"
        raise InputError([Fault(path, what, f"line {reader.line_num}")]) from None
    return _numbered(rows)


def _numbered(rows: list[list[str]]) -> Rows:
    stripped = ([cell.strip() for cell in row] for row in rows)
    return [(i, row) for i, row in enumerate(stripped, 1) if any(row)]


def _delimiter(text: str) -> str:
    """The likeliest delimiter of the first line that is not blank."""
    head = next((line for line in text.splitlines() if line.strip()), "")
    quoted, outside = False, []
    for char in head:
        if char == '"':
            quoted = not quoted
        elif not quoted:
            outside.append(char)
    likeliest = max(_DELIMITERS, key=outside.count)
    return likeliest if likeliest in outside else ","
