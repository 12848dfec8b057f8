"""OS::Heat::RandomString as random_password, or as random_string if it is no secret, because names show it.

Invariant: the result has only characters that Heat would use. Both resources use every class of characters that is not
excluded. A value that could be a secret is a random_password, which plans do not show.
"""

from __future__ import annotations

from typing import TypeAlias

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, random_parts, resource_hook
from emitters.hcl.hooks.random_parts import DEFAULT, read_minimum, unknown_characters_error
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.writer import Writer, begin_writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Expr, Object
from emitters.hcl.tree.types import NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate

Arguments: TypeAlias = dict[str, Expr]

KINDS = ("lower", "upper", "numeric")
CLASSES: dict[str, Arguments] = {
    "lettersdigits": {"special": False},
    "letters": {"special": False, "numeric": False},
    "lowercase": {"special": False, "numeric": False, "upper": False},
    "uppercase": {"special": False, "numeric": False, "lower": False},
    "digits": {"special": False, "upper": False, "lower": False},
    "hexdigits": {"upper": False, "lower": False, "numeric": False, "override_special": "0123456789ABCDEF"},
    "octdigits": {"upper": False, "lower": False, "numeric": False, "override_special": "01234567"},
}
MINIMUM = {
    "lowercase": "min_lower",
    "uppercase": "min_upper",
    "digits": "min_numeric",
    "hexdigits": "min_special",
    "octdigits": "min_special",
}
ORDER = (
    *KINDS,
    "special",
    "override_special",
    "min_lower",
    "min_upper",
    "min_numeric",
    "min_special",
)
WHY = "the character classes, as excluded classes and minimum numbers"


@resource_hook("random_string")
def prepare_random_string(emission: Emission, resource: ir.Resource) -> Prepared:
    unit = emission.unit
    if unit.policy.accepts_differences and random_parts.needs_parts(resource):
        shuffled = random_parts.ShuffledHandle(emission, resource)
        return Prepared(shuffled, lambda: write_shuffled_string(emission, shuffled))
    word = "random_string" if unit.secrets.is_no_secret(unit.stack, resource.name) else "random_password"
    label = emission.names.reserve_label(word, snake_case(resource.name))
    kind, counted = emission.mapping_of(resource), resource.is_conditional
    handle = NativeHandle(emission, resource, kind, (word, label), counted=counted)
    return Prepared(handle, lambda: write_random_string(handle))


def write_shuffled_string(emission: Emission, handle: random_parts.ShuffledHandle) -> None:
    """Writes a string of several parts that are shuffled."""
    resource = handle.resource
    lowering = emission.lowering.with_resource(resource, handle.label)
    writer = Writer(emission, resource, emission.mapping_of(resource), handle.parts, resource.properties, lowering)
    random_parts.write_shuffled(writer, handle)
    writer.finish_resource()


def write_random_string(handle: NativeHandle) -> None:
    """Writes the resource, limited to the characters that Heat would use."""
    writer = begin_writer(handle)
    write_random_arguments(writer)
    writer.finish_resource()


def write_random_arguments(writer: Writer) -> None:
    """Writes the arguments of one resource."""
    properties = writer.entries
    writer.write_repetition()
    for name, entry in properties.items():
        if entry.value in (ir.NULL, ir.Seq(())):
            writer.add(Written.default(name))
    for entry in properties.values():
        writer.check_value(entry)
    chosen = {name: entry for name, entry in properties.items() if entry.value not in (ir.NULL, ir.Seq(()))}
    if (length := chosen.get("length")) is not None:
        writer.block.add_argument("length", writer.lowering.lower_expression(length.value, NUMBER), length)
        writer.record_value("length", "length")
    else:
        writer.block.add_argument("length", DEFAULT)
    fates: list[str] = []  # paths of properties that together determine the arguments
    arguments: Arguments = dict(CLASSES["lettersdigits"])
    if (sequence := chosen.get("sequence")) is not None:
        arguments = union_arguments(writer, [(class_name(sequence.value, writer), 1)])
        fates.append("sequence")
    if (listed := chosen.get("character_classes")) is not None:
        arguments = union_arguments(writer, read_character_classes(writer, listed, fates))
    if (listed := chosen.get("character_sequences")) is not None:
        others = arguments if fates else dict.fromkeys(KINDS, False)
        arguments = others | sequence_arguments(writer, listed)
        arguments.pop("special", None)
    first_argument = next((name for name in (*KINDS, "special", *ORDER) if name in arguments), "")
    for path in fates:
        if first_argument:
            writer.record_value(path, first_argument, "derived", why=WHY)
        else:
            writer.record_fate(path, make_fate("implied", why="the provider uses all of these by default"))
    for name in ORDER:
        if name in arguments:
            writer.block.add_argument(name, arguments[name])
    if (salt := chosen.get("salt")) is not None:
        value = Object((("salt", writer.lowering.lower_expression(salt.value, STRING)),))
        writer.block.add_argument("keepers", value, salt)
        writer.record_value("salt", "keepers.salt")


def read_character_classes(writer: Writer, entry: ir.Entry, fates: list[str]) -> list[tuple[str, int]]:
    """The character classes, each with its minimum number of characters."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    result = []
    for i, item in enumerate(items):
        if not isinstance(item, ir.Map):
            raise unknown_characters_error(writer, entry.value)
        word, least = item.get("class") or ir.Lit("lettersdigits"), item.get("min") or ir.Lit(1)
        result.append((class_name(word, writer), read_minimum(least, writer)))
        fates += [f"character_classes.{i}.{field.key}" for field in item.entries]
    if not result:
        raise unknown_characters_error(writer, entry.value)
    return result


def class_name(expr: ir.Expr, writer: Writer) -> str:
    """The name of a character class."""
    if isinstance(expr, ir.Lit) and expr.value in CLASSES:
        return str(expr.value)
    raise unknown_characters_error(writer, expr)


def union_arguments(writer: Writer, pairs: list[tuple[str, int]]) -> Arguments:
    """The arguments for a union of character classes."""
    if len(pairs) == 1:
        word, least = pairs[0]
        out = dict(CLASSES[word])
        if word in MINIMUM and least > 1:
            out[MINIMUM[word]] = least
        return out
    out = {"special": False}
    left_out = set(KINDS)
    for word, least in pairs:
        if word in ("hexdigits", "octdigits"):
            why = f"the random provider cannot combine {word} with other character classes"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, writer.resource.name_span)
        left_out &= set(CLASSES[word])
        if word in MINIMUM and least:
            out[MINIMUM[word]] = least
    return out | {name: False for name in KINDS if name in left_out}


def sequence_arguments(writer: Writer, entry: ir.Entry) -> Arguments:
    """The arguments for explicit characters. The provider supports one list of them."""
    span = entry.value.span
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if len(items) != 1 or not isinstance(items[0], ir.Map):
        why, shuffled = "the random provider has only one list of characters", random_parts.needs_parts(writer.resource)
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, span, avoidable=shuffled)
    text, least = items[0].get("sequence"), items[0].get("min") or ir.Lit(1)
    if not isinstance(text, ir.Lit) or not isinstance(text.value, str) or any(c.isalnum() for c in text.value):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            "the random provider cannot require letters or digits from a list of characters",
            span,
        )
    for field in items[0].entries:
        path = f"character_sequences.0.{field.key}"
        if field.key == "sequence":
            writer.record_value(path, "override_special")
        else:
            writer.record_value(path, "min_special", "derived", why="the minimum number of these characters")
    return {"override_special": text.value, "min_special": read_minimum(least, writer)}
