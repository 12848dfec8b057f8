"""A directory's parts → its files.

The easy rule to break: the order is the template's. A file that would be empty is not written, and nothing is added
here that the parts do not hold.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from emitters.hcl.assemble import capabilities, comments, tfvars, variables
from emitters.hcl.assemble.outputs import mark
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.resources.keys import depend
from emitters.hcl.tree.nodes import Argument, Block, Note, Object
from emitters.hcl.tree.printer import document
from transpile import targets
from transpile.diagnostics.model import Diagnostic, sentence
from transpile.diagnostics.rules import RULES
from transpile.targets import Output

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory

Item = Argument | Block | Note
WIDTH = 96  # columns of a comment
PROVIDERS = {
    "cloudinit": ("hashicorp/cloudinit", "~> 2.3"),
    "openstack": ("terraform-provider-openstack/openstack", "~> 3.4"),
    "random": ("hashicorp/random", "~> 3.6"),
    "time": ("hashicorp/time", "~> 0.12"),
}


def assemble(directory: Directory) -> Output:
    """The files of the contract; empty ones are left out."""
    for embedded in directory.embedded:
        embedded.finish()
        directory.main += [*embedded.beside, embedded.block]
    for call in directory.made_calls:
        call.named()
        call.outside()
    regional(directory)
    depend(directory)
    reasons(directory)
    mark(directory)
    order(directory)
    variable_blocks = variables.write(directory)
    values, diagnostics = tfvars.write(directory) if directory.module is None else ({}, [])  # who calls it gives them
    files: dict[str, list[Item]] = {
        "variables.tf": list(variable_blocks),
        "locals.tf": locals_of(directory),
        "data.tf": list(directory.data),
        "main.tf": list(directory.main),
        "outputs.tf": list(directory.outputs),
    }
    capabilities.note(directory)
    comments.put(directory, files)
    if head := [*wrapped((directory.template.description or "").strip()), *capabilities.declared(directory.template)]:
        files["main.tf"].insert(0, Note([f" {line}" if line else "" for line in head]))
    out: dict[str, str | bytes] = {name: document(items) for name, items in files.items() if items}
    out["versions.tf"] = document([versions(directory)])
    out |= values
    out |= directory.files
    for embedded in directory.embedded:
        out[embedded.file] = targets.load("hot").show(embedded.template())
    return Output(dict(sorted(out.items())), report(directory), [*directory.sink.found, *diagnostics, *kept(directory)])


def regional(directory: Directory) -> None:
    """Whatever is made, or looked for, in the region that a module is called for."""
    region = directory.region()
    if region is None:
        return
    for item in (*directory.main, *directory.data):
        if isinstance(item, Block) and item.labels and item.labels[0].startswith("openstack_"):
            first = sum(isinstance(a, Argument) and a.name in ("count", "for_each") for a in item.body)
            item.body.insert(first, Argument("region", region))


def versions(directory: Directory) -> Block:
    block = Block("terraform")
    block.set("required_version", ">= 1.5")
    needed = set(directory.providers)
    if any(
        isinstance(b, Block) and b.labels and b.labels[0].startswith("openstack_")
        for b in (*directory.main, *directory.data)
    ):
        needed.add("openstack")
    if needed:
        inner = block.block("required_providers")
        for name in sorted(needed):
            source, version = PROVIDERS[name]
            inner.set(name, Object((("source", source), ("version", version))))
    return block


def locals_of(directory: Directory) -> list[Item]:
    """One `locals` block: conditions and mappings first, as the template has them, then what was lifted."""
    if not directory.locals:
        return []
    first = [directory.mappings[n] for n in directory.template.mappings] + [
        directory.conditions[n] for n in directory.template.conditions
    ]
    known = set(first)
    ordered = [n for n in first if n in directory.locals] + [n for n in directory.locals if n not in known]
    block = Block("locals")
    block.body += [directory.locals[name] for name in ordered]
    return [block]


def order(directory: Directory) -> None:
    """Blocks in the order of the template; those beside a resource stay behind it."""
    place = {id(block): index for index, block in enumerate(directory.main)}
    at = {name: resource.at for name, resource in directory.template.resources.items()}

    def rank(item: Item) -> tuple[int, int]:
        owner = directory.owner_of.get(id(item))
        return (
            at.get(owner, 1 << 60)
            if owner is not None
            else item.at
            if isinstance(item, Block) and item.at >= 0
            else 1 << 60
        ), place[id(item)]

    directory.main.sort(key=rank)


def reasons(directory: Directory) -> None:
    """Comments above the `depends_on` that Heat's plug-ins ask for."""
    for item in directory.main:
        if isinstance(item, Block) and id(item) in directory.reasons:
            for argument in item.body:
                if isinstance(argument, Argument) and argument.name == "depends_on":
                    argument.comments += [f" {why}." for why in dict.fromkeys(directory.reasons[id(item)])]


def kept(directory: Directory) -> list[Diagnostic]:
    """A diagnostic for each resource and output that stays with Heat."""
    out = []
    for name, reason in directory.plan.heat.items():
        output = name.removeprefix(OUTPUT) if name.startswith(OUTPUT) else None
        address = directory.embedded[directory.plan.group_of[name]].address
        if name in directory.plan.readers:
            message = sentence(f"{reason.why}; Heat does, in {address}")
            out.append(Diagnostic(reason.code, message, directory.template.source, max(reason.at, 0), reason.end))
            continue
        what = (
            f"Output {output}" if output is not None else f"Resource {name} ({directory.template.resources[name].type})"
        )
        code = reason.code if RULES[reason.code].severity != "error" else "HOT450"
        out.append(
            Diagnostic(
                code,
                f"{what} stays with Heat, in {address}: {reason.why}.",
                directory.template.source,
                max(reason.at, 0),
                reason.end,
            )
        )
        if output is None and (release := directory.plan.retired(name)):
            resource = directory.template.resources[name]
            out.append(
                Diagnostic(
                    "HOT454",
                    f"Heat does nothing for {resource.type} since it was retired (last described by Heat {release}).",
                    directory.template.source,
                    resource.type_at,
                    resource.type_at + len(resource.type),
                )
            )
    for name in directory.template.resources:
        kind, release = directory.plan.kinds[name], directory.plan.retired(name)
        if release and kind is not None and kind.treatment != "embedded" and not directory.plan.embeds(name):
            resource = directory.template.resources[name]
            message = f"Heat does nothing for {resource.type} since it was retired (last described by Heat {release})"
            end = resource.type_at + len(resource.type)
            out.append(
                Diagnostic(
                    "HOT454", f"{message}; Terraform makes it.", directory.template.source, resource.type_at, end
                )
            )
    return out


def wrapped(text: str) -> list[str]:
    """The lines of a text, long ones broken at blanks; a line without blanks stays as it is."""
    return [
        part
        for line in text.splitlines()
        for part in textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    ]


def report(directory: Directory) -> dict[str, Any]:
    template, found = directory.template, directory.report
    capabilities.account(directory)
    for name in template.conditions:
        found.conditions.setdefault(name, {"why": "nothing that Terraform makes asks for it"})
    for name in template.outputs:
        found.outputs.setdefault(name, {})
    for reader, name in directory.plan.readers.items():
        read = found.resources.pop(reader).attributes
        if name:
            found.resources[name].attributes |= read
    found.resources = {name: found.resources[name] for name in template.resources if name in found.resources}
    return found.as_json()
