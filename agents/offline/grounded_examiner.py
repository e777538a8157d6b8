"""The Examiner without a model: returns what is on record, and only what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from records.examinations.examination_lexicon import normalise, specimen_of
from records.examinations.examination_reading import read_names
from records.examinations.recorded_examinations import GENERIC_NAME
from records.examinations.requests import RequestedItem, match_request
from records.medical_record import Examination, Language
from records.views import ExaminerView
from records.visit import DOCTOR, EXAMINER, Answer, Message, Trace, Unrecorded


class _Words:
    """The few fixed phrases of an examiner, in one language."""

    def __init__(
        self, *, refused: str, unavailable: str, normal: str, of: str, reference: str
    ) -> None:
        self.refused = refused
        self.unavailable = unavailable
        self.normal = normal
        self.of = of
        self.reference = reference


_WORDS: dict[Language, _Words] = {
    "zh": _Words(
        refused="请写明要做的具体检查项目；没有指明项目，无法提供结果。",
        unavailable="没有这项检查的结果",
        normal="未见异常",
        of="：",
        reference="（参考范围：{}）",
    ),
    "en": _Words(
        refused="Please name the examination you need; without one there is no result to give.",
        unavailable="no result available",
        normal="no abnormality",
        of=": ",
        reference=" (reference range: {})",
    ),
}


class GroundedExaminer:
    """An `Npc` over `ExaminerView`: deterministic, and it has no words but the record's."""

    def __init__(self, unrecorded: Unrecorded = "unavailable") -> None:
        """Set what is said of an examination that is not on record.

        Args:
            unrecorded: `unavailable` says that there is no result; `normal` says that there was no
                abnormality, as AI Hospital (arXiv 2402.09742) does.
        """
        self._unrecorded = unrecorded

    async def reply(
        self, view: ExaminerView, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Answer the last message, to the doctor; `seed` changes nothing."""
        del seed
        last = transcript[-1]
        match = match_request(last.text, view.examinations, view.language)
        words = _WORDS[view.language]
        if match.vague:
            refused = Answer(asked=last.text, kind="refused")
            return (_message(last, words.refused, (refused,)),)
        given: set[str] = set()
        lines: list[str] = []
        answers: tuple[Answer, ...] = ()
        labels = _labels([e for e in view.examinations if _is_given(e, match.items)])
        for item in match.items:
            answers += (self._answer(item),)
            if not item.ids:
                said = words.unavailable if self._unrecorded == "unavailable" else words.normal
                lines.append(f"- {item.asked}{words.of}{said}")
                continue
            new = [e for e in view.examinations if e.id in item.ids and e.id not in given]
            given.update(item.ids)
            indent = ""
            if len(new) > 1:
                lines.append(f"- {item.asked}{words.of.rstrip()}")
                indent = "  "
            lines += [f"{indent}- {labels[e.id]}{words.of}{_value(e, words)}" for e in new]
        return (_message(last, "\n".join(lines), answers),)

    def _answer(self, item: RequestedItem) -> Answer:
        if item.ids:
            return Answer(asked=item.asked, kind="recorded", ids=item.ids)
        if self._unrecorded == "unavailable":
            return Answer(asked=item.asked, kind="unavailable")
        return Answer(asked=item.asked, kind="assumed_normal")


def _message(last: Message, text: str, answers: tuple[Answer, ...]) -> Message:
    ids = dict.fromkeys(i for answer in answers for i in answer.ids)
    return Message(
        turn=last.turn,
        role=EXAMINER,
        speaker=EXAMINER,
        addressee=DOCTOR,
        text=text,
        examinations=tuple(ids),
        trace=Trace(answers=answers),
    )


def _is_given(examination: Examination, items: Sequence[RequestedItem]) -> bool:
    return any(examination.id in item.ids for item in items)


def _labels(given: Sequence[Examination]) -> dict[str, str]:
    """By id, what each result is called: its name, after its category if it says too little."""
    homes: dict[str, set[str | None]] = {}
    for item in given:
        homes.setdefault(item.name, set()).add(item.category)
    return {
        item.id: f"{item.category} – {item.name}"
        if item.category
        and item.category != item.name
        and not _says_nothing(item.category)
        and (len(homes[item.name]) > 1 or _says_little(item))
        else item.name
        for item in given
    }


def _says_little(item: Examination) -> bool:
    """True for "Findings", "Palpation", and for a name that urine and blood share."""
    specimen = specimen_of(item.category or "")
    shared = specimen is not None and specimen_of(item.name) is None
    return shared or _says_nothing(item.name) or not read_names(item.name)


def _says_nothing(name: str) -> bool:
    return bool(GENERIC_NAME.fullmatch(normalise(name).strip()))


def _value(item: Examination, words: _Words) -> str:
    value = item.reading
    if item.reference_range:
        value += words.reference.format(item.reference_range)
    return value
