"""The clinical lint: what it must find, what it must let pass, and that it is conservative."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from records.diseases.icd10 import default_terminology
from records.library import bundled_records
from records.lint import Remark, fault_of, lint_record
from records.lint.numbers import Range, read_range, read_value
from records.lint.quantities import load_quantities
from records.lint.units import BASE, read_unit
from records.medical_record import (
    Demographics,
    Diagnosis,
    Examination,
    Finding,
    HistorySection,
    Language,
    MedicalRecord,
)
from records.readers import read_records

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PUBLISHED = ("mvme/patients_full.json", "agentclinic/agentclinic_medqa.jsonl")


def record(language: Language = "en", **fields: Any) -> MedicalRecord:
    plain: dict[str, Any] = {
        "id": "r1",
        "language": language,
        "demographics": Demographics(age_years=50.0, sex="male"),
        "diagnoses": (Diagnosis(id="d1", name="Gout" if language == "en" else "痛风"),),
    }
    return MedicalRecord(**plain | fields)


def patient(age: float | None = None, sex: Any = None, **fields: Any) -> dict[str, Any]:
    return {"demographics": Demographics(age_years=age, sex=sex, **fields)}


def diagnosed(name: str, code: str | None = None) -> dict[str, Any]:
    return {"diagnoses": (Diagnosis(id="d1", name=name, icd10=code),)}


def found(
    symptom: str, present: bool, text: str, section: HistorySection, own: str | None = None
) -> dict[str, Any]:
    """A history section with one finding, whose words are `own` or the whole text."""
    own = own or text
    start = text.index(own)
    finding = Finding(
        id="f1",
        symptom=symptom,
        present=present,
        section=section,
        text=own,
        start=start,
        end=start + len(own),
    )
    return {section: text, "findings": (finding,)}


def result(name: str, value: str, unit: str | None = None, **fields: Any) -> dict[str, Any]:
    one = Examination(id="e1", name=name, value=value, unit=unit, **fields)
    return {"auxiliary_examinations": (one,)}


def remarks(record: MedicalRecord, severity: str = "fault") -> list[Remark]:
    return [remark for remark in lint_record(record) if remark.severity == severity]


def kinds(remarks: Iterable[Remark]) -> set[str]:
    return {remark.kind for remark in remarks}


WRONG: list[tuple[str, Language, dict[str, Any], str]] = [
    # codes
    ("code", "en", diagnosed("Gout", "M10.97"), "no M10.97; M10.9 does"),
    ("code", "en", diagnosed("Gout", "I21.9"), '"Gout" is M10'),
    ("code", "zh", diagnosed("痛风", "I21.9"), "M10"),
    ("code", "en", diagnosed("Migraine", "K35.8"), "G43"),
    # findings against their clause
    (
        "polarity",
        "en",
        found("fever", True, "He denies fever, cough and rash.", "past_history", "fever"),
        "false",
    ),
    ("polarity", "en", found("cough", False, "Dry cough for a week.", "past_history"), "true"),
    (
        "polarity",
        "zh",
        found("咳嗽", True, "否认发热、咳嗽、胸痛。", "past_history", "咳嗽"),
        "false",
    ),
    ("polarity", "zh", found("咳嗽", False, "干咳3天，咳嗽剧烈。", "past_history"), "true"),
    # flags against range, sense and words
    (
        "abnormal",
        "en",
        result("Potassium", "6.9", "mmol/L", reference_range="3.5-5.3", abnormal=False),
        "outside",
    ),
    (
        "abnormal",
        "zh",
        result("白细胞计数", "19.6", "×10^9/L", reference_range="3.5～9.5", abnormal=False),
        "outside",
    ),
    ("abnormal", "zh", result("尿蛋白", "3+", reference_range="阴性", abnormal=False), "true"),
    ("abnormal", "en", result("Temperature", "39.6", "°C", abnormal=False), "not normal"),
    ("abnormal", "en", result("Temperature", "103.1", "°F", abnormal=False), "not normal"),
    ("abnormal", "en", result("Blood pressure", "212/118", "mmHg", abnormal=False), "not normal"),
    ("abnormal", "en", result("Chest X-ray", "Normal", abnormal=True), "Normal"),
    # results that the diagnosis excludes
    (
        "diagnosis",
        "en",
        diagnosed("Hypokalaemia") | result("Potassium", "4.8", "mmol/L"),
        "speaks against",
    ),
    (
        "diagnosis",
        "zh",
        diagnosed("缺铁性贫血") | result("血红蛋白", "158", "g/L"),
        "below 142 g/L",
    ),
    (
        "diagnosis",
        "en",
        diagnosed("Iron deficiency anemia") | result("Hemoglobin", "15.8", "g/dL"),
        "below 14.2 g/dL",
    ),
    # units, ranges and sizes
    ("quantity", "en", result("Hemoglobin", "121", "mmHg"), "g/L or mol/L"),
    ("quantity", "en", result("Hemoglobin", "12.1", "mg/dL"), "1.21e+04 mg/dL"),
    ("quantity", "zh", result("血红蛋白", "1210", "g/L"), "121 g/L"),
    ("quantity", "zh", result("血钾", "4100", "mmol/L"), "4.1 mmol/L"),
    ("quantity", "en", result("Potassium", "4.1", "mmol/L", reference_range="5.3-3.5"), "low end"),
    (
        "quantity",
        "en",
        result("Hemoglobin", "121", "g/L", reference_range="13.5-17.5"),
        "no reference range",
    ),
    ("quantity", "en", result("Temperature", "37.4", "°F"), "in °C?"),
    ("quantity", "zh", result("尿酸", "420", "mmHg"), "mmHg"),
    ("quantity", "en", result("Blood pressure", "80/120", "mmHg"), "diastolic"),
    # the patient
    ("sex", "en", diagnosed("Ovarian cyst"), "male"),
    ("sex", "en", diagnosed("Cyst", "N83.2"), "male"),
    ("sex", "zh", patient(60, "female") | diagnosed("前列腺增生"), "female"),
    ("sex", "zh", result("子宫附件超声", "子宫大小正常"), "子宫"),
    (
        "sex",
        "en",
        found("menopause", True, "Menopause at 51.", "past_history"),
        "male",
    ),
    ("sex", "zh", {"department": "妇产科"}, "male"),
    (
        "sex",
        "en",
        {"history_of_present_illness": "She fell. Her knee swelled within the hour."},
        '"she"',
    ),
    ("age", "en", {"department": "Paediatrics"}, "adult"),
    ("age", "zh", {"department": "儿科"}, "adult"),
    ("age", "en", patient(64, "female") | diagnosed("Ectopic pregnancy", "O00.9"), "64"),
    ("age", "en", diagnosed("Neonatal jaundice"), "newborns"),
    (
        "age",
        "en",
        patient(30, "male") | found("diabetes", True, "Diabetes for 45 years.", "past_history"),
        "longer",
    ),
    ("age", "zh", {"history_of_present_illness": "患者，男，72岁，咳嗽3天。"}, "72"),
    ("age", "en", patient(50, "male", description="A 32-year-old man"), "32"),
    ("sex", "en", patient(50, "male", description="A 50-year-old woman"), "woman"),
    ("age", "zh", patient(6, "male", occupation="出租车司机"), "child"),
    ("age", "zh", patient(50, "male", occupation="小学生"), "adult"),
    # the other language
    ("language", "en", {"past_history": "Asthma. 高血压10年。"}, "Chinese"),
    ("language", "zh", {"past_history": "He has had asthma for ten years."}, "English"),
    (
        "language",
        "zh",
        {"treatment": "抗感染。Give the patient fluids and oxygen for a day."},
        "English",
    ),
    # identity
    ("identity", "zh", {"past_history": "患者姓名：王小明。"}, "a name"),
    ("identity", "zh", {"past_history": "患者李建国，男，因咳嗽就诊。"}, "a name"),
    ("identity", "zh", {"treatment": "主治医师：陈晓东"}, "a name"),
    ("identity", "zh", {"past_history": "家属电话13912345678。"}, "a telephone number"),
    ("identity", "zh", {"past_history": "住院号：0034567"}, "a record number"),
    ("identity", "zh", {"past_history": "身份证11010519491231002X"}, "an identity number"),
    ("identity", "en", {"past_history": "Mrs. Pemberton has asthma."}, "a name"),
    ("identity", "en", {"treatment": "Follow-up with Dr Okafor."}, "a name"),
    ("identity", "en", {"past_history": "MRN: 00451234"}, "a record number"),
    ("identity", "en", {"past_history": "Call (555) 123-4567."}, "a telephone number"),
    ("identity", "en", {"past_history": "Write to j.doe@example.org."}, "an e-mail address"),
]


@pytest.mark.parametrize(
    ("kind", "language", "fields", "says"),
    WRONG,
    ids=[f"{kind}-{says}" for kind, _, _, says in WRONG],
)
def test_what_cannot_be_is_a_fault(
    kind: str, language: Language, fields: dict[str, Any], says: str
) -> None:
    told = remarks(record(language, **fields))
    assert kinds(told) == {kind}
    assert any(says in remark.what for remark in told), [remark.what for remark in told]


def both(*pairs: tuple[str, str, str]) -> dict[str, Any]:
    """Results, as (name, value, unit)."""
    return {
        "auxiliary_examinations": tuple(
            Examination(id=f"e{i}", name=name, value=value, unit=unit)
            for i, (name, value, unit) in enumerate(pairs, 1)
        )
    }


def twice(first: str, second: str, **attributes: str) -> dict[str, Any]:
    """One symptom present in the first text's words, absent in the second's."""
    text = f"{first} {second}"
    findings = tuple(
        Finding(
            id=f"f{i}",
            symptom="vomiting",
            present=i == 1,
            attributes=attributes if i == 2 else {},
            section="past_history",
            text=own,
            start=text.index(own),
            end=text.index(own) + len(own),
        )
        for i, own in enumerate((first, second), 1)
    )
    return {"past_history": text, "findings": findings}


FINE: list[tuple[Language, dict[str, Any]]] = [
    ("en", diagnosed("A disease of its own name", "M10.9")),
    ("en", diagnosed("Gout")),
    ("en", diagnosed("Gout", "M10.0")),
    (
        "en",
        patient(29, "female") | diagnosed("Iron deficiency anaemia in pregnancy", "O99.0"),
    ),
    # Words that only look negative, or name the symptom otherwise.
    ("zh", found("食欲减退", False, "食欲尚可。", "past_history", "食欲尚可")),
    ("zh", found("慢性病", False, "平素体健。", "past_history", "平素体健")),
    (
        "en",
        found(
            "swollen joints",
            False,
            "Pain. No redness except swollen joints.",
            "past_history",
            "swollen joints",
        ),
    ),
    ("zh", found("停止排气排便", True, "1天来无排气、排便。", "past_history")),
    ("en", found("ill contacts", False, "Nobody at home is ill.", "past_history")),
    ("en", found("fever", False, "Her temperature has never been above 37.", "past_history")),
    ("en", found("smoking", False, "Stopped smoking at 40.", "past_history")),
    (
        "zh",
        found(
            "青霉素使用史",
            True,
            "否认药物过敏，曾用青霉素无不适。",
            "past_history",
            "曾用青霉素无不适",
        ),
    ),
    ("en", twice("Vomiting.", "No vomiting.", onset="today")),
    # Results.
    ("zh", both(("总胆红素", "34.2", "μmol/L"), ("间接胆红素", "34.1", "μmol/L"))),
    ("en", result("Potassium", "4.1", "mEq/L", reference_range="3.5-5.3", abnormal=False)),
    ("en", result("WBC", "1,200", "/μL", abnormal=True)),
    ("en", result("WBC", "12", "/HPF")),
    ("en", result("Urine protein", "2.1", "g/L")),
    ("en", result("CSF glucose", "0.4", "mmol/L")),
    ("zh", result("白细胞", "0", "×10^9/L")),
    ("zh", result("血压", "86/50", "mmHg", reference_range="90～139/60～89", abnormal=False)),
    ("en", result("Chest X-ray", "No fracture, no effusion", abnormal=False)),
    ("zh", result("血型", "A型，RhD阳性", abnormal=False)),
    ("en", result("Ferritin", "<5", "µg/L", reference_range="15-200", abnormal=False)),
    ("en", diagnosed("History of anaemia") | result("Haemoglobin", "158", "g/L")),
    # The patient and others.
    ("en", found("pregnancy", True, "His wife is pregnant.", "personal_history")),
    ("zh", found("妊娠期糖尿病", True, "母亲妊娠期糖尿病。", "family_history")),
    (
        "en",
        patient(0.1, "male")
        | found("delivery", True, "Delivered vaginally at 39 weeks.", "past_history"),
    ),
    ("zh", patient(16, "male") | {"department": "儿科"}),
    ("zh", patient(0.02, "male") | {"department": "妇产科"}),
    ("en", patient(4, "male") | {"history_of_present_illness": "She says that her son limps."}),
    # Names of things in the other script, and of no one.
    ("zh", result("HBsAg", "阴性")),
    ("zh", {"treatment": "予R-CHOP方案化疗，查CYP2C19、HLA-B27及NT-proBNP。"}),
    ("en", {"past_history": "Crohn's disease, Dr X told him; Miss Y agrees."}),
    ("zh", {"past_history": "患者张某，男，因咳嗽就诊。"}),
    ("zh", {"treatment": "姓名：略。血压120/80，心率78次/分。"}),
    ("en", {"treatment": "Platelets 120-150-200 over 3 days; 555 patients in 2019."}),
]


@pytest.mark.parametrize(("language", "fields"), FINE)
def test_what_may_be_is_no_fault(language: Language, fields: dict[str, Any]) -> None:
    assert remarks(record(language, **fields)) == []


DOUBTFUL: list[tuple[str, Language, dict[str, Any]]] = [
    ("code", "en", diagnosed("Gout", "M16.9")),
    (
        "abnormal",
        "en",
        result("Potassium", "4.1", "mmol/L", reference_range="3.5-5.3", abnormal=True),
    ),
    ("abnormal", "zh", result("腹部触诊", "右上腹压痛，肝肋下未触及", abnormal=False)),
    ("quantity", "en", result("Copper", "15000", "µmol/L", reference_range="11-24")),
    (
        "quantity",
        "en",
        both(("Total bilirubin", "1.2", "mg/dL"), ("Direct bilirubin", "3.4", "mg/dL")),
    ),
    ("quantity", "en", both(("Hemoglobin", "9.1", "g/dL"), ("Hematocrit", "45", "%"))),
    ("polarity", "en", twice("Vomiting.", "No vomiting.")),
    ("sex", "en", result("Abdominal CT", "The uterus is enlarged")),
    ("age", "en", patient(24, "male", occupation="retired teacher")),
    ("age", "en", patient(30, "female") | diagnosed("Age-related cataract", "H25.9")),
]


@pytest.mark.parametrize(("kind", "language", "fields"), DOUBTFUL)
def test_what_may_be_wrong_is_a_warning(
    kind: str, language: Language, fields: dict[str, Any]
) -> None:
    doubtful = record(language, **fields)
    assert remarks(doubtful) == []
    assert kinds(remarks(doubtful, "warning")) == {kind}


@pytest.mark.parametrize("bundled", bundled_records(), ids=lambda r: r.id)
def test_the_bundled_records_have_no_fault(bundled: MedicalRecord) -> None:
    assert remarks(bundled) == []


def _flip(one: MedicalRecord) -> MedicalRecord:
    out = next(
        i
        for i, e in enumerate(one.auxiliary_examinations)
        if e.abnormal
        and e.reference_range
        and read_value(e.value)
        and read_range(e.reference_range)
    )
    examinations = list(one.auxiliary_examinations)
    examinations[out] = examinations[out].model_copy(update={"abnormal": False})
    return one.model_copy(update={"auxiliary_examinations": tuple(examinations)})


def _recode(one: MedicalRecord) -> MedicalRecord:
    first = one.diagnoses[0].model_copy(update={"icd10": f"{one.diagnoses[0].icd10}9X"[:8]})
    return one.model_copy(update={"diagnoses": (first, *one.diagnoses[1:])})


def _translate(one: MedicalRecord) -> MedicalRecord:
    other = "咳嗽三天。" if one.language == "en" else "The patient has had a cough for 3 days."
    return one.model_copy(update={"past_history": f"{one.past_history} {other}"})


@pytest.mark.parametrize("spoil", [_flip, _recode, _translate])
def test_a_spoilt_bundled_record_is_noticed(
    spoil: Callable[[MedicalRecord], MedicalRecord],
) -> None:
    for one in bundled_records():
        assert remarks(spoil(one)), one.id


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_records_are_not_blamed_for_what_their_format_lacks(name: str) -> None:
    path = SHARED / name
    if not path.exists():
        pytest.skip("no published records here")
    for one in read_records(path):
        assert kinds(remarks(one)) <= {"quantity"}


def test_a_remark_is_a_line_with_its_place() -> None:
    one = record(**diagnosed("Gout", "M10.97"))
    line = str(fault_of(lint_record(one)[0], Path("cases.jsonl"), one))
    assert line.startswith("cases.jsonl: r1: diagnoses.d1.icd10: ICD-10 (WHO 2019) has no M10.97")
    doubtful = record(**diagnosed("Gout", "M16.9"))
    assert "icd10: warning: " in str(fault_of(lint_record(doubtful)[0], "x", doubtful))


@pytest.mark.parametrize(
    ("unit", "dimension", "factor"),
    [
        ("g/dL", "mass_concentration", 10),
        ("mg/dl", "mass_concentration", 0.01),
        ("µmol/L", "amount_concentration", 1e-6),
        ("umol/L", "amount_concentration", 1e-6),
        ("mEq/L", "amount_concentration", 1e-3),
        ("×10^9/L", "count_concentration", 1e9),
        ("*10^12/L", "count_concentration", 1e12),
        ("/mm3", "count_concentration", 1e6),
        ("K/µL", "count_concentration", 1e9),
        ("cells/mm³", "count_concentration", 1e6),
        ("IU/L", "activity", 1),
        ("mIU/mL", "activity", 1),
        ("mm Hg", "pressure", 1),
        ("kPa", "pressure", 7.50062),
        ("次/分", "rate", 1),
        ("breaths/min", "rate", 1),
        ("kg/m²", "mass_per_area", 1),
        ("个/HP", "per_field", 1),
    ],
)
def test_units_are_read_as_written(unit: str, dimension: str, factor: float) -> None:
    read = read_unit(unit)
    assert read is not None
    assert (read.dimension, read.factor) == (dimension, pytest.approx(factor))


@pytest.mark.parametrize("unit", ["ratio of two", "xyz", "/", "mg", "级"])
def test_a_unit_that_is_not_known_is_not_guessed(unit: str) -> None:
    read = read_unit(unit)
    assert read is None or read.dimension == "mass"


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("36.0～37.3", (Range(36.0, 37.3),)),
        ("3.5 - 5.3 mmol/L", (Range(3.5, 5.3),)),
        ("<0.5", (Range(None, 0.5),)),
        ("> 60 mL/min", (Range(60, None),)),
        ("90～139/60～89", (Range(90, 139), Range(60, 89))),
        ("4,000-11,000", (Range(4000, 11000),)),
        ("男 130～175，女 115～150", ()),
        ("阴性", ()),
        ("", ()),
    ],
)
def test_ranges_are_read_as_written(text: str, ranges: tuple[Range, ...]) -> None:
    assert read_range(text) == ranges


def test_the_limits_of_quantities_are_in_order_and_in_known_dimensions() -> None:
    for name, quantity in load_quantities().items():
        for limits in (quantity.possible, quantity.normal, quantity.normal_adult):
            for dimension, (low, high) in limits.items():
                assert dimension in BASE
                assert low < high, name
                assert quantity.possible[dimension][0] <= low, name
                assert high <= quantity.possible[dimension][1], name


def test_every_code_that_the_lint_suggests_exists() -> None:
    told = remarks(record(**diagnosed("Migraine", "K35.8")))
    codes = [word.strip('()"') for word in told[0].what.split() if word[:3] == "G43"]
    assert codes
    assert all(default_terminology().exists(code) for code in codes)
