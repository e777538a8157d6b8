from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_row_has_its_tests_and_the_table_names_them_all() -> None:
    listed: dict[int, list[str]] = {}
    for line in (HERE / "rows.md").read_text(encoding="utf-8").splitlines():
        if row := re.match(r"\| (\d+) \|", line):
            listed[int(row[1])] = re.findall(r"`(test_row_\w+)`", line)
    written: dict[int, list[str]] = {}
    for path in sorted(HERE.glob("test_rows_*.py")):
        text = path.read_text(encoding="utf-8")
        for name, number in re.findall(r"^async def (test_row_(\d+)_\w+)", text, re.MULTILINE):
            written.setdefault(int(number), []).append(name)
    assert set(listed) == set(range(1, 26))
    assert {n: sorted(names) for n, names in listed.items()} == {
        n: sorted(names) for n, names in written.items()
    }
