"""The hand-made labels still mean something in the records as we read them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(name="labels")
def _labels(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    import label_reading

    return label_reading


@pytest.fixture(name="half", params=["dev", "held_out"])
def _half(request: pytest.FixtureRequest, labels: ModuleType) -> str:
    half: str = request.param
    if not (labels.LABELS / labels.HALVES[half]).exists():
        pytest.skip("this half is kept apart")
    return half


def test_a_half_has_fifty_questions_a_language(labels: ModuleType, half: str) -> None:
    if not labels.shared_data():
        pytest.skip("the published records are not there")
    questions = labels.load_questions(half)
    assert [q.language for q in questions].count("zh") == 50
    assert [q.language for q in questions].count("en") == 50
    assert len({q.question for q in questions}) == 100


def test_every_asked_fact_is_a_finding_of_its_record(labels: ModuleType, half: str) -> None:
    lost = [
        (q.n, fact[0].quote)
        for q in labels.load_questions(half)
        for fact, ids in zip(q.facts, q.fact_ids, strict=True)
        if not ids
    ]
    assert lost == []


def test_a_question_asks_for_something_or_says_that_it_does_not(
    labels: ModuleType, half: str
) -> None:
    for q in labels.load_questions(half):
        assert q.language == q.record.language
        if q.open:
            assert not q.facts
        if q.kind == "not_recorded":
            assert not q.facts


def test_of_the_same_words_the_labelled_occurrence_is_taken(labels: ModuleType) -> None:
    record = next(r for r in labels.bundled_records() if r.id == "zh-004")
    section = "history_of_present_illness"
    text = record.section_text(section)
    parts = text.split("疼痛")
    assert len(parts) == 3
    first, second = (
        labels.findings_at(record, labels.Place(section, "疼痛", before, after))
        for before, after in (
            (parts[0], "疼痛".join(parts[1:])),
            ("疼痛".join(parts[:2]), parts[2]),
        )
    )
    present = {f.id: f.present for f in record.findings}
    assert [present[i] for i in first] == [True]
    assert [present[i] for i in second] == [False]


def test_every_labelled_result_is_an_examination_of_its_record(labels: ModuleType) -> None:
    if not labels.shared_data() or not (labels.LABELS / "requests.jsonl").exists():
        pytest.skip("the published records or their labels are not there")
    requests = labels.load_requests()
    assert len(requests) == 44
    assert [r.place for r in requests if not all(r.results)] == []
