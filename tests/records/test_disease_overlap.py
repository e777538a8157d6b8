from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from records.diseases.disease_overlap import normal_name, overlap
from records.mark import DiseaseLink

codes = st.sampled_from([None, "I63", "I63.9", "I63.3", "I10", "K25.0", "K25.9", "J18.9"])
names = st.sampled_from(["stroke", "Stroke ", "脑梗死", "脑 梗死", "ulcer", "pneumonia"])
links = st.lists(st.builds(DiseaseLink, name=names, icd10=codes), max_size=7)


def link(name: str, code: str | None = None) -> DiseaseLink:
    return DiseaseLink(name=name, icd10=code)


@given(links, links)
def test_hits_pair_each_disease_once_and_only_with_its_like(
    predicted: list[DiseaseLink], reference: list[DiseaseLink]
) -> None:
    hits = overlap(predicted, reference)
    assert len({i for i, _ in hits}) == len({j for _, j in hits}) == len(hits)
    for i, j in hits:
        one, other = predicted[i], reference[j]
        if one.icd10 and other.icd10:
            assert one.icd10[:3] == other.icd10[:3]
        else:
            assert normal_name(one.name) == normal_name(other.name)


@given(links, links)
def test_no_pair_is_left_over(predicted: list[DiseaseLink], reference: list[DiseaseLink]) -> None:
    hits = overlap(predicted, reference)
    free = [p for i, p in enumerate(predicted) if i not in {i for i, _ in hits}]
    left = [r for j, r in enumerate(reference) if j not in {j for _, j in hits}]
    assert overlap(free, left) == ()


@given(links)
def test_everything_hits_itself(diseases: list[DiseaseLink]) -> None:
    assert len(overlap(diseases, diseases)) == len(diseases)


@given(links, links, st.randoms(use_true_random=False))
def test_the_number_of_hits_does_not_depend_on_order(
    predicted: list[DiseaseLink], reference: list[DiseaseLink], rng: object
) -> None:
    # With a consistent linker one name has one code, so equal names cannot bridge two categories.
    def consistent(diseases: list[DiseaseLink]) -> list[DiseaseLink]:
        code = {normal_name(d.name): d.icd10 for d in [*reference, *predicted]}
        return [d.model_copy(update={"icd10": code[normal_name(d.name)]}) for d in diseases]

    one, other = consistent(predicted), consistent(reference)
    assert len(overlap(one, other)) == len(overlap(one[::-1], other[::-1]))


def test_a_whole_code_is_preferred_to_a_category() -> None:
    predicted = [link("stroke", "I63.9"), link("lacunar stroke", "I63.3")]
    assert overlap(predicted, [link("腔隙性脑梗死", "I63.3")]) == ((1, 0),)


def test_without_a_code_only_the_name_counts() -> None:
    assert overlap([link("Grey-Fever", None)], [link("grey fever", "A94")]) == ((0, 0),)
    assert overlap([link("grey fever", "A94")], [link("grey fever", "B50")]) == ()
    assert overlap([link("??", None)], [link("！", None)]) == ()
