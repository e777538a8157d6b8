"""The tables of a paper about a run: marks, coverage, departments, pairs, trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from evaluation.case_scores import Counting, Held, disease_counts, grade_parts
from evaluation.compare import Comparison
from evaluation.leaderboard import Leaderboard, Row
from evaluation.paper_table import PaperTable, has_chinese
from evaluation.statistics import bootstrap_score
from records.mark import DIMENSIONS
from records.medical_record import Language, MedicalRecord
from records.visit import Setting

LEAST_OF_DEPARTMENT = 5
"""Cases below which a department is counted among the others, if two departments have as many."""

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "doctor": "Doctor",
        "symptoms": "Symptoms",
        "examinations": "Examinations",
        "diagnosis": "Diagnosis",
        "rationale": "Rationale",
        "treatment": "Treatment",
        "recall": "Recall",
        "precision": "Precision",
        "f1": "F1",
        "department": "Department",
        "cases": "Cases",
        "visits": "Visits",
        "others": "other departments",
        "unknown": "not recorded",
        "one": "First",
        "other": "Second",
        "difference": "Difference",
        "interval": "95% interval",
        "detectable": "Detectable",
        "interaction": "Interaction",
        "one_step": "One-step",
        "zero_turn": "Zero-turn",
        "conference": "Conference",
        "marks_caption": "Marks (0 to 100) and diseases (micro averaged, in percent), each with the"
        " half-width of its 95% bootstrap interval in brackets; # is the mean number of diseases"
        " predicted.",
        "coverage_caption": "Share of visits that have a grade, in percent.",
        "departments_caption": "Diagnosis marks and F1 by department, with the half-widths of their"
        " 95% bootstrap intervals in brackets.",
        "comparison_caption": "Pairwise differences on common cases: {metric}, paired bootstrap, p"
        " corrected after Holm (* below 0.05), and the least true difference that is found with"
        " 80% power. Doctors that share a letter in brackets are not told apart.",
        "trials_caption": "pass^k: chance that all of k trials of a case succeed (diagnosis graded"
        " A or B), in percent.",
    },
    "zh": {
        "doctor": "医生",
        "symptoms": "症状",
        "examinations": "检查",
        "diagnosis": "诊断",
        "rationale": "依据",
        "treatment": "治疗",
        "recall": "召回率",
        "precision": "精确率",
        "f1": "F1",
        "department": "科室",
        "cases": "病例数",
        "visits": "就诊数",
        "others": "其他科室",
        "unknown": "未记录",
        "one": "前者",
        "other": "后者",
        "difference": "差值",
        "interval": "95% 区间",
        "detectable": "可检出差值",
        "interaction": "交互问诊",
        "one_step": "一步诊断",
        "zero_turn": "零轮诊断",
        "conference": "会诊",
        "marks_caption": "五项评分（0 至 100）与疾病指标（微平均，百分数），括号内为 95% 自助法"
        "区间的半宽；# 为平均每例预测的疾病数。",
        "coverage_caption": "得到评分的就诊所占百分比。",
        "departments_caption": "各科室的诊断评分与 F1，括号内为 95% 自助法区间的半宽。",
        "comparison_caption": "共同病例上的两两差值：{metric}，配对自助法，p 经 Holm 校正（* 小于"
        " 0.05），以及以 80% 的检验效能可检出的最小真实差值。"
        "括号内有相同字母的医生不可区分。",
        "trials_caption": "pass^k：同一病例 k 次试验全部成功（诊断评为 A 或 B）的概率，百分数。",
    },
}

RowCases = Mapping[tuple[str, Setting], Mapping[str, Sequence[Held]]]
"""By doctor and setting: the marked trials of each case."""


def words_of(language: Language) -> Mapping[str, str]:
    """The words that tables and methods share."""
    return _WORDS[language]


def marks_table(board: Leaderboard, names: Mapping[str, str], language: Language) -> PaperTable:
    """The five marks, `#`, recall, precision and F1, as in the paper's Tables 3 and 4."""
    words = _WORDS[language]

    def cells(row: Row) -> tuple[str, ...]:
        marks = [_with_width(row.marks[d].mean, row.marks[d].half_width) for d in DIMENSIONS]
        scores = row.diseases
        return (
            names[row.doctor],
            *marks,
            _number(scores.predicted_mean),
            _number(scores.recall),
            _number(scores.precision),
            _with_width(scores.f1, scores.f1_half_width),
        )

    def values(row: Row) -> tuple[object, ...]:
        scores, exact, every = row.diseases, row.diseases.equal_codes, row.diseases.every_reference
        return (
            row.doctor,
            row.setting,
            row.visits,
            *(
                value
                for d in DIMENSIONS
                for value in (row.marks[d].mean, row.marks[d].half_width, row.marks[d].coverage)
            ),
            scores.cases,
            scores.predicted_mean,
            scores.recall,
            scores.precision,
            scores.f1,
            scores.f1_half_width,
            exact.f1 if exact else None,
            every.f1 if every else None,
            scores.linked,
        )

    return PaperTable(
        name="marks",
        caption=words["marks_caption"],
        headings=(words["doctor"], *(words[d] for d in DIMENSIONS), "#", "R", "P", "F1"),
        rows=tuple(_by_setting(board, cells, words)),
        figures=(
            "doctor",
            "setting",
            "visits",
            *(f"{d}_{what}" for d in DIMENSIONS for what in ("mean", "half_width", "coverage")),
            "disease_cases",
            "predicted_mean",
            "recall",
            "precision",
            "f1",
            "f1_half_width",
            "f1_equal_codes",
            "f1_every_reference",
            "linked",
        ),
        values=tuple(values(row) for row in board.rows),
    )


def coverage_table(board: Leaderboard, names: Mapping[str, str], language: Language) -> PaperTable:
    """How many visits have a grade."""
    words = _WORDS[language]

    def cells(row: Row) -> tuple[str, ...]:
        shares = [f"{100 * row.marks[d].coverage:.1f}" for d in DIMENSIONS]
        return (names[row.doctor], str(row.visits), *shares)

    return PaperTable(
        name="coverage",
        caption=words["coverage_caption"],
        headings=(words["doctor"], words["visits"], *(words[d] for d in DIMENSIONS)),
        rows=tuple(_by_setting(board, cells, words)),
        figures=("doctor", "setting", "visits", *DIMENSIONS),
        values=tuple(
            (row.doctor, row.setting, row.visits, *(row.marks[d].coverage for d in DIMENSIONS))
            for row in board.rows
        ),
    )


def trials_table(
    board: Leaderboard, names: Mapping[str, str], language: Language
) -> PaperTable | None:
    """pass^k; None where no case was tried twice."""
    words = _WORDS[language]
    most = max((len(row.pass_rates) for row in board.rows), default=0)
    if not most:
        return None

    def cells(row: Row) -> tuple[str, ...]:
        rates = [f"{100 * one.rate:.1f}" for one in row.pass_rates]
        return (names[row.doctor], *rates, *["--"] * (most - len(rates)))

    return PaperTable(
        name="trials",
        caption=words["trials_caption"],
        headings=(words["doctor"], *(f"pass^{k}" for k in range(1, most + 1))),
        rows=tuple(_by_setting(board, cells, words)),
        figures=("doctor", "setting", "k", "pass_k", "cases"),
        values=tuple(
            (row.doctor, row.setting, one.k, one.rate, one.cases)
            for row in board.rows
            for one in row.pass_rates
        ),
    )


def departments_table(
    board: Leaderboard,
    cases: RowCases,
    records: Mapping[str, MedicalRecord],
    counting: Counting,
    names: Mapping[str, str],
    language: Language,
) -> PaperTable | None:
    """Diagnosis and F1 by department; None where the records tell of none.

    That is, of fewer than two departments, or of the department of fewer than half of the cases.
    """
    words = _WORDS[language]
    of_case, order = _departments(records, words)
    told = [department for department in of_case.values() if department != words["unknown"]]
    if len(set(told)) < 2 or 2 * len(told) < len(of_case):
        return None
    rows: list[tuple[str, ...]] = []
    values: list[tuple[object, ...]] = []
    for row in board.rows:
        held = cases.get((row.doctor, row.setting), {})
        rows.append((f"{words[row.setting]}: {names[row.doctor]}",))
        for department in order:
            own = {case: held[case] for case in held if of_case[case] == department}
            if own:
                figures = _department_figures(own, records, counting, board.seed)
                rows.append(
                    (
                        department,
                        str(len(own)),
                        _with_width(*figures[:2]),
                        _with_width(*figures[2:]),
                    )
                )
                values.append((row.doctor, row.setting, department, len(own), *figures))
    return PaperTable(
        name="departments",
        caption=words["departments_caption"],
        headings=(words["department"], words["cases"], words["diagnosis"], "F1"),
        rows=tuple(rows),
        figures=(
            "doctor",
            "setting",
            "department",
            "cases",
            "diagnosis_mean",
            "diagnosis_half_width",
            "f1",
            "f1_half_width",
        ),
        values=tuple(values),
    )


def comparison_table(
    comparison: Comparison, names: Mapping[str, str], language: Language
) -> PaperTable:
    """Every pair of a comparison."""
    words = _WORDS[language]
    groups = {standing.name: standing.group for standing in comparison.standings}

    def shown(name: str) -> str:
        group = groups[name]
        return f"{names.get(name, name)} ({group})" if group else names.get(name, name)

    return PaperTable(
        name=f"comparison-{comparison.metric}",
        caption=words["comparison_caption"].format(metric=words[comparison.metric]),
        headings=(
            words["one"],
            words["other"],
            words["cases"],
            words["difference"],
            words["interval"],
            "p",
            words["detectable"],
        ),
        rows=tuple(
            (
                shown(pair.one),
                shown(pair.other),
                str(pair.cases),
                f"{pair.difference:.2f}",
                f"{pair.lower:.2f} to {pair.upper:.2f}"
                if language == "en"
                else f"{pair.lower:.2f} 至 {pair.upper:.2f}",
                f"{pair.p_holm:.4f}{'*' if pair.apart else ''}",
                _number(pair.detectable),
            )
            for pair in comparison.pairs
        ),
        figures=(
            "metric",
            "one",
            "other",
            "cases",
            "difference",
            "lower",
            "upper",
            "p",
            "p_holm",
            "apart",
            "detectable",
        ),
        values=tuple((comparison.metric, *pair.model_dump().values()) for pair in comparison.pairs),
        words=2,
    )


def _by_setting(
    board: Leaderboard, cells: Callable[[Row], tuple[str, ...]], words: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    for setting, group in groupby(board.rows, key=lambda row: row.setting):
        yield (words[setting],)
        yield from map(cells, group)


def _departments(
    records: Mapping[str, MedicalRecord], words: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """The department of each case, small ones together, and their order, the largest first."""
    named = {case: _department(record) for case, record in records.items()}
    sizes = Counter(name for name in named.values() if name is not None)
    sizable = [name for name in sizes if sizes[name] >= LEAST_OF_DEPARTMENT]
    large = sorted(sizable if len(sizable) > 1 else sizes, key=lambda name: (-sizes[name], name))
    of_case = {
        case: words["unknown"] if name is None else name if name in large else words["others"]
        for case, name in named.items()
    }
    rest = [name for name in (words["others"], words["unknown"]) if name in of_case.values()]
    return of_case, [*large, *rest]


def _department(record: MedicalRecord) -> str | None:
    """As recorded; of the Chinese "department subdepartment", the department."""
    name = " ".join((record.department or "").split())
    if not name:
        return None
    return name.partition(" ")[0] if has_chinese(name) else name


def _department_figures(
    cases: Mapping[str, Sequence[Held]],
    records: Mapping[str, MedicalRecord],
    counting: Counting,
    seed: int,
) -> tuple[float | None, float | None, float | None, float | None]:
    """Diagnosis and F1, each with its half-width."""
    graded = list(grade_parts("diagnosis", cases, counting).values())
    counted = [c.part("f1") for c in disease_counts(cases, records, counting).values()]
    diagnosis, f1 = (
        bootstrap_score(parts, seed=seed) if parts else None for parts in (graded, counted)
    )
    return (
        diagnosis.mean if diagnosis else None,
        diagnosis.half_width if diagnosis else None,
        f1.mean if f1 else None,
        f1.half_width if f1 else None,
    )


def _number(value: float | None) -> str:
    return "--" if value is None else f"{value:.2f}"


def _with_width(value: float | None, half_width: float | None) -> str:
    return "--" if value is None or half_width is None else f"{value:.2f} ({half_width:.2f})"
