"""Renders Jinja2 sources (`*.j2.yaml`) to templates whose places are those of the sources.

Invariant: nothing is rendered unless `--render` asks for it, and every failure is a diagnostic at its line. Rendering
runs in another process (`transpile.text.sandbox`), within the limits of `transpile.guarded`.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, final

import yaml

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.text.source import JINJA_NAMES, LIMIT, Root, UnreadableFile, from_bytes, lone_surrogate, read_bytes
from transpile.text.yaml_loader import FastLoader

KEY = r"[A-Za-z_]\w*"
ROLE_FILES = ("defaults/main.yml", "defaults/main.yaml", "vars/main.yml", "vars/main.yaml")
SHORT = 10_000  # characters: a shorter text cannot be nested too deep for libyaml
SECONDS = 5.0  # of computing, for one source


class WrongValue(ValueError):
    """The argument of `--render` is neither KEY=VALUE nor a file of values."""


class NotRendered(Exception):
    """A source that cannot be rendered; `diagnostic` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def parse_values(arguments: Iterable[str]) -> dict[str, Any]:
    """The values of `--render`: KEY=VALUE, the value as YAML reads it, or the name of a file with a map of values.

    Later ones win. Raises WrongValue.
    """
    values: dict[str, Any] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        try:
            if equals and re.fullmatch(KEY, key):
                values[key] = load_yaml(value)
                continue
            document = load_yaml(from_bytes(read_bytes(pathlib.Path(argument), LIMIT), argument, Budget()).text)
        except UnreadableFile as e:
            raise WrongValue(f"--render takes KEY=VALUE or a file of values, not {argument!r}: {e.detail}") from None
        except (yaml.YAMLError, ValueError, RecursionError):
            raise WrongValue(f"--render {argument!r}: this is not valid YAML") from None
        if not isinstance(document, dict) or not all(isinstance(k, str) for k in document):
            raise WrongValue(f"--render {argument!r}: a file of values must be a map")
        values |= document
    try:
        json.dumps(values)
    except (TypeError, ValueError):
        raise WrongValue("--render: values must be strings, numbers, booleans, null, lists or maps") from None
    return values


def load_yaml(text: str) -> Any:
    """A value in YAML. libyaml recurses in C, and overflows the stack for documents that Python's own reader
    refuses.
    """
    return yaml.load(text, FastLoader if len(text) < SHORT else yaml.SafeLoader)


@final
class Renderer:
    """Renders Jinja2 sources with the values of the user; `values` is None if nothing is to be rendered."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.values = values

    def render_template(self, source: Source, root: Root, *, any_name: bool = False) -> Source:
        """The rendered template, or the source itself if it is not Jinja2. Raises NotRendered."""
        if self.values is None or not (any_name or source.name.endswith(JINJA_NAMES)):
            return source
        # Jinja2 makes all line ends "\n"; its line numbers must fit the source.
        source = Source(source.name, re.sub("\r\n?", "\n", source.text), budget=source.budget)
        role_values = read_role_values(source, root)
        request = {
            "text": source.text,
            "values": {**(role_values or {}), **self.values},
            "in_role": role_values is not None,
            "directory": root.directory,
            "base": root.base,
            "allow": list(root.allow),
            "trusting": root.trusting,
        }
        answer = run_sandbox(request, source.budget)
        for name in answer.get("reads", ()):
            with contextlib.suppress(UnreadableFile):
                root.read_file(name)  # so that this process, too, knows which files were read
        if "error" in answer:
            message = f"Rendering failed: {' '.join(str(answer['error']).split()).rstrip('.')}."
            raise NotRendered(
                Diagnostic(codes.JINJA_CANNOT_BE_RENDERED, message, source, span_of_line(source, answer["line"]))
            )
        text = answer["text"]
        if lone_surrogate(text) >= 0:
            raise NotRendered(
                Diagnostic(
                    codes.JINJA_CANNOT_BE_RENDERED, "Rendering failed: the result is not UTF-8.", source, Span(0, 0)
                )
            )
        return Source(source.name, text, (source, [tuple(place) for place in answer["places"]]), budget=source.budget)


def read_role_values(source: Source, root: Root) -> dict[str, Any] | None:
    """The values that a role of Ansible gives its templates (`roles/NAME/templates/…`): its defaults, and its
    variables, which win. None for a source that is in no role. Raises NotRendered if a file of them cannot be read.
    """
    parts = pathlib.Path(root.base).absolute().parts if root.base and not root.remote else ()
    if "templates" not in parts:
        return None
    above = "../" * (1 + parts[::-1].index("templates"))
    values: dict[str, Any] = {}
    is_role = False
    for name in ROLE_FILES:
        try:
            text = root.read_file(f"{above}{name}").decode_text()
        except UnreadableFile:
            continue
        is_role = True
        try:
            document = load_yaml(text)
            json.dumps(document)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError):
            why = f"Rendering failed: {name} of the role has more than plain values in YAML."
            raise NotRendered(Diagnostic(codes.JINJA_CANNOT_BE_RENDERED, why, source, Span(0, 0))) from None
        if isinstance(document, dict):
            values |= {key: value for key, value in document.items() if isinstance(key, str)}
    return values if is_role else None


def run_sandbox(request: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """The answer of the sandbox, see `transpile.text.sandbox`; it has the key `error` if rendering failed.

    Each source gets a process of its own: a source that finds a way out of Jinja2's sandbox must not reach another.
    """
    from transpile.guarded.process import GuardExceeded, ask  # few need it

    left = budget.limits["jinja"] - budget.spent["jinja"]
    if left <= 0:
        why = f"the limit jinja of {budget.limits['jinja']:,} milliseconds is used up"
        return {"error": why, "line": 1}
    try:
        answer = ask("transpile.text.sandbox", request, min(SECONDS, left / 1000), shared=False)
    except GuardExceeded as e:
        budget.spent["jinja"] += e.milliseconds
        return {"error": str(e), "line": 1}
    budget.spent["jinja"] += answer.milliseconds
    content: dict[str, Any] = answer.content
    return content


def span_of_line(source: Source, number: int) -> Span:
    """The span of a line, counted from 1, without surrounding blanks."""
    lines = source.text.split("\n")
    number = max(1, min(number, len(lines)))
    start, text = sum(len(line) + 1 for line in lines[: number - 1]), lines[number - 1]
    return Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))
