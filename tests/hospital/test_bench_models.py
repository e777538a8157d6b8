"""`hospital bench` with models: limits, cache, budget, quota, filters, estimates, being stopped."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hospital.command_line import run
from records.jsonl import read_lines
from records.ledger import Ledger
from records.library import bundled_records
from records.readers import write_records
from records.visit import Ending, Visit
from tests.endpoint_thread import serving
from tests.scripted_endpoint import Answer, ScriptedEndpoint, completion, error, purpose_of
from tests.scripted_hospital import play

CASES = 4
CALLS = 9
"""Of a scripted consultation with a model in every chair."""
USAGE = {"prompt_tokens": 90, "completion_tokens": 10}


def say(body: dict[str, Any]) -> dict[str, Any]:
    return completion(play(body), usage=USAGE)


class Bench:
    """A command with models in the chairs, in a directory of its own."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.cases = directory / "cases.jsonl"
        write_records([r for r in bundled_records() if r.language == "en"][:CASES], self.cases)
        self.directory = directory
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, doctor: str, *options: str, npc: str | None = None, run_: str = "r") -> int:
        command = ["bench", "--cases", str(self.cases), "--setting", "interaction"]
        command += ["--out", str(self.directory / run_), "--doctor", doctor]
        code = run([*command, "--npc", npc or doctor, *options])
        self.out, self.err = self._capsys.readouterr()
        return code

    def visits(self, run_: str = "r") -> list[Visit]:
        return sorted(Ledger(self.directory / run_).visits().values(), key=lambda v: v.key)

    def endings(self, run_: str = "r") -> dict[str, int]:
        return dict(Counter(visit.ending.value for visit in self.visits(run_)))

    def priced(self, endpoint: ScriptedEndpoint) -> str:
        """A file of models that knows `mine/x` and its price."""
        path = self.directory / "models.toml"
        path.write_text(
            f'[providers.mine]\nurl = "{endpoint.url}"\nlocal = true\n'
            "price = {prompt = 1000.0, completion = 10000.0}\n",
            encoding="utf-8",
        )
        return str(path)


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def test_limits_are_kept_and_are_no_part_of_a_doctor(bench: Bench) -> None:
    active, most = 0, 0

    async def script(body: dict[str, Any]) -> Answer:
        nonlocal active, most
        active += 1
        most = max(most, active)
        await asyncio.sleep(0.01)
        active -= 1
        return say(body)

    with serving(script) as endpoint:
        assert bench(endpoint.spec("m", "concurrency=2")) == 0
        assert most == 2
        assert bench(endpoint.spec("m", "requests_per_minute=1&tokens_per_minute=1")) == 0
        assert len(endpoint.requests) == CASES * CALLS
        assert {visit.doctor for visit in bench.visits()} == {endpoint.spec("m")}
        assert bench(endpoint.spec("m", "requests_per_minute=many")) == 2
    assert "requests_per_minute=many" in bench.err


def test_another_run_is_answered_from_the_cache(bench: Bench) -> None:
    cache = str(bench.directory / "cache")
    with serving(say) as endpoint:
        assert bench(endpoint.spec(), "--cache", cache, run_="a") == 0
        paid = len(endpoint.requests)
        assert bench(endpoint.spec(), "--cache", cache, run_="b") == 0
        assert len(endpoint.requests) == paid
    first, second = bench.visits("a"), bench.visits("b")
    assert [v.messages for v in first] == [v.messages for v in second]
    assert [v.usage for v in first] == [v.usage for v in second]
    assert "Models so far" not in bench.err
    origins = Counter(v["origin"] for _, v in read_lines(bench.directory / "b" / "calls.jsonl"))
    assert origins == {"cache": CASES * CALLS}


def test_a_cache_that_cannot_be_is_told_before_anything_is_asked(bench: Bench) -> None:
    (bench.directory / "file").write_text("", encoding="utf-8")
    with serving(say) as endpoint:
        assert bench(endpoint.spec(), "--cache", str(bench.directory / "file" / "cache")) == 2
        assert not endpoint.requests
    assert "no place for a cache" in bench.err


def test_a_budget_of_tokens_stops_the_run_and_a_larger_one_goes_on(bench: Bench) -> None:
    with serving(say) as endpoint:
        assert bench(endpoint.spec(), "--max-tokens", "1500") == 3
        paid = len(endpoint.requests)
        assert 0 < paid * 100 <= 1500
        assert bench.endings().get("budget")
        assert all(v.failed_by == "budget" for v in bench.visits() if not v.ending.final)
        assert re.search(
            r"\n4 still owed: budget: the budget is used up: [\d,]+ of 1,500 tokens are", bench.err
        )
        assert "Unfinished. To go on with a larger budget:" in bench.err
        # What is used up stays used up.
        assert bench(endpoint.spec(), "--max-tokens", "1500") == 3
        assert len(endpoint.requests) * 100 <= 1500
        assert bench(endpoint.spec(), "--max-tokens", "100000") == 0
        assert len(endpoint.requests) == CASES * CALLS
    assert bench.endings() == {"diagnosis_given": CASES}


def test_a_budget_in_dollars(bench: Bench) -> None:
    price = 90 * 1000e-6 + 10 * 10000e-6
    with serving(say) as endpoint:
        options = ("--models", bench.priced(endpoint))
        assert bench("mine/x", *options, "--max-cost", "3") == 3
        assert len(endpoint.requests) * price <= 3
        assert "of $3.00 is spent" in bench.err
        assert bench("mine/x", *options, "--max-cost", "30") == 0
        assert len(endpoint.requests) == CASES * CALLS
    for visit in bench.visits():
        assert visit.cost == pytest.approx(CALLS * price)
        assert visit.cost_complete
    assert f"${CASES * CALLS * price:.4f}." in bench.err


def test_what_was_paid_before_a_price_was_told_counts_in_a_budget(bench: Bench) -> None:
    with serving(say) as endpoint:
        models = Path(bench.priced(endpoint))
        priced = models.read_text(encoding="utf-8")
        models.write_text(priced.replace("local = true\nprice", "# price"), encoding="utf-8")
        (bench.directory / "keys").write_text("MINE_API_KEY=none-of-them", encoding="utf-8")
        options = ("--models", str(models), "--key-file", str(bench.directory / "keys"))
        assert bench("mine/x", *options, "--max-tokens", "2000") == 3
        paid = len(endpoint.requests)
        models.write_text(priced, encoding="utf-8")
        assert bench("mine/x", *options, "--max-cost", "0.1") == 3
        assert len(endpoint.requests) == paid
    assert f"${paid * (90 * 1000e-6 + 10 * 10000e-6):.4f} of $0.10 is spent" in bench.err


def test_a_budget_in_dollars_needs_a_price(bench: Bench) -> None:
    with serving(say) as endpoint:
        assert bench(endpoint.spec(), "--max-cost", "1") == 2
        assert not endpoint.requests
    assert f"the price of {endpoint.spec()} is unknown" in bench.err
    assert "--models" in bench.err
    assert len(bench.err.splitlines()) == 1
    assert not (bench.directory / "r").exists()


def test_row_14_unknown_usage_is_estimated_for_the_budget_and_unknown_in_the_visit(
    bench: Bench,
) -> None:
    with serving(lambda body: completion(play(body), usage=None)) as endpoint:
        options = ("--models", bench.priced(endpoint))
        assert bench("mine/x", *options, "--max-tokens", "2000") == 3
        assert 0 < len(endpoint.requests) < CASES * CALLS
        assert "tokens are estimated" in bench.err
        assert bench("mine/x", *options) == 0
    assert "at least $0.0000" in bench.err
    for visit in bench.visits():
        assert (visit.cost, visit.cost_complete) == (None, False)
        assert {u.prompt_tokens for u in visit.usage.values()} == {None}


def test_row_15_a_model_without_a_price_runs_with_one_warning(bench: Bench) -> None:
    with serving(say) as endpoint:
        assert bench(endpoint.spec("m", "concurrency=3"), npc=endpoint.spec("m")) == 0
    assert bench.err.count("is unknown") == 1
    assert "cost unknown" in bench.err
    assert {(v.cost, v.cost_complete) for v in bench.visits()} == {(None, False)}


def test_row_12_an_endpoint_without_quota_stops_alone(bench: Bench) -> None:
    with (
        serving(lambda body: error(429, "no money", code="insufficient_quota")) as poor,
        serving(say) as rich,
    ):
        code = bench(poor.spec("poor"), "--doctor", rich.spec("rich"), npc=rich.spec("npc"))
        assert code == 3
        # One for each visit that was under way when the first reply came.
        assert 1 <= len(poor.requests) <= 8
    endings = {(v.doctor, v.ending.value) for v in bench.visits()}
    assert endings == {
        (poor.spec("poor"), "infrastructure"),
        (rich.spec("rich"), "diagnosis_given"),
    }
    assert f"{CASES} still owed: infrastructure: status 429: no money" in bench.err


def filtering(role: str) -> Any:
    def script(body: dict[str, Any]) -> Answer:
        if purpose_of(body)[1] == role:
            return error(400, "filtered", code="content_filter")
        return say(body)

    return script


def test_row_6_filtered_words_of_the_doctor_are_marked_as_no_diagnosis(bench: Bench) -> None:
    with serving(filtering("doctor")) as endpoint:
        assert bench(endpoint.spec()) == 0
    assert bench.endings() == {"content_filtered": CASES}
    marks = Ledger(bench.directory / "r").marks()
    assert len(marks) == CASES
    assert {grade.grade for mark in marks for grade in mark.grades.values()} == {"D"}


def test_row_6_filtered_words_of_the_patient_leave_a_case_without_a_mark(bench: Bench) -> None:
    with serving(filtering("patient")) as endpoint:
        assert bench(endpoint.spec()) == 3
        asked = len(endpoint.requests)
        assert f"{CASES} without a mark, and not tried again: content_filtered: by patient:" in (
            bench.err
        )
        assert bench(endpoint.spec()) == 3
        assert len(endpoint.requests) == asked
    assert not Ledger(bench.directory / "r").marks()
    assert "To go on" not in bench.err


def test_a_judge_tells_what_it_used(bench: Bench) -> None:
    with serving(say) as endpoint:
        options = ("--models", bench.priced(endpoint), "--judge", "mine/x")
        assert bench("checklist", *options, npc="grounded") == 0
    for mark in Ledger(bench.directory / "r").marks():
        assert mark.usage is not None
        assert (mark.usage.calls, mark.usage.prompt_tokens) == (1, 90)
        assert mark.cost == pytest.approx(90 * 1000e-6 + 10 * 10000e-6)


def test_a_dry_run_holds_two_visits_that_are_not_paid_for_twice(bench: Bench) -> None:
    with serving(say) as endpoint:
        options = ("--models", bench.priced(endpoint), "--judge", "mine/x")
        assert bench("mine/x", *options, "--dry-run", "--json") == 0
        assert len(endpoint.requests) == 2 * (CALLS + 1)
        visits, marks = json.loads(bench.out)
        assert bench("mine/x", *options, "--dry-run") == 0
        assert len(endpoint.requests) == 2 * (CALLS + 1)
        assert bench("mine/x", *options) == 0
        assert len(endpoint.requests) == CASES * (CALLS + 1)
    assert (visits["owed"], visits["judged_by"], visits["setting"]) == (2, "visits", "interaction")
    assert (marks["owed"], marks["judged_by"], marks["setting"]) == (2, "visits", "marks")
    assert visits["one"] == {
        "calls": CALLS,
        "prompt_tokens": 90 * CALLS,
        "completion_tokens": 10 * CALLS,
        "cost": pytest.approx(CALLS * (90 * 1000e-6 + 10 * 10000e-6)),
    }
    assert marks["one"]["calls"] == 1


def test_a_dry_run_without_probes_asks_nobody_and_writes_nothing(bench: Bench) -> None:
    with serving(say) as endpoint:
        options = ("--setting", "interaction,one_step,zero_turn", "--judge", "mine/x", "--json")
        options += ("--models", bench.priced(endpoint), "--dry-run", "--probes", "0")
        assert bench("mine/x", *options) == 0
        assert not endpoint.requests
    assert not (bench.directory / "r").exists()
    interaction, one_step, zero_turn, marks = json.loads(bench.out)
    assert {e["owed"] for e in (interaction, one_step, zero_turn)} == {CASES}
    assert marks["owed"] == 3 * CASES
    assert one_step["one"]["calls"] == zero_turn["one"]["calls"] == marks["one"]["calls"] == 1
    assert interaction["one"]["calls"] > 3
    assert interaction["one"]["cost"] > one_step["one"]["cost"] > zero_turn["one"]["cost"] > 0


def test_what_cannot_be_probed_is_rehearsed(bench: Bench) -> None:
    with serving(lambda body: error(401, "no such key")) as endpoint:
        assert bench(endpoint.spec(), "--dry-run", "--json") == 0
    (visits,) = json.loads(bench.out)
    assert (visits["owed"], visits["judged_by"]) == (CASES, "rehearsal")
    assert visits["one"]["cost"] is None
    assert visits["one"]["prompt_tokens"] > 1000


def test_an_offline_dry_run_costs_nothing(bench: Bench) -> None:
    assert bench("checklist", "--dry-run", "--json", npc="grounded") == 0
    (visits,) = json.loads(bench.out)
    assert (visits["judged_by"], visits["one"]["cost"]) == ("nothing", 0)
    assert not (bench.directory / "r").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_with_hundreds_of_calls_under_way(
    tmp_path: Path, number: signal.Signals
) -> None:
    visits, answered = 200, 40
    full, release = threading.Event(), threading.Event()

    async def script(body: dict[str, Any]) -> Answer:
        if len(endpoint.requests) <= answered:
            return say(body)
        if len(endpoint.requests) == answered + visits:
            full.set()
        while not release.is_set():
            await asyncio.sleep(0.05)
        return say(body)

    with serving(script) as endpoint:
        command = [sys.executable, "-m", "hospital", "bench", "--out", "r", "--trials", "10"]
        command += ["--setting", "interaction", "--concurrency", str(visits)]
        command += ["--doctor", endpoint.spec(), "--npc", endpoint.spec()]
        process = subprocess.Popen(
            command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert full.wait(60)
        process.send_signal(number)
        # None of the calls under way is ever answered; whoever waited for one would wait on.
        out, errors = process.communicate(timeout=60)
        release.set()
        assert len(endpoint.requests) == answered + visits
    assert process.returncode == 130, errors
    assert "Traceback" not in errors + out
    assert "what is finished or paid is kept" in errors
    assert "hospital bench --out r --trials 10" in errors
    kept = [value for _, value in read_lines(tmp_path / "r" / "journal.jsonl")]
    assert len(kept) == answered
    assert not [v for v in Ledger(tmp_path / "r").visits().values() if v.ending is Ending.CANCELLED]
    outcomes = Counter(v["outcome"] for _, v in read_lines(tmp_path / "r" / "calls.jsonl"))
    assert outcomes == {"reply": answered, "cancelled": visits}
