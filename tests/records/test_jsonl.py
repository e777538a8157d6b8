"""Lines on disk survive a kill: whole lines count, a torn last one is forgiven, damage is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.errors import LedgerError
from records.jsonl import LineFile, read_lines


def _values(path: Path) -> list[object]:
    return [value for _, value in read_lines(path)]


def test_a_torn_last_line_is_forgiven_and_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "visits.jsonl"
    path.write_bytes('{"key":"a"}\n{"key":"发'.encode()[:-1])
    assert _values(path) == [{"key": "a"}]
    lines = LineFile(path)
    lines.append({"key": "b"})
    lines.close()
    assert _values(path) == [{"key": "a"}, {"key": "b"}]


def test_a_file_that_is_one_torn_line_starts_empty(tmp_path: Path) -> None:
    path = tmp_path / "visits.jsonl"
    path.write_bytes(b'{"key"' + b" " * 200_000)
    lines = LineFile(path)
    lines.append({"key": "b"})
    lines.close()
    assert _values(path) == [{"key": "b"}]


@pytest.mark.parametrize("damage", [b'{"key":\n', b"\xff\xfe\n", b"[1]\n", b"\n"])
def test_a_damaged_line_is_named_by_its_number(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "visits.jsonl"
    path.write_bytes(b'{"key":"a"}\n' + damage + b'{"key":"c"}\n')
    with pytest.raises(LedgerError, match=r"visits\.jsonl: line 2: "):
        _values(path)


def test_a_missing_file_has_no_lines(tmp_path: Path) -> None:
    assert _values(tmp_path / "none.jsonl") == []


@given(
    values=st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20)), max_size=5),
    cut=st.integers(min_value=0, max_value=400),
)
def test_a_file_cut_anywhere_keeps_its_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, str]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "lines.jsonl"
    lines = LineFile(path)
    for value in values:
        lines.append(value)
    lines.close()
    data = path.read_bytes()[:cut] if path.exists() else b""
    path.write_bytes(data)
    kept = values[: data.count(b"\n")]
    assert _values(path) == kept
    lines.append({"last": "line"})
    lines.close()
    assert _values(path) == [*kept, {"last": "line"}]
