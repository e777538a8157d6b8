"""Replies on disk that outlive a run: the same question in another run is not paid for again.

One small JSON file a reply: any number of processes may share the directory, and a torn or foreign
file is as good as none.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from pathlib import Path
from uuid import uuid4

from autogen_core.models import ChatCompletionClient
from pydantic import ValidationError

from agents.model.model_reply import Completion
from agents.model.wrapped_client import Call, WrappedClient
from records.medical_record import canonical_hash
from records.secrets import masked


class ReplyCache:
    """A directory of replies. No key of an endpoint is ever in it, neither in names nor within."""

    def __init__(self, directory: Path) -> None:
        """Name the directory; it is made when the first reply is kept."""
        self.directory = directory

    def find(self, name: str) -> Completion | None:
        """The reply kept under a name; None if there is none that can be read."""
        try:
            entry = json.loads(self._path(name).read_text(encoding="utf-8"))
            return Completion.model_validate(entry["reply"] | {"cached": True, "origin": "cache"})
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None

    def write(self, name: str, completion: Completion) -> None:
        """Keep a reply; a process that is killed here leaves none, never half a one.

        Raises:
            OSError: the disk refused it.
        """
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"reply": completion.model_dump(mode="json")}, ensure_ascii=False)
        draft = path.with_name(f"{path.name}.{uuid4().hex}.draft")
        try:
            draft.write_text(masked(text), encoding="utf-8")
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def forget(self, name: str) -> None:
        """Drop what is kept under a name."""
        with contextlib.suppress(OSError):
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.directory / name[:2] / f"{name}.json"

    def check(self) -> None:
        """Make the directory and see that it can be written.

        Raises:
            OSError: it cannot.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        if not os.access(self.directory, os.W_OK):
            raise PermissionError(13, "cannot be written", str(self.directory))


class CachedClient(WrappedClient):
    """Answers from the cache what it holds, else from the model, and keeps that.

    A reply's name is made of what is asked, the settings of the model, the trial, and how often
    the same was asked before in this visit: a second trial is asked anew. Made fresh for every
    visit.

    Args:
        inner: asked for what the cache lacks.
        cache: of replies.
        identity: hash of what decides the model's replies.
        trial: of the visit.
    """

    def __init__(
        self, inner: ChatCompletionClient, cache: ReplyCache, identity: str, trial: int
    ) -> None:
        super().__init__(inner)
        self._cache = cache
        self._named = (identity, trial)
        self._asked: Counter[str] = Counter()
        self._last: str | None = None

    async def around(self, call: Call) -> Completion:
        """Look the call up, else make it and keep its reply."""
        content = call.content_hash
        self._asked[content] += 1
        name = canonical_hash([*self._named, content, self._asked[content]])
        self._last = name
        known = self._cache.find(name)
        if known is not None:
            return known
        completion = await call.make()
        self._cache.write(name, completion)
        return completion

    def forget_last(self) -> None:
        """Drop the last reply, so that the visit, tried again, does not end on it again."""
        if self._last is not None:
            self._cache.forget(self._last)
        super().forget_last()
