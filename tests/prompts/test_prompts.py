from __future__ import annotations

from pathlib import Path

import pytest

from prompts import PromptError, Prompts
from records.library import bundled_records
from records.medical_record import Diagnosis, Language, MedicalRecord
from records.views import CaseView, PatientView
from records.visit import Report


def record_in(language: Language) -> MedicalRecord:
    return next(r for r in bundled_records() if r.language == language)


def everything(language: Language) -> dict[str, object]:
    """A value for every variable that any template uses."""
    record = record_in(language)
    reports = [Report(symptoms="S1", diagnosis="D1"), Report(symptoms="S2", diagnosis="D2")]
    return {
        "protocol": "carried",
        "view": PatientView.of(record),
        "case": CaseView.of(record),
        "record": record,
        "report": reports[0],
        "reports": reports,
        "own": "OWN",
        "others": ["OTHER"],
        "facts": {"symptoms": "FS", "examinations": "FE"},
        "disputes": ["DISPUTE"],
        "answers": [{"asked_of": "patient", "question": "Q", "answer": "A"}],
        "request": "REQUEST",
        "results": record.auxiliary_examinations[:1],
        "item": record.auxiliary_examinations[0],
        "missing": ["MISSING"],
        "unrecorded": "unavailable",
        "dimensions": ["symptoms"],
        "source": "examiner",
        "text": "TEXT",
        "knowledge": "KNOWLEDGE",
        "asked": "ASKED",
        "reply": "REPLY",
    }


@pytest.mark.parametrize("name", Prompts().names)
def test_every_template_renders(name: str) -> None:
    language, role, file = name.split("/")
    assert language in ("zh", "en")
    text = Prompts().render(
        language,
        role,
        file.removesuffix(".jinja2"),
        **everything("zh" if language == "zh" else "en"),
    )
    assert text
    assert "\n\n\n" not in text


def test_both_languages_say_the_same_things() -> None:
    names = Prompts().names
    chinese = {name.removeprefix("zh/") for name in names if name.startswith("zh/")}
    english = {name.removeprefix("en/") for name in names if name.startswith("en/")}
    assert chinese == english


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_players_are_not_told_the_diagnosis(language: Language) -> None:
    record = record_in(language).model_copy(
        update={
            "diagnoses": (Diagnosis(id="d1", name="PLANTED DISEASE"),),
            "rationale": "PLANTED RATIONALE",
            "treatment": "PLANTED TREATMENT",
        }
    )
    context = everything(language) | {
        "view": PatientView.of(record),
        "case": CaseView.of(record),
    }
    for role, purpose in (("patient", "system"), ("chief_physician", "hand_over_case")):
        text = Prompts().render(language, role, purpose, **context)
        assert "PLANTED" not in text
    marking = Prompts().render(
        language, "chief_physician", "mark", record=record, report=Report(raw="AS IT CAME")
    )
    assert all(f"PLANTED {part}" in marking for part in ("DISEASE", "RATIONALE", "TREATMENT"))
    assert "AS IT CAME" in marking


def test_a_missing_variable_names_itself_and_the_template() -> None:
    with pytest.raises(PromptError, match=r"en/doctor/system\.jinja2.*'protocol' is undefined"):
        Prompts().render("en", "doctor", "system")


def test_an_unknown_prompt_gets_the_nearest_names() -> None:
    with pytest.raises(PromptError, match=r"en/doctor/system\.jinja2"):
        Prompts().render("en", "doctor", "sistem")


def test_record_text_that_looks_like_a_template_is_left_as_it_is() -> None:
    text = Prompts().render("en", "examiner", "name_examinations", request="{{ 7 * 7 }} {% x %}")
    assert "{{ 7 * 7 }} {% x %}" in text


def overlay(directory: Path, name: str, text: str) -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return directory


def test_an_overlay_replaces_single_files_and_changes_the_hash(tmp_path: Path) -> None:
    plain = Prompts()
    laid = Prompts(overlay(tmp_path, "zh/doctor/greeting.jinja2", "早上好。\n"))
    assert laid.render("zh", "doctor", "greeting") == "早上好。"
    assert laid.render("en", "doctor", "greeting") == plain.render("en", "doctor", "greeting")
    assert laid.hash != plain.hash == Prompts().hash


def test_an_overlaid_part_is_seen_where_it_is_included(tmp_path: Path) -> None:
    laid = Prompts(overlay(tmp_path, "en/doctor/report_format.jinja2", "ONE WORD ONLY"))
    assert "ONE WORD ONLY" in laid.render("en", "chief_physician", "request_report")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("en/doctor/greting.jinja2", "Hi", r"en/doctor/greeting\.jinja2"),
        ("doctor/greeting.jinja2", "Hi", "overlays no prompt"),
        ("notes.txt", "Hi", "overlays no prompt"),
        ("en/doctor/greeting.jinja2", "Hi\n{{ name", "line 2"),
        ("en/doctor/greeting.jinja2", "{% include 'en/none.jinja2' %}", None),
    ],
)
def test_a_wrong_overlay_is_refused_in_one_line(
    tmp_path: Path, name: str, text: str, says: str | None
) -> None:
    overlay(tmp_path, name, text)
    if says is None:
        with pytest.raises(PromptError, match="none"):
            Prompts(tmp_path).render("en", "doctor", "greeting")
        return
    with pytest.raises(PromptError, match=says) as caught:
        Prompts(tmp_path)
    assert "\n" not in str(caught.value)


def test_hidden_files_of_an_overlay_are_overlooked(tmp_path: Path) -> None:
    overlay(tmp_path, ".git/config", "x")
    assert Prompts(tmp_path).hash == Prompts().hash


def test_an_overlay_that_is_no_directory_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match="not a directory"):
        Prompts(tmp_path / "none")
    (tmp_path / "en/doctor").mkdir(parents=True)
    (tmp_path / "en/doctor/greeting.jinja2").write_bytes("您好".encode("gbk"))
    with pytest.raises(PromptError, match="UTF-8"):
        Prompts(tmp_path)
