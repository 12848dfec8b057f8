"""Converts templates with values in every form (`forms.py`) and returns the outcome of each.

A case is fine, refused, invalid for terraform, an internal error by its code, or a traceback. With real Heat, a refusal
is wrong if Heat would create the stack.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import transpile
from tests.support import forms, oracles, planning
from transpile.model.records import EMPTY
from transpile.text import output

FINE, REFUSED, WRONGLY_REFUSED, INVALID, TRACEBACK = (
    "fine",
    "refused",
    "refused, but Heat takes it",
    "invalid",
    "traceback",
)
INTERNAL = ("HOT900", "HOT910")
AT_ONCE = 150  # modules of one root


class Outcome(NamedTuple):
    """The outcome of a case. files: the output, if it is right."""

    case: forms.Case
    kind: str
    why: str = ""
    files: Mapping[str, str | bytes] = EMPTY


def convert_case(case: forms.Case, folder: pathlib.Path, prefer: str) -> Outcome:
    """Converts one case. folder: where its files are written."""
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        done = transpile.convert(folder / "root.yaml", prefer=prefer, root=folder)
    except Exception:
        return Outcome(case, TRACEBACK, traceback.format_exc()[-600:])
    errors = [d for d in done.diagnostics if d.severity == "error"]
    if not errors:
        return Outcome(case, FINE, "", dict(done.files))
    why = f"{errors[0].code} {errors[0].message}"
    kind = next((error.code for error in errors if error.code in INTERNAL), REFUSED)
    if kind == REFUSED and oracles.has_heat and takes(case):
        kind = WRONGLY_REFUSED
    return Outcome(case, kind, why)


def takes(case: forms.Case) -> bool:
    """Whether real Heat would create the stack, with invented values for its parameters."""
    files = {name: text for name, text in case.files.items() if name != "root.yaml"}
    return bool(oracles.ask(op="validate", level="create", body=case.files["root.yaml"], files=files)["ok"])


def convert_cases(cases: Iterable[forms.Case], prefer: str) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory() as name:
        for case in cases:
            yield convert_case(case, pathlib.Path(name), prefer)


def validate(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The same outcomes; those whose output real terraform refuses are invalid."""
    waiting: list[Outcome] = []
    for outcome in outcomes:
        if outcome.kind != FINE:
            yield outcome
            continue
        waiting.append(outcome)
        if len(waiting) == AT_ONCE:
            yield from validate_together(waiting)
            waiting = []
    yield from validate_together(waiting)


def validate_together(outcomes: list[Outcome]) -> Iterator[Outcome]:
    """Validates outputs as modules of one root."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        labels = {f"m{number}": outcome for number, outcome in enumerate(outcomes)}
        for label, outcome in labels.items():
            output.write_directory(root / label, dict(outcome.files))
        planning.write_root_of_modules(root, list(labels))
        wrong: dict[str, str] = {}
        for error in oracles.invalid(root):
            where = json.dumps(error.get("range")) + str(error.get("address")) if isinstance(error, dict) else ""
            match = re.search(r"\bm\d+\b", where)
            why = f"{error['summary']}: {error['detail']}" if isinstance(error, dict) else error
            wrong.setdefault(match[0] if match else "m0", why)
        for label, outcome in labels.items():
            yield outcome._replace(kind=INVALID, why=wrong[label]) if label in wrong else outcome
