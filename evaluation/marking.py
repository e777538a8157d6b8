"""Marking one visit: a judge's grades and the disease scores, as a pure coroutine."""

from __future__ import annotations

from agents.npc import Judge
from evaluation.diseases import score_diseases, score_published
from evaluation.linking import BY_RULES
from evaluation.naming import Named
from evaluation.preset import published_diagnosis
from records.diseases.disease_overlap import Linker
from records.diseases.icd10 import default_terminology
from records.diseases.published_matching import PublishedMatcher
from records.diseases.terminology import Terminology
from records.mark import DIMENSIONS, Grade, Mark
from records.medical_record import Language, MedicalRecord
from records.program import program_version
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
    Ending.CONTENT_FILTERED: {
        "zh": "接口拒绝了医生的话，按未给出诊断计。",
        "en": "The endpoint filtered what the doctor said; marked as no diagnosis.",
    },
}
_NO_REPORT: dict[Language, str] = {
    "zh": "没有诊断报告，按未给出诊断计。",
    "en": "There is no report; marked as no diagnosis.",
}


async def mark(
    visit: Visit,
    view: MarkingView,
    judge: Judge,
    *,
    terminology: Linker | None = None,
    matcher: PublishedMatcher | None = None,
    named: Named | None = None,
) -> Mark:
    """Mark a visit.

    A visit in which the doctor declined or failed, or that has no report, gets D throughout and
    predicts no disease; the judge is not asked, so that declining can never pay. A part that the
    report was not asked for is not graded.

    Args:
        visit: as it ended.
        view: the record of that visit.
        judge: who grades; it is handed the parts of the report, never who wrote it.
        terminology: links disease names; `default_terminology()` if None.
        matcher: scores diseases by protocol `published` too; not if None.
        named: the diseases of `diagnosis_texts` as a model named them; by our rules if None.

    Raises:
        ValueError: the visit's ending is not marked, or the record is not the visit's.
        SeatError: the judge's model failed; there is no mark then.
    """
    if not visit.markable:
        raise ValueError(f"visit {visit.key} ended {visit.ending.value}, which is not marked")
    record = view.record
    if record.id != visit.record_id:
        raise ValueError(f"visit {visit.key} is of record {visit.record_id}, not of {record.id}")
    report = visit.report
    asked = DIMENSIONS if report is None else report.asked
    missing = _NO_DIAGNOSIS.get(visit.ending)
    if missing is not None or report is None or _is_blank(report):
        analysis = (missing or _NO_REPORT)[record.language]
        marked = Mark(
            visit_key=visit.key,
            judge=judge.name,
            judge_version=rules_of(judge),
            grades={d: Grade(grade="D", analysis=analysis) for d in DIMENSIONS if d in asked},
        )
    else:
        opinion = await judge.judge(view, _blind(report))
        marked = Mark(
            visit_key=visit.key,
            judge=judge.name,
            judge_version=rules_of(judge),
            grades={d: opinion.grades.get(d, _UNGRADED) for d in DIMENSIONS if d in asked},
            raw=opinion.raw,
            usage=opinion.usage,
            cost=opinion.cost,
            prompts_hash=opinion.prompts_hash,
            repairs=opinion.repairs,
        )
    return linked(marked, visit, record, terminology=terminology, matcher=matcher, named=named)


def rules_of(judge: Judge) -> str:
    """The version of a judge's rules, where it says so; marks of several do not compare."""
    return str(getattr(judge, "version", ""))


def linked(
    mark: Mark,
    visit: Visit,
    record: MedicalRecord,
    *,
    terminology: Linker | None = None,
    matcher: PublishedMatcher | None = None,
    named: Named | None = None,
) -> Mark:
    """A mark with its disease scores counted anew; the grades stay as they are.

    Args:
        mark: of the visit.
        visit: as it ended.
        record: of that visit.
        terminology: links disease names; `default_terminology()` if None.
        matcher: scores diseases by protocol `published` too; not if None.
        named: the diseases of `diagnosis_texts` as a model named them; by our rules if None.
    """
    linker = terminology if terminology is not None else default_terminology()
    claimed, published_text = diagnosis_texts(visit)
    names = named.names if named is not None else {}
    scores, published = score_diseases(claimed, record, linker, names.get(claimed)), None
    if matcher is not None:
        published = score_published(
            published_text, record, linker, matcher, names.get(published_text)
        )
    return mark.model_copy(
        update={
            "diseases": scores,
            "diseases_published": published,
            "terminology": linker.hash if isinstance(linker, Terminology) else "",
            "extraction": named.extraction if named is not None else BY_RULES.name,
            "naming": named.naming if named is not None else None,
            "program": program_version(),
        }
    )


def diagnosis_texts(visit: Visit) -> tuple[str, str]:
    """The texts whose diseases count by protocol `code` and by protocol `published`.

    The paper's code knows no refusal: it takes whatever stands under the heading.
    """
    report = visit.report or Report()
    claimed = "" if visit.ending in _NO_DIAGNOSIS else report.diagnosis
    return claimed, published_diagnosis(report)


def _blind(report: Report) -> Report:
    """The report as a judge sees it: its parts; as written only where no part could be read.

    A model's preamble ("as an assistant made by …") stands outside the parts.
    """
    parted = any(getattr(report, part).strip() for part in REPORT_PARTS)
    return report.model_copy(update={"raw": ""}) if parted else report


_UNGRADED = Grade(grade=None, reason="the judge gave no grade for this dimension")


def _is_blank(report: Report) -> bool:
    return not report.raw.strip() and not any(
        getattr(report, part).strip() for part in REPORT_PARTS
    )
