"""Groups of instances from a launch configuration: one `openstack_compute_instance_v2` with `count`.

Invariant: a member is written as an AWS::EC2::Instance with the properties and the metadata of the launch
configuration, as Heat does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.sizes import Size, least
from emitters.hcl.namespace import snake
from emitters.hcl.plan import cfn_init, scaling
from emitters.hcl.resources.handles import GivenUp, Group, Native
from emitters.hcl.resources.keys import lost_metadata
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.tree.nodes import Argument, Cond, Name
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NO_VALUE, NOT_IMPLEMENTED, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind

EMPTY = (ir.NULL, ir.Seq(()))
OWN = {"Tags": "Tags", "SubnetId": "VPCZoneIdentifier"}  # properties of a member that the group sets
REFUSED = ("HealthCheckGracePeriod", "HealthCheckType")
METERING = "metering."


@prepare_hook("instance_group")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    found, one = member(emission, resource)
    address = (found.resource, emission.names.label(found.resource, snake(resource.name)))
    return Group(Native(emission, one, found, address), None, resource.condition, least(emission, resource))


def member(emission: Emission, group: ir.Resource) -> tuple[Kind, ir.Resource]:
    """The mapping of instances, and a member as a resource."""
    found = emission.unit.tables.find(heat_types.AWS_INSTANCE)
    one = scaling.instance(emission.unit.stack, group)
    if found is None or found.treatment != "native" or one is None:
        why = f"the members of {group.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, group.name_span, group.name)
    return found, one


@write_hook("instance_group")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    from emitters.hcl.resources.writer import Writer

    handle = emission.handles[resource.name]
    config = scaling.launch(emission.unit.stack, resource.name)
    assert isinstance(handle, Group)
    assert config is not None
    found, one = member(emission, resource)
    address = handle.native.address
    lowering = emission.lowering.owned(address[1], resource=resource.name)
    size = Size(emission, resource, lowering, address)
    test = lowering.condition(resource.condition) if resource.condition is not None else True
    number = size.expr if test is True else Cond(test, size.expr, 0)
    repeated = Argument("count", number, config.span)  # the comments on the launch configuration go here
    facts = frozenset(() if resource.condition is None else (resource.condition,))
    lowering = emission.lowering.owned(address[1], facts=facts, resource=resource.name).changed(repeated=repeated)
    writer = Writer(emission, one, found, address, one.properties, lowering)
    writer.member = Name(("count", "index"))
    writer.report = emission.log.resource_report(config)
    write_properties(writer)
    tell(writer, resource, config)
    size.tell()
    writer.finish()
    size.check()


def tell(writer: Writer, group: ir.Resource, config: ir.Resource) -> None:
    """Records the fates of the group's properties. Those of the launch configuration are in its own report."""
    emission, to = writer.emission, writer.to
    report, inner = emission.log.resource_report(group), writer.report
    writer.report = report
    inner.treatment, inner.addresses = "folded", list(dict.fromkeys([*inner.addresses, to]))
    # The hooks of instances have recorded all fates for the launch configuration, also of properties of the group.
    for path in list(inner.properties):
        word, dot, rest = path.partition(".")
        if word in OWN:
            own = f"{OWN[word]}{'.0' if word == 'SubnetId' else ''}{dot}{rest}"
            report.properties[own] = inner.properties.pop(path)
    for entry in group.properties.entries if group.properties is not None else ():
        if entry.key == scaling.LAUNCH:
            why = f"the properties of {config.name} are those of the members"
            report.properties[entry.key] = fate("derived", to, why=why)
        elif entry.value in EMPTY:
            report.properties[entry.key] = fate("implied", why=NO_VALUE)
        elif entry.key == "AvailabilityZones":
            report.properties[entry.key] = fate("implied", why="Heat ignores it")
        elif entry.key in REFUSED:
            writer.drop(entry, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED)
        elif entry.key == scaling.BALANCERS:
            balanced(writer, group, entry)
    metered(writer, group)


def balanced(writer: Writer, group: ir.Resource, entry: ir.Entry) -> None:
    """Records the fates of the load balancers, which have the members. Others are kept up to date by Heat."""
    plan, items = writer.emission.unit.plan, entry.value.items if isinstance(entry.value, ir.Seq) else ()
    for i, item in enumerate(items or (entry.value,)):
        name = item.name if isinstance(item, ir.ResourceRef) else ""
        if name not in plan.preferred or writer.emission.unit.stack.types[name] != scaling.BALANCER:
            why = f"Heat keeps the load balancers of {group.name} up to date"
            raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value, group.name)
        writer.fate(f"{entry.key}.{i}", fate("derived", writer.to, why=f"{name} has a member for each instance"))


def metered(writer: Writer, group: ir.Resource) -> None:
    """Reports the tags that Heat sets for its alarms. A tag `metering.…` of the template replaces the first of them."""
    listed = scaling.given(group, "Tags")
    tags = [one.get("Key") for one in listed.items if isinstance(one, ir.Map)] if isinstance(listed, ir.Seq) else []
    own = any(isinstance(key, ir.Lit) and str(key.value).startswith(METERING) for key in tags)
    names = [] if own else ["metering.groupname"]
    if group.kind.startswith("AWS::"):
        names.append("metering.AutoScalingGroupName")
    if names:
        message = (
            f"The members of {group.name} lack the metadata {' and '.join(names)}, which Heat sets for its alarms."
        )
        writer.emission.log.say(codes.NO_ALARM_METADATA, message, group.type_span)


@prepare_hook("launch_configuration")
def prepare_launch(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, codes.GROUP_SCALED_BY_USER)


@write_hook("launch_configuration")
def write_launch(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing: the groups do. Without a group, its properties describe nothing."""
    stack, plan = emission.unit.stack, emission.unit.plan
    if not any(scaling.launch(stack, name) is resource for name in plan.users.get(resource.name, ())):
        why = "no group uses it"
        emission.log.resource_report(resource).became_nothing(resource, why, fate("implied", why=why))
    elif resource.metadata is not None:
        words = emission.unit.template.version.dialect.resource
        spelled = next(key for key in resource.keys if words.get(key) == "metadata")
        if carried(emission, resource):
            why = "the user data of the members has it"
            emission.log.resource_report(resource).keys[spelled] = fate("derived", why=why)
        else:
            lost_metadata(emission, resource, spelled, resource.metadata)


def carried(emission: Emission, config: ir.Resource) -> bool:
    """Whether the members get the metadata in their user data."""
    return (
        cfn_init.tools(emission.unit.stack, cfn_init.boot_of(config.name, config.properties, config.metadata))
        is not None
    )
