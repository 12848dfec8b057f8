"""Hooks of Barbican secrets, orders and containers."""

from __future__ import annotations

import datetime

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.lowering import lookup_variables
from emitters.hcl.resources.arguments import how_written, write_argument
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.rules import write_blocks
from emitters.hcl.resources.validation import may_be_null
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tables import provider
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Object,
    StringTemplate,
    Traversal,
)
from emitters.hcl.tree.types import MAP_OF_STRINGS, STRING, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir

TEXT = "text/plain"


def convert_to_rfc3339(text: str) -> str | None:
    """Converts an ISO 8601 date to RFC 3339, in UTC if it has no zone. None if the text is not a date."""
    try:
        date = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return (date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).isoformat().replace("+00:00", "Z")


def is_provider_date(text: str) -> bool:
    """Whether the provider accepts a date unchanged."""
    return not provider.find_refusal({"format": "rfc3339"}, text)


@property_hook("moment")
def write_moment(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a date. The provider requires a zone; Barbican assumes UTC."""
    expr, rule = entry.value, writer.rule.argument_rule
    values = writer.values_of_parameter(expr)
    text = str(expr.value) if isinstance(expr, ir.Lit) else ""
    if (date := convert_to_rfc3339(text)) is not None and not is_provider_date(text):
        why = "the same time in UTC, which Barbican assumes"
        return Written.value(entry, rule.path_in_block, date, "derived", why)
    if isinstance(expr, (ir.Lit, ir.AttrRef)) or (values and all(is_provider_date(str(v)) for v in values)):
        return write_argument(writer, entry.key, rule, entry)
    value = writer.lowering.lower_expression(expr, STRING)
    zoned = Cond(Fn("can", (Fn("timeadd", (value, "0s")),)), value, StringTemplate((value, "Z")))
    return Written.value(entry, rule.path_in_block, zoned, "derived", "the same time, in UTC if it has no zone")


@finish_hook("secret")
def finish_secret(writer: Writer) -> None:
    """Requires a payload, and adds text/plain, the type that Heat's client sends by default."""
    places = {item.name: i for i, item in enumerate(writer.block.body) if isinstance(item, Argument)}
    if "payload" not in places and writer.emission.unit.policy.accepts_differences:
        places["payload"] = len(writer.block.body)
        writer.block.add_argument(
            "payload", lookup_variables.variable_for_text(writer.lowering, writer.resource, "payload", secret=True)
        )
    elif "payload" not in places or may_be_null(getattr(writer.block.body[places["payload"]], "value", None)):
        why = "the provider always sends a payload, and Barbican rejects an empty one"
        raise CannotSay(
            codes.VALUE_REJECTED_BY_PROVIDER,
            why,
            writer.resource.name_span,
            writer.resource.name,
            avoidable="payload" not in places,
        )
    if "payload_content_type" not in places:
        writer.block.body.insert(places["payload"] + 1, Argument("payload_content_type", TEXT))


@attribute_hook("decrypted_payload")
def read_decrypted_payload(read: AttributeRead) -> Selector:
    """The payload, if it is text. For anything else Heat returns bytes, and the provider base64."""
    kind = read.resource.find_property("payload_content_type")
    if read.rest or (kind is not None and kind not in (*ir.UNSET, ir.Lit(TEXT))):
        why = f"the payload of {read.resource.name} may not be text"
        raise read.impossible(why)
    return lambda base: TypedValue(Attr(base, "payload"), STRING)


# containers


SECRET = BlockRule(
    "secret_refs", {"name": ArgumentRule("secret_refs.name"), "ref": ArgumentRule("secret_refs.secret_ref")}
)


@property_hook("container_secret")
def write_container_secret(writer: Writer, entry: ir.Entry) -> Written:
    """Writes `private_key_ref` and the like: the `secret_refs` block for the secret of that name."""
    name = ir.Entry("name", ir.Lit(entry.key.removesuffix("_ref")))
    blocks = write_blocks(writer, entry.key, SECRET, describe_secret(entry.value, name)).without_fates()
    if isinstance(entry.value, ir.If):
        why = "a block for each branch of the condition"
        return blocks + Written.fate(entry.key, SECRET.block, "derived", why)
    count = sum(getattr(item, "type", "") == SECRET.block for item in writer.block.body)
    return blocks + Written.fate(entry.key, f"{SECRET.block}.{count}.secret_ref", how_written(entry.value))


@finish_hook("container")
def finish_container(writer: Writer) -> None:
    """Puts the blocks that a condition decides after the others, so that the number of each block is known."""
    writer.block.body.sort(key=lambda item: isinstance(item, Block) and item.type == "dynamic")


def describe_secret(expr: ir.Expr, name: ir.Entry) -> ir.Expr:
    """Turns a reference into the map that a generic container uses, in each branch of a condition."""
    if isinstance(expr, ir.If):
        return expr.with_branches(lambda branch: describe_secret(branch, name))
    if expr in ir.UNSET:
        return ir.NULL
    return ir.Map((name, ir.Entry("ref", expr, expr.at)), expr.span)


@attribute_hook("container_secrets")
def read_container_secrets(read: AttributeRead) -> Selector:
    """Converts the provider's set of blocks to the map that Heat returns."""
    secret = Traversal(("secret",))

    def select_secrets(base: Expr) -> TypedValue:
        named = ForObject(("secret",), Attr(base, "secret_refs"), Attr(secret, "name"), Attr(secret, "secret_ref"))
        return read.inside(TypedValue(named, MAP_OF_STRINGS))

    return select_secrets


@attribute_hook("container_consumers")
def read_container_consumers(read: AttributeRead) -> Selector:
    """A list of maps with Barbican's keys, `name` and `URL`."""
    consumer = Traversal(("consumer",))
    spelled = Object((("name", Attr(consumer, "name")), ("URL", Attr(consumer, "url"))))

    def select_consumers(base: Expr) -> TypedValue:
        consumers = TypedValue(ForTuple(("consumer",), Attr(base, "consumers"), spelled), TUPLE)
        return read.inside(consumers)

    return select_consumers
