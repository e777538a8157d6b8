from __future__ import annotations

import pytest

from agents.errors import SpecError
from agents.model.model_spec import ModelSpec


def test_a_spec_is_read() -> None:
    spec = ModelSpec.parse(
        "https://host:8000/v1/#org/model:7b?temperature=0.5&max_tokens=80&key_env=MY_KEY"
        "&body.enable_thinking=false&body.user=me"
    )
    assert (spec.url, spec.model) == ("https://host:8000/v1", "org/model:7b")
    assert (spec.temperature, spec.max_tokens, spec.key_env) == (0.5, 80, "MY_KEY")
    assert spec.body == {"enable_thinking": False, "user": "me"}
    assert spec.top_p is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("http://h/v1#m?temprature=0", "did you mean temperature"),
        ("http://h/v1#m?colour=red", "temperature, max_tokens"),
        ("http://h/v1#m?temperature=warm", "temperature=warm"),
        ("http://h/v1#m?max_tokens=0", "max_tokens=0"),
        ("http://h/v1#m?api_key=sk-1", "key_env="),
        ("http://me:secret@h/v1#m", "key_env="),
        ("http://h/v1#", "names no model"),
        ("h/v1#m", "no http"),
        ("ftp://h#m", "no http"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_in_one_line(text: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        ModelSpec.parse(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "sk-1" not in str(caught.value)
