"""What a run does when the ground gives way: the disk, and the judge."""

import errno
from pathlib import Path

import pytest

from agents.errors import SeatError
from agents.npc import Opinion
from agents.offline.rubric import RubricChiefPhysician
from agents.seats import Seats
from hospital.command_line import run as command
from hospital.experiment import run
from prompts import Prompts
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.library import bundled_records
from records.views import MarkingView
from records.visit import Ending, Report, Visit

PROMPTS = Prompts()
RECORDS = bundled_records()[:2]
CONFIG = RunConfig(
    shared=SharedSettings(prompts_hash=PROMPTS.hash),
    doctors=("checklist",),
    settings=("zero_turn",),
    cases={record.id: record.content_hash for record in RECORDS},
)


async def test_a_judge_that_fails_leaves_a_mark_owed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: object, view: MarkingView, report: Report) -> Opinion:
        raise SeatError("provider", Ending.INFRASTRUCTURE, "503")

    with monkeypatch.context() as away, LedgerWriter(tmp_path, CONFIG, RECORDS) as ledger:
        away.setattr(RubricChiefPhysician, "judge", fail)
        progress = await run(ledger, Seats(prompts=PROMPTS), PROMPTS)
    assert progress.done == 2
    assert not progress.complete
    assert sum(progress.unmarked.values()) == 2
    with LedgerWriter(tmp_path, CONFIG, RECORDS) as ledger:
        progress = await run(ledger, Seats(prompts=PROMPTS), PROMPTS)
    assert progress.complete
    assert len(Ledger(tmp_path).marks()) == 2
    assert len((tmp_path / "visits.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_a_full_disk_is_told_as_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def full(self: object, visit: Visit) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "visits.jsonl")

    monkeypatch.setattr(LedgerWriter, "keep_visit", full)
    assert command(["bench", "--limit", "1", "--out", str(tmp_path / "r")]) == 2
    assert "visits.jsonl: No space left on device" in capsys.readouterr().err
