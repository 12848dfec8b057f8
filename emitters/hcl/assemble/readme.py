"""Writes the README.md of a directory: its prerequisites, the resources that stay with Heat, its inputs and outputs.

Invariant: every statement in it is also in the files, and no value of a hidden parameter is in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl.assemble import example
from emitters.hcl.assemble.markdown import code, table, text
from emitters.hcl.assemble.origin import named
from emitters.hcl.tree.nodes import Argument, Block
from emitters.hcl.tree.printer import flat
from transpile.report import templates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from emitters.hcl.assemble.origin import Origin
    from emitters.hcl.emission import Emission
    from emitters.hcl.tree.nodes import Expr, Note

NAME = "README.md"
LONGEST = 60  # characters of a default value
NAMED = 8  # variables or resources that are named one by one in a sentence
SSH = "ssh_user"


def page(emission: Emission, variables: Iterable[Block | Note], report: Mapping[str, Any], origin: Origin) -> str:
    """The whole text. variables: the items of variables.tf. report: the report of the root with its modules. origin:
    the command that makes the files.
    """
    stack = emission.unit.stack
    source = named(stack.template.source.name)
    inputs = [one for one in variables if isinstance(one, Block)]
    outputs = [one for one in emission.blocks.outputs if isinstance(one, Block)]
    running = emission.unit.live
    title = running.adoption.live.name if running is not None else source
    lines = [origin.html(), "", f"# {text(title or 'Heat template')}", ""]
    if stack.template.description:
        lines += [text(stack.template.description), ""]
    tested = any("runs" in one for one in report.get("tests", {}).values())
    lines += [made(emission, origin, tested=tested), ""]
    for title, body in (
        ("Before the first plan", before(inputs, report)),
        ("What stays with Heat", kept(report)),
        ("Inputs", inputs_table(inputs, report)),
        ("Outputs", outputs_table(outputs)),
    ):
        if body:
            lines += [f"## {title}", "", *body, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def made(emission: Emission, origin: Origin, *, tested: bool) -> str:
    """A paragraph about how the directory was made. tested: there are tests."""
    if (live := emission.unit.live) is not None:
        stack = live.adoption.live
        named_ = f"{text(stack.name)} ({code(stack.id)})"
        return f"Made with {code('hot2tf adopt')} from the running stack {named_}; ADOPT.md says how to take it over."
    codes = (
        f"Comments that begin with a code, such as HOT401, say what differs from Heat; {code('hot2tf explain CODE')}"
    )
    tests = f" {code('terraform test')} checks what the files mean, without a cloud." if tested else ""
    return f"Made with hot2tf: {code(origin.commands[0])}. {codes} says more.{tests}"


def before(inputs: list[Block], report: Mapping[str, Any]) -> list[str]:
    """A list of the things to do before the first plan."""
    out = []
    if any(resource["treatment"] != "folded" for one in templates(report) for resource in one["resources"].values()):
        out.append(f"- Credentials: {code('OS_CLOUD')} names a cloud of clouds.yaml.")
    if asked := report.get("asks", ()):
        number = f"{len(asked)} variables have" if len(asked) > 1 else "One variable has"
        out.append(f"- {number} no value: copy {code(example.NAME)} to {code(example.COPY)}, and fill it in.")
    if any(block.labels[0] == SSH for block in inputs):
        out.append("- Terraform logs in to servers over SSH: it must reach them, with the key that they know.")
    return out


def kept(report: Mapping[str, Any]) -> list[str]:
    """The section about resources that stay with Heat, by stack, with the reasons; empty if there are none."""
    stacks: dict[str, list[str]] = {}
    reasons: dict[str, None] = {}
    for one in templates(report):
        for name, resource in one["resources"].items():
            if resource["treatment"] == "embedded":
                for address in resource["addresses"][:1]:
                    stacks.setdefault(address, []).append(name)
                if why := resource.get("kept", {}).get("why"):
                    reasons[f"{resource['type']}: {why}"] = None
        for address, beside in one.get("heat", {}).items():
            stacks.setdefault(address, [])
            reasons[str(beside["why"])] = None
    if not stacks:
        return []
    lines = ["Heat must run in the cloud, and the user must be allowed to create stacks (role `heat_stack_owner`)."]
    rows = [(code(address), listed(names) or "reads or computes values") for address, names in stacks.items()]
    lines += ["", *table(("stack", "resources"), rows), ""]
    lines += [f"- {text(why)}." for why in list(reasons)[:NAMED]]
    if len(reasons) > NAMED:
        lines.append(f"- {len(reasons) - NAMED} more reasons are in the comments above the stacks.")
    for prefer, names in report.get("freed", {}).items():
        lines += ["", f"{code(f'--prefer {prefer}')} would free {listed(names)}."]
        break
    return lines


def inputs_table(inputs: list[Block], report: Mapping[str, Any]) -> list[str]:
    asked = set(report.get("asks", ()))
    rows = []
    for block in inputs:
        given = {one.name: one.value for one in block.body if isinstance(one, Argument)}
        secret = given.get("sensitive") is True
        default = ""
        if "default" in given:
            shown = flat(given["default"])
            default = "(hidden)" if secret and given["default"] is not None else code(shown)
            if len(shown) > LONGEST and not secret:
                default = f"see {code('variables.tf')}"
        elif block.labels[0] not in asked:
            default = f"set in {code('terraform.tfvars')}"
        kind = flat(given.get("type")) if "type" in given else "any"
        kind = code(kind) if len(kind) <= LONGEST else f"object, see {code('variables.tf')}"
        rows.append((code(block.labels[0]), described(given), kind, default or "**required**"))
    return table(("name", "description", "type", "default"), rows) if rows else []


def outputs_table(outputs: list[Block]) -> list[str]:
    rows = []
    for block in outputs:
        given = {one.name: one.value for one in block.body if isinstance(one, Argument)}
        words = described(given)
        rows.append((code(block.labels[0]), f"{words} (sensitive)".strip() if "sensitive" in given else words))
    return table(("name", "description"), rows) if rows else []


def described(given: Mapping[str, Expr]) -> str:
    words = given.get("description")
    return text(words) if isinstance(words, str) else ""


def listed(names: Iterable[str]) -> str:
    """Names as code: the first few, and the number of the others."""
    every = list(names)
    shown = ", ".join(map(code, every[:NAMED]))
    return f"{shown} and {len(every) - NAMED} more" if len(every) > NAMED else shown
