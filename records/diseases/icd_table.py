"""A table of ICD-10 names as users have them: xls, xlsx, ods, xlsb, CSV or TSV, in any layout.

National editions come without a common header, and with codes of their own: longer ones
(`A00.000x001`), daggers and asterisks (`A17.0†`, `G01*`). The columns are found by what is in
them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from records.errors import Fault, InputError

_CODE = re.compile(
    r"[+*†‡]?\s*([A-Z]\d[0-9A-Z])(?:\s*\.\s*|(?=[\dxX+*†‡#\s/-]|\Z))(\d?)(.{0,24})", re.S
)
_MORPHOLOGY = re.compile(r"M\d{4,6}/\d")
"""A kind of tumour (M8170/3), whose first three characters are no category of diseases."""
_CODES = 0.5
"""Share of a column's cells that are codes; a header and the rows of chapters are not."""
_ENCODINGS = ("utf-8", "gb18030")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class IcdRow:
    """A row of a table."""

    code: str | None
    """As WHO writes it, `A00` or `A00.0`; None for a kind of tumour (morphology)."""
    own: str
    """The table's own, whole."""
    name: str


def read_icd_table(path: Path) -> tuple[IcdRow, ...]:
    """The rows of a table that have a code and a name, in its order.

    The codes' column is the one with the most cells that look like codes, the names' the text
    column with the most distinct cells.

    Raises:
        InputError: the file cannot be read, or has no such columns.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError([Fault(path, (error.strerror or "cannot be read").lower())]) from None
    rows = _rows(path, raw)
    width = max(map(len, rows), default=0)
    columns = [[row[i] if i < len(row) else "" for row in rows] for i in range(width)]
    codes = [sum(map(_is_code, column)) for column in columns]
    place = max(range(width), key=lambda i: codes[i], default=0)
    if not width or codes[place] <= _CODES * sum(map(bool, columns[place])):
        what = "has no column of ICD-10 codes; one reads A00.0, with the disease's name beside it"
        raise InputError([Fault(path, what)])
    coded = [i for i, cell in enumerate(columns[place]) if _is_code(cell)]
    named = _names_column([[column[i] for i in coded] for column in columns], place)
    if named is None:
        raise InputError([Fault(path, "has codes but no column of names beside them")])
    found = ((columns[place][i], " ".join(columns[named][i].split())) for i in coded)
    return tuple(IcdRow(who_code(own), own, name) for own, name in found if name)


def who_code(cell: str) -> str | None:
    """A cell's code as far as WHO goes: A00.0 of `A00.000x001`, A17.0 of `A17.0†`.

    None if it is no code of a disease.
    """
    found = _CODE.fullmatch(cell.strip())
    if not found or _MORPHOLOGY.fullmatch(cell.strip()):
        return None
    category, digit, rest = found.groups()
    if re.search(r"[^\sA-Za-z0-9.+*†‡#/()-]", rest):
        return None
    return f"{category}.{digit}" if digit else category


def _is_code(cell: str) -> bool:
    return who_code(cell) is not None or _MORPHOLOGY.fullmatch(cell.strip()) is not None


def _names_column(columns: Sequence[Sequence[str]], codes: int) -> int | None:
    """Among the cells beside codes, the text column with the most distinct ones."""

    def distinct(i: int) -> int:
        return len({cell for cell in columns[i] if _is_name(cell)})

    best = max(range(len(columns)), key=lambda i: 0 if i == codes else distinct(i))
    return best if best != codes and distinct(best) else None


def _is_name(cell: str) -> bool:
    return len(_LETTERS.findall(cell)) >= 2 and not _is_code(cell)


def _rows(path: Path, raw: bytes) -> list[list[str]]:
    from records.readers.cells import is_workbook, text_rows, workbook_rows

    if is_workbook(raw):
        return [cells for _, cells in workbook_rows(path, None)]
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return [cells for _, cells in text_rows(path, raw, "utf-16", None)]
    for encoding in _ENCODINGS:
        try:
            raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return [cells for _, cells in text_rows(path, raw, encoding, None)]
    what = "is no workbook, and as text neither utf-8 nor gb18030; save it as CSV in UTF-8"
    raise InputError([Fault(path, what)])
