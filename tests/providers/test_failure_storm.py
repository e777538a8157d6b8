"""Rows 7 to 10 and 12 to 14 at once, at random: nothing is lost, and nothing is marked wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.failure_storm import FAULTS, storm


@pytest.mark.parametrize("attempts", [6, 2])
async def test_a_run_in_a_storm_ends_as_in_fair_weather(tmp_path: Path, attempts: int) -> None:
    figures = await storm(tmp_path, 30, attempts=attempts)
    assert set(figures.sent) == set(FAULTS)
    assert sum(figures.sent.values()) > 60
    if attempts == 6:
        assert figures.passes[0] >= 0.97 * 30
    else:
        assert figures.passes[0] < 30
    assert figures.passes[-1] == figures.marked == 30
    assert figures.wrong == ()
    # A larger limit, where reasoning ate the first, is a call of its own.
    assert max(figures.attempts) <= 2 * attempts
    assert {kind for _, kind in figures.repairs} == {"content_in_reasoning", "reasoning_in_content"}
