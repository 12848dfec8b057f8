"""Hooks of servers: image and flavor, security groups, user data, hints, personality.

NICs, disks and addresses have their own modules: server_networks, server_disks, server_addresses.
Invariant: user data is written without what Heat would wrap around it, and a diagnostic says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import cfn_init, finish_hook, first_boot, property_hook, signals
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.namespace import snake
from emitters.hcl.plan import configurations
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.tables.mapping import Lookup, Rule, looks_like_id
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Name, Object, Tuple, once_if
from emitters.hcl.tree.types import MAP_OF_STRINGS, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer


# image and flavor: a name in one argument, an ID in another


def both_forms(writer: Writer, entry: ir.Entry, lookup: Lookup, by_name: str, by_id: str) -> None:
    """Writes the argument for a name or the one for an ID, or both if the form is unknown."""
    emission, lowering, expr = writer.emission, writer.lowering, entry.value

    def put(argument: str, value: Expr, how: str = "value") -> None:
        writer.block.set(argument, value, entry)
        writer.is_value(entry.key, argument, how)

    parameter = isinstance(expr, ir.ParamRef) and not expr.path
    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) or (not parameter and emission.unit.unknown(expr)):
        put(by_id, lowering.expr(expr, STRING), emission.unit.how(expr))
        return
    value = lowering.value(expr, STRING).expr
    if isinstance(value, str):
        own = emission.data.own(lookup, value)
        if own is not None:
            put(by_id, lowering.expr(ir.ResourceRef(own, span=expr.span)), "lookup")
        else:
            put(by_id if looks_like_id(lookup, value) else by_name, value)
        return
    form = emission.unit.form_at(expr, lookup)
    if form:
        if form == "name" and isinstance(expr, ir.ParamRef):
            emission.data.taken_as_name(expr, lookup.what)
        put(by_name if form == "name" else by_id, value, emission.unit.how(expr))
        return
    label = (
        snake(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else f"{lowering.scope.owner}_{lookup.what}"
    )
    if not isinstance(value, Name) and not lowering.scope.fixed:
        value = emission.blocks.local(label, value)
    test = emission.data.test(lowering, value, lookup, label)
    writer.block.set(by_name, Cond(test, None, value), entry)
    writer.block.set(by_id, Cond(test, value, None))
    writer.is_value(entry.key, by_name, "derived", why=f"a name here, or an ID in {by_id} if the value looks like one")


@property_hook("server_image")
def image(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (ir.NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="no image is set"))
        return
    both_forms(writer, entry, writer.lookups["image"], "image_name", "image_id")


@property_hook("server_flavor")
def flavor(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    both_forms(writer, entry, writer.lookups["flavor"], "flavor_name", "flavor_id")


# security groups


@property_hook("server_security_groups")
def security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes names if Nova creates the NICs. Groups of ports are written on the ports."""
    nics = items(writer.given.get("networks"))
    if entry.value in (ir.NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="the default is the default group, in Heat and in Terraform"))
        return
    if nics and all(isinstance(n, ir.Map) and n.get("port") is not None for n in nics):
        writer.emission.log.say(
            codes.PROPERTY_IGNORED_BY_HEAT,
            f"The security groups of {writer.resource.name} have no effect: all NICs are given by port.",
            entry,
        )
        writer.fate(
            entry.key, fate("implied", why="Nova ignores security groups of a server whose NICs are all given by port")
        )
        return
    if nics and all(isinstance(n, ir.Map) and n.get("subnet") is not None for n in nics):
        writer.fate(
            entry.key,
            fate("derived", writer.to, "network", why="written on the ports that are created for the NICs"),
        )
        return
    value, hows = writer.emission.data.many(
        writer.lowering, entry.value, writer.lookups["security_group"], "name", "security_group"
    )
    writer.block.set("security_groups", value.expr, entry)
    listed(writer, entry, "security_groups", hows)


def listed(writer: Writer, entry: ir.Entry, argument: str, hows: list[str]) -> None:
    """Records the fates of a list that becomes a set: one for each literal item, or one for the whole list if names
    were looked up.
    """
    if isinstance(entry.value, ir.Seq) and len(hows) == len(entry.value.items) and hows and "lookup" not in hows:
        for i, how in enumerate(hows):
            writer.is_value(f"{entry.key}.{i}", f"{argument}.{i}", how)
    else:
        writer.is_value(entry.key, argument, "lookup" if "lookup" in hows else hows[0] if hows else "value")


def items(entry: ir.Entry | None) -> list[ir.Expr]:
    """The items of a property that is a literal list; none for anything else."""
    return list(entry.value.items) if entry is not None and isinstance(entry.value, ir.Seq) else []


# other properties


@property_hook("scheduler_hints")
def scheduler_hints(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes hints: known ones as arguments, others in one map, with a block for each branch of a condition."""
    expr = entry.value
    while isinstance(expr, ir.If) and (known := writer.lowering.known(expr.condition)) is not None:
        expr = expr.then if known else expr.orelse or ir.NULL
    if expr in (ir.NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no hints are set"))
    elif isinstance(expr, ir.Map):
        hints(writer, writer.block.block("scheduler_hints", where=entry), entry.key, expr)
    elif isinstance(expr, ir.If) and all(
        isinstance(b, ir.Map) or b in (None, ir.NULL) for b in (expr.then, expr.orelse)
    ):
        test = writer.lowering.condition(expr.condition)
        for branch, holds, fact in (
            (expr.then, test, expr.condition),
            (expr.orelse, is_not(test), ir.Call("not", expr.condition)),
        ):
            if isinstance(branch, ir.Map) and branch.entries:
                dynamic = writer.block.block("dynamic", "scheduler_hints", where=branch)
                dynamic.set("for_each", once_if(holds))
                hints(writer.silent().assuming(fact), dynamic.block("content"), entry.key, branch)
        writer.is_value(entry.key, "scheduler_hints", "derived", why="a block for each branch of the condition")
    else:
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"the scheduler hints of {writer.resource.name} are known only at run time",
            expr,
        )


def hints(writer: Writer, block: Block, path: str, given: ir.Map) -> None:
    """Writes the arguments of one block of hints."""
    facts = (writer.emission.unit.tables.providers.block(writer.address[0], "scheduler_hints") or {})["arguments"]
    others: list[tuple[Expr, Expr]] = []
    for hint in given.entries:
        where = f"{path}.{hint.key}"
        how = how_written(hint.value)
        known = facts.get(hint.key)
        if known is None or hint.key == "additional_properties":
            others.append((hint.key, writer.lowering.member(hint.value, True)))
            writer.is_value(where, f"scheduler_hints.0.additional_properties.{hint.key}", how)
        elif known["type"] == "string":
            block.set(hint.key, writer.lowering.expr(hint.value, STRING), hint)
            writer.is_value(where, f"scheduler_hints.0.{hint.key}", how)
        else:
            value = writer.lowering.value(hint.value, STRINGS)
            single = value.type.kind in ("string", "any")
            block.set(hint.key, Tuple((value.expr,)) if single else value.expr, hint)
            writer.is_value(where, f"scheduler_hints.0.{hint.key}" + (".0" if single else ""), how)
    if others:
        block.set("additional_properties", Object(tuple(others)))


@property_hook("server_personality")
def personality(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes files to put into the server: path → content."""
    if entry.value in (ir.NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no files are set"))
    elif isinstance(entry.value, ir.Map):
        for file in entry.value.entries:
            block = writer.block.block("personality", where=file)
            block.set("file", file.key)
            block.set("content", writer.lowering.expr(file.value, STRING), file)
            writer.is_value(
                f"{entry.key}.{file.key}",
                "personality",
                "derived",
                why="the content of the block whose file is this path",
            )
    else:
        dynamic = writer.block.block("dynamic", "personality", where=entry)
        dynamic.set("for_each", writer.lowering.expr(entry.value, MAP_OF_STRINGS))
        content = dynamic.block("content")
        content.set("file", Name(("personality", "key")))
        content.set("content", Name(("personality", "value")))
        writer.is_value(entry.key, "personality", "derived", why="one block for each entry of the map")


@property_hook("server_user_data")
def user_data(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the text for cloud-init. Heat would wrap it unless the format is RAW."""
    if entry.value in (ir.NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="no user data is set"))
        return
    emission = writer.emission
    boots = emission.unit.plan.boots(writer.resource.name)
    form = user_data_format(writer)
    if form is None:
        given = writer.given["user_data_format"]
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the format of the user data is known only at run time", given)
    text = signals.quiet(emission, writer.resource, entry.value)
    value = writer.lowering.changed(in_text=True).value(text, STRING)
    how = how_written(entry.value)
    as_given = signals.as_given(emission, entry.value, text)
    found = cfn_init.user_data(writer, text, value)
    if boots:
        known = configurations.known_text(emission.unit.stack, text) if found is None else None
        first = (found or value).expr
        data = first_boot.message(writer, boots, first, first if known is None else known)
        writer.block.set("user_data", data, entry)
        writer.is_value(entry.key, "user_data", "derived", why="the first part of the user data")
    elif found is not None:
        writer.block.set("user_data", found.expr, entry)
        writer.is_value(entry.key, "user_data", "derived", why=cfn_init.PART)
    else:
        writer.block.set("user_data", value.expr, entry)
        if as_given:
            writer.is_value(entry.key, "user_data", how)
        else:
            writer.is_value(entry.key, "user_data", "derived", why=signals.DIFFERENT)
    if found is not None:
        return
    if form == "HEAT_CFNTOOLS":
        message = "Heat wraps the user data of {} in parts for cfn-init; Terraform passes it unchanged."
        emission.log.gather(codes.USER_DATA_WITHOUT_MIME, message, writer.resource.name, "", entry)
        emission.log.note(
            entry.at,
            codes.USER_DATA_WITHOUT_MIME,
            "Heat wraps this in parts for cfn-init; Terraform passes it unchanged.",
        )
    elif form == "SOFTWARE_CONFIG":
        emission.log.say(
            codes.USER_DATA_WITHOUT_MIME,
            f"Heat adds parts for os-collect-config to the user data of {writer.resource.name}; Terraform omits them.",
            entry,
            note="Heat adds parts for os-collect-config to this; only deployments need them.",
            once=writer.resource.name,
        )


def user_data_format(writer: Writer) -> str | None:
    """The format, or Heat's default. None if it is known only at run time."""
    given = writer.given.get("user_data_format")
    if given is None or given.value == ir.NULL:
        return "HEAT_CFNTOOLS"
    if isinstance(given.value, ir.Lit):
        return str(given.value.value)
    if isinstance(given.value, ir.ParamRef) and not given.value.path:
        known = {str(v) for v in writer.emission.unit.known_values(given.value.name)}
        if len(known) == 1:
            return known.pop()
    return None


@property_hook("server_user_data_format")
def user_data_format_fate(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    form = user_data_format(writer)
    if form is None and "user_data" in writer.given:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the format of the user data is known only at run time", entry)
    why = (
        "the provider sends user_data unchanged, as RAW does"
        if form == "RAW"
        else "Heat would only add parts for agents that poll Heat"
    )
    there = any(isinstance(a, Argument) and a.name == "user_data" for a in writer.block.body)
    writer.fate(entry.key, fate("implied", writer.to, "user_data" if there else "", why))


@property_hook("server_update_policy")
def update_policy(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes what happens when the image, flavor or user data changes."""
    value = str(entry.value.value) if isinstance(entry.value, ir.Lit) else ""
    usual = {"user_data_update_policy": "REPLACE", "flavor_update_policy": "RESIZE", "image_update_policy": "REBUILD"}[
        entry.key
    ]
    if value == usual or entry.value == ir.NULL:
        writer.fate(entry.key, fate("implied", why=f"the provider does {usual} on a change"))
    elif value == "IGNORE":
        writer.lifecycle.append(("ignore_changes", Tuple((Name(("user_data",)),)), ""))
        writer.is_value(entry.key, "lifecycle.ignore_changes", "derived", why="changes of the user data are ignored")
    else:
        writer.drop(entry, codes.PROPERTY_WITHOUT_COUNTERPART, f"on a change, the provider always does {usual}")


@finish_hook("server")
def finish(writer: Writer) -> None:
    """Writes first-boot scripts as user data if the template has no user data. The loss of Heat's metadata is reported
    elsewhere, with the other keys of the resource.
    """
    plan = writer.emission.unit.plan
    if plan.preferred:
        boots = plan.boots(plan.deployments.container(writer.resource.name))
        first_boot.waits(writer.emission, writer.block, boots)
    if writer.block.argument("user_data") is not None:
        return
    boots = plan.boots(writer.resource.name)
    if boots:
        writer.block.set("user_data", first_boot.message(writer, boots, None))
    elif user_data_format(writer) != "RAW":
        resource = writer.resource
        message = "Heat gives a server without user data its own scripts for cfn-init; Terraform gives it none."
        end = resource.at + len(resource.name)
        writer.emission.log.say(
            codes.USER_DATA_WITHOUT_MIME, message, Span(resource.at, end), once="no user data", severity="info"
        )
