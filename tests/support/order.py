"""Whether Terraform's graph has the order that Heat has.

Heat creates a resource after all that its template lets it wait for: its references, its `depends_on`, and the
additions of Heat's plug-ins. A nested stack is complete when all its resources are, and none of them is created before
the stack is. So each resource of a stack that waits comes after each resource of a stack that it waits for, at any
depth. Resources that become nothing in Terraform, or are only read, pass their own waits on, and so do random values.

A data source is read before anything is created, unless it waits. So it must wait for the resource that has the name
which it looks for, if something that uses it does.

In one template it is enough that some block of a resource waits for one of another: a block with a reference comes
after the block that it refers to. A nested stack waits with all its blocks, and is waited for with all its blocks.
"""

from __future__ import annotations

import functools
import operator
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.support.terraform_graph import Configuration, Node, Path, format_node
from transpile.front import environment as environments_
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.pipeline import read_input
from transpile.resolve import graph, implicit_dependencies, linker, nested_templates
from transpile.resolve.stack import Stack
from transpile.text.jinja import Renderer
from transpile.text.source import Root


class Unordered(NamedTuple):
    """A resource of Heat that would not wait for another one, and a block of each that shows it."""

    path: Path
    resource: str
    need: str
    block: str
    missed: str
    reason: str  # nested or flat

    def __str__(self) -> str:
        where = ".".join(("root", *self.path))
        return (
            f"{self.reason}: in {where}, {self.resource} waits for {self.need}, but {self.block} not for {self.missed}"
        )


def linked(
    template: pathlib.Path,
    environments: Sequence[str | os.PathLike[str]] = (),
    parameters: Mapping[str, str] | None = None,
    root: pathlib.Path | None = None,
    render: Mapping[str, Any] | None = None,
) -> Stack:
    """The stack that a conversion starts from."""
    files = Root(root if root is not None else template.parent, template.parent, (), trusting=root is None)
    renderer = Renderer(render)
    input_template = read_input(template, template.name, [], files, renderer, budget=Budget())
    assert input_template is not None
    loaded_environments = [
        e for path in environments if (e := environments_.load_environment(path, [], budget=Budget())) is not None
    ]
    options = linker.LinkOptions("load", converts=True)
    options.library = nested_templates.TemplateLibrary(renderer=renderer, budget=Budget())
    return linker.link_template(input_template, loaded_environments, parameters, files, options)[0]


def early_reads(files: Mapping[str, str | bytes], *, any_name: bool = False) -> list[str]:
    """The data sources that a plan reads although a user of theirs waits for the resource that they look for: one of
    the same type with the same literal name. any_name: with any names.
    """
    terraform = Configuration(files)
    users: dict[str, list[str]] = {}
    for node, targets in terraform.edges.items():
        for target in targets:
            users.setdefault(format_node(target), []).append(format_node(node))
    makers: dict[tuple[str, str], list[Node]] = {}
    readers: list[tuple[Node, tuple[str, str]]] = []
    for path, folder in terraform.source.items():
        for block in terraform.blocks(folder):
            if block.words[0] not in ("resource", "data") or "name" not in block.arguments:
                continue
            if not any_name and (block.arguments["name"] or "name" not in block.texts):
                continue
            key = block.words[1], "" if any_name else block.texts["name"]
            if block.words[0] == "data":
                readers.append(((path, ".".join(block.words)), key))
            else:
                makers.setdefault(key, []).append((path, ".".join(block.words[1:])))
    bits, reached = terraform.bits, terraform.reached
    masks = {format_node(node): reached[node] for node in bits}
    return [
        f"{format_node(reader)} looks for {format_node(maker)} before it exists"
        for reader, key in readers
        for maker in makers.get(key, ())
        if not reached[reader] & bits[maker]
        and any(masks.get(name, 0) & bits[maker] for name in graph.reachable_nodes(users, [format_node(reader)]))
    ]


def written_blocks(report: Mapping[str, Any], name: str) -> list[str]:
    """The addresses of one of Heat's resources, without the keys that --roll-up gives its instances."""
    return [address.partition("[")[0] for address in report["resources"].get(name, {}).get("addresses", ())]


class Order:
    """Compares a stack with its conversion."""

    def __init__(self, stack: Stack, files: Mapping[str, str | bytes], report: Mapping[str, Any]) -> None:
        self.terraform = Configuration(files)
        self.compared = 0
        self.unordered = list(self.compare(stack, report, ()))

    @functools.cached_property
    def names(self) -> dict[int, tuple[Path, str]]:
        return {bit: node for node, bit in self.terraform.bits.items()}

    def blocks(self, path: Path, report: Mapping[str, Any], name: str) -> list[tuple[Path, str]]:
        """The Terraform resources of one of Heat's."""
        bits = self.terraform.bits
        nodes: list[tuple[Path, str]] = []
        for address in written_blocks(report, name):
            if address.startswith("module."):
                child = (*path, address.removeprefix("module."))
                nodes += self.everything(child, self.inner(child, report))
            elif (path, address) in bits and not address.startswith("random_"):
                nodes.append((path, address))
        return nodes

    def inner(self, child: Path, report: Mapping[str, Any]) -> Mapping[str, Any]:
        """The report of a called module."""
        inner_report: Mapping[str, Any] = self.module(child, report)["report"]
        return inner_report

    def file(self, child: Path, report: Mapping[str, Any]) -> str:
        """The template of a called module."""
        return str(self.module(child, report)["source"])

    def module(self, child: Path, report: Mapping[str, Any]) -> Any:
        return report["modules"][self.terraform.source[child].rpartition("/")[2]]

    def everything(self, path: Path, report: Mapping[str, Any]) -> list[tuple[Path, str]]:
        return list(dict.fromkeys(node for name in report["resources"] for node in self.blocks(path, report, name)))

    def compare(self, stack: Stack, report: Mapping[str, Any], path: Path) -> Iterator[Unordered]:
        here: dict[str, list[tuple[Path, str]]] = {}
        modules: dict[str, list[Path]] = {}
        for name in stack.template.resources:
            here[name] = self.blocks(path, report, name)
            for address in written_blocks(report, name):
                if address.startswith("module."):
                    modules.setdefault(name, []).append((*path, address.removeprefix("module.")))
        implicit: dict[str, list[str]] = {}
        for name, need, _ in implicit_dependencies.find_implicit_dependencies(stack):
            implicit.setdefault(name, []).append(need)
        needs = graph.merge_edges(stack.needs, graph.explicit_edges(stack.template), implicit)
        reached, bits = self.terraform.reached, self.terraform.bits
        masks = {name: sum(bits[node] for node in nodes) for name, nodes in here.items()}
        closed: dict[str, dict[str, None]] = {}
        for circle in graph.strong_components(needs):
            for name in circle:
                mine = closed.setdefault(name, {})
                for need in () if never(stack.template.resources[name], stack) else needs.get(name, ()):
                    mine.update({need: None} if here.get(need) else closed.get(need, {}))
        for name, needed in closed.items():
            if not here.get(name):
                continue
            for need in needed:
                self.compared += 1
                behind = [reached[block] for block in here[name]]
                if name in modules or need in modules:
                    mask = masks[need] if need in modules else bits[here[need][0]]
                    missing = mask & ~masks[name] & ~functools.reduce(operator.and_, behind)  # some are parts of both
                else:
                    seen = masks[name] | functools.reduce(operator.or_, behind)
                    turned = any(reached[block] & masks[name] for block in here[need])  # the API wants it so
                    missing = 0 if turned or seen & masks[need] else masks[need]
                if missing:
                    lowest = missing & -missing
                    block = next(block for block in here[name] if not reached[block] & lowest)
                    kind = "nested" if name in modules or need in modules else "flat"
                    yield Unordered(path, name, need, format_node(block), format_node(self.names[lowest]), kind)
        for (name, _), inside in stack.nested.items():
            for child in modules.get(name, ()):
                if self.file(child, report) == inside.file:
                    yield from self.compare(inside.stack, self.inner(child, report), child)


def never(resource: ir.Resource, stack: Stack) -> bool:
    """Whether a resource waits for nothing: it is never created, or exists already."""
    settled = stack.fold_condition(resource.condition)
    return resource.external_id is not None or (isinstance(settled, ir.Lit) and not settled.value)
