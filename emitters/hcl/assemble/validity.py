"""Checks that the files of a conversion are valid for Terraform, before they are written: `terraform validate` without
Terraform.

Invariant: a fault is reported only if Terraform surely refuses the files. Every fault is a defect of hot2tf.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar, final

from emitters.hcl.assemble.value_fit import ValueFit
from emitters.hcl.emission import Emission
from emitters.hcl.resources.validation import CHECKED_TYPES, META_ARGUMENTS, why_block_invalid
from emitters.hcl.tables.provider import Providers
from emitters.hcl.tree.nodes import (
    CHILDREN,
    Argument,
    Attr,
    Block,
    Expr,
    ForObject,
    ForTuple,
    Index,
    Note,
    Splat,
    Traversal,
)
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.span import NOWHERE, Span

Item: TypeAlias = Argument | Block | Note
T = TypeVar("T", Argument, Block)
BUILT_IN = frozenset(("path", "terraform", "self"))  # names with members that exist everywhere
REPEATING = {"count": "count", "for_each": "each"}  # an argument → the name that it binds
OF_STATE = ("terraform", "moved")  # blocks with names that nothing need have
NO_EXPRESSIONS = frozenset(  # blocks and their arguments that have names of other kinds
    (
        ("variable", "type"),
        ("resource", "provider"),
        ("data", "provider"),
        ("module", "providers"),
        ("lifecycle", "ignore_changes"),
        ("provisioner", "when"),
        ("provisioner", "on_failure"),
    )
)
WITHOUT_SCHEMA = frozenset(("id",))  # an attribute of every resource, which some schemas do not list


class Fault(NamedTuple):
    """A fault of the output that Terraform would refuse. address: of the block. span: its place in the template."""

    address: str
    why: str
    span: Span

    def as_diagnostic(self, emission: Emission) -> Diagnostic:
        message = f"The output would not be valid for Terraform: in {self.address}, {self.why}."
        return Diagnostic(codes.INTERNAL_ERROR, message, emission.unit.template.source, self.span.in_text)


class Interface(NamedTuple):
    """The interface of a module to its callers: its variables and outputs, by label."""

    variables: Mapping[str, Block]
    outputs: Mapping[str, Block]


def find_faults(
    emission: Emission, files: Mapping[str, Sequence[Item]], modules: Mapping[str, Interface]
) -> tuple[list[Fault], Interface]:
    """The faults of a directory, and its interface. modules: the interfaces of the called modules, by the label of the
    call.
    """
    check = DirectoryCheck(emission, modules)
    for name, items in files.items():
        if name.endswith(".tf"):
            check.declare_items(items)
    for name, items in files.items():
        if name.endswith(".tf"):
            check.check_items(items)
    return check.faults, Interface(check.declared["variable"], check.declared["output"])


@final
class DirectoryCheck:
    """Checks one directory. declared: its blocks, by kind (`resource`, `data`, `variable` …) and by name. repeated:
    `count` or `for_each` of a block, by its address.
    """

    def __init__(self, emission: Emission, modules: Mapping[str, Interface]) -> None:
        self.emission, self.modules = emission, modules
        self.providers: Providers = emission.unit.tables.providers
        self.faults: list[Fault] = []
        self.declared: dict[str, dict[str, Block]] = {
            kind: {} for kind in ("resource", "data", "variable", "output", "module")
        }
        self.locals: dict[str, Argument] = {}
        self.fit = ValueFit(emission, self.declared["variable"])
        self.repeated: dict[str, str] = {}
        self.address, self.span = "", NOWHERE  # of the block that is checked

    def report(self, why: str) -> None:
        self.faults.append(Fault(self.address, why, self.span))

    # declarations

    def declare_items(self, items: Iterable[Item]) -> None:
        for item in items:
            if type(item) is not Block:
                continue
            if item.type == "locals":
                for entry in item.body:
                    if type(entry) is Argument:
                        self.declare(self.locals, entry.name, entry)
            elif (blocks := self.declared.get(item.type)) is not None:
                self.declare(blocks, ".".join(item.labels), item)
                if (repetition := item.repetition) is not None:
                    self.repeated[item.address] = repetition.name

    def declare(self, names: dict[str, T], name: str, item: T) -> None:
        if name in names:
            self.address, self.span = name, item.span
            self.report("there is another one of this name")
        names[name] = item

    # blocks

    def check_items(self, items: Iterable[Item]) -> None:
        for item in items:
            if type(item) is not Block or item.type in OF_STATE:
                continue
            self.address, self.span = ".".join((item.type, *item.labels)), item.span
            if item.type in CHECKED_TYPES:
                grown = self.emission.blocks.checked.get(id(item)) != len(item.body)
                if grown and (why := why_block_invalid(self.providers, item)):
                    self.report(why)
            elif item.type == "module":
                self.check_call(item)
            elif item.type == "variable":
                self.check_default(item)
            repetition = item.repetition
            bound = BUILT_IN | {REPEATING[repetition.name]} if repetition is not None else BUILT_IN
            self.check_body(item, bound, BUILT_IN)

    def check_body(self, block: Block, bound: frozenset[str], outside: frozenset[str]) -> None:
        """Checks the expressions in a block. bound: the names that its expressions may use; outside: those of the
        arguments that repeat it.
        """
        for item in block.body:
            if type(item) is Argument:
                if (block.type, item.name) not in NO_EXPRESSIONS:
                    if item.at >= 0:
                        self.span = item.span
                    if type(item.value) is Traversal:
                        self.check_name(item.value.parts, outside if item.name in REPEATING else bound)
                    elif type(item.value) is not str:
                        self.check_expression(item.value, outside if item.name in REPEATING else bound)
            elif type(item) is Block:
                if item.type == "dynamic":
                    name = item.find_argument("iterator")
                    word = name.value.parts[0] if name is not None and type(name.value) is Traversal else ""
                    self.check_body(item, bound | {word or item.labels[0]}, bound)
                else:
                    self.check_body(item, bound, bound)

    # references

    def check_expression(self, expr: Expr, bound: frozenset[str]) -> None:
        """Checks all names in an expression."""
        stack = [expr]
        while stack:
            current = stack.pop()
            kind = type(current)
            if kind is str:  # most are
                continue
            if type(current) is Traversal:
                self.check_name(current.parts, bound)
            elif isinstance(current, (Attr, Index, Splat)):
                stack += self.check_access(current, bound)
            elif isinstance(current, (ForTuple, ForObject)):
                stack.append(current.over)
                inside = bound | {*current.names}
                for part in CHILDREN[kind](current)[1:]:
                    self.check_expression(part, inside)
            elif kind in CHILDREN:
                stack += CHILDREN[kind](current)

    def check_access(self, expr: Attr | Index | Splat, bound: frozenset[str]) -> tuple[Expr, ...]:
        """Checks that an expression reads declared parts of a block or of its instances. Returns the parts that are
        still to be checked.
        """
        name, of, key, by_index = "", expr, None, False
        if isinstance(of, Attr):
            name, of = of.name, of.of  # type: ignore[assignment]
        if isinstance(of, Index):
            key, of, by_index = of.key, of.of, True  # type: ignore[assignment]
        elif isinstance(of, Splat):
            name, of, by_index = name or next(iter(of.names), ""), of.of, True  # type: ignore[assignment]
        if not isinstance(of, Traversal) or of.parts[0] in bound:
            return CHILDREN[type(expr)](expr)
        address_length = 3 if of.parts[0] == "data" else 2
        if len(of.parts) != address_length or of.parts[0] in ("var", "local"):
            return CHILDREN[type(expr)](expr)
        self.check_name((*of.parts, name) if name else of.parts, bound, by_index=by_index)
        return (key,)

    def check_name(self, parts: tuple[str, ...], bound: frozenset[str], *, by_index: bool = False) -> None:
        """Checks that a name exists: `var.x`, `module.web.id`, `openstack_networking_port_v2.port.id`. by_index: of
        an instance of the block.
        """
        first = parts[0]
        if first in bound:
            return
        if first == "var":
            known = len(parts) > 1 and parts[1] in self.declared["variable"]
        elif first == "local":
            known = len(parts) > 1 and parts[1] in self.locals
        else:
            kind = first if first in ("data", "module") else "resource"
            names = parts if kind == "resource" else parts[1:]
            label = names[0] if kind == "module" else ".".join(names[:2])
            known = label in self.declared[kind]
            if known:
                rest = names[1:] if kind == "module" else names[2:]
                self.check_attribute(kind, self.declared[kind][label], rest, by_index=by_index)
        if not known:
            self.report(f"{'.'.join(parts)} names nothing in this directory")

    def check_attribute(self, kind: str, block: Block, rest: tuple[str, ...], *, by_index: bool) -> None:
        repeated = self.repeated.get(block.address, "")
        if by_index and not repeated:
            self.report(f"{block.address} has no instances, so it has no index")
        elif rest and repeated and not by_index:
            self.report(f"{block.address}.{rest[0]} needs an index, for the block has {repeated}")
        if not rest:
            return
        if kind == "module":
            called = self.modules.get(block.labels[0])
            if called is not None and rest[0] not in called.outputs:
                self.report(f"the module has no output {rest[0]} for {block.address}.{rest[0]}")
            return
        schema = self.providers.find_schema(block.schema_key)
        if (
            schema
            and rest[0] not in schema["arguments"]
            and rest[0] not in schema.get("blocks", {})
            and rest[0] not in WITHOUT_SCHEMA
        ):
            self.report(f"{block.schema_key} has no attribute {rest[0]} for {block.address}.{rest[0]}")

    # variables

    def check_call(self, call: Block) -> None:
        """Checks the arguments of a call: Terraform knows each, each that is required is there, and the values fit."""
        called = self.modules.get(call.labels[0])
        if called is None:
            return
        seen = set[str]()
        for item in call.body:
            if not isinstance(item, Argument):
                continue
            if item.name in seen:
                self.report(f"{item.name} would be set twice")
            seen.add(item.name)
            variable = called.variables.get(item.name)
            if variable is not None:
                constraint = variable.find_argument("type")
                if constraint is not None and (why := self.fit.why_unfit(item.value, constraint.value)):
                    self.report(f"the variable {item.name} {why}")
            elif item.name not in META_ARGUMENTS and item.name not in ("source", "version", "providers"):
                self.report(f"the module has no variable {item.name}")
        for name, variable in called.variables.items():
            if name not in seen and not variable.has_argument("default"):
                self.report(f"the module requires a value for {name}")

    def check_default(self, variable: Block) -> None:
        constraint, default = variable.find_argument("type"), variable.find_argument("default")
        if constraint is None or default is None:
            return
        if why := self.fit.why_unfit(default.value, constraint.value):
            self.report(f"the default {why}")
