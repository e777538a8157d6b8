"""A paper's tables, methods and references out of a run, to the byte the same every time."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.case_scores import Counting, by_case
from evaluation.citations import bibliography
from evaluation.compare import Comparison, Metric, compare
from evaluation.contestants import RunContents
from evaluation.leaderboard import SETTING_ORDER, leaderboard
from evaluation.methods import methods_of
from evaluation.methods_text import as_latex, as_markdown, cited, methods_text
from evaluation.paper_table import PaperTable, has_chinese
from evaluation.paper_tables import (
    comparison_table,
    coverage_table,
    departments_table,
    marks_table,
    trials_table,
)
from records.medical_record import Language

COMPARED: tuple[Metric, ...] = ("diagnosis", "f1")


def paper(
    run: RunContents,
    *,
    judge: str | None = None,
    counting: Counting | None = None,
    language: Language = "en",
    seed: int = 0,
    names: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Write up a run.

    Args:
        run: with marks.
        judge: whose marks; that of the first mark if None.
        counting: strictly by codes if None.
        language: of tables and text.
        seed: of the bootstrap.
        names: by doctor, how the tables call it; as its spec is where there is none.

    Returns:
        By file name: `marks`, `coverage`, `comparison-…`, and where there is something to tell
        `departments` and `trials`, each as `.tex` and `.csv`; `methods.tex` and `.md`; `refs.bib`;
        `paper.tex`, which puts all together. Nothing in them depends on time or place.

    Raises:
        ValueError: nothing is marked, or as `leaderboard` raises.
    """
    how = counting if counting is not None else Counting()
    chosen = run.chosen(judge)
    if not chosen.latest:
        raise ValueError("nothing is marked yet; 'hospital mark' marks a run")
    board = leaderboard(
        run.visits,
        run.marks,
        run.records.values(),
        judge=judge,
        convention=how.convention,
        matching=how.matching,
        literal_headings=how.literal_headings,
        seed=seed,
        config=run.config,
    )
    marked = [row for row in board.rows if any(m.mean is not None for m in row.marks.values())]
    board = board.model_copy(update={"rows": tuple(marked)})
    called = {row.doctor: (names or {}).get(row.doctor, row.doctor) for row in board.rows}
    cases = {
        (row.doctor, row.setting): by_case(
            [v for v in run.visits if (v.doctor, v.setting) == (row.doctor, row.setting)],
            chosen.latest,
        )
        for row in board.rows
    }
    comparisons = [
        comparison
        for metric in COMPARED
        if (comparison := _compared(run, metric, judge, how, seed)) is not None
    ]
    tables = [
        marks_table(board, called, language),
        coverage_table(board, called, language),
        departments_table(board, cases, run.records, how, called, language),
        trials_table(board, called, language),
        *(comparison_table(comparison, called, language) for comparison in comparisons),
    ]
    return _files(
        [table for table in tables if table is not None],
        methods_text(
            methods_of(run, chosen, board, how, comparisons[0] if comparisons else None), language
        ),
        {f"comparison-{c.metric}": c.fingerprint for c in comparisons},
        board.fingerprint,
        language,
    )


def _compared(
    run: RunContents, metric: Metric, judge: str | None, counting: Counting, seed: int
) -> Comparison | None:
    """All doctors in all settings; None where there are no two, or none has such a score."""
    try:
        return compare(
            [run], metric=metric, settings=SETTING_ORDER, judge=judge, counting=counting, seed=seed
        )
    except ValueError:
        return None


def _files(
    tables: list[PaperTable],
    paragraphs: list[str],
    fingerprints: Mapping[str, str],
    fingerprint: str,
    language: Language,
) -> dict[str, str]:
    files = {}
    for table in tables:
        own = fingerprints.get(table.name, fingerprint)
        files[f"{table.name}.tex"] = table.latex(own)
        files[f"{table.name}.csv"] = table.csv(own)
    files["methods.tex"] = as_latex(paragraphs)
    files["methods.md"] = as_markdown(paragraphs)
    files["refs.bib"] = bibliography(cited(paragraphs))
    inputs = [table.name for table in tables]
    chinese = any(has_chinese(text) for name, text in files.items() if name.endswith(".tex"))
    files["paper.tex"] = _document(inputs, language, chinese)
    return files


def _document(tables: list[str], language: Language, chinese: bool) -> str:
    title = "Methods" if language == "en" else "方法"
    lines = [
        "% pdflatex, or xelatex where ctex is used; then bibtex, then twice again.",
        r"\documentclass{article}",
        r"\usepackage[UTF8]{ctex}" if chinese else r"\usepackage[utf8]{inputenc}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\usepackage{booktabs,graphicx,longtable}",
        r"\begin{document}",
        rf"\section*{{{title}}}",
        r"\sloppy",
        r"\input{methods}",
        r"\clearpage",
        *(rf"\input{{{table}}}" for table in tables),
        r"\bibliographystyle{plain}",
        r"\bibliography{refs}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"
