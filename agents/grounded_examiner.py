"""The Examiner without a model: returns what is on record, and only what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from records.examination_lexicon import normalise
from records.medical_record import Examination, Language
from records.recorded_examinations import GENERIC_NAME
from records.requests import RequestedItem, match_request
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
        by_id = {e.id: e for e in view.examinations}
        given: set[str] = set()
        lines: list[str] = []
        answers: tuple[Answer, ...] = ()
        for item in match.items:
            answers += (self._answer(item),)
            if item.ids:
                new = [by_id[i] for i in item.ids if i not in given]
                given.update(item.ids)
                lines += _result_lines(new, item, words)
            else:
                said = words.unavailable if self._unrecorded == "unavailable" else words.normal
                lines.append(f"- {item.asked}{words.of}{said}")
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


def _result_lines(items: list[Examination], asked: RequestedItem, words: _Words) -> list[str]:
    """A line a result; the category stands before a name that does not say enough by itself."""
    lines = []
    for item in items:
        name = item.name
        if item.category and (_says_little(item) or [i.name for i in items].count(name) > 1):
            name = item.category if name == item.category else f"{item.category} – {name}"
        lines.append(f"- {name}{words.of}{_value(item, words)}")
    return lines


def _says_little(item: Examination) -> bool:
    return bool(GENERIC_NAME.fullmatch(normalise(item.name).strip()))


def _value(item: Examination, words: _Words) -> str:
    value = item.value
    if item.unit and item.unit not in value:
        # A unit in letters is set off from the number; "%" and "℃" are not.
        value += f" {item.unit}" if item.unit[0].isalnum() else item.unit
    if item.reference_range:
        value += words.reference.format(item.reference_range)
    return value
