"""A repository with one stack, and the calls in it, without a conversion."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Mapping
from typing import Any

from tests.repository.trees import tree
from transpile.call_sites.model import CallReplacement
from transpile.call_sites.search import CallSearch, search_calls
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.terraform_commands import StackLocation
from transpile.repository.plan import StackPlan
from transpile.rewrite.edits import apply_edits

WEB, PROD = "heat/web.yaml", "heat/prod.env"
FACTS: Mapping[str, Any] = {
    "is_converted": True,
    "variables": {"key": "key", "size": "size", "image-id": "image_id", "zones": "zones", "on": "on"},
    "outputs": {"ip": ("ip", "string"), "pools": ("pools", "list"), "any": ("any", ""), "flag": ("flag", "bool")},
    "types": {
        "key": "string",
        "size": "number",
        "image-id": "string",
        "zones": "comma_delimited_list",
        "on": "boolean",
        "unused": "string",
    },
    "hidden": frozenset({"key"}),
}


def stack(environments: tuple[str, ...] = (), output: str = "web", template: str = WEB, **facts: Any) -> StackFacts:
    """A stack of the plan that was converted."""
    location = facts.pop("location", StackLocation(output))
    return StackFacts(StackPlan(template, environments, name=output, output=output), location, **{**FACTS, **facts})


def search(
    where: pathlib.Path, files: Mapping[str, str | bytes], *stacks: StackFacts, dest: str = "terraform"
) -> CallSearch:
    """The calls in a tree that has these files, and the template and the environment of the stack."""
    present = {WEB: "", PROD: ""}
    tree(where, {**present, **files})
    every = stacks or (stack(),)
    templates = sorted({each.plan.template for each in every})
    environments = sorted({PROD, *(path for each in every for path in each.plan.environments)})
    return search_calls(str(where), every, templates, environments, dest=dest)


def rewrite(where: pathlib.Path, path: str, text: str, *stacks: StackFacts, dest: str = "terraform") -> str:
    """A file after its edits. Its patch gives the same in git."""
    search_result = search(where, {path: text.encode()}, *stacks, dest=dest)
    edits = [edit for site in search_result.sites if site.path == path for edit in site.edits]
    after = apply_edits(text, edits)
    if edits:
        subprocess.run(["git", "init", "-q", str(where)], check=True)
        subprocess.run(["git", "apply", "-"], cwd=where, input=search_result.patch.encode(), check=True)
        assert (where / path).read_bytes().decode() == after
    return after


def reasons(where: pathlib.Path, path: str, text: str, *stacks: StackFacts) -> list[str]:
    """Why each call of a file is left; empty for one that is rewritten."""
    return [site.reason for site in search(where, {path: text}, *stacks).sites if site.path == path]


def listed(sites: list[CallReplacement]) -> list[tuple[int, str, str]]:
    return [(site.line, site.action, site.name) for site in sites]
