"""A run's directory: what it holds, when it refuses, and who holds it."""

import json
from pathlib import Path

import pytest

from records.errors import LedgerError
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.medical_record import Diagnosis, MedicalRecord
from records.visit import Ending, Message, Visit, VisitOrder


def _record(record_id: str = "r1", complaint: str = "cough") -> MedicalRecord:
    return MedicalRecord(
        id=record_id,
        language="en",
        chief_complaint=complaint,
        diagnoses=(Diagnosis(id="d1", name="Acute bronchitis"),),
    )


def _config(*records: MedicalRecord, **changes: object) -> RunConfig:
    shared = {"prompts_hash": "words"}
    shared.update({k: changes.pop(k) for k in list(changes) if k in SharedSettings.model_fields})
    values: dict[str, object] = {
        "shared": shared,
        "doctors": ("checklist",),
        "settings": ("interaction",),
        "cases": {record.id: record.content_hash for record in records},
    }
    return RunConfig.model_validate({**values, **changes})


def _visit(order: VisitOrder, ending: Ending = Ending.DIAGNOSIS_GIVEN) -> Visit:
    names = set(VisitOrder.model_fields) & set(Visit.model_fields)
    said = Message(turn=0, role="doctor", speaker="doctor", addressee="patient", text="你好")
    return Visit(
        **{name: getattr(order, name) for name in names},
        key=order.key,
        ending=ending,
        messages=(said,),
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    record = _record()
    config = _config(record)
    with LedgerWriter(tmp_path / "run", config, [record]) as ledger:
        (order,) = config.orders([record])
        visit = _visit(order)
        ledger.add_visit(visit)
    read = Ledger(tmp_path / "run")
    assert read.config() == config
    assert read.records() == {"r1": record}
    assert read.visits() == {order.key: visit}
    assert "你好" in (tmp_path / "run" / "visits.jsonl").read_text(encoding="utf-8")


def test_a_visit_held_again_counts_once(tmp_path: Path) -> None:
    record = _record()
    config = _config(record)
    (order,) = config.orders([record])
    with LedgerWriter(tmp_path, config, [record]) as ledger:
        ledger.add_visit(_visit(order, Ending.INFRASTRUCTURE))
        ledger.add_visit(_visit(order))
        assert ledger.visits()[order.key].ending is Ending.DIAGNOSIS_GIVEN


def test_more_doctors_cases_and_trials_extend_a_run(tmp_path: Path) -> None:
    first, second = _record("r1"), _record("r2")
    with LedgerWriter(tmp_path, _config(first), [first]):
        pass
    wider = _config(second, doctors=("other",), trials=2)
    with LedgerWriter(tmp_path, wider, [second]) as ledger:
        config = ledger.config()
        assert config.doctors == ("checklist", "other")
        assert config.trials == 2
        assert list(ledger.records()) == ["r1", "r2"]
        assert len(config.orders(list(ledger.records().values()))) == 2 * 2 * 2


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 1}, "seed is 0 there and 1 here"),
        ({"npc": "http://x#m"}, "npc is 'grounded' there and 'http://x#m' here"),
        ({"max_turns": 3}, "max_turns is 10 there and 3 here"),
        ({"prompts_hash": "new"}, "prompts_hash is 'words' there and 'new' here"),
    ],
)
def test_another_shared_setting_is_refused_by_name(
    tmp_path: Path, change: dict[str, object], named: str
) -> None:
    record = _record()
    with LedgerWriter(tmp_path, _config(record), [record]):
        pass
    before = (tmp_path / "config.json").read_bytes()
    with (
        pytest.raises(LedgerError, match=named),
        LedgerWriter(tmp_path, _config(record, **change), [record]),
    ):
        pass
    assert (tmp_path / "config.json").read_bytes() == before


def test_a_changed_case_is_refused(tmp_path: Path) -> None:
    record, changed = _record(), _record(complaint="fever")
    with LedgerWriter(tmp_path, _config(record), [record]):
        pass
    with (
        pytest.raises(LedgerError, match="record r1 has changed"),
        LedgerWriter(tmp_path, _config(changed), [changed]),
    ):
        pass


def test_a_second_writer_is_told_who_holds_the_run(tmp_path: Path) -> None:
    record = _record()
    with LedgerWriter(tmp_path, _config(record), [record]):
        with (
            pytest.raises(LedgerError, match=r"in use by process \d+ on "),
            LedgerWriter(tmp_path, _config(record), [record]),
        ):
            pass
        # The refused one has not taken the holder's name off the door.
        assert (tmp_path / "holder.json").exists()


def test_a_directory_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"no run here; it has no config\.json"):
        Ledger(tmp_path).config()


@pytest.mark.parametrize(
    ("content", "says"),
    [("{", "config.json"), ('{"schema_version": 9}', "schema_version is 9"), ("[]", "None")],
)
def test_a_damaged_configuration_is_named(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(LedgerError, match=says):
        Ledger(tmp_path).config()


def test_a_visit_of_another_shape_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "visits.jsonl").write_text(json.dumps({"key": 1}) + "\n", encoding="utf-8")
    with pytest.raises(LedgerError, match=r"visits\.jsonl: line 1: "):
        Ledger(tmp_path).visits()


def test_the_key_knows_what_players_see_and_nothing_else() -> None:
    record = _record()
    (order,) = _config(record).orders([record])
    same = VisitOrder.model_validate_json(order.model_dump_json())
    assert same.key == order.key
    for field, value in {"doctor": "x", "seed": 1, "trial": 2, "record_hash": "0"}.items():
        assert order.model_copy(update={field: value}).key != order.key


def test_the_journal_outlives_its_process(tmp_path: Path) -> None:
    record = _record()
    with LedgerWriter(tmp_path, _config(record), [record]) as ledger:
        assert ledger.journal.find("v", "doctor:1") is None
        ledger.journal.write("v", "doctor:1", {"content": "喂"})
    with LedgerWriter(tmp_path, _config(record), [record]) as ledger:
        assert ledger.journal.find("v", "doctor:1") == {"content": "喂"}
        assert ledger.journal.find("w", "doctor:1") is None
