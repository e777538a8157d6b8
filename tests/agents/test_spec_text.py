from __future__ import annotations

import pytest

from agents.model.spec_text import models_in, without_limits

URL = "http://h/v1#m"


@pytest.mark.parametrize(
    ("spec", "models"),
    [
        (URL, [URL]),
        ("openai/gpt-x?temperature=0", ["openai/gpt-x?temperature=0"]),
        ("checklist", []),
        ("my_doctor:Curious", []),
        ("exec:node doctor.js http://h/v1#m", []),
        (f"conference({URL}?temperature=0, checklist, {URL}; rounds=2, moderator=openai/x)",
         [f"{URL}?temperature=0", URL, "openai/x"]),
        ("conference(checklist, checklist)", []),
        (f"patient=human:ann+{URL}", [URL]),
        ("patient=human:ann+grounded", []),
    ],
)  # fmt: skip
def test_the_models_in_a_seat(spec: str, models: list[str]) -> None:
    assert list(models_in(spec)) == models


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (URL, URL),
        (f"{URL}?concurrency=4", URL),
        (f"{URL}?temperature=0&requests_per_minute=60&seed=1", f"{URL}?temperature=0&seed=1"),
        (f"{URL}?tokens_per_minute=9&concurrency=2", URL),
        (f"conference({URL}?concurrency=4, a/b?top_p=1&concurrency=2)",
         f"conference({URL}, a/b?top_p=1)"),
        ("exec:doctor ?concurrency=4", "exec:doctor ?concurrency=4"),
    ],
)  # fmt: skip
def test_limits_are_no_part_of_a_name(spec: str, name: str) -> None:
    assert without_limits(spec) == name
