"""Marking one visit: a judge's grades and the disease scores, as a pure coroutine."""

from __future__ import annotations

from agents.npc import Judge
from evaluation.diseases import score_diseases
from records.diseases.disease_overlap import Linker
from records.diseases.icd10 import default_terminology
from records.mark import DIMENSIONS, Grade, Mark
from records.medical_record import Language
from records.views import MarkingView
from records.visit import REPORT_PARTS, Ending, Report, Visit

_NO_DIAGNOSIS: dict[Ending, dict[Language, str]] = {
    Ending.DOCTOR_DECLINED: {
        "zh": "医生拒绝作出诊断，按未给出诊断计。",
        "en": "The doctor declined to give a diagnosis; marked as no diagnosis.",
    },
    Ending.DOCTOR_FAILED: {
        "zh": "医生未能完成问诊，按未给出诊断计。",
        "en": "The doctor failed in the visit; marked as no diagnosis.",
    },
}
_NO_REPORT: dict[Language, str] = {
    "zh": "没有诊断报告，按未给出诊断计。",
    "en": "There is no report; marked as no diagnosis.",
}


async def mark(
    visit: Visit, view: MarkingView, judge: Judge, *, terminology: Linker | None = None
) -> Mark:
    """Mark a visit.

    A visit in which the doctor declined or failed, or that has no report, gets D throughout and
    predicts no disease; the judge is not asked, so that declining can never pay.

    Args:
        visit: as it ended.
        view: the record of that visit.
        judge: who grades; it is handed the report alone, never who wrote it.
        terminology: links disease names; `default_terminology()` if None.

    Raises:
        ValueError: the visit's ending is not marked, or the record is not the visit's.
        SeatError: the judge's model failed; there is no mark then.
    """
    if not visit.ending.markable:
        raise ValueError(f"visit {visit.key} ended {visit.ending.value}, which is not marked")
    record = view.record
    if record.id != visit.record_id:
        raise ValueError(f"visit {visit.key} is of record {visit.record_id}, not of {record.id}")
    linker = terminology if terminology is not None else default_terminology()
    report = visit.report
    missing = _NO_DIAGNOSIS.get(visit.ending)
    if missing is not None or report is None or _is_blank(report):
        analysis = (missing or _NO_REPORT)[record.language]
        return Mark(
            visit_key=visit.key,
            judge=judge.name,
            grades={d: Grade(grade="D", analysis=analysis) for d in DIMENSIONS},
            diseases=score_diseases("", record, linker),
        )
    opinion = await judge.judge(view, report)
    return Mark(
        visit_key=visit.key,
        judge=judge.name,
        grades={d: opinion.grades.get(d, _UNGRADED) for d in DIMENSIONS},
        diseases=score_diseases(report.diagnosis, record, linker),
        raw=opinion.raw,
    )


_UNGRADED = Grade(grade=None, reason="the judge gave no grade for this dimension")


def _is_blank(report: Report) -> bool:
    return not report.raw.strip() and not any(
        getattr(report, part).strip() for part in REPORT_PARTS
    )
