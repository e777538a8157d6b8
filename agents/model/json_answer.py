"""The JSON that was asked for, out of what a model wrote around it."""

from __future__ import annotations

import json

from pydantic import BaseModel, ValidationError

from agents.json_reply import json_values
from agents.model.model_reply import Completion
from records.visit import Repair


def fitted(completion: Completion, wanted: type[BaseModel]) -> Completion | None:
    """The reply with the object of the schema as its whole answer; None if it holds none.

    AutoGen's readers know neither fences nor prose. (A wish for any JSON object at all is met by
    the role that has it, which reads tolerantly.)

    Args:
        completion: as the model gave it.
        wanted: a pydantic class.
    """
    values = (value for value in json_values(completion.text, "{") if isinstance(value, dict))
    for value in values:
        try:
            wanted.model_validate(value)
        except ValidationError:
            continue
        if _is_json(completion.text):
            return completion
        text = json.dumps(value, ensure_ascii=False)
        repairs = (*completion.repairs, Repair(kind="json_among_words"))
        return completion.model_copy(update={"content": text, "repairs": repairs})
    return None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
