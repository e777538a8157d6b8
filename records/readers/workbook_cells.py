"""Print the cells of a workbook (xlsx, xls, ods, xlsb) as JSON; run in a process of its own.

`records.readers.cells` starts it: a damaged workbook can make the library that reads it claim all
memory and end the process, which must not be the hospital's. Nothing of ours is imported here.

    python -P workbook_cells.py FILE [SHEET]

Prints {"sheets": [names], "rows": [[cell, …], …]} or {"sheets": […], "error": "…"}.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

_MEMORY = 2 << 30
"""Bytes of address space; the largest workbook of cases is a small part of that."""
_CELLS = 5_000_000


def main(path: str, sheet: str | None) -> dict[str, Any]:
    """Read one sheet, the first by default, from its cell A1."""
    from python_calamine import CalamineError, CalamineWorkbook

    names: list[str] = []
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            names = list(workbook.sheet_names)
            if not names:
                return {"sheets": names, "error": "it has no sheet"}
            if sheet is not None and sheet not in names:
                return {"sheets": names, "error": "no such sheet"}
            found = workbook.get_sheet_by_name(names[0] if sheet is None else sheet)
            if found.total_height * found.total_width > _CELLS:
                return {"sheets": names, "error": f"it has more than {_CELLS} cells"}
            rows = found.to_python(skip_empty_area=False)
    except (CalamineError, OSError, ValueError, MemoryError) as error:
        return {"sheets": names, "error": " ".join(str(error).split()) or type(error).__name__}
    return {"sheets": names, "rows": [[_text(cell) for cell in row] for row in rows]}


def _text(cell: object) -> str:
    """A cell as a person reads it: 5.0 is "5", midnight of a day is the day."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if hasattr(cell, "isoformat"):
        return str(cell.isoformat()).removesuffix("T00:00:00")
    return str(cell)


def _limit_memory() -> None:
    # Windows has no such limit, macOS may refuse it; the time limit of the caller holds anyhow.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    _limit_memory()
    said = main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    sys.stdout.buffer.write(json.dumps(said).encode("ascii"))
