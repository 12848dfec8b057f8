"""Groups of instances from a launch configuration: one `openstack_compute_instance_v2` with `count`.

Invariant: a member is written as an AWS::EC2::Instance with the properties and the metadata of the launch
configuration, as Heat does it.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.sizes import GroupSize, minimum_size
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan import cfn_init, scaling
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import LeftOutHandle, NativeHandle
from emitters.hcl.resources.keys import report_lost_metadata
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tree.nodes import Argument, Cond, Traversal
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NO_VALUE, NOT_IMPLEMENTED, make_fate

EMPTY = (ir.NULL, ir.Seq(()))
OWN = {"Tags": "Tags", "SubnetId": "VPCZoneIdentifier"}  # properties of a member that the group sets
REFUSED = ("HealthCheckGracePeriod", "HealthCheckType")
METERING = "metering."


@resource_hook("instance_group")
def prepare_instance_group(emission: Emission, resource: ir.Resource) -> Prepared:
    instance_kind, instance = read_group_instance(emission, resource)
    address = (instance_kind.resource, emission.names.reserve_label(instance_kind.resource, snake_case(resource.name)))
    native = NativeHandle(emission, instance, instance_kind, address)
    group = GroupHandle(native, None, minimum_size(emission, resource))
    return Prepared(group, lambda: write_instance_group(emission, resource, group))


def read_group_instance(emission: Emission, group: ir.Resource) -> tuple[TypeMapping, ir.Resource]:
    """The mapping of instances, and a member as a resource."""
    kind = emission.unit.tables.find_mapping(heat_types.AWS_INSTANCE)
    instance = scaling.instance_of_group(emission.unit.stack, group)
    if kind.treatment != "native" or instance is None:
        raise only_at_run_time(f"the members of {group.name} are", group.name_span, group.name)
    return kind, instance


def write_instance_group(emission: Emission, resource: ir.Resource, handle: GroupHandle) -> None:
    config = scaling.launch_configuration_of(emission.unit.stack, resource.name)
    assert config is not None
    instance_kind, instance = read_group_instance(emission, resource)
    address = handle.native.address
    lowering = emission.lowering.with_owner(address[1], resource=resource.name)
    size = GroupSize(emission, resource, lowering, address)
    test = lowering.lower_condition(resource.condition)
    number = size.expr if test is True else Cond(test, size.expr, 0)
    repeated = Argument("count", number, config.span)  # the comments on the launch configuration go here
    facts = frozenset(resource.conditions)
    lowering = emission.lowering.with_owner(address[1], facts=facts, resource=resource.name).with_changes(
        repeated=repeated
    )
    writer = Writer(emission, instance, instance_kind, address, instance.properties, lowering)
    writer.member = Traversal(("count", "index"))
    writer.report = emission.log.resource_report(config)
    write_properties(writer)
    report_instance_group(writer, resource, config)
    size.report_fates()
    writer.finish_resource()
    size.write_check()


def report_instance_group(writer: Writer, group: ir.Resource, config: ir.Resource) -> None:
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
    for entry in group.entries:
        if entry.key == scaling.LAUNCH:
            why = f"the properties of {config.name} are those of the members"
            report.properties[entry.key] = make_fate("derived", to, why=why)
        elif entry.value in EMPTY:
            report.properties[entry.key] = make_fate("implied", why=NO_VALUE)
        elif entry.key == "AvailabilityZones":
            report.properties[entry.key] = make_fate("implied", why="Heat ignores it")
        elif entry.key in REFUSED:
            writer.add(writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED))
        elif entry.key == scaling.BALANCERS:
            record_load_balancers(writer, group, entry)
    report_missing_metering(writer, group)


def record_load_balancers(writer: Writer, group: ir.Resource, entry: ir.Entry) -> None:
    """Records the fates of the load balancers, which have the members. Others are kept up to date by Heat."""
    plan, items = writer.emission.unit.plan, entry.value.items if isinstance(entry.value, ir.Seq) else ()
    for i, item in enumerate(items or (entry.value,)):
        name = item.name if isinstance(item, ir.ResourceRef) else ""
        if name not in plan.preferred or writer.emission.unit.stack.types[name] != scaling.BALANCER:
            why = f"Heat keeps the load balancers of {group.name} up to date"
            raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value, group.name)
        writer.record_fate(
            f"{entry.key}.{i}", make_fate("derived", writer.to, why=f"{name} has a member for each instance")
        )


def report_missing_metering(writer: Writer, group: ir.Resource) -> None:
    """Reports the tags that Heat sets for its alarms. A tag `metering.…` of the template replaces the first of them."""
    listed = scaling.property_value(group, "Tags")
    tags = [tag.get("Key") for tag in listed.items if isinstance(tag, ir.Map)] if isinstance(listed, ir.Seq) else []
    own = any(isinstance(key, ir.Lit) and str(key.value).startswith(METERING) for key in tags)
    names = [] if own else ["metering.groupname"]
    if group.kind.startswith("AWS::"):
        names.append("metering.AutoScalingGroupName")
    if names:
        message = (
            f"The members of {group.name} lack the metadata {' and '.join(names)}, which Heat sets for its alarms."
        )
        writer.emission.log.add_diagnostic(codes.NO_ALARM_METADATA, message, group.type_span)


@resource_hook("launch_configuration")
def prepare_launch_configuration(emission: Emission, resource: ir.Resource) -> Prepared:
    handle = LeftOutHandle(resource, codes.GROUP_SCALED_BY_USER)
    return Prepared(handle, lambda: write_launch_configuration(emission, resource))


def write_launch_configuration(emission: Emission, resource: ir.Resource) -> None:
    """Writes nothing: the groups do. Without a group, its properties describe nothing."""
    stack, plan = emission.unit.stack, emission.unit.plan
    if not any(
        scaling.launch_configuration_of(stack, name) is resource
        for name in plan.referring_resources.get(resource.name, ())
    ):
        why = "no group uses it"
        emission.log.resource_report(resource).became_nothing(resource, why, make_fate("implied", why=why))
    elif resource.metadata is not None:
        words = emission.unit.template.version.dialect.resource
        spelled = next(key for key in resource.keys if words.get(key) == "metadata")
        if carries_metadata(emission, resource):
            why = "the user data of the members has it"
            emission.log.resource_report(resource).keys[spelled] = make_fate("derived", why=why)
        else:
            report_lost_metadata(emission, resource, spelled, resource.metadata)


def carries_metadata(emission: Emission, config: ir.Resource) -> bool:
    """Whether the members get the metadata in their user data."""
    return (
        cfn_init.find_tools(emission.unit.stack, cfn_init.read_boot(config.name, config.properties, config.metadata))
        is not None
    )
