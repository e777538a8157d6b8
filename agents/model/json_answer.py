"""The JSON that was asked for, out of what a model wrote around it."""

from __future__ import annotations

import json

from pydantic import BaseModel, ValidationError

from agents.json_reply import json_values
from agents.model.model_reply import Completion
from records.visit import Repair


def fitted(completion: Completion, wanted: bool | type[BaseModel]) -> Completion | None:
    """The reply if it holds a JSON object as wanted; None if it does not.

    Where an object of a schema is wanted, it becomes the whole answer: AutoGen's readers know
    neither fences nor prose. A mere JSON object is left to the role, which reads tolerantly.

    Args:
        completion: as the model gave it.
        wanted: True for any JSON object, a pydantic class for an object of its schema.
    """
    values = (value for value in json_values(completion.text, "{") if isinstance(value, dict))
    if isinstance(wanted, bool):
        return completion if next(values, None) is not None else None
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
