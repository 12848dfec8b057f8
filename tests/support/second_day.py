"""The actions on a stack on the second day after its adoption, and the expectations from before the run.

Invariant: an action that breaks a rule of benchmarks/second_day.yaml is refused, with its stack and the reason.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from tests.support.live_stacks import PLAN, ManifestError
from transpile.model.records import EMPTY

FILE = pathlib.Path(__file__).parents[2] / "benchmarks" / "second_day.yaml"
ACTIONS = ("grow", "shrink", "parameter", "image", "add by hand", "move", "move into a module", "destroy a member")
WAYS = ("set", "edit", "write", "destroy", "rename", "wrap")
KEYS = frozenset(("do", "plan", "destroyed", "api", *WAYS))
NOTHING = "0 to add, 0 to change, 0 to destroy"
WRITTEN = "by_hand.tf"
WRAPPED = "whole"  # the module that everything is moved into
ADDRESS = re.compile(r"module\.\w+|(?!data\.)\w+\.\w+")


class Action(NamedTuple):
    """One change by hand. way, what: how it is made. plan: the counts of its plan; for a destroyed member, of the plan
    that makes it again. destroyed: how many resources go with the member. api: the objects that the services show
    afterwards, by kind.
    """

    name: str
    way: str
    what: Any
    plan: str
    destroyed: int
    api: Mapping[str, Mapping[str, Any]]


def read_actions(file: pathlib.Path = FILE) -> dict[str, list[Action]]:
    """The actions by stack. Raises ManifestError."""
    body = yaml.safe_load(file.read_text())
    return {stack: [read_action(stack, entry) for entry in entries] for stack, entries in body.items()}


def read_action(stack: str, entry: Mapping[str, Any]) -> Action:
    ways = [way for way in WAYS if way in entry]
    if unknown := set(entry) - KEYS:
        raise ManifestError(f"{stack}: unknown keys: {', '.join(sorted(unknown))}")
    if entry.get("do") not in ACTIONS or len(ways) != 1:
        raise ManifestError(f"{stack}: an action is one of {', '.join(ACTIONS)}, made by one of {', '.join(WAYS)}")
    plan = entry.get("plan", NOTHING)
    if PLAN.fullmatch(plan) is None:
        raise ManifestError(f"{stack}: {plan!r} is not as Terraform writes a plan")
    if ("destroy" in ways) != ("destroyed" in entry):
        raise ManifestError(f"{stack}: only a destroyed member has a number of objects that are destroyed with it")
    return Action(
        entry["do"], ways[0], entry[ways[0]], plan, entry.get("destroyed", 0),         entry.get("api", EMPTY),
    )  # fmt: skip


# the ways in which a configuration is changed by hand


def edit(directory: pathlib.Path, changes: Mapping[str, Mapping[str, str]]) -> None:
    """Replaces texts in files. Raises ManifestError if one is not there."""
    for name, pairs in changes.items():
        text = (directory / name).read_text()
        for old, new in pairs.items():
            pattern = r" +".join(map(re.escape, old.split()))  # `terraform fmt` aligns the equals signs
            if re.search(pattern, text) is None:
                raise ManifestError(f"{name} has no {old!r}")
            text = re.sub(pattern, new.replace("\\", r"\\"), text)
        (directory / name).write_text(text)


def rename(directory: pathlib.Path, pairs: Mapping[str, str]) -> None:
    """Gives resources and calls of modules of the root other names, with `moved` blocks."""
    for old, new in pairs.items():
        (kind, name), (_, other) = old.rsplit(".", 1), new.rsplit(".", 1)
        label = f'module "{name}"' if kind == "module" else f'resource "{kind}" "{name}"'
        count = 0
        for path in directory.glob("*.tf"):
            text = path.read_text()
            count += text.count(f"{label} {{")
            text = text.replace(f"{label} {{", label.replace(f'"{name}"', f'"{other}"') + " {")
            path.write_text(re.sub(rf"(?<![\w.]){re.escape(old)}\b", new, text))
        if not count:
            raise ManifestError(f"there is no {old}")
        append(directory, write_moved(old, new))


def wrap(directory: pathlib.Path, addresses: Sequence[str]) -> None:
    """Moves the whole configuration into a module. addresses: of the state."""
    module = directory / WRAPPED
    module.mkdir()
    for path in list(directory.iterdir()):
        if path.suffix in (".tf", ".tftpl") or (path.is_dir() and path.name in ("modules", "files", "templates")):
            path.rename(module / path.name)
    texts = {path.name: path.read_text() for path in sorted(module.glob("*.tf"))}
    (directory / "versions.tf").write_text(texts["versions.tf"])
    variables = [block for text in texts.values() for block in re.findall(r"(?ms)^variable \".*?^\}$", text)]
    names = [re.findall(r'"(\w+)"', block)[0] for block in variables]
    (directory / "variables.tf").write_text("\n\n".join(variables) + "\n")
    passed = "".join(f"  {name} = var.{name}\n" for name in names)
    (directory / "main.tf").write_text(f'module "{WRAPPED}" {{\n  source = "./{WRAPPED}"\n{passed}}}\n')
    tops = dict.fromkeys(match[0] for address in addresses if (match := ADDRESS.match(address)) is not None)
    for top in tops:
        append(directory, write_moved(top, f"module.{WRAPPED}.{top}"))
    for path in module.glob("*.tf"):  # a module cannot have the first two, and moved resources have moved
        path.write_text(re.sub(r"(?ms)^(provider|import|moved)\b.*?^\}$", "", path.read_text()))


def write_moved(old: str, new: str) -> str:
    return f"moved {{\n  from = {old}\n  to   = {new}\n}}\n"


def append(directory: pathlib.Path, text: str) -> None:
    with (directory / WRITTEN).open("a") as file:
        file.write(f"\n{text.rstrip()}\n")


# answers of the services


def compare_objects(
    api: Mapping[str, Mapping[str, Any]], objects_by_kind: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[str]:
    """The differences from the expected objects of each kind: `count`, and values that all objects of the kind have."""
    for kind, expected in api.items():
        objects = objects_by_kind[kind]
        for path, value in expected.items():
            if path == "count":
                if len(objects) != value:
                    yield f"{kind}: {len(objects)} objects, and not {value}"
                continue
            for item in objects:
                if (live := look_up(item, path)) != value:
                    yield f"{kind} {item.get('id')}: {path} is {live!r}, and not {value!r}"


def look_up(item: Any, path: str) -> Any:
    """The value at a dotted path."""
    for step in path.split("."):
        item = item.get(step) if isinstance(item, dict) else None
    return item
