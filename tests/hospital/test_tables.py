from __future__ import annotations

import re
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from evaluation.leaderboard import leaderboard
from hospital.columns import distinctly_shortened, shortened
from hospital.tables import print_leaderboard
from hospital.visit_pages import print_visit, print_visits
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Grade, Letter, Mark
from records.medical_record import Diagnosis, MedicalRecord
from records.visit import Ending, Message, Repair, Report, Setting, Visit

RECORD = MedicalRecord(
    id="案例-1",
    language="zh",
    diagnoses=(
        Diagnosis(id="d1", name="痛风", icd10="M10.9"),
        Diagnosis(id="d2", name="高血压病", icd10="I10"),
    ),
)
HEADINGS = ("Visits", "Symptoms", "Exams", "Diagnosis", "Rationale", "Treatment", "Linked", "F1")
ENDPOINT = "https://llm.example.org/v1#a-model?temperature=0"


def console(width: int = 80) -> tuple[Console, StringIO]:
    out = StringIO()
    return Console(file=out, width=width), out


def visit(
    doctor: str, setting: Setting = "interaction", ending: Ending = Ending.DIAGNOSIS_GIVEN
) -> Visit:
    return Visit(
        key=f"{doctor}/{setting}",
        record_id=RECORD.id,
        record_hash="h",
        doctor=doctor,
        setting=setting,
        protocol="carried",
        npc="grounded",
        language="zh",
        seed=0,
        trial=1,
        prompts_hash="p",
        ending=ending,
        messages=(
            Message(
                turn=0,
                role="doctor",
                speaker="doctor",
                addressee="patient",
                text="您好，[bold]哪里[/bold]不舒服？",
                repairs=(Repair(kind="addressee_missing", detail="taken for the patient's"),),
            ),
            Message(
                turn=1,
                role="patient",
                speaker="patient_2",
                addressee="doctor",
                text="脚趾痛。\x1b[2J",
                facts=("f1", "f3"),
            ),
        ),
        report=Report(symptoms="脚趾红肿疼痛", diagnosis="痛风"),
    )


def mark(of: Visit, letter: Letter | None) -> Mark:
    grade = Grade(
        grade=letter,
        reason=None if letter else "没有依据",
        analysis="涵盖 1/2 项。" if letter else "",
    )
    return Mark(
        visit_key=of.key,
        judge="rubric",
        grades=dict.fromkeys(DIMENSIONS, grade),
        diseases=DiseaseScores(
            predicted=(DiseaseLink(name="痛风", icd10="M10.9"), DiseaseLink(name="脚癣")),
            reference=(
                DiseaseLink(name="痛风", icd10="M10.9"),
                DiseaseLink(name="高血压病", icd10="I10"),
            ),
            hits=((0, 0),),
            code_hits=1,
        ),
    )


def test_a_leaderboard_fits_80_columns_and_is_plain_when_piped() -> None:
    visits = [
        visit(doctor, setting)
        for doctor in ("checklist", ENDPOINT)
        for setting in ("interaction", "one_step", "zero_turn")
    ]
    grades: list[Letter] = ["B", "A", "D", "C", "A", "D"]
    board = leaderboard(visits, map(mark, visits, grades), [RECORD])
    c, out = console()
    print_leaderboard(c, board, title="A self-test")
    text = out.getvalue()
    assert text.startswith("A self-test\n")
    assert "\x1b" not in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    lines = [line.split() for line in text.splitlines()]
    assert ["checklist", "1", *["66.7", "±0.0"] * 5] in lines
    assert ["a-model", "1", *["33.3", "±0.0"] * 5] in lines  # the endpoint by its model's name
    assert ["checklist", "2.00", "50.0", "50.0", "50.0", "±0.0", "50.0", "100%"] in lines
    assert ["checklist", "1", *["67%"] * 5, "-"] in lines  # of the way; F1 has no way to go


def test_a_leaderboard_tells_what_it_leaves_out() -> None:
    visits = [visit("x"), visit("y", ending=Ending.PATIENT_FAILED), visit("z")]
    board = leaderboard(visits, [mark(visits[0], "A"), mark(visits[2], None)], [RECORD])
    c, out = console()
    print_leaderboard(c, board, title="T")
    text = out.getvalue()
    assert "y, interaction: 1 of 1 patient_failed" in text
    assert "1 visit has no mark." in text
    assert "z, interaction: the judge gave no grade at all" in text
    assert text.count("no grade at all") == 1
    assert "way from the floor" not in text  # neither floor nor ceiling was held
    assert ["z", "1", *["-"] * 5] in [line.split() for line in text.splitlines()]


def test_coverage_stands_under_a_mean_that_lacks_a_grade() -> None:
    one, other = visit("x"), visit("x").model_copy(update={"key": "second", "trial": 2})
    board = leaderboard([one, other], [mark(one, "A"), mark(other, None)], [RECORD])
    c, out = console()
    print_leaderboard(c, board, title="T")
    assert ["of", "50%"] * 5 in [line.split() for line in out.getvalue().splitlines()]


def test_doctors_with_one_models_name_are_told_apart() -> None:
    other = ENDPOINT.replace("llm.", "two.")
    visits = [visit(ENDPOINT), visit(other)]
    board = leaderboard(visits, [mark(v, "A") for v in visits], [RECORD])
    c, out = console(140)
    print_leaderboard(c, board, title="T")
    assert "two.example.org" in out.getvalue()


WIDTHS = pytest.mark.parametrize("width", [40, 60, 80, 200])
DOCTORS = (
    "checklist",
    "my_doctor:Curious",
    "exec:python3 /srv/doctors/很长的目录/一位好奇的医生.py --patience 3",
    ENDPOINT,
    "package.of.many.parts.and.names:Curious",
)


@WIDTHS
def test_every_cell_of_a_leaderboard_is_there_in_any_width(width: int) -> None:
    visits = [
        visit(doctor, setting)
        for doctor in DOCTORS
        for setting in ("interaction", "one_step", "zero_turn")
    ]
    letters: list[Letter] = ["B", "A", "D"]
    board = leaderboard(visits, map(mark, visits, letters * len(DOCTORS)), [RECORD])
    c, out = console(width)
    print_leaderboard(c, board, title="T")
    text = out.getvalue()
    assert max(map(cell_len, text.splitlines())) <= width
    for mean in ("66.7 ±0.0", "100.0 ±0.0", "0.0 ±0.0"):
        assert len(re.findall(rf"(?<!\d){mean}", text)) == 5 * len(DOCTORS)
    assert len(re.findall(r"(?<!\d)67%", text)) == 5 * len(DOCTORS)  # of the way
    for heading in (*HEADINGS, "Doctor" if width >= 80 else "Symptoms"):
        assert heading in text
    whole = text.replace("\n", "").replace(" ", "")
    for doctor in DOCTORS:
        assert doctor.replace(" ", "") in whole


@WIDTHS
def test_every_cell_of_a_list_of_visits_is_there_in_any_width(width: int) -> None:
    visits = [
        visit(doctor).model_copy(update={"key": f"key{n}", "record_id": f"案例-{n}", "trial": 7})
        for n, doctor in enumerate(DOCTORS)
    ]
    c, out = console(width)
    print_visits(c, visits, [mark(v, "B") for v in visits])
    text = out.getvalue()
    assert max(map(cell_len, text.splitlines())) <= width
    for n in range(len(DOCTORS)):
        assert text.count(f"key{n}") == text.count(f"案例-{n}") == 1
    for cell in ("interaction", "diagnosis_given", "BBBBB"):
        assert text.count(cell) == len(DOCTORS)
    assert re.search(r"Curious\b", text)


@pytest.mark.parametrize("width", [80, 200])
def test_a_visit_is_one_line_where_it_fits(width: int) -> None:
    c, out = console(width)
    print_visits(c, [visit("my_doctor:Curious").model_copy(update={"key": "0123456789ab"})], [])
    (row,) = (line for line in out.getvalue().splitlines() if line.startswith("0123456789ab"))
    assert "Curious" in row
    assert row.split()[-2:] == ["diagnosis_given", "-"]


@WIDTHS
def test_a_failed_visits_reason_is_told_in_one_line(width: int) -> None:
    failed = visit("x", ending=Ending.DOCTOR_FAILED).model_copy(
        update={"failed_by": "doctor", "failure": "HTTP 401: " + "no such key in this place " * 9}
    )
    c, out = console(width)
    print_visits(c, [failed, visit("y")], [])
    text = out.getvalue()
    (line,) = (line for line in text.splitlines() if "HTTP 401: no such key" in line)
    assert line.endswith(("…", "place"))
    assert max(map(cell_len, text.splitlines())) <= width


def test_the_commonest_reason_of_each_ending_is_told_under_the_leaderboard() -> None:
    reasons = ["401 no key", "timeout", "401 no key", None]
    visits = [
        visit("x", ending=Ending.DOCTOR_FAILED).model_copy(
            update={"key": str(n), "trial": n + 1, "failure": reason}
        )
        for n, reason in enumerate(reasons)
    ]
    visits.append(
        visit("y", ending=Ending.CONTENT_FILTERED).model_copy(update={"failure": "[b]filter[/b]"})
    )
    c, out = console(120)
    print_leaderboard(c, leaderboard(visits, [], [RECORD]), title="T")
    lines = out.getvalue().splitlines()
    assert "x, interaction: 4 of 4 doctor_failed: 401 no key (2 times)" in lines
    assert "y, interaction: 1 of 1 content_filtered: [b]filter[/b]" in lines


@given(
    st.lists(st.text(st.characters(exclude_categories=("C", "M")), max_size=30), unique=True),
    st.integers(8, 40),
)
def test_shortened_names_stay_apart_and_fit(names: list[str], width: int) -> None:
    short = distinctly_shortened(names, width)
    assert len(set(short)) == len(names)
    assert all(cell_len(name) <= width for name in short)


def test_a_shortened_name_keeps_what_tells_most() -> None:
    assert distinctly_shortened(["my_doctor:Curious"], 12) == ["…:Curious"]
    assert distinctly_shortened(["a.b.c:Curious", "b.b.c:Curious"], 10) == [
        "a.b.c:Cur…",
        "b.b.c:Cur…",
    ]
    assert distinctly_shortened([ENDPOINT], 12) == ["…#a-model"]


def test_a_text_is_cut_after_a_word() -> None:
    assert shortened("one two  three", 13) == "one two three"
    assert shortened("one two three", 12) == "one two…"
    assert shortened("一二三四五", 8) == "一二三…"


def test_an_empty_run_says_so() -> None:
    c, out = console()
    print_leaderboard(c, leaderboard([], [], []), title="T")
    assert "No visits yet." in out.getvalue()


def test_visits_are_listed_with_their_grades() -> None:
    visits = [visit("y"), visit("x")]
    c, out = console(120)
    print_visits(c, visits, [mark(visits[0], "B")])
    rows = [line.split() for line in out.getvalue().splitlines()]
    assert rows[1][0] == "x/interaction"
    assert rows[1][-1] == "-"
    assert rows[2][-2:] == ["diagnosis_given", "BBBBB"]


@pytest.mark.parametrize("width", [60, 100])
def test_a_visit_shows_who_said_what_and_how_it_was_marked(width: int) -> None:
    v = visit("x")
    c, out = console(width)
    print_visit(c, v, RECORD, [mark(v, "B")])
    text = out.getvalue()
    assert "您好，[bold]哪里[/bold]不舒服？" in text  # markup in a message is not ours to read
    assert "\x1b" not in text  # nor may it steer the terminal
    assert "1  patient to doctor  [patient_2]" in text
    assert "states f1 f3" in text
    assert "repaired addressee_missing: taken for the patient's" in text
    assert "脚趾红肿疼痛" in text
    assert text.count("涵盖 1/2 项。") == 5
    assert "痛风 (M10.9) hits 痛风 (M10.9)" in text
    assert "脚癣 (not linked) is not in the reference" in text
    assert "missed: 高血压病 (I10)" in text


def test_a_report_is_not_printed_twice() -> None:
    v = visit("x")
    report = Report(diagnosis="痛风", raw="#诊断结果#\n痛风")
    said = v.messages[0].model_copy(update={"text": report.raw, "repairs": ()})
    c, out = console()
    print_visit(c, v.model_copy(update={"messages": (said,), "report": report}), RECORD, [])
    assert "#诊断结果#" not in out.getvalue()
    assert "The report, in its parts below." in out.getvalue()


def test_a_failed_visit_shows_whose_failure_it_was() -> None:
    v = visit("x", ending=Ending.DOCTOR_FAILED).model_copy(
        update={"report": None, "failed_by": "doctor", "failure": "empty replies"}
    )
    c, out = console()
    print_visit(c, v, RECORD, [mark(v, None)])
    text = out.getvalue()
    assert "doctor_failed by doctor: empty replies" in text
    assert "There is none." in text
    assert text.count("没有依据") == 5
