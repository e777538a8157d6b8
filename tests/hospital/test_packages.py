"""A stranger's package that hides one of our rooms is noticed at the door."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hospital.packages import ROOMS, stranger


def test_our_own_rooms_are_no_strangers() -> None:
    assert stranger() is None


@pytest.mark.parametrize("room", ROOMS)
def test_a_stranger_is_named_with_what_to_do(tmp_path: Path, room: str) -> None:
    (tmp_path / room).mkdir()
    (tmp_path / room / "__init__.py").write_text("", encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "hospital", "bench"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert f"'import {room}' finds the one at {tmp_path / room}" in result.stderr
    assert "virtual environment" in result.stderr
