"""Assembles the files of a directory from its blocks.

Invariant: blocks are in template order, and empty files are not written.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from emitters.hcl.assemble import capabilities, comments, example, kept, tfvars, unused, variables
from emitters.hcl.assemble.depends_on import depend
from emitters.hcl.assemble.module_graph import Directory
from emitters.hcl.assemble.outputs import mark
from emitters.hcl.capability_comments import declared
from emitters.hcl.tree.nodes import Argument, Block, Note, Object
from emitters.hcl.tree.printer import document
from transpile.model.span import Span
from transpile.targets import Output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from emitters.hcl.assemble.origin import Origin
    from emitters.hcl.embed.stack import Embedded
    from emitters.hcl.emission import Emission
    from emitters.hcl.plan.modules import Module

Item = Argument | Block | Note
WIDTH = 96  # columns of a comment


def complete(emission: Emission, embedded: list[Embedded], modules: dict[Module | None, Directory]) -> None:
    """Completes the blocks of one directory, except for the order through modules, and adds it to `modules`. The
    modules that it calls must be there already.
    """
    for stack in embedded:
        stack.finish()
        emission.blocks.main += [*stack.beside, stack.block]
    for call in emission.calls:
        call.finish()
    regional(emission)
    inner = {f"module.{label}": modules[module] for label, module in emission.modules.items()}
    depend(emission, inner)
    if modules or emission.unit.module is not None:
        modules[emission.unit.module] = Directory(emission, inner)


def assemble(
    emission: Emission, embedded: list[Embedded], freed: Mapping[str, Collection[str]], origin: Origin
) -> tuple[Output, list[Block | Note]]:
    """The files, the report and the diagnostics of one directory, and its variables. freed: the resources that other
    preferences would free from Heat, by preference. origin: the command that makes the files.
    """
    first = origin.note(emission.unit.template.source.name if emission.unit.module is not None else "")
    for call in emission.calls:
        call.locate()
    unused.sweep(emission)
    reasons(emission)
    mark(emission)
    order(emission)
    variable_blocks = variables.write(emission)
    if emission.unit.module is not None:
        emission.unit.module.unused |= emission.unused
    values, diagnostics = (
        tfvars.write(emission, first) if emission.unit.module is None else ({}, [])
    )  # the callers of a module set its variables
    files: dict[str, list[Item]] = {
        "variables.tf": list(variable_blocks),
        "locals.tf": locals_of(emission),
        "providers.tf": list(emission.blocks.configurations),
        "data.tf": list(emission.blocks.data),
        "main.tf": list(emission.blocks.main),
        "outputs.tf": list(emission.blocks.outputs),
    }
    capabilities.note(emission)
    emission.log.names_made_up()
    comments.put(emission, embedded, files)
    if head := [
        *wrapped((emission.unit.template.description or "").strip()),
        *declared(emission.unit.template),
    ]:
        files["main.tf"].insert(0, Note([f" {line}" if line else "" for line in head]))
    files["versions.tf"] = [versions(emission)]
    out: dict[str, str | bytes] = {name: document([first, *items]) for name, items in files.items() if items}
    out |= values
    out |= emission.blocks.files
    for stack in embedded:
        out[stack.file] = stack.text()
        for name in (stack.file, *stack.kept.aliases.values()):
            emission.log.check_file(name, out[name], Span(*stack.place()))
    named = kept.report(emission, embedded, freed)
    body = report(emission)
    if named:
        body["freed"] = named
    if heat := kept.beside(emission, embedded):
        body["heat"] = heat
    if emission.unit.module is None and (asked := asks(emission, variable_blocks)):
        body["asks"] = asked
        blocks = [one for one in variable_blocks if isinstance(one, Block)]
        out[example.NAME] = example.text(first, blocks, asked)
    return Output(dict(sorted(out.items())), body, [*emission.log.found(), *diagnostics]), variable_blocks


def asks(emission: Emission, blocks: Iterable[Item]) -> list[str]:
    """The variables that have neither a default nor a value, so that Terraform asks for them."""
    stack = emission.unit.stack
    given = {emission.names.variables[n] for n in stack.given if not stack.template.parameters[n].hidden}
    if emission.unit.live is not None and tfvars.STACK_NAME in emission.variables:
        given.add(emission.variables.blocks[tfvars.STACK_NAME].labels[0])
    return [
        block.labels[0]
        for block in blocks
        if isinstance(block, Block)
        and block.type == "variable"
        and block.labels[0] not in given
        and not any(isinstance(a, Argument) and a.name == "default" for a in block.body)
    ]


def regional(emission: Emission) -> None:
    """Writes `region` into all resources and data sources of a module that has a variable for it."""
    region = emission.symbols.region()
    if region is None:
        return
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels and item.labels[0].startswith("openstack_"):
            first = sum(isinstance(a, Argument) and a.name in ("count", "for_each") for a in item.body)
            item.body.insert(first, Argument("region", region))


def versions(emission: Emission) -> Block:
    block = Block("terraform")
    block.set("required_version", ">= 1.5")
    sources, needed = emission.unit.tables.sources, providers(emission)
    if needed:
        inner = block.block("required_providers")
        for name in sorted(needed):
            source, version = sources[name]
            inner.set(name, Object((("source", source), *((("version", version),) if version else ()))))
    return block


def providers(emission: Emission) -> set[str]:
    """The names of the providers that a directory needs."""
    kinds = {
        b.labels[0].partition("_")[0]
        for b in (*emission.blocks.main, *emission.blocks.data)
        if isinstance(b, Block) and b.type in ("resource", "data")
    }
    return {*emission.blocks.providers, *(kinds & emission.unit.tables.sources.keys())}


def locals_of(emission: Emission) -> list[Item]:
    """One `locals` block: mappings and conditions in template order, then all other locals."""
    if not emission.blocks.locals:
        return []
    first = [emission.names.mappings[n] for n in emission.unit.template.mappings] + [
        emission.names.conditions[n] for n in emission.unit.template.conditions
    ]
    known = set(first)
    ordered = [n for n in first if n in emission.blocks.locals] + [n for n in emission.blocks.locals if n not in known]
    block = Block("locals")
    block.body += [emission.blocks.locals[name] for name in ordered]
    return [block]


def order(emission: Emission) -> None:
    """Sorts blocks into template order; auxiliary blocks stay after their main block."""
    place = {id(block): index for index, block in enumerate(emission.blocks.main)}
    at = {name: resource.at for name, resource in emission.unit.template.resources.items()}

    def rank(item: Item) -> tuple[int, int]:
        owner = emission.blocks.owner_of.get(id(item))
        return (
            at.get(owner, 1 << 60)
            if owner is not None
            else item.at
            if isinstance(item, Block) and item.at >= 0
            else 1 << 60
        ), place[id(item)]

    emission.blocks.main.sort(key=rank)


def reasons(emission: Emission) -> None:
    """Writes comments above each `depends_on` that comes from an implicit dependency."""
    for item in emission.blocks.main:
        if isinstance(item, Block) and id(item) in emission.ordering.reasons:
            for argument in item.body:
                if isinstance(argument, Argument) and argument.name == "depends_on":
                    argument.comments += [f" {why}." for why in dict.fromkeys(emission.ordering.reasons[id(item)])]


def wrapped(text: str) -> list[str]:
    """Wraps the lines of a text at spaces; a long word is not broken."""
    return [
        part
        for line in text.splitlines()
        for part in textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    ]


def report(emission: Emission) -> dict[str, Any]:
    template, found = emission.unit.template, emission.log.report
    capabilities.account(emission)
    for name in template.conditions:
        found.conditions.setdefault(name, {"why": unused.UNUSED})
    for name in template.outputs:
        found.outputs.setdefault(name, {})
    for reader, name in emission.unit.plan.readers.items():
        read = found.resources.pop(reader).attributes
        if name:
            found.resources[name].attributes |= read
    found.resources = {name: found.resources[name] for name in template.resources if name in found.resources}
    return found.as_json()
