from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken

from agents.doctor import ModelDoctor
from agents.errors import SeatError, SpecError
from agents.examiner import ModelExaminer
from agents.exec_doctor import ExecDoctor
from agents.metered_judge import MeteredJudge
from agents.npc import Doctor
from agents.patient import ModelPatient
from agents.seats import OFFLINE, Chair, Seats, check_spec
from prompts import Prompts
from records.ledger import RunConfig, SharedSettings
from records.medical_record import Language
from records.visit import Ending, Setting, VisitOrder

URL = "http://127.0.0.1:9/v1#m"

OWN = """
from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage

class Mine:
    closed = 0
    def __init__(self, language):
        self.language = language
    async def on_messages(self, messages, cancellation_token):
        return Response(chat_message=TextMessage(source="doctor", content=self.language))
    async def close(self):
        Mine.closed += 1

def make(language):
    return Mine(language)

class NoDoctor:
    def __init__(self, language): ...

class Demanding(Mine):
    def __init__(self, language, key): ...

class Broken(Mine):
    def __init__(self, language):
        raise RuntimeError("no weights\\nfound")

def nothing(language):
    return None

number = 5
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module in the working directory."""
    (tmp_path / "own_doctor.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "broken_doctor.py").write_text("import nothing_of_the_kind\n", encoding="utf-8")
    (tmp_path / "faulty_doctor.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    yield "own_doctor"
    for name in ("own_doctor", "broken_doctor", "faulty_doctor"):
        sys.modules.pop(name, None)


def order(
    doctor: str, npc: str = "grounded", language: Language = "en", setting: Setting = "interaction"
) -> VisitOrder:
    return VisitOrder(
        record_id="r",
        record_hash="h",
        language=language,
        setting=setting,
        doctor=doctor,
        npc=npc,
        prompts_hash="p",
    )


async def said_by(doctor: Doctor) -> str:
    messages = [TextMessage(source="patient", content="Hello")]
    response = await doctor.on_messages(messages, CancellationToken())
    return response.chat_message.to_model_text()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_model_can_sit_in_every_chair(language: Language) -> None:
    seats = Seats(prompts=Prompts())
    seated = seats.seat(order(URL, npc=URL, language=language))
    assert isinstance(seated.doctor, ModelDoctor)
    assert isinstance(seated.patient, ModelPatient)
    assert isinstance(seated.examiner, ModelExaminer)
    judge = seats.judge(URL)
    assert isinstance(judge, MeteredJudge)
    assert judge.name == URL
    assert seated.meter.usage == {}
    await seated.close()
    await seats.close()


async def test_the_offline_players_need_no_model() -> None:
    seats = Seats(prompts=Prompts())
    seated = seats.seat(order("checklist"))
    names = [type(who).__name__ for who in (seated.doctor, seated.patient, seated.examiner)]
    assert names == ["ChecklistDoctor", "GroundedPatient", "GroundedExaminer"]
    assert seats.judge("rubric").name == "rubric"
    await seated.close()
    await seats.close()


async def test_every_visit_has_people_of_its_own() -> None:
    seats = Seats(prompts=Prompts())
    first, second = seats.seat(order(URL, npc=URL)), seats.seat(order(URL, npc=URL))
    assert first.doctor is not second.doctor
    assert first.meter is not second.meter
    await seats.close()


async def test_a_class_in_the_working_directory_is_a_doctor(own: str) -> None:
    check_spec(f"{own}:Mine", "doctor")
    seats = Seats(prompts=Prompts())
    seated = seats.seat(order(f"{own}:Mine", language="zh"))
    assert await said_by(seated.doctor) == "zh"
    await seated.close()
    assert sys.modules[own].Mine.closed == 1
    other = seats.seat(order(f"{own}:make"))
    assert await said_by(other.doctor) == "en"
    await other.close()
    await seats.close()


async def test_an_exec_doctor_lives_as_long_as_its_visit(tmp_path: Path) -> None:
    program = tmp_path / "doctor.py"
    program.write_text(
        "import json\nwhile True:\n"
        "    heard = json.loads(input())\n"
        "    print(json.dumps({'content': heard['language']}), flush=True)\n",
        encoding="utf-8",
    )
    spec = f"exec:{sys.executable} {program}"
    check_spec(spec, "doctor")
    seats = Seats(prompts=Prompts())
    seated = seats.seat(order(spec, language="zh"))
    assert isinstance(seated.doctor, ExecDoctor)
    assert await said_by(seated.doctor) == "zh"
    await seated.close()
    await seats.close()


@pytest.mark.parametrize("chair", ["doctor", "npc", "judge"])
def test_specs_that_name_someone_pass(chair: Chair) -> None:
    for spec in (*OFFLINE[chair], URL, f"{URL}?temperature=0"):
        check_spec(spec, chair)


@pytest.mark.parametrize(
    ("chair", "spec", "says"),
    [
        ("doctor", "cheklist", "did you mean checklist?"),
        ("npc", "ground", "did you mean grounded?"),
        ("judge", "rubrik", "did you mean rubric?"),
        ("judge", "checklist", "there is rubric"),
        ("doctor", "zzz", "there is checklist"),
        ("doctor", "http://h/v1", "http://h/v1#my-model"),
        ("npc", "http://h/v1", "http://h/v1#my-model"),
        ("npc", "exec:cat", "no npc"),
        ("npc", "own_doctor:Mine", "no npc"),
        ("doctor", f"{URL}?temprature=0", "temperature"),
        ("doctor", "exec:", "names no command"),
        ("doctor", "exec:no-such-program --x", "no program no-such-program"),
        ("doctor", "exec:'unclosed", "no command"),
        ("doctor", "no_such_module:Mine", "no module no_such_module"),
        ("doctor", "own_doctor:Mime", "it has Broken, Demanding, Mine"),
        ("doctor", "own_doctor:", "package.module:Class"),
        ("doctor", "own_doctor:NoDoctor", "has no on_messages"),
        ("doctor", "own_doctor:nothing", "NoneType without on_messages"),
        ("doctor", "own_doctor:Demanding", "'key'"),
        ("doctor", "own_doctor:number", "of type int"),
        ("doctor", "broken_doctor:Mine", "no module nothing_of_the_kind"),
        ("doctor", "faulty_doctor:Mine", "ZeroDivisionError"),
    ],
)
def test_specs_that_name_no_one_get_one_line_that_helps(
    own: str, chair: Chair, spec: str, says: str
) -> None:
    with pytest.raises(SpecError) as caught:
        check_spec(spec, chair)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_spec_of_a_run_is_checked() -> None:
    config = RunConfig(
        shared=SharedSettings(prompts_hash="p"), doctors=("checklist",), settings=(), cases={}
    )
    Seats.check(config)
    for update in (
        {"doctors": ("checklist", "nobody")},
        {"judges": ("nobody",)},
        {"shared": SharedSettings(prompts_hash="p", npc="nobody")},
    ):
        with pytest.raises(SpecError, match="nobody"):
            Seats.check(config.model_copy(update=update))


async def test_a_doctor_that_cannot_be_made_fails_its_visit(own: str) -> None:
    seats = Seats(prompts=Prompts())
    for name, says in (("Broken", r"RuntimeError: no weights$"), ("nothing", "without on_mess")):
        seated = seats.seat(order(f"{own}:{name}"))
        with pytest.raises(SeatError, match=says) as caught:
            await said_by(seated.doctor)
        assert caught.value.ending is Ending.DOCTOR_FAILED
        await seated.close()
    await seats.close()
