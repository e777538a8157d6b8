"""Words: what every role is told, as jinja2 templates, and the one loader that renders them.

A template is `prompts/<language>/<role>/<purpose>.jinja2`. A user overlays single ones by giving a
directory with files of the same relative names.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator
from pathlib import Path

import jinja2

__all__ = ["PromptError", "Prompts"]

_ROOT = Path(__file__).parent
_SUFFIX = ".jinja2"


class PromptError(ValueError):
    """A template is unknown, cannot be read, or lacks a variable; one line that names it."""


class Prompts:
    """The templates, bundled ones overlaid by a user's.

    Args:
        overlay: a directory whose files `<language>/<role>/<purpose>.jinja2` take the place of the
            bundled ones of the same name; other files in it are refused, hidden ones overlooked.

    Raises:
        PromptError: the overlay is no directory, or holds a file that overlays nothing or that is
            not a template.
    """

    def __init__(self, overlay: Path | None = None) -> None:
        sources = dict(_read(_ROOT))
        if overlay is not None:
            sources |= _read_overlay(overlay, known=sorted(sources))
        self._environment = jinja2.Environment(
            loader=jinja2.DictLoader(sources),
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # noqa: S701 - prompts are plain text, never HTML
            trim_blocks=True,
            lstrip_blocks=True,
            # The sources are held here: they do not change.
            auto_reload=False,
        )
        for name, source in sources.items():
            try:
                self._environment.parse(source)
            except jinja2.TemplateSyntaxError as error:
                raise PromptError(
                    f"prompt {name}, line {error.lineno}: {error.message}; "
                    "templates are written in jinja2"
                ) from None
        self._names = frozenset(sources)
        digest = hashlib.sha256()
        for name in sorted(sources):
            digest.update(f"{name}\0{sources[name]}\0".encode())
        self.hash: str = digest.hexdigest()[:16]
        """Of every template in use: what the players are told is part of a visit's key."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every template's name, sorted: `en/doctor/system.jinja2`."""
        return tuple(sorted(self._names))

    def render(self, language: str, role: str, purpose: str, **context: object) -> str:
        """Render one template, without white space around it.

        Raises:
            PromptError: there is no such template, or it uses a variable that it was not given.
        """
        name = f"{language}/{role}/{purpose}{_SUFFIX}"
        if name not in self._names:
            raise PromptError(f"there is no prompt {name}{_nearest(name, self._names)}")
        try:
            return self._environment.get_template(name).render(context).strip()
        except jinja2.TemplateNotFound as error:
            raise PromptError(f"prompt {name} includes {error.name}, which is not there") from None
        except jinja2.TemplateError as error:
            given = ", ".join(sorted(context)) or "nothing"
            raise PromptError(f"prompt {name}: {error.message}; it is given {given}") from None


def _read(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(root.rglob(f"*{_SUFFIX}")):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def _read_overlay(overlay: Path, known: list[str]) -> dict[str, str]:
    if not overlay.is_dir():
        raise PromptError(
            f"{overlay} is not a directory; give one with files such as {known[0]} in it"
        )
    sources = {}
    for path in sorted(overlay.rglob("*")):
        name = path.relative_to(overlay)
        if path.is_dir() or any(part.startswith(".") for part in name.parts):
            continue
        if name.as_posix() not in known:
            raise PromptError(f"{path} overlays no prompt{_nearest(name.as_posix(), known)}")
        try:
            sources[name.as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise PromptError(f"{path} is not UTF-8; save it as UTF-8") from None
    return sources


def _nearest(name: str, known: frozenset[str] | list[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    return f"; the nearest are {', '.join(near)}" if near else f", which are {sorted(known)[0]} …"
