"""Lines on disk survive a kill: whole lines count, a torn last one is forgiven, damage is named."""

import asyncio
import errno
import os
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


async def test_lines_of_many_are_all_on_disk_when_kept(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "lines.jsonl")

    async def keep(number: int) -> bool:
        await file.keep({"number": number})
        text = (tmp_path / "lines.jsonl").read_text(encoding="utf-8")
        return f'{{"number":{number}}}\n' in text

    assert all(await asyncio.gather(*(keep(number) for number in range(200))))
    file.append({"number": 200})
    file.close()
    numbers = [value["number"] for _, value in read_lines(tmp_path / "lines.jsonl")]
    assert numbers == list(range(201))


def test_a_line_whose_keeper_was_cancelled_is_written_all_the_same(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "lines.jsonl")

    async def begin_and_leave() -> None:
        for number in range(20):
            task = asyncio.create_task(file.keep({"number": number}))
            await asyncio.sleep(0)
            task.cancel()

    asyncio.run(begin_and_leave())
    file.close()
    numbers = [value["number"] for _, value in read_lines(tmp_path / "lines.jsonl")]
    assert numbers == list(range(20))


async def test_a_disk_that_refuses_tells_all_who_wait_and_keeps_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.jsonl"
    file = LineFile(path)
    await file.keep({"number": 0})
    write = os.write

    def half(descriptor: int, data: memoryview) -> int:
        if len(data) < 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[: len(data) // 2])

    with monkeypatch.context() as full:
        full.setattr(os, "write", half)
        waiting = (file.keep({"number": number}) for number in (1, 2))
        failures = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(failure) for failure in failures] == [OSError, OSError]
    await file.keep({"number": 3})
    file.close()
    assert path.read_text(encoding="utf-8") == '{"number":0}\n{"number":3}\n'
