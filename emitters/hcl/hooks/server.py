"""Hooks of servers: image and flavor, security groups, user data, hints, personality.

NICs, disks and addresses have their own modules: server_networks, server_disks, server_addresses.
Invariant: user data is written without Heat's wrapper, and a diagnostic says so.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import cfn_init, finish_hook, first_boot, nics, property_hook, signals
from emitters.hcl.hooks.encoded_user_data import ENCODED, encode_user_data
from emitters.hcl.hooks.names import write_names
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan import configurations
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tables.mapping import NameLookup, looks_like_id
from emitters.hcl.tree.nodes import Block, Cond, Expr, Object, Traversal, Tuple, for_each_if
from emitters.hcl.tree.types import MAP_OF_STRINGS, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Located, Span

CONFIGS = (
    heat_types.SOFTWARE_CONFIG,
    heat_types.STRUCTURED_CONFIG,
    heat_types.CLOUD_CONFIG,
    heat_types.MULTIPART_MIME,
)

# image and flavor: a name in one argument, an ID in another


def write_name_or_id(writer: Writer, entry: ir.Entry, lookup: NameLookup, by_name: str, by_id: str) -> Written:
    """Writes the argument for a name or the one for an ID, or both if the form is unknown."""
    emission, lowering, expr = writer.emission, writer.lowering, entry.value
    parameter = isinstance(expr, ir.ParamRef) and not expr.path
    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) or (
        not parameter and emission.unit.is_unknown_before_apply(expr)
    ):
        value = lowering.lower_expression(expr, STRING)
        return Written.value(entry, by_id, value, emission.unit.reference_fate(expr))
    value = lowering.lower_value(expr, STRING).expr
    if isinstance(value, str):
        if own := emission.data.own_resource(lookup, value):
            reference = lowering.lower_expression(ir.ResourceRef(own, span=expr.span))
            return Written.value(entry, by_id, reference, "lookup")
        return Written.value(entry, by_id if looks_like_id(lookup, value, emission.unit.budget) else by_name, value)
    form = emission.unit.form_of_expression(expr, lookup)
    if form:
        emission.data.report_form(lowering, expr, lookup, form)
        argument = by_name if form == "name" else by_id
        return Written.value(entry, argument, value, emission.unit.reference_fate(expr))
    label = (
        snake_case(expr.name)
        if isinstance(expr, ir.ParamRef) and not expr.path
        else f"{lowering.scope.owner}_{lookup.noun}"
    )
    if not isinstance(value, Traversal) and not lowering.scope.fixed:
        value = emission.blocks.share_local(label, value)
    test = emission.data.local_id_test(lowering, value, lookup, label)
    why = f"a name here, or an ID in {by_id} if the value looks like one"
    named = Written.value(entry, by_name, Cond(test, None, value), "derived", why)
    return named + Written.argument(by_id, Cond(test, value, None))


@property_hook("server_image")
def write_server_image(writer: Writer, entry: ir.Entry) -> Written:
    return write_name_or_id(writer, entry, writer.lookups["image"], "image_name", "image_id")


@property_hook("server_flavor")
def write_server_flavor(writer: Writer, entry: ir.Entry) -> Written:
    return write_name_or_id(writer, entry, writer.lookups["flavor"], "flavor_name", "flavor_id")


# security groups


@property_hook("server_security_groups")
def write_server_security_groups(writer: Writer, entry: ir.Entry) -> Written:
    """Writes names, if Nova creates the NICs. Groups of ports are written on the ports."""
    interfaces = ir.items_of(writer.value_of("networks"))
    if interfaces and all(map(nics.is_given_by_port, interfaces)):
        writer.emission.log.add_diagnostic(
            codes.PROPERTY_IGNORED_BY_HEAT,
            f"The security groups of {writer.resource.name} have no effect: all NICs are given by port.",
            entry,
        )
        return Written.implied(entry.key, "Nova ignores security groups of a server whose NICs are all given by port")
    if interfaces and (all(map(nics.needs_port, interfaces)) or nics.has_groups_beside_ports(writer)):
        return Written.fate(entry.key, "network", "derived", "written on the ports that are created for the NICs")
    return write_names(writer, entry, "security_groups", "security_group", "name")


# other properties


@property_hook("scheduler_hints")
def write_scheduler_hints(writer: Writer, entry: ir.Entry) -> Written:
    """Writes hints: known ones as arguments, others in one map, with a block for each branch of a condition."""
    expr = writer.lowering.settle_branches(entry.value)
    if expr in ir.UNSET:
        return Written.implied(entry.key, "no hints are set")
    if isinstance(expr, ir.Map):
        return write_hint_arguments(writer, entry.key, expr).in_block(Block("scheduler_hints", span=entry.span))
    if not isinstance(expr, ir.If) or not all(
        isinstance(b, ir.Map) or b in (None, ir.NULL) for b in (expr.then, expr.orelse)
    ):
        raise only_at_run_time(f"the scheduler hints of {writer.resource.name} are", expr)
    test, written = writer.lowering.lower_condition(expr.condition), NOTHING
    for branch, holds, fact in (
        (expr.then, test, expr.condition),
        (expr.orelse, negate_expression(test), ir.Call("not", expr.condition)),
    ):
        if isinstance(branch, ir.Map) and branch.entries:
            dynamic = Block("dynamic", ("scheduler_hints",), span=branch.span)
            dynamic.add_argument("for_each", for_each_if(holds))
            hints = write_hint_arguments(writer.with_fact(fact), entry.key, branch)
            written += hints.in_block(Block("content")).in_block(dynamic)
    why = "a block for each branch of the condition"
    return written.without_fates() + Written.fate(entry.key, "scheduler_hints", "derived", why)


def write_hint_arguments(writer: Writer, path: str, hints: ir.Map) -> Written:
    """Writes the arguments of one block of hints."""
    facts = writer.emission.unit.tables.providers.find_block(writer.address[0], "scheduler_hints")["arguments"]
    written, others = NOTHING, list[tuple[Expr, Expr]]()
    for hint in hints.entries:
        hint_facts, argument = facts.get(hint.key), hint.key
        if hint_facts is None or hint.key == "additional_properties":
            others.append((hint.key, writer.lowering.lower_map_value(hint.value, True)))
            argument = f"additional_properties.{hint.key}"
        elif hint_facts["type"] == "string":
            written += Written.argument(hint.key, writer.lowering.lower_expression(hint.value, STRING), hint)
        else:
            value = writer.lowering.lower_value(hint.value, STRINGS)
            single = value.type.kind in ("string", "any")
            written += Written.argument(hint.key, Tuple((value.expr,)) if single else value.expr, hint)
            argument += ".0" if single else ""
        written += Written.fate(f"{path}.{hint.key}", f"scheduler_hints.0.{argument}", how_written(hint.value))
    return written + Written.argument("additional_properties", Object(tuple(others))) if others else written


@property_hook("server_personality")
def write_personality(writer: Writer, entry: ir.Entry) -> Written:
    """Writes files to put into the server: path → content."""
    if isinstance(entry.value, ir.Map):
        return join_written(write_file(writer, f"{entry.key}.{file.key}", file) for file in entry.value.entries)
    dynamic = Block("dynamic", ("personality",), span=entry.span)
    dynamic.add_argument("for_each", writer.lowering.lower_expression(entry.value, MAP_OF_STRINGS))
    content = dynamic.add_block("content")
    content.add_argument("file", Traversal(("personality", "key")))
    content.add_argument("content", Traversal(("personality", "value")))
    why = "one block for each entry of the map"
    return Written((dynamic,)) + Written.fate(entry.key, "personality", "derived", why)


def write_file(writer: Writer, path: str, file: ir.Entry) -> Written:
    """Writes a file of the personality."""
    block = Block("personality", span=file.span)
    block.add_argument("file", file.key)
    block.add_argument("content", writer.lowering.lower_expression(file.value, STRING), file)
    why = "the content of the block whose file is this path"
    return Written((block,)) + Written.fate(path, "personality", "derived", why)


def is_config(emission: Emission, name: str) -> bool:
    return emission.unit.stack.types.get(name) in CONFIGS


def computed_format(where: Located) -> CannotSay:
    return only_at_run_time("the format of the user data is", where)


@property_hook("server_user_data")
def write_server_user_data(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the text for cloud-init. Heat would wrap it unless the format is RAW."""
    emission = writer.emission
    boots = emission.unit.plan.first_boot_deployments(writer.resource.name)
    form = read_user_data_format(writer)
    if not form and not emission.unit.policy.accepts_differences:
        raise computed_format(writer.entries["user_data_format"])
    text = signals.silence_signals(emission, writer.resource, entry.value)
    value = writer.lowering.with_changes(in_text=True).lower_value(text, STRING)
    how = how_written(entry.value)
    as_given = signals.is_unchanged(emission, entry.value, text)
    archive = cfn_init.extend_user_data(writer, text, value)
    if boots:
        plain_text = configurations.read_known_text(emission.unit.stack, text) if archive is None else None
        first = (archive or value).expr
        data = first_boot.write_user_data_message(writer, boots, first, first if plain_text is None else plain_text)
        written = Written.value(entry, "user_data", data, "derived", "the first part of the user data")
    elif archive is not None:
        written = Written.value(entry, "user_data", archive.expr, "derived", cfn_init.PART)
    elif (encoded := encode_user_data(emission.unit, text, value)) is not None:
        written = Written.value(entry, "user_data", encoded, "derived", ENCODED)
    elif as_given:
        written = Written.value(entry, "user_data", value.expr, how)
    else:
        written = Written.value(entry, "user_data", value.expr, "derived", signals.DIFFERENT)
    if archive is None:
        report_format(writer, entry, form)
    return written


def report_format(writer: Writer, entry: ir.Entry, form: str) -> None:
    """Reports the parts that Heat adds to user data. form: its format; None if that is known only at run time."""
    emission = writer.emission
    if form == "HEAT_CFNTOOLS" and isinstance(entry.value, ir.ResourceRef) and is_config(emission, entry.value.name):
        message = (
            f"Heat passes the ID of {entry.value.name} as text: it reads a config only with the formats RAW and "
            "SOFTWARE_CONFIG. Terraform passes the text of the config."
        )
        emission.log.report_difference(codes.USER_DATA_WITHOUT_MIME, message, entry, severity="warning")
    elif form == "HEAT_CFNTOOLS":
        message = "Heat wraps the user data of {} in parts for cfn-init; Terraform passes it unchanged."
        emission.log.gather_name(codes.USER_DATA_WITHOUT_MIME, message, writer.resource.name, "", entry)
        emission.log.add_comment(
            entry.at,
            codes.USER_DATA_WITHOUT_MIME,
            "Heat wraps this in parts for cfn-init; Terraform passes it unchanged.",
        )
    elif not form:
        message = (
            f"Unless the format is RAW, Heat adds parts for its agents to the user data of {writer.resource.name}; "
            "Terraform passes it unchanged."
        )
        emission.log.report_difference(codes.USER_DATA_WITHOUT_MIME, message, entry, severity="warning")
    elif form == "SOFTWARE_CONFIG":
        emission.log.add_diagnostic(
            codes.USER_DATA_WITHOUT_MIME,
            f"Heat adds parts for os-collect-config to the user data of {writer.resource.name}; Terraform omits them.",
            entry,
            note="Heat adds parts for os-collect-config to this; only deployments need them.",
            once=writer.resource.name,
        )


def read_user_data_format(writer: Writer) -> str:
    """The format, or Heat's default. Empty if it is known only at run time."""
    expr = writer.value_of("user_data_format")
    if expr == ir.NULL:
        return "HEAT_CFNTOOLS"
    if isinstance(expr, ir.Lit):
        return str(expr.value)
    values = {str(v) for v in writer.values_of_parameter(expr)}
    return values.pop() if len(values) == 1 else ""


@property_hook("server_user_data_format")
def record_user_data_format(writer: Writer, entry: ir.Entry) -> Written:
    form = read_user_data_format(writer)
    if not form and "user_data" in writer.entries and not writer.emission.unit.policy.accepts_differences:
        raise computed_format(entry)
    why = (
        "the provider sends user_data unchanged, as RAW does"
        if form in ("RAW", "")
        else "Heat would only add parts for agents that poll Heat"
    )
    there = writer.block.has_argument("user_data")
    return Written.implied(entry.key, why, "user_data" if there else "", writer.to)


@property_hook("server_update_policy")
def write_update_policy(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the policy for changes of the image, flavor or user data. Terraform can only ignore the user data."""
    value = str(entry.value.value) if isinstance(entry.value, ir.Lit) else ""
    usual = {"user_data_update_policy": "REPLACE", "flavor_update_policy": "RESIZE", "image_update_policy": "REBUILD"}[
        entry.key
    ]
    if value == usual or entry.value == ir.NULL:
        return Written.implied(entry.key, f"the provider does {usual} on a change")
    if value == "IGNORE":
        why = "changes of the user data are ignored"
        return Written(ignored=("user_data",)) + Written.fate(entry.key, "lifecycle.ignore_changes", "derived", why)
    why = f"on a change, the provider always does {usual}"
    return writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, why)


@finish_hook("server")
def finish_server(writer: Writer) -> None:
    """Writes first-boot scripts as user data if the template has no user data. The loss of Heat's metadata is reported
    elsewhere, with the other keys of the resource.
    """
    plan = writer.emission.unit.plan
    if plan.preferred:
        boots = plan.first_boot_deployments(plan.deployments.user_data_holder(writer.resource.name))
        first_boot.add_deployment_waits(writer.emission, writer.block, boots)
    if writer.block.has_argument("user_data"):
        return
    boots = plan.first_boot_deployments(writer.resource.name)
    if boots:
        writer.block.add_argument("user_data", first_boot.write_user_data_message(writer, boots, None))
    elif read_user_data_format(writer) != "RAW":
        resource = writer.resource
        message = "Heat gives a server without user data its own scripts for cfn-init; Terraform gives it none."
        end = resource.at + len(resource.name)
        writer.emission.log.add_diagnostic(
            codes.USER_DATA_WITHOUT_MIME, message, Span(resource.at, end), once="no user data", severity="info"
        )
