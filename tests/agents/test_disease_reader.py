"""A model that names the diseases of a diagnosis text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.disease_reader import DiseaseReader, read_names
from agents.errors import SeatError, SpecError
from agents.seats import Seats
from prompts import Prompts
from records.medical_record import Language
from tests.scripted_endpoint import error, purpose_of

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
