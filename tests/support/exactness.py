"""Compares HCL with Heat: converts expressions, applies them together with terraform, and compares the values.

Terraform computes one side. The other side is Heat's answer, or the answer of the interpreter that is tested against
Heat. The comparison includes types. Terraform starts slowly, so each conversion becomes a module of one configuration
that is applied once.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import transpile
from tests.support import oracles
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.text import output

DIFFERS = frozenset(  # codes that say that the value may differ
    ["HOT305", *(f"HOT5{n}" for n in (71, 72, 73, 74, 75, 76, 77, 78, 79, 83))]
)
BATCH = 120  # modules in one terraform run; the time grows faster than their number
CULPRIT = re.compile(r"on (m\d+)/|module\.(m\d+)|in module \"(m\d+)\"")  # finds the module that an error belongs to
KINDS = EXACT, SAID, HEAT, CLOUD, REFUSED, WRONG = "exact", "said", "Heat", "cloud", "refused", "wrong"


@dataclasses.dataclass(frozen=True)
class Question:
    """An output of a template, and Heat's value for it.

    `parameters` are known at conversion; `values` are parameter values that only terraform gets. `functions` are the
    functions that the question counts for.
    """

    name: str
    body: str
    output: str
    expected: Any
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    functions: tuple[str, ...] = ()


class Failed(NamedTuple):
    """The error that terraform reported instead of a value."""

    why: str


class Verdict(NamedTuple):
    """The verdict on a question. `codes` say why it is not exact; `value` is terraform's value; `same` tells whether it
    equals Heat's.
    """

    kind: str
    codes: tuple[str, ...] = ()
    value: Any = None
    same: bool = True


@dataclasses.dataclass
class Row:
    """The verdicts on one function, with the codes for each kind."""

    kinds: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    codes: dict[str, collections.Counter[str]] = dataclasses.field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        self.kinds[verdict.kind] += 1
        self.codes.setdefault(verdict.kind, collections.Counter()).update(verdict.codes)

    def cells(self) -> list[str]:
        """The cells of the table: numbers and codes."""
        out = [str(self.kinds.total())]
        for kind in KINDS:
            codes = sorted(self.codes.get(kind, ())) if kind not in (EXACT, CLOUD) else []
            out.append(" ".join([str(self.kinds[kind]), *codes]) if self.kinds[kind] else "")
        return out


def table(asked: Iterable[Question], verdicts: Mapping[str, Verdict]) -> list[str]:
    """A Markdown table with a row for each function, and one for all questions."""
    rows: dict[str, Row] = {}
    for question in asked:
        for name in (*(f"`{function}`" for function in question.functions), "~"):
            rows.setdefault(name, Row()).add(verdicts[question.name])
    rows["all"] = rows.pop("~", Row())
    lines = [
        "| function | probes | exact | may differ (reported) | stays with Heat | needs a cloud | refused | wrong |"
    ]
    lines.append("|" + "---|" * (2 + len(KINDS)))
    lines += [f"| {' | '.join([name, *row.cells()])} |" for name, row in sorted(rows.items())]
    return [" ".join(line.split()) for line in lines]


def judge(questions: Sequence[Question], where: pathlib.Path) -> dict[str, Verdict]:
    """The verdict on each question, by name. `where` is a directory for terraform, and may be deleted afterwards."""
    verdicts: dict[str, Verdict] = {}
    asked: list[tuple[Question, transpile.Conversion, tuple[str, ...]]] = []
    for question in questions:
        done = converted(question)
        codes = tuple(sorted({d.code for d in done.diagnostics}))
        written = done.report["outputs"].get(question.output, {})
        if not done.ok:
            verdicts[question.name] = Verdict(REFUSED, tuple(d.code for d in done.diagnostics if d.severity == "error"))
        elif "why" in written or "openstack_orchestration_stack_v1" in text_of(done, "main.tf"):
            verdicts[question.name] = Verdict(HEAT, reasons(done))
        elif "required_providers" in text_of(done, "versions.tf"):
            verdicts[question.name] = Verdict(CLOUD, codes)
        else:
            asked.append((question, done, tuple(c for c in codes if c in DIFFERS)))
    for at in range(0, len(asked), BATCH):
        batch = asked[at : at + BATCH]
        modules = {f"m{i}": module(question, done) for i, (question, done, _) in enumerate(batch)}
        values = applied(modules, where / str(at))
        for i, (question, _, codes) in enumerate(batch):
            value = values[f"m{i}"]
            good = not isinstance(value, Failed) and same(question.expected, value)
            kind = SAID if codes else EXACT if good else WRONG
            verdicts[question.name] = Verdict(kind, codes, value, good)
    return {question.name: verdicts[question.name] for question in questions}


def converted(question: Question) -> transpile.Conversion:
    """The conversion. Parameters come from an environment, which has types as in Heat's API."""
    environments = [json.dumps({"parameters": question.parameters}) + "\n"] if question.parameters else []
    with tempfile.TemporaryDirectory() as name:
        for path, text in question.files.items():
            (pathlib.Path(name) / path).write_text(text, encoding="utf-8")
        return transpile.convert(question.body, environments=environments, root=name)


def reasons(done: transpile.Conversion) -> tuple[str, ...]:
    """Why something stays with Heat: the codes of values that HCL cannot express, else the code for a type without an
    equivalent.
    """
    codes = {d.code for d in done.diagnostics if " stays with Heat" in d.message}
    return tuple(sorted(codes or {d.code for d in done.diagnostics if d.code.startswith("HOT45")}))


def text_of(done: transpile.Conversion, name: str) -> str:
    content = done.files.get(name, "")
    return content if isinstance(content, str) else content.decode("utf-8")


# terraform


class Module(NamedTuple):
    """A terraform directory, its variable values, and the output to read."""

    files: Mapping[str, str | bytes]
    values: Mapping[str, Any]
    arguments: str
    output: str


def module(question: Question, done: transpile.Conversion) -> Module:
    """The module for a conversion. Parameters without a value are null, because nothing reads them."""
    variables = done.report["parameters"]
    template, _ = templates.read_template(Source("template", question.body, budget=Budget()))
    assert template is not None
    values = {
        variables[name]["variable"]: question.values.get(name)
        for name, param in template.parameters.items()
        if "variable" in variables[name]
        and (name in question.values or (param.default is None and name not in question.parameters))
    }
    arguments = text_of(done, "terraform.tfvars")
    if "OS::stack_name" in variables or "AWS::StackName" in variables:
        values["stack_name"] = "stack"
    return Module(done.files, values, arguments, done.report["outputs"][question.output]["output"])


def applied(modules: Mapping[str, Module], where: pathlib.Path) -> dict[str, Any]:
    """The value of each module's output, or its error."""
    values_by_module: dict[str, Any] = {}
    left = dict(modules)
    for attempt in range(len(modules) + 1):
        if not left:
            break
        folder = where / str(attempt)
        write(left, folder)
        values, failures = run(folder)
        culprits = {name: Failed(why) for name, why in failures.items() if name in left}
        if values is not None:
            return values_by_module | {name: values.get(name) for name in left}
        if not culprits:  # terraform does not say which module caused the error
            if len(left) == 1:
                return values_by_module | {name: Failed("terraform breaks down") for name in left}
            names = sorted(left)
            halves = (names[: len(names) // 2], names[len(names) // 2 :])
            for i, half in enumerate(halves):
                values_by_module |= applied({name: left[name] for name in half}, where / f"{attempt}{'ab'[i]}")
            return values_by_module
        values_by_module |= culprits
        left = {name: called_module for name, called_module in left.items() if name not in culprits}
    return values_by_module


def write(modules: Mapping[str, Module], where: pathlib.Path) -> None:
    """Writes one configuration that calls all modules, with an output for each."""
    lines: list[str] = []
    for name, called_module in modules.items():
        assert output.write_directory(where / name, dict(called_module.files)) == []
        arguments = [
            f'{key} = jsondecode(file("${{path.module}}/{name}.json"))["{key}"]' for key in called_module.values
        ]
        (where / f"{name}.json").write_text(json.dumps(called_module.values), encoding="utf-8")
        lines += [f'module "{name}" {{', f'source = "./{name}"', *arguments, called_module.arguments, "}"]
        lines += [f'output "{name}" {{', f'value = module.{name}["{called_module.output}"]', "sensitive = true", "}"]
    (where / "main.tf").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(where: pathlib.Path) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """The outputs of a configuration (None if it fails), and the errors of each module."""
    for command in (("init", "-input=false", "-no-color"), ("apply", "-auto-approve", "-input=false", "-no-color")):
        done = oracles.terraform(where, *command)
        if done.returncode:
            messages = done.stdout + done.stderr
            errors: dict[str, str] = {}
            for error in re.split("Error: ", messages)[1:]:
                if whose := CULPRIT.search(error):
                    errors.setdefault(next(filter(None, whose.groups())), " ".join(error.split()))
            return None, errors
    outputs = json.loads(oracles.terraform(where, "output", "-json").stdout)
    return {name: output_value["value"] for name, output_value in outputs.items()}, {}


# values


def same(heat: Any, terraform: Any) -> bool:
    """Whether two values are equal, types included. Numbers are compared as numbers, and keys as strings."""
    if isinstance(heat, bool) or isinstance(terraform, bool):
        return heat is terraform
    if isinstance(heat, (int, float)) and isinstance(terraform, (int, float)):
        return heat == terraform
    if isinstance(heat, dict) and isinstance(terraform, dict):
        theirs = {str(key): value for key, value in heat.items()}
        return theirs.keys() == terraform.keys() and all(same(theirs[key], terraform[key]) for key in theirs)
    if isinstance(heat, list) and isinstance(terraform, list):
        return len(heat) == len(terraform) and all(map(same, heat, terraform))
    return type(heat) is type(terraform) and bool(heat == terraform)
