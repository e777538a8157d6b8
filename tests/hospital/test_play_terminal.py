"""Role-play on a real terminal: what a person types, and what it sees."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from records.ledger import Ledger
from records.visit import DOCTOR, EXAMINER, Visit
from tests.terminal import Terminal

CLEAR = "\x15"
"""Deletes what stands on the line."""


def only_visit(where: Path) -> Visit:
    (run,) = (where / "runs").iterdir()
    (visit,) = Ledger(run).visits().values()
    return visit


def test_a_whole_visit_in_english_on_a_small_screen(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--language", "en", "--seed", "0"], tmp_path, rows=24, columns=80)
    terminal.wait("Whom do you see?")
    # All who wait stand on the screen at once.
    shown = "\n".join(terminal.lines[-24:])
    assert "Waiting room" in shown
    assert "Never for care" in shown
    terminal.type("7")
    terminal.wait("There are numbers 1 to 5,")
    terminal.type("2")
    terminal.wait("doctor>")
    terminal.type("When did the itching start?")
    terminal.wait("3 months ago")
    terminal.type("/examine skin")
    terminal.wait("Nikolsky")
    terminal.type("/chart")
    terminal.wait("[abnormal]")
    terminal.type("/differential bullous pemphigoid, scabies")
    terminal.wait("2. scabies")
    terminal.type("/order full blood count")
    terminal.wait("Eosinophils")
    terminal.type("/report")
    for part, text in (
        ("Symptoms:", "itching for 3 months, blisters for 10 days"),
        ("Auxiliary examinations:", "raised eosinophils"),
        ("Diagnosis:", "Bullous pemphigoid"),
        ("Rationale:", "tense blisters on red skin, negative Nikolsky sign"),
        ("Treatment plan:", "potent topical steroid"),
    ):
        terminal.wait(part)
        terminal.type(text)
    terminal.wait("Hand it in?")
    terminal.type("")
    terminal.wait("The visit is in")
    assert terminal.end() == 0
    assert "Marks by rubric" in terminal.text
    assert "right: Bullous pemphigoid (L12" in terminal.text
    assert "Never ordered, and abnormal:" in terminal.text
    assert "checklist: Symptoms" in terminal.text
    assert "at once to the top" in terminal.text
    visit = only_visit(tmp_path)
    assert visit.doctor.startswith("human:guest-")
    assert visit.report is not None
    assert visit.report.diagnosis == "Bullous pemphigoid"
    asked = [m for m in visit.messages if m.role == DOCTOR and m.addressee == EXAMINER]
    assert [m.trace.differential[0].name for m in asked[1:] if m.trace] == ["bullous pemphigoid"]
    (run,) = (tmp_path / "runs").iterdir()
    assert [mark.judge for mark in Ledger(run).marks()] == ["rubric"]
    assert not list((run / "unfinished").iterdir())


def test_a_whole_visit_in_chinese_on_a_large_screen(tmp_path: Path) -> None:
    arguments = ["play", "--language", "zh", "--seed", "5"]
    terminal = Terminal(arguments, tmp_path, rows=50, columns=200)
    terminal.wait("请哪一位")
    frame = [line for line in terminal.lines if line.startswith("│")]
    # Each wide character takes two columns, and the frame closes all the same.
    assert frame
    assert all(line.endswith("│") for line in frame)
    terminal.type("５")
    terminal.wait("医生>")
    assert "46岁，男，出租车司机" in terminal.text
    terminal.type("什么时候开始的？")
    terminal.wait("没力气1天")
    terminal.press("/检查 血常")
    terminal.press("\t")
    terminal.wait("血常规")
    terminal.press("\r")
    terminal.wait("血红蛋白")
    terminal.type("／病历")
    terminal.wait("[异常]")
    terminal.type("/报告")
    for part, text in (
        ("症状：", "黑便2天，头晕乏力1天"),
        ("辅助检查：", "血红蛋白低"),
        ("诊断结果：", "十二指肠溃疡伴出血"),
        ("诊断依据：", "空腹痛，黑便，服用布洛芬"),
        ("治疗方案：", "质子泵抑制剂，内镜止血"),
    ):
        terminal.wait(part)
        terminal.type(text)
    terminal.wait("提交吗")
    terminal.type("")
    terminal.wait("就诊记录在")
    assert terminal.end() == 0
    assert "rubric 的评分" in terminal.text
    assert "ICD-10 诊断对照" in terminal.text


def test_tab_offers_the_general_vocabulary_and_a_turn_is_taken_back(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--case", "en-002"], tmp_path)
    terminal.wait("doctor>")
    terminal.press("/ord\t")
    terminal.wait("doctor> /order")
    terminal.press(" chest X\t")
    terminal.wait("chest X-ray")
    # A name that this record has and the vocabulary lacks.
    terminal.press(CLEAR + "/order Right le\t")
    terminal.press("z")
    terminal.wait("Right lez")
    terminal.press(CLEAR)
    terminal.type("/undo")
    terminal.wait("There is nothing to take back.")
    terminal.type("Do you smoke?")
    terminal.wait("doctor>", times=3)
    terminal.type("/undo")
    terminal.wait("Taken back.")
    terminal.type("/report")
    terminal.wait("Symptoms:")
    terminal.type("/undo")
    terminal.wait("Taken back.", times=2)
    terminal.type("/report")
    for part in ("Symptoms:", "Auxiliary examinations:", "Diagnosis:", "Rationale:"):
        terminal.wait(part)
        terminal.type("Pulmonary embolism" if part == "Diagnosis:" else "")
    terminal.wait("Treatment plan:")
    terminal.type("")
    terminal.wait("Hand it in?")
    terminal.type("")
    assert terminal.end() == 0
    visit = only_visit(tmp_path)
    assert visit.human is not None
    assert visit.human.undos == 2
    assert "smoke" not in " ".join(m.text for m in visit.messages)


def test_ctrl_c_and_a_closed_terminal_lose_nothing(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--case", "en-002"], tmp_path)
    terminal.wait("doctor>")
    terminal.type("Any chest pain?")
    terminal.wait("stabbing")
    terminal.press("How long have you")
    terminal.wait("How long have you")
    terminal.press("\x03")
    terminal.wait("--resume")
    assert terminal.end() == 130
    terminal = Terminal(["play", "--resume"], tmp_path)
    terminal.wait("Going on where you left.")
    terminal.wait("doctor> How long have you")
    terminal.press(" smoked?")
    terminal.wait("smoked?")
    (draft,) = (tmp_path / "runs").glob("*/unfinished/*.jsonl")
    terminal.wait_for(lambda: "smoked?" in draft.read_text("utf-8"))
    # Killed outright: what stood on the line was kept as it was typed.
    terminal.close()
    terminal = Terminal(["play", "--resume"], tmp_path)
    terminal.wait("doctor> How long have you smoked?")
    terminal.type("")
    terminal.wait("doctor>", times=2)
    terminal.type("/report")
    for part in ("Symptoms", "Auxiliary examinations", "Diagnosis", "Rationale", "Treatment plan"):
        terminal.wait(f"{part}:")
        terminal.type("Pulmonary embolism")
    terminal.wait("Hand it in?")
    terminal.type("")
    assert terminal.end() == 0
    visit = only_visit(tmp_path)
    assert visit.report is not None
    assert visit.report.diagnosis == "Pulmonary embolism"
    assert [m.text for m in visit.messages if m.role == DOCTOR][1:3] == [
        "Any chest pain?",
        "How long have you smoked?",
    ]


def test_a_person_as_the_patient(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--as", "patient", "--case", "en-002"], tmp_path)
    terminal.wait("Patient>")
    assert "Your card" in terminal.text
    assert "Pulmonary embolism" not in terminal.text
    terminal.type("I cannot breathe well, and my chest hurts.")
    terminal.wait("Patient>", times=2)
    terminal.type("/suggest")
    terminal.wait("It might be said so:")
    terminal.type("Three days ago.")
    terminal.wait("Patient>", times=4)
    terminal.type("/end I must go.")
    terminal.wait("The visit is in")
    assert terminal.end() == 0
    visit = only_visit(tmp_path)
    assert visit.doctor == "checklist"
    assert visit.human is not None
    assert (visit.human.role, visit.human.hints) == ("patient", 1)
    assert [m.text for m in visit.messages if m.role == "patient"][-1] == "I must go."


def test_colour_only_where_it_is_wanted_and_a_paste_of_many_lines(tmp_path: Path) -> None:
    coloured = re.compile("\x1b\\[[0-9;]*(?:3[0-7]|4[0-7]|[34]8;[0-9;]+|9[0-7])m")
    for environment in ({"NO_COLOR": "1"}, {}):
        terminal = Terminal(["play", "--case", "en-002"], tmp_path, **environment)
        terminal.wait("doctor>")
        terminal.type("/examine legs")
        terminal.wait("Calf")
        terminal.type("/chart")
        terminal.wait("[abnormal]")
        terminal.press("/o\t")
        terminal.wait("/order")
        assert bool(coloured.search(terminal.raw)) is not bool(environment)
        if environment:
            terminal.close()
    # In the last of them a text of many lines is pasted: one message.
    lines = [f"{i}. I would like to hear about part {i} of it, please." for i in range(100)]
    pasted = "\n".join([*lines, "Do you smoke?"])
    assert len(pasted) > 5000
    terminal.press(CLEAR)
    terminal.paste(pasted)
    terminal.wait("Do you smoke?")
    terminal.press("\r")
    terminal.wait("never smoked")
    terminal.type("/quit")
    assert terminal.end() == 130
    drafts = (tmp_path / "runs").glob("*/unfinished/*.jsonl")
    texts = [
        line["said"]["text"]
        for draft in drafts
        for line in map(json.loads, draft.read_text("utf-8").splitlines())
        if "said" in line and line["said"]["role"] == DOCTOR
    ]
    assert texts.count(pasted) == 1
