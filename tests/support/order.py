"""Whether Terraform's graph has the order that Heat has.

Heat creates a resource after all that its template lets it wait for: what it refers to, what `depends_on` names, and
what Heat's plug-ins add. A nested stack is complete when all its resources are, and none of them is created before the
stack is. So each resource of a stack that waits comes after each resource of a stack that it waits for, at any depth.
Resources that become nothing in Terraform, or are only read, pass their own waits on, and so do random values.

In one template it is enough that some block of a resource waits for one of another: what has a reference comes after
what it refers to. A nested stack waits with all its blocks, and is waited for with all its blocks.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.terraform_graph import Configuration, shown
from transpile.front import environment as environments_
from transpile.model import ir
from transpile.pipeline import read_input
from transpile.resolve import graph, implicit_dependencies, linker, nested_templates
from transpile.text.jinja import Renderer
from transpile.text.source import Root

if TYPE_CHECKING:
    import os
    import pathlib
    from collections.abc import Iterator, Mapping, Sequence

    from tests.support.terraform_graph import Path
    from transpile.resolve.stack import Stack


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
    found = read_input(template, template.name, [], files, renderer)
    assert found is not None
    given = [e for one in environments if (e := environments_.load_environment(one, [])) is not None]
    options = linker.LinkOptions("load", converts=True)
    options.library = nested_templates.TemplateLibrary(renderer=renderer)
    return linker.link_template(found, given, parameters, files, options)[0]


class Order:
    """Compares a stack with its conversion."""

    def __init__(self, stack: Stack, files: Mapping[str, str | bytes], report: Mapping[str, Any]) -> None:
        self.terraform = Configuration(files)
        self.compared = 0
        self.found = list(self.compare(stack, report, ()))

    @functools.cached_property
    def names(self) -> dict[int, tuple[Path, str]]:
        return {bit: node for node, bit in self.terraform.bits.items()}

    def blocks(self, path: Path, report: Mapping[str, Any], name: str) -> list[tuple[Path, str]]:
        """The Terraform resources of one of Heat's."""
        known = self.terraform.bits
        found: list[tuple[Path, str]] = []
        for address in report["resources"].get(name, {}).get("addresses", ()):
            if address.startswith("module."):
                child = (*path, address.removeprefix("module."))
                found += self.everything(child, self.inner(child, report))
            elif (path, address) in known and not address.startswith("random_"):
                found.append((path, address))
        return found

    def inner(self, child: Path, report: Mapping[str, Any]) -> Mapping[str, Any]:
        """The report of a called module."""
        found: Mapping[str, Any] = self.module(child, report)["report"]
        return found

    def file(self, child: Path, report: Mapping[str, Any]) -> str:
        """The template of a called module."""
        return str(self.module(child, report)["source"])

    def module(self, child: Path, report: Mapping[str, Any]) -> Any:
        return report["modules"][self.terraform.source[child].rpartition("/")[2]]

    def everything(self, path: Path, report: Mapping[str, Any]) -> list[tuple[Path, str]]:
        return list(dict.fromkeys(one for name in report["resources"] for one in self.blocks(path, report, name)))

    def compare(self, stack: Stack, report: Mapping[str, Any], path: Path) -> Iterator[Unordered]:
        here: dict[str, list[tuple[Path, str]]] = {}
        modules: dict[str, list[Path]] = {}
        for name in stack.template.resources:
            here[name] = self.blocks(path, report, name)
            for address in report["resources"].get(name, {}).get("addresses", ()):
                if address.startswith("module."):
                    modules.setdefault(name, []).append((*path, address.removeprefix("module.")))
        implicit: dict[str, list[str]] = {}
        for name, need, _ in implicit_dependencies.find_implicit_dependencies(stack):
            implicit.setdefault(name, []).append(need)
        needs = graph.merge_edges(stack.needs, graph.explicit_edges(stack.template), implicit)
        reached, bits = self.terraform.reached, self.terraform.bits
        masks = {name: sum(bits[one] for one in found) for name, found in here.items()}
        closed: dict[str, dict[str, None]] = {}
        for circle in graph.strong_components(needs):
            for name in circle:
                mine = closed.setdefault(name, {})
                for need in () if never(stack.template.resources[name], stack) else needs.get(name, ()):
                    mine.update({need: None} if here.get(need) else closed.get(need, {}))
        for name, wanted in closed.items():
            if not here.get(name):
                continue
            for need in wanted:
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
                    yield Unordered(path, name, need, shown(block), shown(self.names[lowest]), kind)
        for (name, _), inside in stack.nested.items():
            for child in modules.get(name, ()):
                if self.file(child, report) == inside.file:
                    yield from self.compare(inside.stack, self.inner(child, report), child)


def never(resource: ir.Resource, stack: Stack) -> bool:
    """Whether a resource waits for nothing: it is never created, or exists already."""
    settled = stack.fold_condition(resource.condition) if resource.condition is not None else None
    return resource.external_id is not None or (isinstance(settled, ir.Lit) and not settled.value)
