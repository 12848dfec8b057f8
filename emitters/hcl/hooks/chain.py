"""OS::Heat::ResourceChain as one resource for each listed type, all with the same properties.

Members are created one after the other unless `concurrent` is true. They are named by their indexes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, random_string, write_hook
from emitters.hcl.hooks.module import called
from emitters.hcl.hooks.values import prop
from emitters.hcl.lowering import paths
from emitters.hcl.namespace import snake
from emitters.hcl.nested.calls import Call, Called
from emitters.hcl.plan.planner import MODULE
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.handles import Native
from emitters.hcl.tree.nodes import Name, Object, Tuple
from emitters.hcl.tree.types import OBJECT, STRINGS, TUPLE, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import AttributeMap, Member, References, select
from transpile.report import attribute_path, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind


@final
class Chain:
    """The handle of a chain: resolves references to it and to its members."""

    def __init__(self, emission: Emission, resource: ir.Resource, members: list[Native | Called]) -> None:
        self.emission, self.resource, self.members = emission, resource, members

    def refused(self, ref: ir.Expr, what: str) -> CannotSay:
        """The error for an attribute that Terraform does not have."""
        name = self.resource.name
        return CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"{what} of {name}", ref, name)

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        raise self.refused(ref, "Terraform does not have the ID of the nested stack")

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        report = self.emission.log.report.resources[self.resource.name]
        attributes = dict(report.attributes)
        match select(heat_types.RESOURCE_CHAIN, ref.path):
            case References((ir.Lit(int(place)),)) if 0 <= place < len(self.members):
                value = self.members[place].reference(lowering, ref)
            case References(rest):
                every = Value(Tuple(tuple(m.reference(lowering, ref).expr for m in self.members)), STRINGS)
                value = paths.attribute(lowering, every, rest) if rest else Value(every.expr, TUPLE)
            case AttributeMap((_, *_) as inner):
                entries = tuple((str(i), self.of(lowering, m, ref, inner).expr) for i, m in enumerate(self.members))
                value = Value(Object(entries), OBJECT)
            case Member(name, inner, number):
                if number is None or number >= len(self.members):
                    raise self.refused(ref, f"there is no member {name}")
                member = self.members[number]
                value = self.of(lowering, member, ref, inner) if inner else member.reference(lowering, ref)
            case _:
                word = attribute_path(ref.path[:1]) or "map"
                raise self.refused(ref, f"Terraform has no equivalent of the attribute {word}")
        attributes.setdefault(attribute_path(ref.path), self.emission.log.shown(value.expr))
        report.attributes = attributes  # discards what the members recorded
        listed = tuple(m.reference(lowering, ref).expr for m in self.members if m.kind.reference and m.kind.resource)
        report.reference = self.emission.log.shown(Tuple(listed)) if len(listed) == len(self.members) else None
        return value

    def of(self, lowering: Lowering, member: Native | Called, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Value:
        """An attribute of a member: the chain's own reference, with the path inside the member."""
        return member.attribute(lowering, ir.AttrRef(ref.name, path, ref.fn, ref.span))


def types(emission: Emission, resource: ir.Resource) -> list[tuple[str, Kind]]:
    """The types of the members as written, each with its mapping. All must be native, or nested templates."""
    entry = prop(resource, "resources")
    items = entry.value.items if entry is not None and isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Lit) for i in items):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME, f"the members of {resource.name} are known only at run time", resource.name_span
        )
    out = []
    for item in items:
        assert isinstance(item, ir.Lit)
        if (resource.name, str(item.value)) in emission.unit.stack.nested:
            out.append((str(item.value), MODULE))
            continue
        name = emission.unit.stack.type_of(str(item.value))
        found = emission.unit.tables.find(name)
        if (
            found is None
            or found.treatment != "native"
            or not found.resource
            or (found.hook and (found.name != heat_types.RANDOM_STRING or emission.unit.plan.prefer == FAITHFUL))
        ):
            raise CannotSay(codes.KEPT_IN_HEAT, f"a member is of type {name}, which stays with Heat", item)
        out.append((str(item.value), found))
    return out


@prepare_hook("resource_chain")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    members: list[Native | Called] = []
    for i, (written, found) in enumerate(types(emission, resource)):
        counted, wanted = emission.unit.counted(resource), snake(f"{resource.name}_{i}")
        if found is MODULE:
            members.append(called(emission, resource, written, counted=counted, label=wanted))
            continue
        label = emission.names.label(found.resource, wanted)
        members.append(Native(emission, resource, found, (found.resource, label), counted=counted))
    return Chain(emission, resource, members)


@write_hook("resource_chain")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    from emitters.hcl.resources.rules import write_properties
    from emitters.hcl.resources.writer import Writer

    chain = emission.handles[resource.name]
    assert isinstance(chain, Chain)
    given, concurrent = prop(resource, "resource_properties"), prop(resource, "concurrent")
    for entry in (given, concurrent):
        wanted = ir.Map if entry is given else ir.Lit
        if entry is not None and not isinstance(entry.value, wanted):
            why = f"{entry.key} of {resource.name} is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    serial = concurrent is None or concurrent.value == ir.Lit(False)
    properties = given.value if given is not None and isinstance(given.value, ir.Map) else None
    addresses: list[str] = []
    for i, member in enumerate(chain.members):
        before = Name(chain.members[i - 1].address) if serial and i else None
        if isinstance(member, Called):
            addresses.append(call(emission, resource, member, properties, before, str(i)))
            continue
        lowering = emission.lowering.of_resource(resource, member.address[1])
        writer = Writer(emission, resource, member.kind, member.address, properties, lowering, "resource_properties.")
        writer.member = str(i)
        writer.muted = i > 0  # only the first member records fates
        if member.kind.name == heat_types.RANDOM_STRING:
            random_string.fill(writer)
        else:
            write_properties(writer)
        if before is not None:
            writer.block.set("depends_on", Tuple((before,)))
        writer.finish()
        addresses += writer.report.addresses
    tell(emission, resource, addresses, [".".join(member.address) for member in chain.members], serial)


def call(
    emission: Emission, resource: ir.Resource, member: Called, properties: ir.Map | None, before: Name | None, name: str
) -> str:
    """Writes a member that is a nested template as a module call. name: of the member."""
    report = emission.log.resource_report(resource)
    fates = dict(report.properties)
    lowering = emission.lowering.of_resource(resource, member.address[1])
    one = Call(emission, member, properties, lowering, "resource_properties.")
    one.write()
    emission.blocks.member_of[id(one.block)] = name
    if before is not None:
        emission.ordering.chained.append((one.to, ".".join(before.parts)))
    report.properties = {**report.properties, **fates}  # keeps the fates of the first member
    return one.to


def tell(emission: Emission, resource: ir.Resource, addresses: list[str], members: list[str], serial: bool) -> None:
    """Records the fates of the chain's properties. members: an address for each listed type."""
    report = emission.log.resource_report(resource)
    report.addresses = addresses
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == "resources" and isinstance(entry.value, ir.Seq):
            for i, member in enumerate(members):
                report.properties[f"resources.{i}"] = fate(
                    "derived",
                    member,
                    "source" if member.startswith("module.") else "",
                    "the template became the module" if member.startswith("module.") else "a resource of this type",
                )
        elif entry.key == "concurrent":
            why = "each member depends on the previous one" if serial else "the members do not depend on each other"
            report.properties["concurrent"] = fate("implied", why=why)
        elif entry.value in (ir.NULL, ir.Map(())):
            report.properties[entry.key] = fate("implied", why="no properties are set")
