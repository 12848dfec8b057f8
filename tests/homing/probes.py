"""The questions that were asked of HAS, if they are there, and the verdict that follows from the texts and its answer.

HOT2TF_SHARED names a directory with `homing/probes.jsonl`: each line a template, the verdict of the texts (`spec`:
accepts, refuses, silent), and the answer of HAS (`answer`).
"""

from __future__ import annotations

import ast
import dataclasses
import json
import pathlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import yaml

from tests.support import oracles
from transpile.diagnostics.model import Diagnostic
from transpile.homing import availability, inventory, resolve
from transpile.model.budget import Budget
from transpile.model.source import Source

FOLDER = oracles.SHARED / "homing"
ERROR, WARNING, CLEAN = "error", "warning", "clean"

# Where the verdict is another one on purpose: why, and the probes.
NAMED = {
    "HAS takes it and ignores it, or reads it otherwise than the texts: a warning says so": """
        param-23 demand-31 demand-34 demand-37 demand-39 demand-42 attr-01 attr-04 attr-05 attr-06 attr-07 attr-08
        attr-09 attr-10 attr-11 threshold-type-01 zone-01 zone-05 zone-06 fit-14 opt-10 opt-44 gopt-05 gopt-21 gopt-28
        resv-01 resv-04 resv-09 func-02 constraint-31 version-16 loc-24""",
    "HAS takes a range, and then drops every candidate: a warning": "thr-28 thr-29 thr-30 thr-31 thr-37 dbd-07",
    "an exact or negative distance, which no place has: a warning": """
        thr-01 thr-11 thr-12 thr-13 thr-21 thr-44 thr-46 thr-47 thr-48 thr-49 thr-50 thr-51 thr-91""",
    "deferred in the texts, so accepted and said": "loc-16 constraint-04",
    "a note of the texts allows the name, which HAS refuses: a warning": "zone-08",
    "it has no meaning, although HAS takes it: an error": "param-24 thr-53 thr-54 threshold-type-13",
    "HAS fails while it solves, but the meaning is clear: a warning": "fit-06 fit-10 fit-13",
    "an empty section counts as absent, under both its names": "resv-12",
    "a restriction of the texts that HAS does not have": "opt-03 opt-04",
    "the same template as another one, with another inventory": "demand-53",
}
DELIBERATE = {why: names.split() for why, names in NAMED.items()}
# Verdicts that depend on the inventory: without one the template is clean.
ONLY_INVENTORY = (
    "loc-11 demand-13 demand-14 demand-15 demand-17 demand-18 demand-43 demand-56 demand-57 demand-64 demand-68"
)
OF_INVENTORY = frozenset(ONLY_INVENTORY.split())


@dataclasses.dataclass(frozen=True)
class Probe:
    """One question."""

    question: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.question["id"])

    @property
    def accepted(self) -> bool:
        return bool(self.question["answer"]["accepts"])

    @property
    def fails(self) -> bool:
        """Whether HAS refuses it, or fails while it solves it."""
        return not self.accepted or (self.question["answer"].get("solve") or {}).get("status") == "error"

    @property
    def expected(self) -> tuple[str, ...]:
        """The verdicts that follow: a template that neither accepts is an error, one that only one of them accepts is a
        warning. Where the texts are silent and HAS refuses, it depends on whether the meaning is clear.
        """
        spec = self.question["spec"]
        if spec == "refuses":
            return (ERROR,) if self.fails else (WARNING,)
        if not self.fails:
            return (CLEAN,)
        return (WARNING,) if spec == "accepts" else (WARNING, ERROR)

    @cached_property
    def text(self) -> str:
        """The template, or the request around it."""
        template = self.question["template"]
        text = template if isinstance(template, str) else json.dumps(template)
        if not self.question.get("as_string") and self.question.get("files") is None:
            return text
        request: dict[str, Any] = {"name": "probe", "template": text}
        if not self.question.get("as_string"):
            request["template"] = yaml.load(text, Loader=yaml.BaseLoader)
        if self.question.get("files") is not None:
            request["files"] = self.question["files"]
        return json.dumps(request)

    def diagnostics(self, engine: str = "", stock: inventory.Inventory | None = None) -> list[Diagnostic]:
        linked, template_diagnostics = resolve.load_homing_template(
            Source(self.id, self.text, budget=Budget()), self.question.get("parameters") or {}, None, engine
        )
        return (
            template_diagnostics
            if linked is None or stock is None
            else [*template_diagnostics, *availability.check_availability(linked, stock, engine)]
        )

    def verdict(self, engine: str = "", stock: inventory.Inventory | None = None) -> str:
        severities = {diagnostic.severity for diagnostic in self.diagnostics(engine, stock)}
        return ERROR if "error" in severities else WARNING if "warning" in severities else CLEAN


def read(folder: pathlib.Path = FOLDER) -> list[Probe]:
    """All of them; none if they are not there."""
    path = folder / "probes.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [Probe(json.loads(line)) for line in lines]


def stock(folder: pathlib.Path = FOLDER) -> inventory.Inventory | None:
    """The inventory that the questions were asked with: a literal in the program that asked."""
    path = folder / "oracle" / "homing_oracle.py"
    if not path.is_file():
        return None
    constants: dict[str, Any] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            try:
                constants[statement.targets[0].id] = value(statement.value, constants)
            except ValueError:
                continue
    stock_inventory, diagnostics = inventory.read_inventory(
        Source("inventory.json", json.dumps(constants["DEFAULT_INVENTORY"]), budget=Budget())
    )
    assert not diagnostics
    return stock_inventory


def value(node: ast.expr, constants: Mapping[str, Any]) -> Any:
    """A literal in which names of others stand."""
    if isinstance(node, ast.Name) and node.id in constants:
        return constants[node.id]
    if isinstance(node, ast.List):
        return [value(item, constants) for item in node.elts]
    if isinstance(node, ast.Dict):
        out: dict[str, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            out |= value(item, constants) if key is None else {ast.literal_eval(key): value(item, constants)}
        return out
    return ast.literal_eval(node)
