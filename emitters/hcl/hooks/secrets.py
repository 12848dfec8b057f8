"""Hooks of Barbican secrets, orders and containers."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.hooks.blocks import NOTHING, nothing
from emitters.hcl.lowering import paths, told
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.arguments import how_written, path_of_argument, shared_block, write_argument
from emitters.hcl.resources.rules import write_blocks
from emitters.hcl.resources.validation import nullable
from emitters.hcl.tables import provider
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule
from emitters.hcl.tree.nodes import Argument, Attr, Cond, Expr, Fn, ForObject, ForTuple, Name, Object, Text
from emitters.hcl.tree.types import MAP_OF_STRINGS, STRING, TUPLE, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import replace

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from emitters.hcl.resources.writer import Writer

TEXT = "text/plain"


def rfc3339(text: str) -> str | None:
    """Converts an ISO 8601 date to RFC 3339, in UTC if it has no zone. None if the text is not a date."""
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=datetime.UTC)).isoformat().replace("+00:00", "Z")


def dated(text: str) -> bool:
    """Whether the provider accepts a date unchanged."""
    return provider.refuses({"format": "rfc3339"}, text) is None


@property_hook("moment")
def moment(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Writes a date. The provider requires a zone; Barbican assumes UTC."""
    expr = entry.value
    if nothing(writer, entry):
        return
    argument = rule.argument
    block, where = shared_block(writer.block, argument.shared, entry), path_of_argument("", argument)
    known = writer.emission.unit.known_values(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
    if isinstance(expr, ir.Lit) and (found := rfc3339(str(expr.value))) and not dated(str(expr.value)):
        block.set(argument.name, found, entry)
        writer.is_value(entry.key, where, "derived", why="the same time in UTC, which Barbican assumes")
    elif isinstance(expr, (ir.Lit, ir.AttrRef)) or (known and all(dated(str(v)) for v in known)):
        write_argument(writer, writer.block, entry.key, argument, entry)
    else:
        value = writer.lowering.expr(expr, STRING)
        zoned = Fn("can", (Fn("timeadd", (value, "0s")),))
        block.set(argument.name, Cond(zoned, value, Text((value, "Z"))), entry)
        writer.is_value(entry.key, where, "derived", why="the same time, in UTC if it has no zone")


@finish_hook("secret")
def finish_secret(writer: Writer) -> None:
    """Requires a payload, and adds text/plain, the type that Heat's client sends by default."""
    given = {item.name: i for i, item in enumerate(writer.block.body) if isinstance(item, Argument)}
    if "payload" not in given and writer.emission.unit.plan.prefer != FAITHFUL:
        given["payload"] = len(writer.block.body)
        writer.block.set("payload", told.lacking(writer.lowering, writer.resource, "payload", secret=True))
    elif "payload" not in given or nullable(getattr(writer.block.body[given["payload"]], "value", None)):
        why = "the provider always sends a payload, and Barbican rejects an empty one"
        raise CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, why, writer.resource.name_span, writer.resource.name)
    if "payload_content_type" not in given:
        writer.block.body.insert(given["payload"] + 1, Argument("payload_content_type", TEXT))


@attribute_hook("decrypted_payload")
def decrypted_payload(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The payload, if it is text. For anything else Heat returns bytes, and the provider base64."""
    properties = native.resource.properties
    kind = properties.get("payload_content_type") if properties is not None else None
    if rest or (kind is not None and kind not in (*NOTHING, ir.Lit(TEXT))):
        why = f"the payload of {native.resource.name} may not be text"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, native.resource.name)
    return lambda base: Value(Attr(base, "payload"), STRING)


# containers


SECRET = BlockRule(
    "secret_refs", {"name": ArgumentRule("secret_refs.name"), "ref": ArgumentRule("secret_refs.secret_ref")}
)


@property_hook("container_secret")
def container_secret(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """`private_key_ref` and the like: writes the `secret_refs` block for the secret of that name."""
    if nothing(writer, entry):
        return
    count = sum(getattr(item, "type", "") == SECRET.block for item in writer.block.body)
    name = ir.Entry("name", ir.Lit(entry.key.removesuffix("_ref")))
    write_blocks(writer.silent(), writer.block, entry.key, SECRET, described(entry.value, name))
    if isinstance(entry.value, ir.If):
        writer.is_value(entry.key, SECRET.block, "derived", why="a block for each branch of the condition")
    else:
        how = how_written(entry.value)
        writer.is_value(entry.key, f"{SECRET.block}.{count}.secret_ref", how)


def described(expr: ir.Expr, name: ir.Entry) -> ir.Expr:
    """Turns a reference into the map that a generic container uses, in each branch of a condition."""
    if isinstance(expr, ir.If):
        then, other = described(expr.then, name), described(expr.orelse, name) if expr.orelse is not None else None
        return replace(expr, then=then, orelse=other)
    if expr in NOTHING:
        return ir.NULL
    return ir.Map((name, ir.Entry("ref", expr, expr.at)), expr.span)


@attribute_hook("container_secrets")
def container_secrets(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Converts the provider's set of blocks to the map that Heat returns."""
    one = Name(("secret",))

    def choose(base: Expr) -> Value:
        named = ForObject(("secret",), Attr(base, "secret_refs"), Attr(one, "name"), Attr(one, "secret_ref"))
        return paths.attribute(lowering, Value(named, MAP_OF_STRINGS), rest) if rest else Value(named, MAP_OF_STRINGS)

    return choose


@attribute_hook("container_consumers")
def container_consumers(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """A list of maps with Barbican's keys, `name` and `URL`."""
    one = Name(("consumer",))
    spelled = Object((("name", Attr(one, "name")), ("URL", Attr(one, "url"))))

    def choose(base: Expr) -> Value:
        found = Value(ForTuple(("consumer",), Attr(base, "consumers"), spelled), TUPLE)
        return paths.attribute(lowering, found, rest) if rest else found

    return choose
