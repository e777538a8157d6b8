"""A model that names the diseases of a diagnosis text."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.disease_reader import DiseaseReader, MeteredReader, read_names, words_of
from agents.errors import SeatError, SpecError
from agents.model.journaled_client import JournaledClient
from agents.model.meter import Meter, MeteredClient
from agents.seats import Seats
from prompts import Prompts
from records.journal import Journal
from records.medical_record import Language
from tests.scripted_endpoint import Answer, completion, error, purpose_of

PROMPTS = Prompts()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_model_is_shown_the_text_in_its_language(serve: Any, language: Language) -> None:
    served = await serve(['["Gout", "肺炎"]'])
    named = await DiseaseReader(served.client, PROMPTS).read("TEXT {{ 1 }} 原文", language)
    assert named.names == ("Gout", "肺炎")
    assert named.repairs == ()
    (request,) = served.endpoint.requests
    assert purpose_of(request) == (language, "chief_physician", "extract_diseases")
    assert "TEXT {{ 1 }} 原文" in request["messages"][0]["content"]


async def test_a_blank_text_costs_nothing(serve: Any) -> None:
    served = await serve([])
    assert (await DiseaseReader(served.client, PROMPTS).read(" \n", "en")).names == ()
    assert served.endpoint.requests == []


async def test_a_model_that_fails_says_so(serve: Any) -> None:
    served = await serve([error(401, "wrong key")])
    with pytest.raises(SeatError, match="wrong key"):
        await DiseaseReader(served.client, PROMPTS).read("Gout", "en")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (error(400, "no", code="content_filter"), "no"),
        (completion("", finish_reason="length", reasoning_content="Hm."), "token"),
    ],
)
async def test_the_rules_name_where_asking_again_is_in_vain(
    serve: Any, answer: Answer, why: str
) -> None:
    served = await serve(lambda body: answer)
    named = await DiseaseReader(served.client, PROMPTS).read("Possible pneumonia, asthma", "en")
    assert named.names == ("pneumonia", "asthma")
    assert named.by_rule
    (repair,) = named.repairs
    assert why in repair.detail


async def test_who_asks_about_a_text_that_is_being_read_waits_for_it(
    serve: Any, tmp_path: Path
) -> None:
    served = await serve(lambda body: '["Gout"]')
    journal = Journal(tmp_path / "journal.jsonl")

    def make(meter: Meter) -> DiseaseReader:
        client = JournaledClient(served.client, journal, "extract", "chief_physician")
        return DiseaseReader(MeteredClient(client, meter, "chief_physician"), PROMPTS)

    reader = MeteredReader(make)
    texts = ("Gout", "Gout", "Gout!")
    named = await asyncio.gather(*(reader.read(text, "en") for text in texts))
    journal.close()
    assert len(served.endpoint.requests) == 2
    assert [one.names for one in named] == [("Gout",)] * 3
    assert [one.usage.calls for one in named if one.usage] == [1, 1, 1]
    assert [one.cost for one in named] == [None] * 3


def test_the_words_for_a_model_have_a_hash_of_their_own(tmp_path: Path) -> None:
    patient = tmp_path / "zh" / "patient"
    patient.mkdir(parents=True)
    (patient / "system.jinja2").write_text("…", encoding="utf-8")
    assert words_of(Prompts(tmp_path)) == words_of(PROMPTS)
    chief = tmp_path / "en" / "chief_physician"
    chief.mkdir(parents=True)
    (chief / "extract_diseases.jinja2").write_text("Name them: {{ text }}", encoding="utf-8")
    assert words_of(Prompts(tmp_path)) != words_of(PROMPTS)


@pytest.mark.parametrize(
    ("reply", "names", "repairs"),
    [
        ('["Gout", " gastric  ulcer. ", "Gout"]', ["Gout", "gastric ulcer"], []),
        ('```json\n["Gout"]\n```', ["Gout"], []),
        ('<think>["no"]</think>["Gout"]', ["Gout"], []),
        ('["no"]</think>["Gout"]', ["Gout"], []),
        ('{"diseases": [{"name": "Gout"}, {"disease": "Asthma"}]}', ["Gout", "Asthma"], []),
        ("[]", [], []),
        ("The diseases are:\n1. Gout\n2) Asthma\n- COPD", ["Gout", "Asthma", "COPD"], ["lines"]),
        ("I cannot tell.", ["pneumonia", "asthma"], ["rule"]),
        ("", ["pneumonia", "asthma"], ["rule"]),
        ("[1, 2]", ["pneumonia", "asthma"], ["rule"]),
    ],
)
def test_a_list_is_read_in_any_shape(reply: str, names: list[str], repairs: list[str]) -> None:
    named = read_names(reply, "Possible pneumonia, asthma", "en")
    assert list(named.names) == names
    assert [repair.kind.rpartition("_")[2] for repair in named.repairs] == repairs
    assert named.raw == reply


@given(st.text(max_size=80) | st.recursive(st.text(max_size=5), st.lists).map(str))
def test_any_reply_is_read(reply: str) -> None:
    named = read_names(reply, "Gout", "en")
    assert len(set(named.names)) == len(named.names)


def test_only_a_model_names_diseases() -> None:
    with pytest.raises(SpecError, match="names no model"):
        Seats(prompts=PROMPTS).disease_reader("rubric")
