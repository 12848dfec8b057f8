"""Groups whose members are of a native type or a nested template: one resource or module call, repeated.

Members are named "0", "1" and so on, without the names that removal_policies removes. `%index%` stands for the name, in
values of properties only. Heat replaces it in resolved values too.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, computed_members, only_at_run_time
from emitters.hcl.hooks import Prepared, random_string, resource_hook, values
from emitters.hcl.hooks.module import prepare_call
from emitters.hcl.hooks.sizes import GroupSize, minimum_size
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import or_default
from emitters.hcl.namespace import snake_case
from emitters.hcl.nested.calls import CallWriter, ModuleHandle
from emitters.hcl.plan.planner import MODULE
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.left_out import complete_if
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.running import REMOVED
from emitters.hcl.tables.mapping import UNMAPPED, TypeMapping
from emitters.hcl.tree.nodes import Argument, Cond, Expr, Fn, ForTuple, Not, Op, Traversal, Tuple
from emitters.hcl.tree.types import NUMBER, STRINGS
from emitters.hcl.unit import INDEX, Unit
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.meter import spend_budget
from transpile.report import make_fate

# types with a hook that can be repeated, and the functions that write their arguments
REPEATED = {heat_types.RANDOM_STRING: random_string.write_random_arguments, heat_types.NONE: values.write_random_id}


def definition_key(resource: ir.Resource) -> str:
    """The key of the property that defines the members: `resource` of a scaling group, else `resource_def`."""
    return "resource" if resource.find_property("resource") is not None else "resource_def"


def read_member(unit: Unit, resource: ir.Resource) -> tuple[TypeMapping, ir.Map]:
    """The mapping of the members' type, and their definition."""
    definition = resource.value_of(definition_key(resource))
    member_type = definition.get("type") if isinstance(definition, ir.Map) else None
    if not isinstance(definition, ir.Map) or not isinstance(member_type, ir.Lit):
        raise computed_members(resource)
    for part in definition.entries:  # members of a scaling group may have other keys
        if part.key not in ("type", "properties", "metadata"):
            why = f"Terraform has no equivalent of {part.key} of the members"
            raise CannotSay(codes.KEPT_IN_HEAT, why, part, resource.name)
    if (resource.name, str(member_type.value)) in unit.stack.nested:
        return MODULE, definition
    name = unit.stack.canonical_type(str(member_type.value))
    kind = unit.tables.find_mapping(name)
    if kind is UNMAPPED and not unit.stack.catalog.has_type(name):
        why = f"the members are of type {name}, which is not Heat's own"
        raise CannotSay(codes.ASSUMED_PLUGIN_TYPE, why, member_type, resource.name)
    if kind.treatment != "native" or not kind.resource:
        raise CannotSay(
            codes.KEPT_IN_HEAT, f"the members are of type {name}, which stays with Heat", member_type, resource.name
        )
    return kind, definition


def read_index_word(resource: ir.Resource) -> str:
    """The text that stands for the index of a member in its properties."""
    expr = resource.value_of("index_var")
    if expr == ir.NULL:
        return INDEX
    word = str(expr.value) if isinstance(expr, ir.Lit) else ""
    if not word:
        raise only_at_run_time(f"the index_var of {resource.name} is empty or", expr, resource.name)
    return word


def read_removed_names(resource: ir.Resource) -> list[str]:
    """The names of removed members, if they are literals."""
    expr = resource.value_of("removal_policies")
    if expr in ir.UNSET:
        return []
    names = []
    for policy in expr.items if isinstance(expr, ir.Seq) else [expr]:
        listed = policy.get("resource_list") if isinstance(policy, ir.Map) else None
        if not isinstance(listed, ir.Seq) or not all(isinstance(i, ir.Lit) for i in listed.items):
            raise only_at_run_time(f"the removed members of {resource.name} are", expr, resource.name)
        names += [str(i.value) for i in listed.items if isinstance(i, ir.Lit)]
    return names


def find_removal_parameter(emission: Emission, resource: ir.Resource) -> ir.ParamRef | None:
    """The parameter that lists the removed members; None if none does. Terraform asks no group that runs."""
    policies = ir.items_of(resource.value_of("removal_policies"))
    if emission.unit.running.exists or len(policies) != 1:
        return None
    listed = policies[0].get("resource_list") if isinstance(policies[0], ir.Map) else None
    if not isinstance(listed, ir.ParamRef) or listed.path:
        return None
    param = emission.unit.template.parameters.get(listed.name)
    plain = param is not None and param.type == "comma_delimited_list" and not param.hidden
    return listed if plain and not emission.unit.is_unknown_before_apply(listed) else None


def skipped_names(emission: Emission, resource: ir.Resource) -> list[str]:
    """The names that no member has: those of removed members. A running group knows more of them than its template."""
    running = emission.unit.running
    if definition_key(resource) == "resource" or not running.has_group(resource.name):
        return read_removed_names(resource)
    removed_names = running.removed_members(resource.name)
    if removed_names is None:
        why = f"the members of {resource.name} have other names in some of the running stacks than in others"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    return removed_names


@resource_hook("resource_group")
def prepare_resource_group(emission: Emission, resource: ir.Resource) -> Prepared:
    member_kind, definition = read_member(emission.unit, resource)
    if member_kind is MODULE:
        written = definition.get("type")
        assert isinstance(written, ir.Lit)
        call = prepare_call(emission, resource, str(written.value))
        members = names_local(emission, resource, call.address[1])
        group = GroupHandle(call, members, guaranteed_size(emission, resource))
        return Prepared(group, lambda: write_resource_group(emission, resource, group))
    if member_kind.hook and member_kind.name not in REPEATED:
        raise CannotSay(
            codes.KEPT_IN_HEAT,
            f"hot2tf cannot repeat {member_kind.name}",
            resource.name_span,
            resource.name,
        )
    address = (member_kind.resource, emission.names.reserve_label(member_kind.resource, snake_case(resource.name)))
    native = NativeHandle(emission, resource, member_kind, address)
    members = names_local(emission, resource, address[1])
    handle = GroupHandle(native, members, guaranteed_size(emission, resource))
    return Prepared(handle, lambda: write_resource_group(emission, resource, handle))


def lower_count(lowering: HclLowering, count: ir.Entry | None) -> Expr:
    """The number of members. It is 1 where the template leaves it out, or has null."""
    if count is None:
        return 1
    return or_default(lowering.lower_value(complete_if(count.value, ir.Lit(1), ir.Lit(1)), NUMBER), 1)


def guaranteed_size(emission: Emission, resource: ir.Resource) -> int | None:
    """The least number of members of a scaling group; None for a resource group."""
    return minimum_size(emission, resource) if definition_key(resource) == "resource" else None


def names_local(emission: Emission, resource: ir.Resource, label: str) -> Expr | None:
    """The local with the members' names, if some are removed."""
    return (
        Traversal(("local", emission.names.locals.reserve_name(f"{label}_names")))
        if find_removal_parameter(emission, resource) is not None or skipped_names(emission, resource)
        else None
    )


def write_resource_group(emission: Emission, resource: ir.Resource, handle: GroupHandle) -> None:
    """Writes the member's resource with `count`, or with `for_each` if some members are removed."""
    member_kind, definition = read_member(emission.unit, resource)
    properties = definition.get("properties")
    if properties is not None and not isinstance(properties, ir.Map):
        raise only_at_run_time(f"the properties of the members of {resource.name} are", properties, resource.name)
    address = handle.native.address
    lowering = emission.lowering.with_owner(address[1], resource=resource.name)
    scaling = GroupSize(emission, resource, lowering, address) if definition_key(resource) == "resource" else None
    count = resource.find_entry("count") if scaling is None else None
    number = scaling.expr if scaling is not None else lower_count(lowering, count)
    if count is not None and emission.unit.is_unknown_before_apply(count.value):
        why = f"the size of {resource.name} is known only after the apply"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, count.value, resource.name)
    test = lowering.lower_condition(resource.condition)
    removal = find_removal_parameter(emission, resource)
    skipped = skipped_names(emission, resource) if removal is None else []
    if skipped and count is not None and isinstance(number, int):
        source, written = emission.unit.template.source, count.value
        spend_budget("members", number + len(skipped), source, written)
    index: Expr
    named = handle.members is not None
    if isinstance(handle.members, Traversal):
        label = handle.members.parts[1]
        if emission.symbols.is_sensitive(number):
            message = f"The size of {resource.name} is hidden, but its members are shown as keys of for_each."
            emission.log.add_diagnostic(codes.HIDDEN_VALUE_REVEALED, message, count or resource.name_span)
            number = Fn("nonsensitive", (number,))
        if removal is not None:
            removed = lowering.lower_expression(removal, STRINGS)
            names = lower_remaining_names(number, removed, Fn("length", (removed,)), test)
        elif emission.unit.running.is_shared:
            answer = emission.symbols.variable_answer(resource.name, REMOVED, each=False)
            removed = emission.blocks.share_local(f"{label}_removed", Fn("try", (answer, Tuple(()))))
            names = lower_remaining_names(number, removed, Fn("length", (removed,)), test)
        else:
            names = lower_member_names(number, skipped, test)
        emission.blocks.add_local(label, names, resource)
        repeated = Argument("for_each", Fn("toset", (handle.members,)))
        index = Traversal(("each", "key"))
    else:
        repeated = Argument("count", number if test is True else Cond(test, number, 0))
        index = Traversal(("count", "index"))
    word = read_index_word(resource)
    bound = () if definition_key(resource) == "resource" else ((word, index),)
    facts = frozenset(resource.conditions)
    # Not the lowering of the size: only properties of members may refer to the index and assume the condition.
    lowering = emission.lowering.with_owner(address[1], facts=facts, bound=bound, resource=resource.name)
    lowering, prefix = lowering.with_changes(repeated=repeated, index=word), f"{definition_key(resource)}.properties."
    if isinstance(handle.native, ModuleHandle):
        each = "each.key" if named else "count.index"
        call = CallWriter(emission, handle.native, properties, lowering, prefix, each)
        call.write_module_block()
        if scaling is not None:
            scaling.report_fates()
            scaling.write_check()
        report_resource_group(emission, resource, definition, call.to, named, "")
        return
    writer = Writer(emission, resource, member_kind, address, properties, lowering, prefix)
    writer.member, writer.metadata = index, definition.get("metadata")
    REPEATED.get(member_kind.name, write_properties)(writer)
    if scaling is not None:
        scaling.report_fates()
    report_resource_group(emission, resource, definition, writer.to, named, writer.carried)
    writer.finish_resource()
    if scaling is not None:
        scaling.write_check()


def lower_member_names(number: Expr, skipped: list[str], test: Expr) -> Expr:
    """The names of the members: consecutive numbers without the removed ones. 3 without "1" -> `["0", "2", "3"]`."""
    if isinstance(number, int):
        without = set(skipped)
        left = [str(n) for n in range(number + len(skipped)) if str(n) not in without][:number]
        every = Tuple(tuple(left))
        return every if test is True else Cond(test, every, Tuple(()))
    return lower_remaining_names(number, Tuple(tuple(skipped)), len(skipped), test)


def lower_remaining_names(number: Expr, skipped: Expr, skipped_number: Expr, test: Expr) -> Expr:
    """The names of the members as an expression. skipped: the names of removed members."""
    i = Traversal(("i",))
    total = Op("+", number, skipped_number)
    text = Fn("tostring", (i,))
    remaining: Expr = Fn(
        "slice",
        (ForTuple(("i",), Fn("range", (total,)), text, Not(Fn("contains", (skipped, text)))), 0, number),
    )
    return remaining if test is True else Cond(test, remaining, Tuple(()))


def report_resource_group(
    emission: Emission, resource: ir.Resource, definition: ir.Map, to: str, named: bool, carried: str
) -> None:
    """Records the fates of the group's properties. named: whether members are removed, so that `for_each` has names.
    carried: why the metadata is in the user data, if it is.
    """
    report = emission.log.resource_report(resource)
    how = "for_each" if named else "count"
    for entry in resource.entries:
        if entry.key == "count":
            value = entry.value != ir.NULL
            report.properties["count"] = make_fate(
                "value" if value and not named else "derived",
                to,
                how,
                "" if not named else "this many members, without the removed ones",
            )
        elif entry.key == "index_var":
            report.properties["index_var"] = make_fate(
                "derived",
                to,
                how,
                f"{'each.key' if named else 'count.index'} replaces the placeholder",
            )
        elif entry.key.startswith("removal_policies"):
            report.properties[entry.key] = (
                make_fate("derived", to, how, "the names of the members without the removed ones")
                if named
                else make_fate("implied", why="no members are removed, and a plan always shows all members")
            )
        elif entry.key == definition_key(resource):
            for part in definition.entries:
                if part.key == "type":
                    report.properties[f"{entry.key}.type"] = make_fate(
                        "derived",
                        to,
                        "source" if to.startswith("module.") else "",
                        "the template became the module"
                        if to.startswith("module.")
                        else "the resource is of this type",
                    )
                elif part.key == "metadata" and carried:
                    report.properties[f"{entry.key}.metadata"] = make_fate("derived", to, "user_data", carried)
                elif part.key == "metadata":
                    report.properties[f"{entry.key}.metadata"] = make_fate(
                        "dropped", code=codes.METADATA_LOST, why="only agents that poll Heat read the metadata"
                    )
                    emission.log.add_diagnostic(
                        codes.METADATA_LOST,
                        f"The metadata of the members of {resource.name} is lost: agents read it through Heat.",
                        part,
                        note="the metadata is lost: agents read it through Heat.",
                    )
                elif part.key == "properties" and not (isinstance(part.value, ir.Map) and part.value.entries):
                    report.properties[f"{entry.key}.properties"] = make_fate("implied", why="no properties are set")
