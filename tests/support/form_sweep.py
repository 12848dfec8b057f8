"""Converts templates with values in every form (`tests/support/forms.py`) and counts what becomes of them.

    python -m benchmarks.forms --share 0.01 --validate --bad bad.jsonl

A case is fine, refused, invalid for terraform, an internal error by its code, or a traceback. With real Heat
(HOT2TF_HEAT_PYTHON, HOT2TF_SHARED), a refusal is wrong if Heat would create the stack. With --validate, real terraform
validates what is written, as modules of one root each. The whole of it are about 400,000 cases; a share of 0.01 takes
about a minute without terraform. The exit status is 0 whatever the figures are.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import random
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
    """What became of a case. files: the output, if it is fine."""

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.01, help="of all cases (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other cases (default: %(default)s)")
    parser.add_argument("--types", default="", help="only types with this in their names")
    parser.add_argument("--prefer", default="faithful", help="as for convert (default: %(default)s)")
    parser.add_argument("--validate", action="store_true", help="with real terraform, too")
    parser.add_argument("--bad", type=pathlib.Path, help="a file for the cases that are neither fine nor refused")
    arguments = parser.parse_args()
    cases = forms.every_case(random.Random(arguments.seed), arguments.share, arguments.types)
    outcomes = convert_cases(cases, arguments.prefer)
    if arguments.validate:
        outcomes = validate(outcomes)
    counts: collections.Counter[str] = collections.Counter()
    with pathlib.Path(arguments.bad or os.devnull).open("w", encoding="utf-8") as bad:
        for outcome in outcomes:
            counts[outcome.kind] += 1
            if outcome.kind not in (FINE, REFUSED):
                name, files = outcome.case
                row = {"case": name, "what": outcome.kind, "why": outcome.why, "files": files}
                print(json.dumps(row), file=bad, flush=True)
    for kind, number in counts.most_common():
        print(f"{number:8} {kind}")
