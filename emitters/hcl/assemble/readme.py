"""Writes the README.md of a directory: its prerequisites, the resources that stay with Heat, its inputs and outputs.

Invariant: every statement in it is also in the files, and no value of a hidden parameter is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from emitters.hcl.assemble.origin import Origin, base_name
from emitters.hcl.assemble.ties import TYPE
from emitters.hcl.assemble.value_files import ValueFiles
from emitters.hcl.emission import Emission
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note
from emitters.hcl.tree.printer import print_inline
from transpile.model.records import node
from transpile.model.words import list_first
from transpile.report import template_reports
from transpile.text.markdown import escape_markdown_line, format_code, format_table

NAME = "README.md"
LONGEST = 60  # characters of a default value
NAMED = 8  # variables or resources that are named one by one in a sentence
SSH = "ssh_user"


@final
@node
class RunningParts:
    """The parts of a README that are about running stacks: a title, the origin of the directory, the steps before the
    first plan, and the use of environments. Empty for a new stack.
    """

    title: str = ""
    origin: str = ""
    preparations: Sequence[str] = ()
    environments: Sequence[str] = ()


def print_readme(
    emission: Emission,
    variables: Iterable[Block | Note],
    report: Mapping[str, Any],
    origin: Origin,
    value_files: ValueFiles,
    about: RunningParts,
    *,
    own_only: bool = False,
) -> str:
    """Prints the README.md. variables: the items of variables.tf. report: the report of the root with its modules.
    origin: the command that makes the files. value_files: those of the root. about: the parts about running stacks.
    """
    stack = emission.unit.stack
    source = base_name(stack.template.source.name)
    inputs = [item for item in variables if isinstance(item, Block)]
    outputs = [item for item in emission.blocks.outputs if isinstance(item, Block)]
    title = about.title or source or "Heat template"
    lines = [origin.make_html_comment(), "", f"# {escape_markdown_line(title)}", ""]
    if stack.template.description:
        lines += [escape_markdown_line(stack.template.description), ""]
    tested = any("runs" in test for test in report.get("tests", {}).values())
    lines += [about.origin or describe_origin(origin, tested=tested), ""]
    own = {"Resources that stay with Heat": describe_embedded(report), "Names in Heat": list_renamed(emission)}
    sections = {
        "Before the first plan": [*list_preparations(inputs, report, value_files), *about.preparations],
        "Environments": [*about.environments],
        "Resources that stay with Heat": own["Resources that stay with Heat"],
        "Inputs": format_inputs_table(inputs, report, value_files),
        "Outputs": format_outputs_table(outputs),
        "Names in Heat": own["Names in Heat"],
    }
    written = {title: body for title, body in (own if own_only else sections).items() if body}
    if own_only and not written:
        return ""
    for title, body in written.items():
        lines += [f"## {title}", "", *body, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def describe_origin(origin: Origin, *, tested: bool) -> str:
    """A paragraph about how the directory was made. tested: there are tests."""
    command = format_code("hot2tf explain CODE")
    codes = f"Comments that begin with a code, such as HOT401, say what differs from Heat; {command}"
    tests = (
        f" {format_code('terraform test')} checks the values that the files compute, without a cloud." if tested else ""
    )
    return f"Made with hot2tf: {format_code(origin.commands[0])}. {codes} says more.{tests}"


def list_preparations(inputs: list[Block], report: Mapping[str, Any], files: ValueFiles) -> list[str]:
    """A list of the things to do before the first plan."""
    out = []
    if any(
        resource["treatment"] != "folded"
        for template in template_reports(report)
        for resource in template["resources"].values()
    ):
        out.append(f"- Credentials: {format_code('OS_CLOUD')} names a cloud of clouds.yaml.")
    if (asked := report.get("asks", ())) and not files.environment:
        number = f"{len(asked)} variables have" if len(asked) > 1 else "One variable has"
        file, copy = format_code(files.example), format_code(files.copy)
        out.append(f"- {number} no value: copy {file} to {copy}, fill it in, and commit it. It has no secrets.")
    backend = report.get("backend", {})
    named = " and ".join(map(format_code, backend.get("credentials", ())))
    if files.environment and named:  # the section about the environments says where their states are
        out.append(f"- Credentials of the state: {named}.")
    elif backend and not files.environment:
        settings = format_code(backend["settings"])
        command = format_code(f"terraform init -backend-config={backend['settings']}")
        out.append(f"- State: {settings} says where it is{f'; credentials: {named}' * bool(named)}. Run {command}.")
    if any(block.labels[0] == SSH for block in inputs):
        out.append("- Terraform logs in to servers over SSH: it must reach them, with the key that they know.")
    return out


def describe_embedded(report: Mapping[str, Any]) -> list[str]:
    """The section about resources that stay with Heat, by stack, with the reasons; empty if there are none."""
    stacks: dict[str, list[str]] = {}
    reasons: dict[str, None] = {}
    for template in template_reports(report):
        for name, resource in template["resources"].items():
            if resource["treatment"] == "embedded":
                for address in resource["addresses"][:1]:
                    stacks.setdefault(address, []).append(name)
                if why := (kept := resource.get("kept", {})).get("why"):
                    by = f" ({kept['by']})" if kept.get("by", TYPE) != TYPE else ""  # the line begins with the type
                    reasons[f"{resource['type']}: {why}{by}"] = None
        for address, stack in template.get("heat", {}).items():
            stacks.setdefault(address, [])
            reasons[f"{stack['why']} ({stack['by']})" if "by" in stack else str(stack["why"])] = None
    if not stacks:
        return []
    lines = ["Heat must run in the cloud, and the user must be allowed to create stacks (role `heat_stack_owner`)."]
    rows = [
        (format_code(address), abbreviate_names(names) or "reads or computes values")
        for address, names in stacks.items()
    ]
    lines += ["", *format_table(("stack", "resources"), rows), ""]
    lines += [f"- {escape_markdown_line(why)}." for why in list(reasons)[:NAMED]]
    if len(reasons) > NAMED:
        lines.append(f"- {len(reasons) - NAMED} more reasons are in the comments above the stacks.")
    for prefer, names in report.get("freed", {}).items():
        lines += ["", f"{format_code(f'--prefer {prefer}')} would free {abbreviate_names(names)}."]
        break
    return lines


def format_inputs_table(inputs: list[Block], report: Mapping[str, Any], files: ValueFiles) -> list[str]:
    asked = set(report.get("asks", ()))
    rows = []
    for block in inputs:
        arguments = {argument.name: argument.value for argument in block.body if isinstance(argument, Argument)}
        secret = arguments.get("sensitive") is True
        default = ""
        if "default" in arguments:
            printed_default = print_inline(arguments["default"])
            default = "(hidden)" if secret and arguments["default"] is not None else format_code(printed_default)
            if len(printed_default) > LONGEST and not secret:
                default = f"see {format_code('variables.tf')}"
        elif files.environment:
            default = "**for each environment**"
        elif block.labels[0] not in asked:
            default = f"set in {format_code(files.values)}"
        kind = print_inline(arguments.get("type")) if "type" in arguments else "any"
        kind = format_code(kind) if len(kind) <= LONGEST else f"object, see {format_code('variables.tf')}"
        rows.append((format_code(block.labels[0]), format_description(arguments), kind, default or "**required**"))
    return format_table(("name", "description", "type", "default"), rows) if rows else []


def format_outputs_table(outputs: list[Block]) -> list[str]:
    rows = []
    for block in outputs:
        arguments = {argument.name: argument.value for argument in block.body if isinstance(argument, Argument)}
        words = format_description(arguments)
        rows.append(
            (format_code(block.labels[0]), f"{words} (sensitive)".strip() if "sensitive" in arguments else words)
        )
    return format_table(("name", "description"), rows) if rows else []


def list_renamed(emission: Emission) -> list[str]:
    """A table of the parameters and outputs that have another name because the user wants snake case."""
    if not emission.names.snake:
        return []
    kinds = (("parameter", "var.", emission.names.variables), ("output", "output.", emission.names.outputs))
    rows = [
        (kind, format_code(name), format_code(f"{prefix}{label}"))
        for kind, prefix, labels in kinds
        for name, label in labels.items()
        if name != label and label not in (emission.unused if kind == "parameter" else ())
    ]
    return format_table(("kind", "in Heat", "here"), rows) if rows else []


def format_description(arguments: Mapping[str, Expr]) -> str:
    words = arguments.get("description")
    return escape_markdown_line(words) if isinstance(words, str) else ""


def abbreviate_names(names: Iterable[str]) -> str:
    """Names as code: the first few, and the number of the others."""
    return list_first([*map(format_code, names)], NAMED)
