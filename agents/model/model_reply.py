"""Reading what an endpoint sent: the answer, the reasoning kept apart, usage or unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from autogen_core.models import CreateResult, RequestUsage

from agents.model.error_wording import kind_in_words, wait_in_words
from agents.model.model_failure import FailureKind, ModelFailure
from records.secrets import masked
from records.visit import Repair

LONGEST_REPLY = 100_000
"""Characters of a reply that are kept; a longer one has run away."""

_FINISH: dict[str, Literal["stop", "length", "function_calls", "content_filter", "unknown"]] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
    "safety": "content_filter",
    "prohibited_content": "content_filter",
    "blocklist": "content_filter",
    "tool_calls": "function_calls",
    "function_call": "function_calls",
}
OPENER = re.compile(
    r"<(?:think|thinking|thought|reasoning)>|\[think\]|◁think▷|<\|channel\|>analysis<\|message\|>",
    re.IGNORECASE,
)
CLOSER = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|\[/think\]|◁/think▷"
    r"|(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)
_TURN_END = re.compile(
    r"<\|(?:im_end|im_start|eot_id|end|return|endoftext|end_of_text|start_header_id)\|>"
    r"|<(?:end|start)_of_turn>|<｜(?:end▁of▁sentence|User)｜>|</s>(?=\s{0,8}\Z)"
)
"""Tokens of chat templates that some servers let through; what follows is not the model's turn."""
# Every repetition is bounded: a reply may be one character, 100,000 times.
UNTAGGED = re.compile(
    r"\A[*#]{0,6}[ \t]{0,4}(?:thinking process|thought process|思考过程)"
    r"[ \t]{0,4}[*]{0,4}[ \t]{0,4}[:：]",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"^[ \t]{0,4}[*#]{0,6}[ \t]{0,4}"
    r"(?:final (?:answer|output|response)|answer|response|最终回答|最终答复|回答|回复)"
    r"[ \t]{0,4}[*]{0,4}[ \t]{0,4}[:：][ \t]{0,4}[*]{0,4}[ \t]{0,4}",
    re.IGNORECASE | re.MULTILINE,
)
_REPORT = re.compile(r"^#[ \t]?(?:symptoms|症状)[ \t]?#[ \t]{0,4}$", re.IGNORECASE | re.MULTILINE)
"""How a report begins that is written as asked; its parts may stand in paragraphs of their own."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class Completion(CreateResult):
    """A model's reply, as AutoGen has it, with what AutoGen has no room for.

    `content` is the answer alone, `thought` the reasoning.
    """

    model: str | None = None
    """The model that the endpoint says answered."""
    usage_known: bool = True
    """False if the endpoint gave no usage; `usage` is then 0 and means nothing."""
    repairs: tuple[Repair, ...] = ()
    attempts: int = 1
    """Requests that it took."""
    failures: tuple[str, ...] = ()
    """Kinds of the attempts that failed, in order."""
    asked: str = ""
    """Identity of the model's spec; "" if it was not asked for in a run."""
    cost: float | None = None
    """US dollars, of all its attempts, an estimate if the usage is; None is unknown."""
    origin: Literal["model", "cache", "journal"] = "model"
    """Where it comes from now."""

    @classmethod
    def of(cls, result: CreateResult) -> Completion:
        """The reply of any AutoGen client; zero usage there means that none was reported."""
        if isinstance(result, cls):
            return result
        usage = result.usage
        return cls(
            **result.model_dump(exclude={"usage"}),
            usage=usage,
            usage_known=bool(usage.prompt_tokens or usage.completion_tokens),
        )

    @property
    def text(self) -> str:
        """The answer as text; "" if the model called a tool instead."""
        return self.content if isinstance(self.content, str) else ""


def read_reply(body: object) -> Completion:
    """Read the body of a reply with status 200.

    Raises:
        ModelFailure: it holds an error, no answer, or is no such reply at all.
    """
    if not isinstance(body, Mapping):
        shown = one_line(str(body))[:120]
        raise ModelFailure(FailureKind.TRANSIENT, f"the reply is not a JSON object: {shown!r}")
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        if body.get("error"):
            raise failure_of(None, body["error"])
        raise ModelFailure(FailureKind.TRANSIENT, "the reply holds no choices")
    choice = choices[0]
    if choice.get("error"):
        # What a gateway was sent by whom it asked.
        raise failure_of(None, choice["error"])
    # Some say more behind a colon.
    said = str(choice.get("finish_reason")).lower().partition(":")[0]
    finish = _FINISH.get(said, "unknown")
    if finish == "content_filter":
        raise ModelFailure(FailureKind.CONTENT_FILTERED, "the endpoint filtered the reply")
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    content, thought, repairs = _separate(message, finish == "length")
    usage = _usage(body.get("usage"))
    if not content:
        if body.get("error"):
            raise failure_of(None, body["error"])
        if finish == "length":
            raise ModelFailure(
                FailureKind.OUT_OF_TOKENS,
                "reasoning used up the reply's limit of tokens",
                usage=usage,
            )
        raise ModelFailure(FailureKind.EMPTY, "the model's reply is empty", usage=usage)
    model = body.get("model")
    return Completion(
        finish_reason=finish,
        content=content,
        thought=thought or None,
        usage=usage or RequestUsage(0, 0),
        usage_known=usage is not None,
        cached=False,
        model=escaped(model)[0] if isinstance(model, str) else None,
        repairs=tuple(repairs),
    )


def separate_reasoning(text: str) -> tuple[str, str]:
    """Split a reply into answer and reasoning, whichever way the reasoning is marked.

    Reads `<think>…</think>` and what else models write for it, a closer without an opener, an
    opener without a closer (cut by the limit: all that follows is reasoning), and an untagged
    "Thinking Process:".
    """
    if not any(c in text for c in "<[◁") and not UNTAGGED.match(text.lstrip()):
        return text.strip(), ""
    said, thoughts, position = [], [], 0
    while opener := OPENER.search(text, position):
        closer = CLOSER.search(text, opener.end())
        if closer is None:
            break
        said.append(text[position : opener.start()])
        thoughts.append(text[opener.end() : closer.start()])
        position = closer.end()
    text = "".join([*said, text[position:]])
    for closer in list(CLOSER.finditer(text))[-1:]:
        thoughts.append(text[: closer.start()])
        text = text[closer.end() :]
    if opener := OPENER.search(text):
        thoughts.append(text[opener.end() :])
        text = text[: opener.start()]
    text = text.strip()
    if untagged := UNTAGGED.match(text):
        answers = list(_ANSWER.finditer(text, untagged.end()))
        reports = list(_REPORT.finditer(text, untagged.end()))
        if answers:
            cut, rest = answers[-1].start(), text[answers[-1].end() :]
        elif reports:
            cut = reports[-1].start()
            rest = text[cut:]
        else:
            cut = text.rfind("\n\n") + 1 or len(text)
            rest = text[cut:]
        thoughts.append(text[untagged.end() : cut])
        text = rest
    return text.strip(), "\n".join(t for t in (thought.strip() for thought in thoughts) if t)


def failure_of(status: int | None, error: object, retry_after: float | None = None) -> ModelFailure:
    """Classify an endpoint's error by status and body.

    Args:
        status: the HTTP status; None if the error came with status 200, where its own code counts.
        error: the error object of the body, or the body.
        retry_after: seconds to wait, from the header; without one, what the message says.
    """
    fields = error if isinstance(error, Mapping) else {}
    code = str(fields.get("code") or "")
    message = str(fields.get("message") or error)
    field = fields.get("param")
    signs = f"{code} {fields.get('type') or ''} {message}".lower()
    if status is None:
        status = int(code) if code.isdecimal() and len(code) == 3 else 0
    reason = f"{f'status {status}: ' if status else ''}{one_line(message)}"[:300]
    wait = retry_after if retry_after is not None else wait_in_words(message)
    named = kind_in_words(signs, wait)
    if status == 402:
        kind = FailureKind.QUOTA
    elif named is not None:
        kind = named
    elif status == 429:
        kind = FailureKind.RATE_LIMIT
    elif status >= 500 or status in (0, 408, 409, 425):
        kind = FailureKind.TRANSIENT
    else:
        kind = FailureKind.REQUEST
        if "enable_thinking" in signs:
            reason += "; add body.enable_thinking=false to the model's spec"
    if kind is FailureKind.RATE_LIMIT:
        retry_after = wait
    return ModelFailure(kind, reason, retry_after, str(field) if field else None)


def one_line(text: str) -> str:
    """The text on one line, without control characters and secrets."""
    return masked(" ".join(escaped(text[:2000])[0].split()))


def _separate(message: Mapping[str, Any], cut: bool) -> tuple[str, str, list[Repair]]:
    """Content, reasoning and repairs of a reply's message."""
    repairs = []
    beside = field_text(message.get("reasoning_content")) or field_text(message.get("reasoning"))
    written = field_text(message.get("content"))
    content, inside = separate_reasoning(written)
    if inside:
        repairs.append(Repair(kind="reasoning_in_content"))
    if not written.strip() and beside and not cut:
        # Some servers put the whole answer where reasoning belongs.
        content, beside = separate_reasoning(beside)
        repairs.append(Repair(kind="content_in_reasoning"))
    declined = field_text(message.get("refusal"))
    if not content and declined:
        content = declined
        repairs.append(Repair(kind="content_in_refusal"))
    if len(content) > LONGEST_REPLY:
        repairs.append(Repair(kind="reply_cut", detail=f"{len(content)} characters"))
        content = content[:LONGEST_REPLY]
    own = _own_turn(content)
    if own != content:
        repairs.append(Repair(kind="template_token"))
        content = own
    content, number = escaped(content)
    if number:
        repairs.append(Repair(kind="characters_escaped", detail=str(number)))
    thought = escaped("\n".join(t for t in (beside.strip(), inside) if t)[:LONGEST_REPLY])[0]
    return content, thought, repairs


def _own_turn(content: str) -> str:
    """The content up to the token that ends the model's turn."""
    for _ in range(3):
        found = _TURN_END.search(content) if "<" in content else None
        if found is None:
            break
        before = content[: found.start()].strip()
        if before:
            return before
        content = content[found.end() :].strip()
    return content


def field_text(value: object) -> str:
    """A content field as text: a string, or the text parts of a list."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = (part.get("text") for part in value if isinstance(part, Mapping))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def escaped(text: str) -> tuple[str, int]:
    r"""Escape what UTF-8 or a terminal cannot hold, NUL as `\x00`; how many were escaped."""
    if not _CONTROL.search(text):
        return text, 0
    return _CONTROL.subn(lambda m: m.group().encode("unicode_escape").decode("ascii"), text)


def _usage(value: object) -> RequestUsage | None:
    if not isinstance(value, Mapping):
        return None
    prompt, completion = value.get("prompt_tokens"), value.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    if not prompt and not completion:
        # Nothing is asked in no tokens: the field is there for its form.
        return None
    return RequestUsage(prompt, completion)
