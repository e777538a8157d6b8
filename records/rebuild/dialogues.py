"""Published consultations as they lie on disk: who said what, in which dialogue and turn.

The files are those of AI Hospital (arXiv 2402.09742): `dialog_history_<doctor>.jsonl`, one
consultation a line, and one `evaluation_*.jsonl` with every patient's reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from records.errors import Fault, InputError
from records.rebuild.provenance import Place

DIALOGUES = "dialog_history_*.jsonl"
REFERENCE = "evaluation_*.jsonl"
_ROLES = {"Patient": "patient", "Reporter": "examiner", "Doctor": "doctor"}


@dataclass(frozen=True)
class Said:
    """One message of the patient's or the examiner's."""

    place: Place
    role: str
    """`patient` or `examiner`."""
    text: str
    """As published, tags and tokens included."""
    asked: str
    """The doctor's message that it follows."""
    told: bool
    """Whether a result or a diagnosis has been told before: the patient may then only echo it."""

    @property
    def opening(self) -> bool:
        """Whether it is the complaint that the visit opens with."""
        return self.role == "patient" and self.place.turn == 1


@dataclass(frozen=True)
class Reference:
    """The published reference of one patient; "" where it has none."""

    diagnosis: str
    rationale: str
    treatment: str


@dataclass(frozen=True)
class Published:
    """All that is published of the patients, by id in the order of the first file."""

    messages: Mapping[str, tuple[Said, ...]]
    references: Mapping[str, Reference]


def read_published(directory: Path) -> Published:
    """Read the dialogues and the reference of a directory.

    Raises:
        InputError: there is no such directory, a file is missing, or a line is not what it should
            be; holds every fault.
    """
    if not directory.is_dir():
        what = (
            "is a file; name the directory it is in" if directory.exists() else "no such directory"
        )
        raise InputError([Fault(directory, what)])
    dialogues, references = sorted(directory.glob(DIALOGUES)), sorted(directory.glob(REFERENCE))
    for pattern, found in ((DIALOGUES, dialogues), (REFERENCE, references)):
        if not found:
            what = f"holds no {pattern}; expected the published dialogues and their reference"
            raise InputError([Fault(directory, what)])
    faults: list[Fault] = []
    messages: dict[str, tuple[Said, ...]] = {}
    for path in dialogues:
        name = path.stem.removeprefix(DIALOGUES.partition("*")[0])
        for place, line in json_lines(path, faults):
            patient = patient_of(line)
            if patient is None or not isinstance(line.get("dialog_history"), list):
                what = "no dialogue; expected patient_id and dialog_history"
                faults.append(Fault(path, what, place))
                continue
            said = _messages(name, line["dialog_history"])
            messages[patient] = messages.get(patient, ()) + said
    known: dict[str, Reference] = {}
    for path in references:
        for place, line in json_lines(path, faults):
            patient, given = patient_of(line), line.get("reference_diagnosis")
            if patient is None or not isinstance(given, dict):
                what = "no reference; expected patient_id and reference_diagnosis"
                faults.append(Fault(path, what, place))
                continue
            texts = (given.get(field) for field in ("diagnosis", "basis", "treatment"))
            known[patient] = Reference(*(t.strip() if isinstance(t, str) else "" for t in texts))
    if faults:
        raise InputError(faults)
    return Published(messages, known)


def json_lines(path: Path, faults: list[Fault]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The place and object of each line of a file; what is wrong with others goes to the faults."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        faults.append(Fault(path, f"cannot be read: {error.strerror or error}"))
        return
    except UnicodeDecodeError as error:
        faults.append(Fault(path, f"byte {error.start} is not UTF-8; save the file in UTF-8"))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            value = json.loads(line)
            # Half of a surrogate pair is JSON, but no text that a record can be written with.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            faults.append(Fault(path, "half of a surrogate pair is missing", place))
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            faults.append(Fault(path, f"not JSON: {reason}", place))
        else:
            if isinstance(value, dict):
                yield place, value
            else:
                faults.append(Fault(path, "a JSON object was expected", place))


def patient_of(line: dict[str, Any]) -> str | None:
    """The id of the patient that a published line is about; None if it names none."""
    patient = line.get("patient_id")
    if isinstance(patient, bool) or not isinstance(patient, int | str) or not str(patient).strip():
        return None
    return str(patient).strip()


def _messages(dialogue: str, history: list[Any]) -> tuple[Said, ...]:
    """The messages of the patient and the examiner; what is no message is passed over."""
    found: list[Said] = []
    asked, told = "", False
    for message in history:
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            continue
        role = _ROLES.get(str(message.get("role")))
        turn = message.get("turn")
        if role is None or isinstance(turn, bool) or not isinstance(turn, int):
            continue
        text = message["content"]
        if role == "doctor":
            asked = text
            told = told or "诊断" in text or "治疗方案" in text
            continue
        found.append(Said(Place(dialogue, turn), role, text, asked, told))
        told = told or role == "examiner"
    return tuple(found)
