"""The conversation in which a person writes a case: a question a line, checked as it goes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Literal

from hospital.case_codes import suggest_codes
from hospital.case_draft import CaseDraft
from hospital.case_examinations import read_examination
from hospital.case_findings import correct_findings, propose_findings
from hospital.case_questions import LANGUAGE, SECTIONS, say
from records.diseases.icd10 import default_terminology
from records.lint import Remark, lint_record
from records.medical_record import (
    HISTORY_SECTIONS,
    Diagnosis,
    DiagnosisRole,
    Examination,
    HistorySection,
    Language,
    Sex,
)
from records.readers.people import age_in_years

Ask = Callable[[str], str]
Tell = Callable[[str], None]

_YES = frozenset({"y", "yes", "是", "对", "有", "1"})
_NO = frozenset({"n", "no", "否", "不", "无", "0"})
_SEXES: dict[str, Sex] = {
    "m": "male",
    "male": "male",
    "男": "male",
    "男性": "male",
    "f": "female",
    "female": "female",
    "女": "female",
    "女性": "female",
}
_ROLES: dict[str, DiagnosisRole] = {
    "p": "primary",
    "c": "comorbidity",
    "x": "complication",
    "h": "history",
}
_SPELLED_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*(years?|months?|weeks?|days?|hours?)", re.IGNORECASE)
_OLDEST = 130


class CaseInterview:
    """Asks for what a draft lacks, step by step; the draft is saved after each.

    Args:
        draft: changed in place.
        ask: shows a question and returns the line typed; raises EOFError or KeyboardInterrupt.
        tell: shows a line.
        save: called whenever an answer was taken.
        taken: ids that cases of the file have already.
    """

    def __init__(
        self,
        draft: CaseDraft,
        *,
        ask: Ask,
        tell: Tell,
        save: Callable[[], None],
        taken: frozenset[str] = frozenset(),
    ) -> None:
        self._draft = draft
        self._ask_line = ask
        self._tell = tell
        self._save = save
        self._taken = taken
        self._told = set(_remarks(draft))

    @property
    def language(self) -> Language:
        """The language of the questions: the case's."""
        return self._draft.language or "en"

    def run(self) -> bool:
        """Ask everything; returns whether the case is to be saved.

        Raises:
            EOFError: the input ended.
            KeyboardInterrupt: the person stopped.
        """
        while True:
            for name, answer in self._steps().items():
                self._step(name, answer)
            faults = [r for r in lint_record(self._draft.record()) if r.severity == "fault"]
            if not faults:
                return True
            for remark in faults:
                self._tell(self._line(remark))
            parts = list(dict.fromkeys(self._part_of(remark) for remark in faults))
            part = self._anew(parts)
            if isinstance(part, bool):
                return part
            self._forget(part)

    def _steps(self) -> dict[str, Callable[[], None]]:
        """The parts of a case in the order in which they are asked for."""
        return {
            "language": self._language,
            "id": self._id,
            "demographics": self._demographics,
            "persona": self._persona,
            **{section: partial(self._section, section) for section in SECTIONS},
            "physical": partial(self._examinations, "p"),
            "auxiliary": partial(self._examinations, "e"),
            "diagnoses": self._diagnoses,
            "rationale": self._rationale,
            "treatment": self._treatment,
        }

    def _part_of(self, remark: Remark) -> str:
        """The part of the case that a remark is about."""
        first, _, rest = remark.field.partition(".")
        if first == "findings":
            identity = rest.partition(".")[0]
            return next(f.section for f in self._draft.record().findings if f.id == identity)
        first = {
            "department": "demographics",
            "physical_examination": "physical",
            "auxiliary_examinations": "auxiliary",
        }.get(first, first)
        return first

    def _anew(self, parts: list[str]) -> str | bool:
        """Whether to save a faulty case, or which part is to be written anew."""
        for number, part in enumerate(parts, 1):
            self._tell(f"  {number} {say(part, self.language)}")
        while True:
            typed = self._ask("save").lower()
            if typed in ("y", "yes", "是"):
                return True
            if typed in ("n", "no", "否"):
                return False
            if typed.isdecimal() and 1 <= int(typed) <= len(parts):
                return parts[int(typed) - 1]

    def _forget(self, part: str) -> None:
        """Take a part's answers back, so that it is asked for again."""
        draft = self._draft
        for section in (section for section in HISTORY_SECTIONS if section == part):
            draft.sections.pop(section, None)
            draft.findings.pop(section, None)
        for name, items in (
            ("physical", draft.physical),
            ("auxiliary", draft.auxiliary),
            ("diagnoses", draft.diagnoses),
        ):
            if part == name:
                items.clear()
        draft.done.remove(part)
        self._save()
        self._told &= set(_remarks(draft))

    def _step(self, name: str, answer: Callable[[], None]) -> None:
        if name not in self._draft.done:
            answer()
            self._draft.done.append(name)
            self._save()
            self._object()

    def _language(self) -> None:
        while self._draft.language is None:
            typed = self._ask_line(LANGUAGE).lower()
            if typed in ("zh", "中文", "en", "english"):
                self._draft.language = "zh" if typed in ("zh", "中文") else "en"

    def _id(self) -> None:
        number = 1
        while f"{self.language}-{number:03d}" in self._taken:
            number += 1
        offered = f"{self.language}-{number:03d}"
        while True:
            typed = self._ask("id", offered) or offered
            if typed not in self._taken:
                self._draft.id = typed
                return
            self._tell(say("id_taken", self.language))

    def _demographics(self) -> None:
        self._draft.department = self._ask("department") or None
        who = {"age_years": self._age(), "sex": self._sex()}
        texts = {name: self._ask(name) or None for name in ("occupation", "description")}
        self._draft.demographics = self._draft.demographics.model_copy(update=who | texts)

    def _age(self) -> float | None:
        while typed := self._ask("age"):
            # "18 months" alone is an age here, where nothing else is asked.
            age = age_in_years(_SPELLED_AGE.sub(r"\1 \2 old", typed))
            if age is not None and age <= _OLDEST:
                return age
            self._tell(say("age_unread", self.language))
        return None

    def _sex(self) -> Sex | None:
        while typed := self._ask("sex").lower():
            if typed in _SEXES:
                return _SEXES[typed]
            self._tell(say("sex_unread", self.language))
        return None

    def _persona(self) -> None:
        for name in ("chief_complaint", "background", "way_of_speaking", "emotion"):
            text = self._ask(f"persona.{name}") or None
            self._draft.persona = self._draft.persona.model_copy(update={name: text})
        self._findings("persona", self._draft.persona.chief_complaint or "")

    def _section(self, section: HistorySection) -> None:
        if section not in self._draft.sections:
            text = self._ask_text(section)
            if text:
                self._draft.sections[section] = text
                self._save()
        self._findings(section, self._draft.sections.get(section, ""))

    def _findings(self, section: HistorySection, text: str) -> None:
        if not text:
            return
        kept = self._draft.findings.get(section)
        findings = propose_findings(section, text, self.language) if kept is None else kept
        while True:
            self._draft.findings[section] = findings
            self._tell(say("findings" if findings else "findings_none", self.language))
            for number, finding in enumerate(findings, 1):
                sign = "+" if finding.present else "-"
                self._tell(f"  {number:>2} {sign} {finding.symptom}  [{finding.text}]")
            self._object()
            typed = self._ask("findings_ask")
            if not typed:
                return
            corrected, wrong = correct_findings(findings, typed, section, text)
            findings = corrected
            if wrong is not None:
                self._tell(say(wrong, self.language))

    def _examinations(self, kind: Literal["p", "e"]) -> None:
        taken = self._draft.physical if kind == "p" else self._draft.auxiliary
        self._tell(say("physical" if kind == "p" else "auxiliary", self.language))
        while name := self._ask("examination.name"):
            before = taken[-1].category if taken else None
            taken.append(self._examination(kind, len(taken) + 1, name, before))
            if any(remark.severity == "fault" for remark in self._object()) and not self._keep():
                self._told -= set(_remarks(self._draft))
                taken.pop()
            self._save()

    def _examination(
        self, kind: Literal["p", "e"], number: int, name: str, before: str | None
    ) -> Examination:
        category = self._ask("examination.category", before) or before
        result = self._needed("examination.value")
        reference = self._ask("examination.range") or None
        abnormal = self._yes("examination.abnormal", needed=False)
        return read_examination(
            kind,
            number,
            name=name,
            category=category,
            result=result,
            reference_range=reference,
            abnormal=abnormal,
        )

    def _diagnoses(self) -> None:
        taken = self._draft.diagnoses
        self._tell(say("diagnoses", self.language))
        while True:
            name = self._ask("diagnosis.name")
            if not name and taken:
                return
            if not name:
                self._tell(say("diagnosis.needed", self.language))
                continue
            code, role = self._code(name), self._role("p" if not taken else "c")
            identity = f"d{len(taken) + 1}"
            taken.append(Diagnosis(id=identity, name=name, icd10=code, role=role))
            if any(remark.severity == "fault" for remark in self._object()) and not self._keep():
                self._told -= set(_remarks(self._draft))
                taken.pop()
            self._save()

    def _code(self, name: str) -> str | None:
        offered = suggest_codes(name, self.language)
        for number, (code, title) in enumerate(offered, 1):
            self._tell(f"  {number} {code} {title}")
        if not offered:
            self._tell(say("diagnosis.unlinked", self.language))
        first = offered[0][0] if offered else "-"
        while True:
            typed = self._ask("diagnosis.code", first).upper() or first
            if typed in ("-", "－", "—"):
                return None
            if typed.isdecimal() and 1 <= int(typed) <= len(offered):
                return offered[int(typed) - 1][0]
            if default_terminology().exists(typed):
                return typed
            self._tell(say("diagnosis.no_code", self.language))

    def _role(self, usual: str) -> DiagnosisRole:
        while True:
            typed = self._ask("diagnosis.role", usual).lower() or usual
            if typed in _ROLES:
                return _ROLES[typed]

    def _rationale(self) -> None:
        self._draft.rationale = self._ask_text("rationale") or None

    def _treatment(self) -> None:
        self._draft.treatment = self._ask_text("treatment") or None

    def _ask(self, key: str, usual: str | None = None) -> str:
        question = say(key, self.language)
        return self._ask_line(f"{question} [{usual}]" if usual else question)

    def _ask_text(self, key: str) -> str:
        """A text of several lines; the first empty one ends it."""
        lines: list[str] = []
        question = f"{say(key, self.language)} ({say('several_lines', self.language)})"
        while line := self._ask_line(question if not lines else ""):
            lines.append(line)
        return "\n".join(lines)

    def _needed(self, key: str) -> str:
        while not (typed := self._ask(key)):
            self._tell(say("needed", self.language))
        return typed

    def _yes(self, key: str, *, needed: bool = True) -> bool | None:
        while True:
            typed = self._ask(key).lower()
            if typed in _YES or typed in _NO:
                return typed in _YES
            if not typed and not needed:
                return None
            self._tell(say("yes_no", self.language))

    def _keep(self) -> bool:
        return bool(self._yes("keep"))

    def _object(self) -> list[Remark]:
        """Tell what the lint objects to that was not told yet."""
        new = [remark for remark in _remarks(self._draft) if remark not in self._told]
        for remark in new:
            self._told.add(remark)
            self._tell(self._line(remark))
        return new

    def _line(self, remark: Remark) -> str:
        return f"  ! {say(remark.severity, self.language)}: {remark.field}: {remark.what}"


def _remarks(draft: CaseDraft) -> tuple[Remark, ...]:
    return lint_record(draft.record()) if draft.language else ()
