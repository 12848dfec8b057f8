"""Reads the stacks that are run on a real cloud: templates in folders, each with a manifest of expectations.

Invariant: a manifest that breaks a rule of benchmarks/stacks/README.md is refused, with its path and the reason.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import yaml

STACKS = pathlib.Path(__file__).parents[2] / "benchmarks" / "stacks"
ADOPT, CONVERT = "adopt", "convert"
WAYS = (ADOPT, CONVERT)
KEYS = frozenset(
    (
        *("proves", "template", "environments", "parameters", "update", "prefer", "lost", "codes", "heat"),
        *("refused", "steps"),
    )
)
PLAN = re.compile(r"(?:(\d+) to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy")
SIGNS = {  # of the numbers to add, to change and to destroy that a step of this name has; * is any number
    "grow": "+*0",
    "shrink": "0*+",
    "change": "0+0",
    "replace": "+*+",
}


class ManifestError(Exception):
    """A manifest is not as it should be."""


class LiveStep(NamedTuple):
    """A change of parameters, after which the plan must have these counts."""

    name: str
    values: Mapping[str, Any]
    plan: str


class LiveStack(NamedTuple):
    """A template with its expectations.

    plans: of the first plan, by way. update: parameters of an update by Heat before the adoption. lost: resources
    whose objects are deleted behind Heat's back before it. codes: diagnostics that the conversion must give. heat: the
    resources that must stay with Heat, by way, and no others. refused: the error of the first plan of an adoption.
    """

    name: str
    proves: str
    template: pathlib.Path
    environments: Sequence[str]
    parameters: Mapping[str, str]
    update: Mapping[str, str]
    prefer: str | None
    lost: Sequence[str]
    codes: Sequence[str]
    heat: Mapping[str, Sequence[str]]
    refused: str
    plans: Mapping[str, str]
    steps: Sequence[LiveStep]


def read_stacks(folder: pathlib.Path = STACKS, only: Sequence[str] = ()) -> list[LiveStack]:
    """The stacks of a folder by name, or those of `only`. Raises ManifestError."""
    paths = {path.parent.name: path for path in sorted(folder.glob("*/manifest.yaml"))}
    if unknown := [name for name in only if name not in paths]:
        raise ManifestError(f"there is no stack {', '.join(unknown)}; there are {', '.join(paths)}")
    return [read_stack(paths[name]) for name in (only or paths)]


def read_stack(path: pathlib.Path) -> LiveStack:
    """Reads one manifest. Raises ManifestError."""
    body = yaml.safe_load(path.read_text())
    if unknown := set(body) - KEYS - set(WAYS):
        raise ManifestError(f"{path}: unknown keys: {', '.join(sorted(unknown))}")
    plans = {way: check_plan(path, body[way]) for way in WAYS if way in body}
    if not plans or "proves" not in body:
        raise ManifestError(f"{path}: it has no {'plan' if not plans else 'proves'}")
    template = path.parent / body.get("template", "template.yaml")
    environments = [str(path.parent / name) for name in body.get("environments", ())]
    if missing := [str(file) for file in (template, *environments) if not pathlib.Path(file).exists()]:
        raise ManifestError(f"{path}: there is no {missing[0]}")
    return LiveStack(
        path.parent.name, body["proves"], template, environments, body.get("parameters", {}), body.get("update", {}),
        body.get("prefer"), body.get("lost", ()), body.get("codes", ()), read_kept(body.get("heat", [])),
        body.get("refused", ""), plans, [read_step(path, entry) for entry in body.get("steps", ())],
    )  # fmt: skip


def read_step(path: pathlib.Path, entry: Mapping[str, Any]) -> LiveStep:
    names = set(entry) - {"plan"}
    if len(names) != 1 or not names <= set(SIGNS):
        raise ManifestError(f"{path}: a step is one of {', '.join(SIGNS)}, and not {', '.join(sorted(names))}")
    name = names.pop()
    plan = check_plan(path, entry.get("plan"))
    match = PLAN.fullmatch(plan)
    assert match is not None
    for sign, count in zip(SIGNS[name], match.groups()[1:], strict=True):
        if sign != "*" and (sign == "0") != (count == "0"):
            raise ManifestError(f"{path}: {plan!r} is no plan of the step {name}")
    return LiveStep(name, entry[name], plan)


def read_kept(kept: dict[str, list[str]] | list[str]) -> dict[str, list[str]]:
    """The resources that stay with Heat, by way: a list is for both ways."""
    return {way: sorted(kept.get(way, []) if isinstance(kept, dict) else kept) for way in WAYS}


def check_plan(path: pathlib.Path, plan: object) -> str:
    """Returns the counts of a plan. Raises ManifestError if these are no counts of Terraform's."""
    if not isinstance(plan, str) or PLAN.fullmatch(plan) is None:
        raise ManifestError(
            f"{path}: {plan!r} is not as Terraform writes a plan: '1 to add, 0 to change, 0 to destroy'"
        )
    return plan
