"""OS::Heat::ResourceChain as one resource for each listed type, all with the same properties.

Members are created one after the other unless `concurrent` is true. They are named by their indexes.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, computed_members, only_at_run_time
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.group import REPEATED
from emitters.hcl.hooks.module import prepare_call
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.nested.calls import CallWriter, ModuleHandle
from emitters.hcl.plan.planner import MODULE
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tree.nodes import Object, Traversal, Tuple
from emitters.hcl.tree.types import OBJECT, STRINGS, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import AttributeMap, GroupMember, ReferenceList, parse_attribute_path
from transpile.report import attribute_path, make_fate


@final
class Chain:
    """The handle of a chain: resolves references to it and to its members."""

    def __init__(self, emission: Emission, resource: ir.Resource, members: list[NativeHandle | ModuleHandle]) -> None:
        self.emission, self.resource, self.members = emission, resource, members

    def missing_attribute_error(self, ref: ir.Expr, attribute: str) -> CannotSay:
        """The error for an attribute that Terraform does not have."""
        name = self.resource.name
        return CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"{attribute} of {name}", ref, name)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        raise self.missing_attribute_error(ref, "Terraform does not have the ID of the nested stack")

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        report = self.emission.log.report.resources[self.resource.name]
        attributes = dict(report.attributes)
        match parse_attribute_path(heat_types.RESOURCE_CHAIN, ref.path):
            case ReferenceList((ir.Lit(int(place)),)) if 0 <= place < len(self.members):
                value = self.members[place].lower_reference(lowering, ref)
            case ReferenceList(rest):
                every = TypedValue(Tuple(tuple(m.lower_reference(lowering, ref).expr for m in self.members)), STRINGS)
                value = paths.lower_attribute_path(lowering, every, rest) if rest else TypedValue(every.expr, TUPLE)
            case AttributeMap((_, *_) as inner):
                entries = tuple(
                    (str(i), self.member_attribute(lowering, m, ref, inner).expr) for i, m in enumerate(self.members)
                )
                value = TypedValue(Object(entries), OBJECT)
            case GroupMember(name, inner, number):
                if number is None or number >= len(self.members):
                    raise self.missing_attribute_error(ref, f"there is no member {name}")
                member = self.members[number]
                value = (
                    self.member_attribute(lowering, member, ref, inner)
                    if inner
                    else member.lower_reference(lowering, ref)
                )
            case _:
                word = attribute_path(ref.path[:1]) or "map"
                raise self.missing_attribute_error(ref, f"Terraform has no equivalent of the attribute {word}")
        attributes.setdefault(attribute_path(ref.path), self.emission.log.reported_text(value.expr))
        report.attributes = attributes  # discards the records of the members
        listed = tuple(
            m.lower_reference(lowering, ref).expr for m in self.members if m.kind.reference and m.kind.resource
        )
        report.reference = self.emission.log.reported_text(Tuple(listed)) if len(listed) == len(self.members) else None
        return value

    def member_attribute(
        self, lowering: HclLowering, member: NativeHandle | ModuleHandle, ref: ir.AttrRef, path: tuple[ir.Expr, ...]
    ) -> TypedValue:
        """An attribute of a member: the chain's own reference, with the path inside the member."""
        return member.lower_attribute(lowering, ir.AttrRef(ref.name, path, ref.fn, ref.span))


def read_member_types(emission: Emission, resource: ir.Resource) -> list[tuple[str, TypeMapping]]:
    """The types of the members as written, each with its mapping. All must be native, or nested templates."""
    items = ir.items_of(resource.value_of("resources"))
    if not items or not all(isinstance(i, ir.Lit) for i in items):
        raise computed_members(resource)
    out = []
    for item in items:
        assert isinstance(item, ir.Lit)
        if (resource.name, str(item.value)) in emission.unit.stack.nested:
            out.append((str(item.value), MODULE))
            continue
        name = emission.unit.stack.canonical_type(str(item.value))
        kind = emission.unit.tables.find_mapping(name)
        if (
            kind.treatment != "native"
            or not kind.resource
            or (kind.hook and kind.name not in REPEATED)
            or (kind.name == heat_types.RANDOM_STRING and not emission.unit.policy.accepts_differences)
        ):
            raise CannotSay(codes.KEPT_IN_HEAT, f"a member is of type {name}, which stays with Heat", item)
        out.append((str(item.value), kind))
    return out


@resource_hook("resource_chain")
def prepare_chain(emission: Emission, resource: ir.Resource) -> Prepared:
    members: list[NativeHandle | ModuleHandle] = []
    for i, (written, member_kind) in enumerate(read_member_types(emission, resource)):
        counted, proposed_label = emission.unit.has_count(resource), snake_case(f"{resource.name}_{i}")
        if member_kind is MODULE:
            members.append(prepare_call(emission, resource, written, counted=counted, label=proposed_label))
            continue
        label = emission.names.reserve_label(member_kind.resource, proposed_label)
        members.append(NativeHandle(emission, resource, member_kind, (member_kind.resource, label), counted=counted))
    chain = Chain(emission, resource, members)
    return Prepared(chain, lambda: write_chain(chain))


def write_chain(chain: Chain) -> None:
    emission, resource = chain.emission, chain.resource
    shared, concurrent = resource.value_of("resource_properties"), resource.value_of("concurrent")
    if not isinstance(shared, ir.Map) and shared != ir.NULL:
        raise only_at_run_time(f"resource_properties of {resource.name} is", shared)
    if not isinstance(concurrent, ir.Lit):
        raise only_at_run_time(f"concurrent of {resource.name} is", concurrent)
    serial = concurrent in (ir.NULL, ir.Lit(False))
    properties = shared if isinstance(shared, ir.Map) else None
    addresses: list[str] = []
    kinds = [member.kind.name for member in chain.members]
    # Only one member records fates: the first, or the first that does not ignore its properties.
    recording = next((i for i, kind_name in enumerate(kinds) if kind_name != heat_types.NONE), 0)
    for i, member in enumerate(chain.members):
        before = Traversal(chain.members[i - 1].address) if serial and i else None
        if isinstance(member, ModuleHandle):
            addresses.append(write_member_call(emission, resource, member, properties, before, str(i)))
            continue
        lowering = emission.lowering.with_resource(resource, member.address[1])
        writer = Writer(emission, resource, member.kind, member.address, properties, lowering, "resource_properties.")
        writer.member = str(i)
        writer.muted = i != recording
        REPEATED.get(member.kind.name, write_properties)(writer)
        if before is not None:
            writer.block.add_argument("depends_on", Tuple((before,)))
        writer.finish_resource()
        addresses += writer.report.addresses
    report_chain(emission, resource, addresses, [".".join(member.address) for member in chain.members], serial)


def write_member_call(
    emission: Emission,
    resource: ir.Resource,
    member: ModuleHandle,
    properties: ir.Map | None,
    before: Traversal | None,
    name: str,
) -> str:
    """Writes a member that is a nested template as a module call. name: of the member."""
    report = emission.log.resource_report(resource)
    fates = dict(report.properties)
    lowering = emission.lowering.with_resource(resource, member.address[1])
    module_call = CallWriter(emission, member, properties, lowering, "resource_properties.", name)
    module_call.write_module_block()
    emission.blocks.member_of[id(module_call.block)] = name
    if before is not None:
        emission.ordering.chained.append((module_call.to, ".".join(before.parts)))
    report.properties = {**report.properties, **fates}  # keeps the fates of the first member
    return module_call.to


def report_chain(
    emission: Emission, resource: ir.Resource, addresses: list[str], members: list[str], serial: bool
) -> None:
    """Records the fates of the chain's properties. members: an address for each listed type."""
    report = emission.log.resource_report(resource)
    report.addresses = addresses
    for entry in resource.entries:
        if entry.key == "resources" and isinstance(entry.value, ir.Seq):
            for i, member in enumerate(members):
                report.properties[f"resources.{i}"] = make_fate(
                    "derived",
                    member,
                    "source" if member.startswith("module.") else "",
                    "the template became the module" if member.startswith("module.") else "a resource of this type",
                )
        elif entry.key == "concurrent":
            why = "each member depends on the previous one" if serial else "the members do not depend on each other"
            report.properties["concurrent"] = make_fate("implied", why=why)
        elif entry.value in (ir.NULL, ir.Map(())):
            report.properties[entry.key] = make_fate("implied", why="no properties are set")
