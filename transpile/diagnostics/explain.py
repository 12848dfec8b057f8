"""Explanations of diagnostics for `hot2tf explain` and docs/diagnostics.md: each rule with a wrong example, a right
example, and the source of the rule.

Explanations are data (`explanations/<hundred>xx.yaml`). A test runs each example: the wrong one must trigger the code,
and the right one must not. `python -m transpile.diagnostics.explain` prints the page.
"""

from __future__ import annotations

import functools
import pathlib
import re
import shlex
import sys
import textwrap
from typing import TYPE_CHECKING, Any, Final

import yaml

from transpile.diagnostics import registry
from transpile.diagnostics.rules import RULES
from transpile.model.records import EMPTY, node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = pathlib.Path(__file__).parent / "explanations"
COMMANDS = ("convert", "fmt", "check", "home", "adopt", "config")
CONFIGURATION = "hot2tf.toml"  # the text of examples for config
INVENTORY = "inventory.yaml"  # of examples for home
EXPORT, TEMPLATE, ANSWERS = "export.json", "stack.yaml", "answers.json"  # of examples for adopt
SPECIFICATION = "HOT specification"
HUNDREDS = {
    "1": "Reading",
    "2": "Names",
    "3": "Meaning",
    "4": "Mapping of resource types",
    "5": "No exact equivalent in the target",
    "6": "Likely mistakes",
    "7": "Differences in TOSCA, and running stacks",
    "8": "Plug-ins, mappings of your own, and homing",
    "9": "Internal errors and files",
}
INTRO = """\
# Diagnostics

Every message about a template has a code, and every code has a name: HOT404 is `only-at-run-time`. With an `error`,
nothing is written. A `warning` means that something is lost or has a different meaning. An `info` is worth knowing, and
nothing is lost. With `--strict`, warnings count as errors. `hot2tf explain CODE` shows the same text in a terminal.

Each code has the smallest example that triggers it, and the same template without the mistake. If an example needs more
than the command `hot2tf convert stack.yaml`, the command is shown.

`python -m transpile.diagnostics.explain` generates this page from `rules/` and `explanations/`.
"""


class ExplanationError(ValueError):
    """An explanation is malformed."""


@node
class Example:
    """A template and the options that it is run with.

    `environments` and `files`: texts by name, next to the template; later environments win. `command`: one of COMMANDS.
    `to`, `hot_version`, `tosca_version`, `prefer`, `render` and `drift`: its options, empty for the default. `options`:
    further ones of the target.
    """

    template: str
    environments: Mapping[str, str] = EMPTY
    parameters: Mapping[str, str] = EMPTY
    files: Mapping[str, str] = EMPTY
    command: str = "convert"
    to: str = ""
    hot_version: str = ""
    prefer: str = ""
    render: Mapping[str, str] | None = None
    tosca_version: str = ""
    options: Mapping[str, str] = EMPTY
    drift: str = ""

    @property
    def name(self) -> str:
        """The file name of the template; of an adoption, of the export."""
        if self.command in ("adopt", "config"):
            return EXPORT if self.command == "adopt" else CONFIGURATION
        if self.render is not None:
            return "stack.j2.yaml"
        return "stack.json" if self.template.startswith("{") and not self.template.startswith("{%") else "stack.yaml"

    @property
    def texts(self) -> dict[str, str]:
        """All files by name, the template first."""
        return {self.name: self.template, **self.environments, **self.files}

    @property
    def line(self) -> str:
        """The command line."""
        words = ["hot2tf", self.command, *([self.name] if self.command != "config" else [])]
        words += ["--inventory", INVENTORY] if self.command == "home" else []
        if self.command == "adopt":
            given = {"--template": TEMPLATE, "--answers": ANSWERS}
            words += [word for option, name in given.items() if name in self.files for word in (option, name)]
        words += ["--drift"] if self.drift else []
        words += ["--to", self.to] if self.to else []
        words += ["--hot-version", self.hot_version] if self.hot_version else []
        words += ["--prefer", self.prefer] if self.prefer else []
        for name, value in (self.render or {}).items():
            words += ["--render", f"{name}={value}"]
        words += ["--tosca-version", self.tosca_version] if self.tosca_version else []
        for name, value in self.options.items():
            words += ["--option", f"{name}={value}"]
        for name in self.environments:
            words += ["-e", name]
        for name, value in self.parameters.items():
            words += ["--parameter", f"{name}={value}"]
        return shlex.join(words)


@node
class Explanation:
    """The explanation of a code, in addition to its rule.

    `wrong` and `right` are None if no text can show the problem; `note` then gives the reason. `quote`: a quotation
    from the specification, from the section in `source`; without a quote, `source` says where the rule comes from.
    """

    code: str
    source: str
    quote: str = ""
    note: str = ""
    wrong: Example | None = None
    right: Example | None = None

    @property
    def origin(self) -> str:
        """The source of the rule, as a sentence."""
        return f'{SPECIFICATION}, {self.source}: "{self.quote}"' if self.quote else self.source


# reading

OF_EXAMPLES: Final = frozenset(Example.__annotations__)
OF_EXPLANATIONS: Final = frozenset({"wrong", "right", "source", "note"})


@functools.cache
def hundred(digit: str) -> Mapping[str, Explanation]:
    """The explanations of the codes with this first digit. Raises ExplanationError if one is malformed."""
    path = HERE / f"{digit}xx.yaml"
    if digit not in HUNDREDS or not path.exists():
        return {}
    return {code: read(code, given) for code, given in yaml.safe_load(path.read_text(encoding="utf-8")).items()}


def find(code: str) -> Explanation | None:
    """The explanation of a code, or None."""
    return hundred(code[3:4]).get(code)


def every() -> Iterator[Explanation]:
    """All explanations, by code."""
    for digit in HUNDREDS:
        yield from sorted(hundred(digit).values(), key=lambda e: e.code)


def read(code: str, given: Any) -> Explanation:
    """Reads an explanation from its data. Keys next to `wrong` and `right` apply to both."""
    check(code, given, OF_EXPLANATIONS | OF_EXAMPLES)
    both = {key: value for key, value in given.items() if key in OF_EXAMPLES}
    wrong, right = (example(code, both, given[key]) if key in given else None for key in ("wrong", "right"))
    if (wrong is None) != (right is None) or (wrong is None and (both or "note" not in given)):
        raise ExplanationError(f"{code}: give both examples, or a note that says why there are none")
    source, note = given.get("source"), text(code, given.get("note", ""))
    if isinstance(source, dict):
        check(code, source, frozenset({"section", "quote"}))
        words = text(code, source.get("section")), text(code, source.get("quote"))
    else:
        words = text(code, source), ""
    return Explanation(code, *words, note, wrong, right)


def example(code: str, both: Mapping[str, Any], given: Any) -> Example:
    given = {"template": given} if isinstance(given, str) else given
    check(code, given, OF_EXAMPLES)
    found: dict[str, Any] = {**both, **given}
    for key, value in found.items():
        if key in ("environments", "parameters", "files", "render", "options"):
            check(code, value, frozenset(value))
            for inner in value.values():
                text(code, inner)
        else:
            text(code, value)
    if "template" not in found or found.get("command", "convert") not in COMMANDS:
        raise ExplanationError(f"{code}: an example needs a template and one of the commands {', '.join(COMMANDS)}")
    return Example(**found)


def check(code: str, given: Any, known: frozenset[str]) -> None:
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise ExplanationError(f"{code}: {given!r} is not a map")
    if unknown := set(given) - known:
        raise ExplanationError(f"{code}: {', '.join(sorted(unknown))} is not a known key")


def text(code: str, given: Any) -> str:
    if not isinstance(given, str):
        raise ExplanationError(f"{code}: {given!r} is not a string")
    return given


# showing


def as_text(code: str) -> str:
    """A rule and its explanation for a terminal. Raises KeyError for an unknown code."""
    rule, found = registry.known(code), find(code)
    if rule is None:
        raise KeyError(code)
    parts = [" ".join(filter(None, (rule.code, rule.name, f"({rule.severity}): {rule.title}"))), rule.why]
    parts += [rule.hint] if rule.hint else []
    if found is not None:
        parts += [found.note] if found.note else []
        for word, one in (("Wrong", found.wrong), ("Right", found.right)):
            if one is not None:
                parts.append(f"{word}: {one.line}" if unusual(found) else f"{word}:")
                parts += in_terminal(one)
        parts.append(f"Source: {found.origin}")
    elif owner := registry.owner(code):
        parts.append(f"Source: {owner}.")
    return "\n\n".join(parts) + "\n"


def in_terminal(one: Example) -> Iterator[str]:
    for name, content in one.texts.items():
        shown = textwrap.indent(content.rstrip("\n"), "    ")
        yield shown if name == one.name else f"  {name}:\n\n{shown}"


def unusual(found: Explanation) -> bool:
    """Whether an example needs another command than `hot2tf convert stack.yaml`, or options."""
    plain = {f"hot2tf convert {one.name}" for one in (found.wrong, found.right) if one is not None}
    return not {one.line for one in (found.wrong, found.right) if one is not None} <= plain


def as_markdown() -> str:
    """The page docs/diagnostics.md."""
    parts = [INTRO.rstrip("\n")]
    for digit, title in HUNDREDS.items():
        codes = sorted(code for code in RULES if code[3] == digit)
        parts += [f"## {digit}xx: {escaped(title)}"] if codes else []
        for code in codes:
            parts += section(code)
    return "\n\n".join(parts) + "\n"


def section(code: str) -> Iterator[str]:
    rule, found = RULES[code], find(code)
    yield f"### {code}"
    yield f"**{escaped(rule.title)}** ({rule.severity}, `{rule.name}`)"
    yield escaped(" ".join(filter(None, (rule.why, rule.hint))))
    if found is None:
        return
    if found.note:
        yield escaped(found.note)
    for word, one in (("Wrong", found.wrong), ("Right", found.right)):
        if one is not None:
            yield f"{word}, with `{one.line}`:" if unusual(found) else f"{word}:"
            for name, content in one.texts.items():
                if name != one.name:
                    yield f"`{name}`:"
                yield f"```{name.rpartition('.')[2]}\n{content.rstrip()}\n```"
    yield f"Source: {escaped(found.origin)}"


def escaped(prose: str) -> str:
    """Escapes prose for Markdown."""
    return re.sub(r"([\\`*\[\]<])", r"\\\1", prose)


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
