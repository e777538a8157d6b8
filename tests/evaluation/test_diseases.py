from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.case_scores import CaseCounts, counts_of
from evaluation.diseases import score_diseases, score_published
from evaluation.statistics import score
from records.diseases.disease_overlap import normal_name
from records.diseases.published_matching import PublishedMatcher
from records.mark import DiseaseLink, DiseaseScores
from records.medical_record import Diagnosis, Language, MedicalRecord

CODES = {
    "pneumonia": "J18.9",
    "lobar pneumonia": "J18.1",
    "asthma": "J45.9",
    "hypertension": "I10",
    "肺炎": "J18.9",
    "病毒性肺炎": "J18.1",
    "高血压病": "I10",
    "胃溃疡": "K25.9",
}


class Names:
    """A terminology of eight names."""

    def link(self, name: str, language: Language) -> DiseaseLink:
        code = {normal_name(n): c for n, c in CODES.items()}.get(normal_name(name))
        return DiseaseLink(name=name, icd10=code)

    def knows(self, name: str, language: Language) -> bool:
        return False


def record(language: Language, *diagnoses: str | tuple[str, str]) -> MedicalRecord:
    pairs = [d if isinstance(d, tuple) else (d, None) for d in diagnoses]
    return MedicalRecord(
        id="r",
        language=language,
        diagnoses=tuple(
            Diagnosis(id=f"d{i}", name=name, icd10=code) for i, (name, code) in enumerate(pairs, 1)
        ),
    )


@pytest.mark.parametrize(
    ("language", "text", "diagnoses", "hits", "code_hits"),
    [
        ("en", "1. Pneumonia\n2. Asthma", ("pneumonia",), ((0, 0),), 1),
        ("en", "Lobar pneumonia", ("pneumonia",), ((0, 0),), 0),
        ("en", "Asthma", ("pneumonia",), (), 0),
        ("en", "", ("pneumonia",), (), 0),
        ("zh", "1. 病毒性肺炎\n2. 高血压病", ("高血压病", "肺炎"), ((0, 1), (1, 0)), 1),
        ("zh", "胃溃疡", ("高血压病",), (), 0),
    ],
)
def test_hits_by_category_and_code(
    language: Language,
    text: str,
    diagnoses: tuple[str, ...],
    hits: tuple[tuple[int, int], ...],
    code_hits: int,
) -> None:
    scores = score_diseases(text, record(language, *diagnoses), Names())
    assert (scores.hits, scores.code_hits) == (hits, code_hits)
    assert tuple(link.name for link in scores.reference) == diagnoses


def test_the_records_own_code_goes_before_its_name() -> None:
    scores = score_diseases("Asthma", record("en", ("pneumonia", "J45.0")), Names())
    assert scores.reference[0].icd10 == "J45.0"
    assert (scores.hits, scores.code_hits) == (((0, 0),), 0)


def test_an_unlinked_reference_is_hit_by_its_name_and_a_name_is_predicted_once() -> None:
    scores = score_diseases("Moon fever; moon fever", record("en", "Moon Fever"), Names())
    assert len(scores.predicted) == 1
    assert scores.predicted[0].icd10 is None
    assert scores.hits == ((0, 0),)


def scores(predicted: int, reference: int, hits: int) -> DiseaseScores:
    return DiseaseScores(
        predicted=tuple(DiseaseLink(name=f"p{i}") for i in range(predicted)),
        reference=tuple(DiseaseLink(name=f"r{i}") for i in range(reference)),
        hits=tuple((i, i) for i in range(hits)),
    )


def micro(cases: list[CaseCounts]) -> tuple[float, float, float]:
    """Recall, precision and F1."""
    recall, precision, f1 = (
        score([case.part(measure) for case in cases]) for measure in ("recall", "precision", "f1")
    )
    return recall, precision, f1


def test_micro_averages_by_hand() -> None:
    # Two trials of the first case: 1 predicted, 1 to find, half a hit.
    recall, precision, f1 = micro([CaseCounts(1, 1, 0.5), CaseCounts(3, 4, 2)])
    assert recall == pytest.approx(100 * 2.5 / 5)
    assert precision == pytest.approx(100 * 2.5 / 4)
    assert f1 == pytest.approx(100 * 5 / 9)


counts = st.tuples(st.integers(0, 6), st.integers(1, 6)).flatmap(
    lambda pair: st.integers(0, min(pair)).map(lambda hits: scores(*pair, hits))
)


@given(st.lists(counts, max_size=12))
def test_f1_lies_between_recall_and_precision(trials: list[DiseaseScores]) -> None:
    recall, precision, f1 = micro([CaseCounts(*counts_of(t, None)) for t in trials])
    low, high = sorted((recall, precision))
    assert 0 <= low <= f1 + 1e-9
    assert f1 - 1e-9 <= high <= 100


@pytest.mark.parametrize(
    ("text", "predicted", "hits"),
    [
        ("1. 病毒性肺炎\n2. 哮喘", ("病毒性肺炎", "哮喘"), ((0, 0),)),
        ("目前无法确定诊断。", ("目前无法确定诊断。",), ()),
        (" \n", (), ()),
    ],
)
def test_by_shared_names_a_text_counts_as_one_prediction_at_least(
    text: str, predicted: tuple[str, ...], hits: tuple[tuple[int, int], ...]
) -> None:
    matcher = PublishedMatcher(["肺炎", "肺炎链球菌肺炎", "胃溃疡"])
    scores = score_published(text, record("zh", "肺炎"), Names(), matcher)

    assert tuple(link.name for link in scores.predicted) == predicted
    assert scores.hits == hits
    assert [link.reach for link in scores.reference] == ["inferable"]
