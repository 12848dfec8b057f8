"""Collects one native resource while it is written: the properties of the template, the blocks, and the fates.

Invariant: no block that the provider would surely reject is added to the output; its resource stays with Heat. rules.py
writes the properties by the rules of the mapping table.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.provider_requirements import find_lacking_names
from emitters.hcl.resources.argument_types import find_misfits, find_parameter
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.left_out import with_else
from emitters.hcl.resources.validation import is_null_in_branch, why_block_refused
from emitters.hcl.resources.written import PathFate, Written, add_entry, add_parts
from emitters.hcl.tables.mapping import HookRule, TypeMapping
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Index,
    Note,
    Object,
    StringTemplate,
    Traversal,
    Tuple,
)
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.offsets import find_part_at, find_path_to
from transpile.model.records import EMPTY
from transpile.model.span import NOWHERE, Located, Span
from transpile.report import Fate, ResourceReport, make_fate
from transpile.schema import catalog, literals
from transpile.schema.literals import find_misshapen
from transpile.schema.properties import read_typed_value


def begin_writer(native: NativeHandle) -> Writer:
    """A writer for the resource of a handle."""
    emission, resource = native.emission, native.resource
    lowering = emission.lowering.with_resource(resource, native.address[1])
    return Writer(emission, resource, native.kind, native.address, resource.properties, lowering)


class PropertyEntries(dict[str, "ir.Entry"]):
    """The properties that a template sets, by canonical name. Reading a missing one, although it is required, keeps the
    resource with Heat, which rejects the template.
    """

    def __init__(self, resource: ir.Resource) -> None:
        super().__init__()
        self.resource = resource

    def __missing__(self, name: str) -> ir.Entry:
        raise missing_property(self.resource, name)


def missing_property(resource: ir.Resource, name: str) -> CannotSay:
    """The error for a resource that lacks a required property."""
    why = f"{name} of {resource.name} is required, and Heat rejects the template without it"
    return CannotSay(codes.WRONG_PROPERTY_TYPE, why, resource.name_span, resource.name)


@final
class Writer:
    """Writes one resource: its main block and the auxiliary ones, and their fates. prefix: prepended to its property
    paths in the report, for members of groups.
    """

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        kind: TypeMapping,
        address: tuple[str, str],
        properties: ir.Map | None,
        lowering: HclLowering,
        prefix: str = "",
    ) -> None:
        self.emission, self.resource, self.kind, self.address = emission, resource, kind, address
        self.lowering = lowering
        self.report: ResourceReport = emission.log.resource_report(resource)
        self.prefix = prefix
        self.rule = HookRule("")  # that of the property which a hook writes
        self.lacks_preference = False  # another preference would add arguments that the provider requires
        self.muted = False  # fates are recorded for the whole, not for its parts
        self.block = Block("resource", address, span=resource.span)
        self.blocks: list[Block] = [self.block]  # the main block and auxiliary ones, in output order
        self.to = ".".join(address)
        self.lookups, self.providers = emission.unit.tables.lookups, emission.unit.tables.providers
        self.facts = emission.unit.stack.catalog.find_type(kind.name)
        self.entries = self.entries_by_name(properties)
        self.ignored: list[str] = []  # the arguments in `ignore_changes`
        self.shared_maps: dict[str, Argument] = {}  # arguments of which several properties have entries, by name
        self.depends: list[str] = []  # resources to depend on although nothing refers to them
        self.member: Expr | None = None  # the name of a member of a group or chain in its stack
        self.configuration: tuple[str, str] | None = None  # the provider's name and the alias, if one was chosen
        self.metadata = resource.metadata  # Heat's, not that of the provider; a member of a group has its own
        self.carried = ""  # how the metadata reaches the server, if it does

    def entries_by_name(self, properties: ir.Map | None) -> PropertyEntries:
        """The properties that are set, by canonical name: Heat translates deprecated names."""
        out = PropertyEntries(self.resource)
        schema = self.facts.get("properties", {})
        for entry in properties.entries if properties is not None else ():
            name = schema.get(entry.key, {}).get("alias", entry.key)
            if name in out and entry.value == ir.NULL:
                continue
            if name in out and out[name].value != ir.NULL:
                self.record_fate(
                    entry.key, make_fate("implied", why=f"{out[name].key} means the same, and Heat uses that one")
                )
                continue
            out[name] = with_else(entry, self.kind.properties.get(name), schema.get(name, {}))
        return out

    def add(self, written: Written) -> None:
        """Adds the output of a property to the resource, and its fates to the report."""
        add_parts(self.block, written.parts)
        self.blocks += written.resources
        self.ignored += written.ignored
        for argument, key, value in written.entries:
            shared = self.shared_maps.setdefault(argument, Argument(argument, Object(()), self.lowering.scope.span))
            shared.value = add_entry(shared.value, key, value)
        for fate in written.fates:
            path, how, argument, why, to, code = fate.in_resource(self.to)
            if how == "derived" and not why:
                why = "looked up by name and domain"
            self.record_fate(path, make_fate(how, to, argument, why, code))

    # fates

    def record_fate(self, path: str, property_fate: Fate) -> None:
        """Records the fate of a property, or of something in it."""
        if not self.muted:
            self.report.properties[self.prefix + path] = property_fate

    def record_value(self, path: str, argument: str, how: str = "value", to: str = "", why: str = "") -> None:
        """Records that a property became an argument. how: the fate. to: the block's address; "" for the main one."""
        if how == "derived" and not why:
            why = "looked up by name and domain"
        self.record_fate(path, make_fate(how, to or self.to, argument, why))

    def drop_property(self, entry: ir.Entry, code: str, why: str, path: str = "") -> Written:
        """Drops a property (or, with `path`, one of its fields), with a diagnostic."""
        message = f"{entry.key} of {self.resource.name} is dropped: {why}."
        self.emission.log.add_diagnostic(code, message, entry, note=f"{entry.key} is dropped: {why}.")
        where = f"{path}.{entry.key}" if path else entry.key
        return Written(fates=(PathFate(where, "dropped", why=why, code=code),))

    # reading

    @property
    def is_repeated(self) -> bool:
        """Whether the resource has count or for_each."""
        return self.lowering.scope.repeated is not None

    def value_of(self, name: str) -> ir.Expr:
        """The value of a property; null if it is not set."""
        return self.entries[name].value if name in self.entries else ir.NULL

    def find_set(self, name: str) -> ir.Entry | None:
        """A property with a value that is neither null nor empty."""
        entry = self.entries.get(name)
        return entry if entry is not None and entry.value not in ir.UNSET else None

    def values_of_parameter(self, expr: ir.Expr) -> list[Any]:
        """The values that a parameter is known to have; none for any other expression."""
        if not isinstance(expr, ir.ParamRef) or expr.path:
            return []
        return self.emission.unit.values_of_parameter(expr.name)

    # writing

    def write_repetition(self) -> None:
        """Writes `count` or `for_each` into the main block, if the resource has it."""
        if (repeated := self.lowering.scope.repeated) is not None:
            self.block.body.append(repeated)

    def written_value(self, name: str, argument: str) -> Expr:
        """The value of an argument that is already written. `name`: the property that it comes from."""
        existing = next((a for a in self.block.body if isinstance(a, Argument) and a.name == argument), None)
        if existing is None:
            raise missing_property(self.resource, name)
        return existing.value

    def check_value(self, entry: ir.Entry) -> None:
        """Raises CannotSay if a value is surely invalid for the property: Heat fails when it creates the resource."""
        schema = self.facts.get("properties", {}).get(entry.key)
        bound = tuple(word for word, _ in self.lowering.scope.bound)
        if schema is None:
            return
        wrong: Any = literals.find_misfit(schema, entry.value, bound, self.emission.unit.template.source.budget)
        wrong = wrong or find_misshapen(schema, entry.value, self.emission.unit.template.parameters)
        if wrong is not None:
            why = f"this is not a valid value of {entry.key}; Heat fails when it creates the resource"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, wrong, self.resource.name)

    def check_block(self, block: Block) -> None:
        """Raises CannotSay if the provider would reject the block as a whole, or a value in it for its type."""
        resource = self.resource
        for argument, why in find_misfits(self.emission, block):
            if self.is_refused_by_heat(argument):
                continue
            span = argument.span if argument.at >= 0 else resource.name_span
            raise self.rejected_by_provider(why, span)
        self.check_required_arguments(self.providers.find_schema(block.schema_key), block.body)
        for _, why in find_lacking_names(self.emission.unit.tables, [block]):
            raise CannotSay(codes.NEWER_THAN_PROVIDER, why, resource.name_span, resource.name)
        if why := why_block_refused(self.providers, block):
            raise self.rejected_by_provider(why, resource.name_span, avoidable=self.lacks_preference)
        self.emission.blocks.checked[id(block)] = len(block.body)

    def accepted_parameter_value(self, entry: ir.Entry) -> Any:
        """The present value of the parameter that a property gets, if Heat accepts it; None for any other property."""
        param = entry.value if isinstance(entry.value, ir.ParamRef) and not entry.value.path else None
        if param is None or param.name not in self.emission.unit.template.parameters:
            return None
        value = self.emission.unit.root_parameter_value(param.name)
        return (
            None
            if read_typed_value(self.schema_at(entry.key), value, budget=self.emission.unit.template.source.budget)[1]
            else value
        )

    def check_required_arguments(self, schema: Mapping[str, Any], body: list[Argument | Block | Note]) -> None:
        """Raises CannotSay if an argument may be null that the provider requires, and Heat does not. schema: of the
        body.
        """
        properties, facts = self.resource.properties, schema.get("arguments", EMPTY)
        for item in body:
            if type(item) is Block and item.type != "dynamic":
                self.check_required_arguments(schema.get("blocks", EMPTY).get(item.type, EMPTY), item.body)
            if type(item) is not Argument or not facts.get(item.name, EMPTY).get("required"):
                continue
            if not properties.at <= item.at < properties.end:
                continue
            place, value = find_part_at(properties, item.at)
            may_be_null = is_null_in_branch(item.value) or self.is_null_at_path(value)
            if may_be_null and not self.schema_at(".".join(place)).get("required"):
                raise self.rejected_by_provider(f"{item.name} is required, and may be null", item.span)

    def is_null_at_path(self, value: ir.Expr) -> bool:
        """Whether null is a known value of a parameter at a path."""
        return isinstance(value, ir.ParamRef) and None in self.emission.unit.values_at_path(value)

    def is_refused_by_heat(self, argument: Argument) -> bool:
        """Whether Heat refuses the value of an argument, too, as the present value of a parameter: then it says nothing
        about the template, and Terraform refuses it at plan. Reports it.
        """
        name, properties = find_parameter(self.emission, argument.value), self.resource.properties
        if not name or not properties.at <= argument.at < properties.end:
            return False
        schema = self.schema_at(".".join(find_path_to(properties, argument.at)))
        _, problems = read_typed_value(
            schema, self.emission.unit.root_parameter_value(name), budget=self.emission.unit.template.source.budget
        )
        if not problems:
            return False
        message = f"The value of {name} suits {argument.name} of {self.resource.name} neither in Heat nor in Terraform."
        self.emission.log.report_difference(codes.VALUE_REFUSED_BY_BOTH, message, argument)
        return True

    def rejected_by_provider(self, why: str, span: Span, *, avoidable: bool = False) -> CannotSay:
        name, message = self.resource.name, f"the provider rejects {self.resource.name}: {why}"
        return CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, message, span, name, avoidable=avoidable)

    def made_up_name(self) -> Expr:
        """`<stack>-<resource>`, in place of the name that Heat would make up; with the index of a group's member."""
        if not self.emission.unit.running.exists:
            self.emission.log.made_up[self.resource.name] = self.resource
        return self.emission.symbols.generated_name(self.resource.name, self.member)

    def named_in_stack(self, suffix: str) -> Expr:
        """Heat's name of the resource in its stack, with a suffix. A member of a group has its index as its name."""
        return f"{self.resource.name}{suffix}" if self.member is None else StringTemplate((self.member, suffix))

    def schema_at(self, path: str) -> catalog.PropertySchema:
        """Heat's schema of a property, or of something in it (`pools.0.start`); that of the resource for no path."""
        schema: catalog.PropertySchema = {"fields": self.facts.get("properties", {})}
        for step in path.split(".") if path else ():
            schema = schema.get("items", {}) if step.isdigit() else field_schemas(schema).get(step, {})
        return schema

    # other writers for the same resource

    def with_fact(self, fact: ir.Expr) -> Writer:
        """A writer for the same resource that assumes a condition."""
        return self.with_lowering(self.lowering.with_fact(fact))

    def with_lowering(self, lowering: HclLowering) -> Writer:
        """A writer for the same resource with another lowering."""
        other = copy.copy(self)
        other.lowering = lowering
        return other

    def with_block(self, block: Block) -> Writer:
        """A writer for another block of the same resource."""
        other = copy.copy(self)
        other.block, other.address, other.to = block, (block.labels[0], block.labels[1]), ".".join(block.labels)
        return other

    def finish_resource(self) -> None:
        """Adds the blocks to the directory, and the fates of the resource's keys to the report."""
        resource, report = self.resource, self.report
        report.addresses = [block.address for block in self.blocks]
        if resource.description:
            self.block.comments += [f" {line}" if line else "" for line in resource.description.strip().splitlines()]
        if self.ignored:
            self.block.lifecycle().add_argument("ignore_changes", Tuple(tuple(Traversal((a,)) for a in self.ignored)))
        write_resource_keys(self.emission, resource, self.blocks)
        for block in self.blocks:
            self.emission.blocks.add_block(block, resource.name, self.member if isinstance(self.member, str) else "")

    # auxiliary blocks

    def add_block(self, kind: str, label: str, where: Located = NOWHERE) -> Block:
        """Adds an auxiliary resource block, with the same count or for_each as the main one."""
        block = self.new_block(kind, label, where)
        self.blocks.append(block)
        return block

    def new_block(self, kind: str, label: str, where: Located = NOWHERE) -> Block:
        """Makes an auxiliary resource block, with the same count or for_each as the main one."""
        return self.make_block((kind, self.emission.names.reserve_label(kind, label)), where)

    def make_block(self, address: tuple[str, str], where: Located) -> Block:
        """Makes an auxiliary resource block whose address is known, with the same count or for_each as the main one."""
        block = Block("resource", address, span=where.span)
        if (repeated := self.lowering.scope.repeated) is not None:
            block.body.append(Argument(repeated.name, repeated.value))  # the comments are on the main block
        if self.configuration is not None and address[0].startswith(f"{self.configuration[0]}_"):
            block.add_argument("provider", Traversal(self.configuration))
        return block

    def self_reference(self, attribute: str, block: Block | None = None) -> Expr:
        """A reference from one block of this resource to an attribute of the main block, or of `block`."""
        return (
            Attr(self.instance_reference(block), attribute)
            if self.is_repeated
            else Traversal((*(block or self.block).labels, attribute))
        )

    def instance_reference(self, block: Block | None = None) -> Expr:
        """The expression for this instance of the main block, or of `block`: with the index of the loop it is in."""
        name = Traversal((block or self.block).labels)
        repeated = self.lowering.scope.repeated
        if repeated is None:
            return name
        if isinstance(self.member, Traversal):
            return Index(name, self.member)
        if not self.lowering.scope.bound:
            return Index(name, 0)
        return Index(name, Traversal(("count", "index")) if repeated.name == "count" else Traversal(("each", "key")))
