"""Rows 12 to 15 of the table of providers: limits, faults that may pass, usage and price."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from agents.live import LISTENER
from agents.model.model_table import ModelTable
from records.visit import Ending
from tests.hospital.test_scripted_visit import RECORDS
from tests.providers.clinic import (
    CHAIRS,
    MODEL,
    ROLES,
    Clinic,
    Faulty,
    clinic,
    faultless,
    role_of,
)
from tests.providers.test_rows_07_to_11 import assert_goes_on, assert_provider_s
from tests.scripted_endpoint import (
    Answer,
    Raw,
    ScriptedEndpoint,
    completion,
    error,
    purpose_of,
    streamed,
)


@pytest.mark.parametrize(
    ("header", "least", "most"), [("7", 7, 8), ("180", 180, 190), ("date", 90, 111)]
)
@pytest.mark.parametrize("role", ROLES)
async def test_row_12_a_role_waits_as_long_as_its_endpoint_asks(
    tmp_path: Path, role: str, header: str, least: float, most: float
) -> None:
    if header == "date":
        header = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    answer = error(429, "slow down", {"Retry-After": header})
    async with clinic(tmp_path, Faulty(role, lambda said, body: answer, times=1)) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, role=role)
    assert least <= sum(run.waits) <= most


NO_QUOTA = error(429, "You exceeded your current quota", code="insufficient_quota")


@pytest.mark.parametrize("role", ["doctor", "patient", "examiner", "judge", "moderator"])
async def test_row_12_without_quota_an_endpoint_stops_alone(tmp_path: Path, role: str) -> None:
    poor_script = Faulty(role, lambda said, body: NO_QUOTA)
    records = list(RECORDS.values())
    async with (
        ScriptedEndpoint(poor_script) as poor,
        clinic(tmp_path, role=role, records=records) as run,
    ):
        rich, shared = run.config, run.config.shared
        own = poor.spec(MODEL.get(role, role))
        doctors: tuple[str, ...] = (run.spec("doctor"),)
        match role:
            case "doctor":
                update: dict[str, Any] = {"doctors": (own, *doctors)}
            case "judge":
                update = {"judges": (own, *rich.judges)}
            case "moderator":
                met = rich.doctors[0].replace(run.spec("chair"), own)
                settings = ("interaction", "conference")
                update = {"doctors": (*doctors, met), "settings": settings}
            case _:
                update = {"shared": shared.model_copy(update={"npc": own})}
        run.config = rich.model_copy(update=update)
        held = await run.hold()
        refused = [body for body in poor.requests if role_of(body) == role]
        # One for each visit that was under way when the first was refused.
        assert 1 <= len(refused) <= len(records)
        assert not held.progress.complete
        endings = [visit.ending for visit in held.visits]
        if role in ("doctor", "moderator"):
            assert endings.count(Ending.INFRASTRUCTURE) == len(records)
            assert endings.count(Ending.DIAGNOSIS_GIVEN) == len(records) == len(held.marks)
        elif role == "judge":
            assert set(endings) == {Ending.DIAGNOSIS_GIVEN}
            assert {mark.judge for mark in held.marks} == {run.spec("judge")}
        else:
            assert set(endings) == {Ending.INFRASTRUCTURE}
        assert run.waits == []
        poor_script.how = None
        assert (await run.hold()).progress.all_marked


FAULTS: list[Answer] = [
    error(500, "oops"),
    Raw("<html>Bad gateway</html>", status=502),
    error(503, "overloaded"),
    error(529, "overloaded"),
    Raw('{"choices": [{"message": {"con', drop=True),
    Raw('{"choices": [{"message": {"con'),
    Raw("<html>Log in</html>", headers={"Content-Type": "text/html"}),
]


@pytest.mark.parametrize("role", ROLES)
async def test_row_13_what_passes_leaves_no_trace(tmp_path: Path, role: str) -> None:
    coming = iter(FAULTS)
    script = Faulty(role, lambda said, body: next(coming), times=len(FAULTS))
    async with clinic(tmp_path, script) as run:
        held = await run.hold(attempts=len(FAULTS) + 1)
    assert held.essence == await faultless(tmp_path, role=role)
    assert held.board.repairs == ()
    assert len(run.waits) == len(FAULTS)
    # Doubled each time up to a minute, with jitter down to half.
    for number, wait in enumerate(run.waits):
        longest = min(60, 2**number)
        assert longest / 2 <= wait <= longest


@pytest.mark.parametrize("answer", [FAULTS[1], FAULTS[4]])
@pytest.mark.parametrize("role", ROLES)
async def test_row_13_what_does_not_pass_ends_one_visit_and_the_run_goes_on(
    tmp_path: Path, role: str, answer: Answer
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return answer if purpose_of(body)[0] == "en" else said

    script = Faulty(role, how)
    async with clinic(tmp_path, script, records=list(RECORDS.values())) as run:
        held = await run.hold(attempts=3)
        assert len([b for b in run.asked(role) if purpose_of(b)[0] == "en"]) == 3
        assert len(run.waits) == 2
        endings = {visit.language: visit.ending for visit in held.visits}
        assert endings["zh"] is Ending.DIAGNOSIS_GIVEN
        assert len(held.marks) == 1
        assert role == "judge" or endings["en"] is Ending.INFRASTRUCTURE
        script.how = None
        assert (await run.hold()).progress.all_marked


@pytest.mark.parametrize("role", ROLES)
async def test_row_13_a_run_that_goes_on_pays_for_nothing_twice(tmp_path: Path, role: str) -> None:
    async with clinic(tmp_path, Faulty(role, lambda said, body: FAULTS[0])) as run:
        held = await run.hold(attempts=2)
        assert_provider_s(held, role)
        assert "status 500" in (held.visit.failure or str(held.progress.unmarked))
        await assert_goes_on(run, role, tmp_path)


@pytest.mark.parametrize("role", ROLES)
async def test_row_13_a_late_reply_is_asked_for_again(tmp_path: Path, role: str) -> None:
    async def how(said: str, body: dict[str, Any]) -> Answer:
        await asyncio.sleep(60)
        return "too late"

    async with clinic(tmp_path, Faulty(role, how, times=1), parameters="timeout=0.5") as run:
        held = await run.hold()
    assert held.progress.all_marked
    assert len(run.waits) >= 1
    assert "too late" not in str(held.visit)


def priced(directory: Path, endpoint: ScriptedEndpoint, unpriced: str = "") -> ModelTable:
    """A table in which every model has a price but one."""
    models = directory / "models.toml"
    price = "price = {prompt = 1.0, completion = 1.0}\n"
    names = ("doctor", "npc", "judge", "a", "b", "chair")
    models.write_text(
        f'[providers.mine]\nurl = "{endpoint.url}"\nkey_env = "MINE"\n'
        + "".join(
            f"[providers.mine.models.{name}]\n{'' if name == unpriced else price}" for name in names
        ),
        encoding="utf-8",
    )
    return ModelTable.load(models)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {"prompt_tokens": None, "completion_tokens": 3},
        {"prompt_tokens": 0, "completion_tokens": 0},
    ],
)
@pytest.mark.parametrize("role", CHAIRS)
async def test_row_14_usage_that_is_not_told_is_unknown(
    tmp_path: Path, role: str, usage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "none-of-them")
    script = Faulty(role, lambda said, body: completion(said, usage=usage))
    async with ScriptedEndpoint(script) as endpoint:
        table = priced(tmp_path, endpoint)
        held = await Clinic(tmp_path / "run", endpoint, script, table=table).hold()
    used = dict(held.visit.usage)
    assert held.mark.usage is not None
    used["judge"] = held.mark.usage
    assert {name for name, one in used.items() if one.prompt_tokens is None} == {role}
    assert {name for name, one in used.items() if one.completion_tokens is None} == {role}
    assert used[role].calls == script.calls[role]
    of_visits, of_marks = held.board.spending
    spent, other = (of_marks, of_visits) if role == "judge" else (of_visits, of_marks)
    assert (spent.tokens_complete, spent.cost_complete) == (False, False)
    assert (other.tokens_complete, other.cost_complete) == (True, True)
    assert held.visit.cost is not None
    assert held.visit.cost_complete == (role == "judge")
    assert (held.mark.cost is None) == (role == "judge")


@pytest.mark.parametrize("role", ["doctor", "patient"])
async def test_row_14_a_stream_without_usage_has_unknown_usage(tmp_path: Path, role: str) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if not body.get("stream"):
            return said
        return streamed(said[:5], said[5:], usage=False)

    heard: list[tuple[str, str]] = []
    script = Faulty(role, how)
    async with clinic(tmp_path, script) as run:
        token = LISTENER.set(lambda who, piece: heard.append((who, piece)))
        try:
            held = await run.hold()
        finally:
            LISTENER.reset(token)
    assert held.essence == await faultless(tmp_path)
    assert any(body.get("stream") for body in run.asked(role))
    assert {who for who, _ in heard} == {"doctor", "patient"}
    used = held.visit.usage
    assert {name for name, one in used.items() if one.prompt_tokens is None} == {role}


@pytest.mark.parametrize("role", ROLES)
async def test_row_15_without_a_price_the_cost_is_unknown(
    tmp_path: Path, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "none-of-them")
    script = Faulty(role)
    async with ScriptedEndpoint(script) as endpoint:
        table = priced(tmp_path, endpoint, MODEL.get(role, role))
        held = await Clinic(tmp_path / "run", endpoint, script, role=role, table=table).hold()
    assert held.progress.all_marked
    if role == "judge":
        assert held.mark.cost is None
        assert held.visit.cost_complete
    else:
        assert held.mark.cost is not None
        # The others' is known: at least so much.
        assert held.visit.cost
        assert not held.visit.cost_complete
