"""Explanations of diagnostics for `hot2tf explain` and docs/diagnostics.md: each rule with a wrong example, a right
example, and the source of the rule.

Explanations are data (`explanations/<hundred>xx.yaml`). A test runs each example: the wrong one must trigger the code,
and the right one must not. `transpile/cli/diagnostics_page.py` prints the page.
"""

from __future__ import annotations

import functools
import pathlib
import shlex
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from transpile.diagnostics import registry
from transpile.model.records import EMPTY, node

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
    def file_name(self) -> str:
        """The file name of the template; of an adoption, of the export."""
        if self.command in ("adopt", "config"):
            return EXPORT if self.command == "adopt" else CONFIGURATION
        if self.render is not None:
            return "stack.j2.yaml"
        return "stack.json" if self.template.startswith("{") and not self.template.startswith("{%") else "stack.yaml"

    @property
    def all_files(self) -> dict[str, str]:
        """All files by name, the template first."""
        return {self.file_name: self.template, **self.environments, **self.files}

    @property
    def command_line(self) -> str:
        """The command line."""
        words = ["hot2tf", self.command, *([self.file_name] if self.command != "config" else [])]
        words += ["--inventory", INVENTORY] if self.command == "home" else []
        if self.command == "adopt":
            file_options = {"--template": TEMPLATE, "--answers": ANSWERS}
            words += [word for option, name in file_options.items() if name in self.files for word in (option, name)]
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
    def source_sentence(self) -> str:
        """The source of the rule, as a sentence."""
        return f'{SPECIFICATION}, {self.source}: "{self.quote}"' if self.quote else self.source


# reading

OF_EXAMPLES: Final = frozenset(Example.__annotations__)
OF_EXPLANATIONS: Final = frozenset({"wrong", "right", "source", "note"})


@functools.cache
def load_explanations(digit: str) -> Mapping[str, Explanation]:
    """The explanations of the codes with this first digit. Raises ExplanationError if one is malformed."""
    path = HERE / f"{digit}xx.yaml"
    if digit not in HUNDREDS or not path.exists():
        return {}
    return {
        code: read_explanation(code, entry) for code, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    }


def find_explanation(code: str) -> Explanation | None:
    """The explanation of a code, or None."""
    return load_explanations(code[3:4]).get(code)


def list_explanations() -> Iterator[Explanation]:
    """All explanations, by code."""
    for digit in HUNDREDS:
        yield from sorted(load_explanations(digit).values(), key=lambda e: e.code)


def read_explanation(code: str, entry: Any) -> Explanation:
    """Reads an explanation from its data. Keys next to `wrong` and `right` apply to both."""
    check_entry_keys(code, entry, OF_EXPLANATIONS | OF_EXAMPLES)
    shared_fields = {key: value for key, value in entry.items() if key in OF_EXAMPLES}
    wrong, right = (
        read_example(code, shared_fields, entry[key]) if key in entry else None for key in ("wrong", "right")
    )
    if (wrong is None) != (right is None) or (wrong is None and (shared_fields or "note" not in entry)):
        raise ExplanationError(f"{code}: give both examples, or a note that says why there are none")
    source, note = entry.get("source"), require_string(code, entry.get("note", ""))
    if isinstance(source, dict):
        check_entry_keys(code, source, frozenset({"section", "quote"}))
        words = require_string(code, source.get("section")), require_string(code, source.get("quote"))
    else:
        words = require_string(code, source), ""
    return Explanation(code, *words, note, wrong, right)


def read_example(code: str, shared_fields: Mapping[str, Any], entry: Any) -> Example:
    entry = {"template": entry} if isinstance(entry, str) else entry
    check_entry_keys(code, entry, OF_EXAMPLES)
    fields: dict[str, Any] = {**shared_fields, **entry}
    for key, value in fields.items():
        if key in ("environments", "parameters", "files", "render", "options"):
            check_entry_keys(code, value, frozenset(value))
            for inner in value.values():
                require_string(code, inner)
        else:
            require_string(code, value)
    if "template" not in fields or fields.get("command", "convert") not in COMMANDS:
        raise ExplanationError(f"{code}: an example needs a template and one of the commands {', '.join(COMMANDS)}")
    return Example(**fields)


def check_entry_keys(code: str, entry: Any, allowed_keys: frozenset[str]) -> None:
    if not isinstance(entry, dict) or not all(isinstance(key, str) for key in entry):
        raise ExplanationError(f"{code}: {entry!r} is not a map")
    if unknown := set(entry) - allowed_keys:
        raise ExplanationError(f"{code}: {', '.join(sorted(unknown))} is not a known key")


def require_string(code: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ExplanationError(f"{code}: {value!r} is not a string")
    return value


# showing


def explain_code(code: str) -> str:
    """A rule and its explanation for a terminal. Raises KeyError for an unknown code."""
    rule, explanation = registry.find_code_rule(code), find_explanation(code)
    if rule is None:
        raise KeyError(code)
    parts = [" ".join(filter(None, (rule.code, rule.name, f"({rule.severity}): {rule.title}"))), rule.why]
    parts += [rule.hint] if rule.hint else []
    if explanation is not None:
        parts += [explanation.note] if explanation.note else []
        for word, example in labelled_examples(rule.severity, explanation):
            if example is not None:
                parts.append(f"{word}: {example.command_line}" if needs_options(explanation) else f"{word}:")
                parts += indent_example(example)
        parts.append(f"Source: {explanation.source_sentence}")
    elif owner := registry.code_owner(code):
        parts.append(f"Source: {owner}.")
    return "\n\n".join(parts) + "\n"


def labelled_examples(severity: str, explanation: Explanation) -> tuple[tuple[str, Example | None], ...]:
    """The examples of an explanation and their labels. Only an error says that a template is wrong: a resource that
    stays with Heat, or a difference in Terraform, may be intended.
    """
    with_finding, without = ("Wrong", "Right") if severity == "error" else ("With this finding", "Without it")
    return (with_finding, explanation.wrong), (without, explanation.right)


def indent_example(example: Example) -> Iterator[str]:
    for name, content in example.all_files.items():
        indented = textwrap.indent(content.rstrip("\n"), "    ")
        yield indented if name == example.file_name else f"  {name}:\n\n{indented}"


def needs_options(explanation: Explanation) -> bool:
    """Whether an example needs another command than `hot2tf convert stack.yaml`, or options."""
    plain = {
        f"hot2tf convert {example.file_name}"
        for example in (explanation.wrong, explanation.right)
        if example is not None
    }
    return (
        not {example.command_line for example in (explanation.wrong, explanation.right) if example is not None} <= plain
    )
