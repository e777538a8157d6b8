"""Examinations and OSCE stations: what a candidate may not see, its time, and its points."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from agents.leaving import BrokenOff
from hospital.play.appointing import go_on
from hospital.play.choosing import any_case, chosen_case
from hospital.play.completion import offered
from hospital.play.credit import credit
from hospital.play.station import check_station, read_station, score, total
from hospital.play.waiting_room import patient_card, show_waiting_room, who
from hospital.play.words import NEVER_CARE
from records.errors import InputError
from records.ledger import Ledger
from records.library import bundled_records
from records.medical_record import Language, MedicalRecord
from tests.paper import Paper, Slow
from tests.person import REPORT, appointed, attended, bundled, only_visit
from tests.scripted_endpoint import ScriptedEndpoint
from tests.scripted_hospital import play

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def telling(record: MedicalRecord, texts: Iterable[str]) -> list[str]:
    """What of a record's diagnoses, names and codes, stands in the texts.

    Of those that the patient has known for years it tells itself.
    """
    every = "\n".join(texts).casefold()
    unknown = [d for d in record.diagnoses if d.reach != "known_history"]
    names = {d.name for d in unknown} | {d.icd10 for d in unknown if d.icd10}
    return sorted(name for name in names if name.casefold() in every)


def files_of(directory: Path) -> list[str]:
    return [f.read_text("utf-8") for f in directory.rglob("*") if f.is_file()]


@pytest.mark.parametrize("case", ["en-001", "en-002", "zh-001", "zh-004"])
async def test_nothing_tells_the_diagnosis_before_the_report_is_in(
    tmp_path: Path, case: str
) -> None:
    record = bundled(case)
    zh = record.language == "zh"
    seen: list[list[str]] = []

    def look(line: str) -> Callable[[Paper], str]:
        def typed(paper: Paper) -> str:
            shown = [paper.text, *(asked.prompt + asked.right for asked in paper.asked)]
            seen.append(telling(record, [*shown, *files_of(tmp_path)]))
            return line

        return typed

    words = ("哪里不舒服？", "/查体 腹部", "/检查 血常规、心电图") if zh else (
        "What brings you here?", "/examine abdomen", "/order CBC, ECG")  # fmt: skip
    commands = ("/chart", "/notes", "/hint", "/undo", "/help", "/save", "/differential", "/x")
    parts = ("s", "e", "d", "r", "t", "")
    paper = Paper([look(line) for line in (*words, *commands, "/report", *parts)])
    assert await attended(appointed(tmp_path, case, exam=True), paper)
    assert len(seen) == len((*words, *commands, "/report", *parts))
    assert not any(seen)
    refusal = "考试中不可使用。" if zh else "Not in an examination."
    assert paper.text.count(refusal) == 2
    marker = "[异常]" if zh else "[abnormal]"
    assert marker not in paper.text
    # Afterwards it is told, and it is in the run.
    assert telling(record, [paper.text])
    assert telling(record, files_of(tmp_path))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_neither_waiting_room_nor_card_nor_completion_tells_a_diagnosis(
    language: Language,
) -> None:
    records = [record for record in bundled_records() if record.language == language]
    for plain in (True, False):
        paper = Paper(plain=plain, width=80)
        show_waiting_room(paper, records, language)
        paper.show(*map(patient_card, records))
        for record in records:
            assert not telling(record, [paper.text])
    names = offered(language, exam=True)
    assert not {"/hint", "/提示", "/undo", "/撤回"} & set(names)
    lines = {name.partition(" ")[2].casefold() for name in names}
    for record in records:
        assert not {d.name.casefold() for d in record.diagnoses} & lines
    # The same for every case: it knows no record.
    assert names == offered(language, exam=True)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_waiting_room_shows_the_language_that_was_asked_for(language: Language) -> None:
    paper = Paper(["x", "0", "99", "m", "3"])
    ready: list[str] = []
    record = await chosen_case(("library",), language, 0, paper, lambda: ready.append(paper.text))
    assert record.language == language
    # What takes time is begun when the room stands there, and before anybody is asked.
    assert len(ready) == 1
    assert ("Waiting room" if language == "en" else "候诊室") in ready[0]
    assert len(paper.asked) == 5
    # Others wait after the first five.
    assert paper.text.count("Waiting room" if language == "en" else "候诊室") == 2
    assert who(record.demographics, language) not in ready[0]
    with pytest.raises(BrokenOff):
        await chosen_case(("library",), language, None, Paper(["/quit", "1"]), lambda: None)


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh_CN.UTF-8", "zh"), ("de_DE.UTF-8", "en"), ("C.UTF-8", "en"), ("en_GB", "en")],
)
async def test_who_waits_speaks_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: Language
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert any_case(("library",), None, 3).language == language
    paper = Paper([""])
    record = await chosen_case(("library",), None, None, paper, lambda: None)
    assert record.language == language
    assert NEVER_CARE[language] in paper.text
    # Whoever names the language has it.
    assert any_case(("library",), "zh", 3).language == "zh"


async def test_cases_in_another_language_than_the_terminal_s_wait_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    source = tmp_path / "cases.jsonl"
    source.write_text(bundled("zh-001").model_dump_json() + "\n", "utf-8")
    paper = Paper([""])
    record = await chosen_case((str(source),), None, None, paper, lambda: None)
    assert record.id == "zh-001"
    assert "候诊室" in paper.text
    with pytest.raises(InputError, match="there are no cases in en, only in zh"):
        await chosen_case((str(source),), "en", None, paper, lambda: None)


async def test_the_time_is_over_in_the_consultation_and_in_the_report(tmp_path: Path) -> None:
    appointment = appointed(tmp_path, exam=True, minutes=0.004)
    lines = [Slow("half a question"), "itching", Slow("half a part")]
    paper = Paper(lines)
    assert await attended(appointment, paper)
    assert "The time is over. Write the report now." in paper.text
    assert "What you have written is handed in." in paper.text
    assert paper.asked[0].right == "1 min left"
    visit = only_visit(tmp_path)
    assert visit.report is not None
    # What stood on the line counts; the half question was never said.
    assert (visit.report.symptoms, visit.report.examinations) == ("itching", "half a part")
    assert "half a question" not in visit.model_dump_json()
    assert visit.human is not None
    assert (visit.human.exam, visit.human.minutes) == (True, 0.004)


async def test_a_report_that_is_not_begun_in_time_is_handed_in_empty(tmp_path: Path) -> None:
    appointment = appointed(tmp_path, exam=True, minutes=0.002)
    assert await attended(appointment, Paper([Slow(), Slow()]))
    (mark,) = Ledger(tmp_path).marks()
    assert {grade.grade for grade in mark.grades.values()} == {"D"}


async def test_time_of_an_earlier_sitting_counts(tmp_path: Path) -> None:
    appointment = appointed(tmp_path, exam=True, minutes=10)
    assert not await attended(appointment, Paper(["Any fever?"]))
    *lines, last = appointment.path.read_text("utf-8").splitlines()
    assert '"seconds":' in last
    late = last.partition('"seconds":')[0] + '"seconds":590.0}'
    appointment.path.write_text("\n".join([*lines, late, ""]), "utf-8")
    paper = Paper(["Any cough?"])
    assert not await attended(go_on(tmp_path), paper)
    assert paper.asked[0].right == "1 min left"
    *lines, last = appointment.path.read_text("utf-8").splitlines()
    over = last.partition('"seconds":')[0] + '"seconds":601.0}'
    appointment.path.write_text("\n".join([*lines, over, ""]), "utf-8")
    paper = Paper(REPORT)
    assert await attended(go_on(tmp_path), paper)
    # At once the report, and its own time from then on.
    assert [asked.prompt[:2] for asked in paper.asked[:2]] == ["1.", "2."]
    assert paper.asked[0].right == "10 min left"
    assert only_visit(tmp_path).seconds >= 601


STATION = """\
name: chest
language: en
case: en-002
task: Find out.
checklist:
  - item: Leg
    facts: [f9, f10]
  - item: "=HYPERLINK(1)"
    examinations: [e18]
    points: 2
  - item: Names it
    diagnosis: I26
"""


@pytest.mark.parametrize(
    ("changed", "by", "told"),
    [
        ("name: chest", "name: [", "not valid YAML"),
        ("name: chest\n", "", "name: is missing"),
        ("language: en", "language: fr", "language: Input should be 'zh' or 'en'"),
        ("task: Find out.", "tusk: Find out.", "tusk: there is no such field; did you mean task?"),
        ("facts: [f9, f10]", "facts: []", "checklist.0: an item has exactly one of facts"),
        ("    diagnosis: I26", "    diagnosis: lungs", "checklist.2.diagnosis: "),
        ("points: 2", "points: 0", "checklist.1.points: Input should be greater than 0"),
        ("points: 2", "needs: 2", "checklist.1: an item cannot need more than it lists"),
        (STATION, "- 1", "file: fields were expected"),
        (STATION, "", "file: fields were expected"),
    ],
)
def test_each_fault_of_a_station_is_one_clear_line(
    tmp_path: Path, changed: str, by: str, told: str
) -> None:
    path = tmp_path / "station.yaml"
    path.write_text(STATION.replace(changed, by), "utf-8")
    with pytest.raises(InputError) as caught:
        read_station(str(path))
    lines = str(caught.value).splitlines()
    assert any(f"{path}: {told}" in line for line in lines), lines
    assert all(str(path) in line for line in lines)


def test_a_station_asks_for_what_its_case_has(tmp_path: Path) -> None:
    path = tmp_path / "station.yaml"
    path.write_text(STATION.replace("f10", "f999"), "utf-8")
    with pytest.raises(InputError, match="checklist item 'Leg': f999 is not in case en-002"):
        check_station(read_station(str(path)), bundled("en-002"), str(path))
    with pytest.raises(InputError, match="language is en, but case zh-001 is zh"):
        check_station(read_station(str(path)), bundled("zh-001"), str(path))
    with pytest.raises(InputError, match="bundled are abdominal-pain, breathless"):
        read_station(str(tmp_path / "none.yaml"))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_station(str(path))
    for name in ("abdominal-pain", "breathless"):
        station = read_station(name)
        check_station(station, bundled(station.case), name)


async def test_a_cohort_comes_into_one_table_that_no_spreadsheet_reckons_with(
    tmp_path: Path,
) -> None:
    path, run = tmp_path / "station.yaml", tmp_path / "run"
    path.write_text(STATION, "utf-8")
    for name, lines in (
        ("anna", ["Any leg swelling?", "/order CT pulmonary angiography"]),
        ('=cmd|"/c calc"!A1', []),
        ("@bo", ["Any leg swelling?"]),
        ("anna", []),
    ):
        appointment = appointed(run, name=name, station=str(path))
        assert await attended(appointment, Paper([*lines, "/report", *REPORT]))
    with (run / "results.csv").open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["candidate"] for row in table] == ["anna", '\'=cmd|"/c calc"!A1', "'@bo", "anna"]
    assert [row["attempt"] for row in table] == ["1", "1", "1", "2"]
    assert [row["points"] for row in table] == ["4", "1", "2", "1"]
    assert [row["'=HYPERLINK(1)"] for row in table] == ["1", "0", "0", "0"]
    assert all(row["diagnosis"] in "ABCD" for row in table)
    cells = [cell for row in table for pair in row.items() for cell in pair]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)


async def test_a_station_that_was_left_is_taken_up_with_its_checklist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, run = tmp_path / "station.yaml", tmp_path / "run"
    path.write_text(STATION, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert not await attended(appointed(run, station="station.yaml"), Paper(["Any leg swelling?"]))
    monkeypatch.chdir("/")
    paper = Paper(["/report", *REPORT])
    assert await attended(go_on(run), paper)
    assert "[x] Leg (1)" in paper.text
    assert (run / "results.csv").exists()


async def test_a_model_that_answers_beside_the_point_costs_no_points(tmp_path: Path) -> None:
    record = bundled("en-002")
    station = read_station("breathless")
    async with ScriptedEndpoint(play) as endpoint:
        asked = ["Is your leg swollen or painful?", "/order CT pulmonary angiography"]
        appointment = appointed(tmp_path, station="breathless", npc=endpoint.spec())
        assert await attended(appointment, Paper([*asked, "/report", *REPORT]))
    visit = only_visit(tmp_path)
    # The model said "For some days." throughout.
    assert not {"f9", "f10"} & {fact for m in visit.messages for fact in m.facts}
    credited = await credit(visit, record)
    assert {"f9", "f10"} & credited.facts
    assert "e18" in credited.examinations
    done = await score(station, visit, record)
    by_item = dict(zip((item.item for item in station.checklist), done, strict=True))
    assert by_item["Leg swelling or pain"]
    assert by_item["CT pulmonary angiography"]
    assert not by_item["Allergies"]
    # The model took the order for an electrocardiogram.
    assert total(station, done) == 2 + 2 + 3 + 2 + 1


async def test_what_a_model_patient_says_is_credited_by_its_words(tmp_path: Path) -> None:
    def script(body: dict[str, object]) -> str:
        said = play(body)
        swollen = "<to doctor> Yes, the left calf has been swollen for a week."
        return swollen if said.startswith("<to doctor>") else said

    async with ScriptedEndpoint(script) as endpoint:
        appointment = appointed(tmp_path, station="breathless", npc=endpoint.spec())
        assert await attended(appointment, Paper(["How are you?", "/report", *REPORT]))
    visit = only_visit(tmp_path)
    assert "f9" in {fact for m in visit.messages for fact in m.facts}
