"""Finds the parts that parameters of a directory influence, so that a further assignment is evaluated only where it
changes something.

Invariant: a part that a parameter does not influence has the same value under all values of the parameter, in Heat and
in Terraform.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, TypeAlias, final

from emitters.hcl.assemble.references import list_addresses
from emitters.hcl.attempt import Attempt
from emitters.hcl.tree.nodes import Block
from transpile.model import ir

PARAMETER, CONDITION, RESOURCE, OUTPUT = "parameter", "condition", "resource", "output"  # of the template
ADDRESS = "address"  # in Terraform; outputs have one here, too
COMPUTED = "computed"  # the node for a call whose name has to be evaluated: it may refer to anything
REFERRING = ("get_param", "get_resource", "get_attr", "Ref", "Fn::GetAtt")  # such a call

Node: TypeAlias = "tuple[str, str]"  # its kind, and its name


class Influenced(NamedTuple):
    """The parts that some parameters influence: resources and outputs of the template, and addresses of Terraform,
    among them those of variables and outputs.
    """

    resources: Container[str]
    outputs: Container[str]
    addresses: Container[str]


@final
class AllNames:
    """A collection that has every name."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = Influenced(AllNames(), AllNames(), AllNames())


@final
class Influence:
    """The graph of reads between the definitions of a template and of its directory. A resource and its blocks count as
    one, and so does a call with all that is in the nested stack.
    """

    def __init__(self, attempt: Attempt) -> None:
        self.emission = attempt.emission
        self.readers: dict[Node, list[Node]] = {}
        for node, source in (*self.list_reads_of_template(), *self.list_reads_of_directory()):
            self.readers.setdefault(source, []).append(node)

    def find_influenced(self, parameters: Iterable[str]) -> Influenced:
        """The parts that these parameters influence, directly or through others."""
        waiting: list[Node] = [(COMPUTED, ""), *((PARAMETER, name) for name in parameters)]
        reached = set(waiting)
        while waiting:
            for node in self.readers.get(waiting.pop(), ()):
                if node not in reached:
                    reached.add(node)
                    waiting.append(node)
        kinds: dict[str, set[str]] = {}
        for kind, name in reached:
            kinds.setdefault(kind, set()).add(name)
        return Influenced(*(frozenset(kinds.get(kind, ())) for kind in (RESOURCE, OUTPUT, ADDRESS)))

    def list_reads_of_template(self) -> Iterator[tuple[Node, Node]]:
        """Pairs of a definition of the template and a node that it reads."""
        template = self.emission.unit.template
        for resource in template.resources.values():
            for part in resource.parts.values():
                for source in list_sources(part):
                    yield (RESOURCE, resource.name), source
        for condition in template.conditions.values():
            for source in list_sources(condition.value):
                yield (CONDITION, condition.name), source
        for output in template.outputs.values():
            for source in (*list_sources(output.value), *list_sources(output.condition)):
                yield (OUTPUT, output.name), source

    def list_reads_of_directory(self) -> Iterator[tuple[Node, Node]]:
        """Pairs of a definition of the directory and a node that it reads, and pairs that tie it to the template."""
        blocks, log = self.emission.blocks, self.emission.log
        for name, label in self.emission.names.variables.items():
            yield (ADDRESS, f"var.{label}"), (PARAMETER, name)
        for label, argument in blocks.locals.items():
            for address in list_addresses(argument):
                yield (ADDRESS, f"local.{label}"), address_node(address)
        for block in (*blocks.main, *blocks.data, *blocks.outputs):
            if not isinstance(block, Block) or not block.labels:
                continue
            node = ADDRESS, block.address
            for address in list_addresses(block):
                yield node, address_node(address)
            if owner := blocks.find_owner(block):
                yield (RESOURCE, owner), node
                yield node, (RESOURCE, owner)
        for name, report in log.report.resources.items():
            for text in (report.reference, *report.attributes.values()):
                if text and (tree := log.expressions.get(text)) is not None:
                    for address in list_addresses(tree):
                        yield (RESOURCE, name), address_node(address)
        for name, fate in log.report.outputs.items():
            if "output" in fate:
                yield (OUTPUT, name), (ADDRESS, f"output.{fate['output']}")


def address_node(address: str) -> Node:
    """The node that an expression refers to: an output of a module counts as the module."""
    return ADDRESS, ".".join(address.split(".")[:2]) if address.startswith("module.") else address


def list_sources(expr: ir.Expr | None) -> Iterator[Node]:
    """The nodes that an expression of the template refers to."""
    for part in ir.walk(expr) if expr is not None else ():
        match part:
            case ir.ParamRef(name):
                yield PARAMETER, name
            case ir.ConditionRef(name):
                yield CONDITION, name
            case ir.ResourceRef(name) | ir.AttrRef(name):
                yield RESOURCE, name
            case ir.Call(fn) if fn in REFERRING:
                yield COMPUTED, ""
