"""OS::Heat::RandomString as random_password, or as random_string if it only makes names.

Invariant: the result has only characters that Heat would use. Both resources use every class of characters that is not
excluded. A value that could be a secret is a random_password, which plans do not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, random_parts, write_hook
from emitters.hcl.hooks.random_parts import DEFAULT, at_run_time, minimum
from emitters.hcl.namespace import snake
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.plan.secret_values import Names
from emitters.hcl.resources.handles import Native
from emitters.hcl.tree.nodes import Expr, Object
from emitters.hcl.tree.types import NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind

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


@prepare_hook("random_string")
def prepare_random(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    unit = emission.unit
    if unit.plan.prefer != FAITHFUL and random_parts.needed(resource):
        return random_parts.Shuffled(emission, resource)
    shown = unit.modules is not None and Names(unit.modules).only(unit.stack, resource.name)
    word = "random_string" if shown else "random_password"
    label = emission.names.label(word, snake(resource.name))
    return Native(emission, resource, kind, (word, label), counted=resource.condition is not None)


@write_hook("random_string")
def write_random(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes the resource, limited to the characters that Heat would use."""
    from emitters.hcl.resources.writer import Writer

    handle = emission.handles[resource.name]
    if isinstance(handle, random_parts.Shuffled):
        lowering = emission.lowering.of_resource(resource, handle.label)
        writer = Writer(emission, resource, kind, handle.parts, resource.properties, lowering)
        random_parts.write(writer, handle)
        writer.finish()
        return
    assert isinstance(handle, Native)
    lowering = emission.lowering.of_resource(resource, handle.address[1])
    writer = Writer(emission, resource, kind, handle.address, resource.properties, lowering)
    fill(writer)
    writer.finish()


def fill(writer: Writer) -> None:
    """Writes the arguments of one resource."""
    given = writer.given
    writer.emission.blocks.providers.add("random")
    if writer.lowering.scope.repeated is not None:
        writer.block.body.append(writer.lowering.scope.repeated)
    for name, entry in given.items():
        if entry.value in (ir.NULL, ir.Seq(())):
            writer.default(name)
    for entry in given.values():
        writer.check(entry)
    chosen = {name: entry for name, entry in given.items() if entry.value not in (ir.NULL, ir.Seq(()))}
    if (length := chosen.get("length")) is not None:
        writer.block.set("length", writer.lowering.expr(length.value, NUMBER), length)
        writer.is_value("length", "length")
    else:
        writer.block.set("length", DEFAULT)
    fates: list[str] = []  # paths of properties that together determine the arguments
    arguments: Arguments = dict(CLASSES["lettersdigits"])
    if (sequence := chosen.get("sequence")) is not None:
        arguments = union(writer, [(written(sequence.value, writer), 1)])
        fates.append("sequence")
    if (listed := chosen.get("character_classes")) is not None:
        arguments = union(writer, classes(writer, listed, fates))
    if (listed := chosen.get("character_sequences")) is not None:
        others = arguments if fates else dict.fromkeys(KINDS, False)
        arguments = others | with_sequences(writer, listed)
        arguments.pop("special", None)
    shown = next((name for name in (*KINDS, "special", *ORDER) if name in arguments), "")
    for path in fates:
        if shown:
            writer.is_value(path, shown, "derived", why=WHY)
        else:
            writer.fate(path, fate("implied", why="the provider uses all of these by default"))
    for name in ORDER:
        if name in arguments:
            writer.block.set(name, arguments[name])
    if (salt := chosen.get("salt")) is not None:
        value = Object((("salt", writer.lowering.expr(salt.value, STRING)),))
        writer.block.set("keepers", value, salt)
        writer.is_value("salt", "keepers.salt")


def classes(writer: Writer, entry: ir.Entry, fates: list[str]) -> list[tuple[str, int]]:
    """The character classes, each with its minimum number of characters."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    found = []
    for i, item in enumerate(items):
        if not isinstance(item, ir.Map):
            raise at_run_time(writer, entry.value)
        word, least = item.get("class") or ir.Lit("lettersdigits"), item.get("min") or ir.Lit(1)
        found.append((written(word, writer), minimum(least, writer)))
        fates += [f"character_classes.{i}.{field.key}" for field in item.entries]
    if not found:
        raise at_run_time(writer, entry.value)
    return found


def written(expr: ir.Expr, writer: Writer) -> str:
    """The name of a character class."""
    if isinstance(expr, ir.Lit) and expr.value in CLASSES:
        return str(expr.value)
    raise at_run_time(writer, expr)


def union(writer: Writer, pairs: list[tuple[str, int]]) -> Arguments:
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


def with_sequences(writer: Writer, entry: ir.Entry) -> Arguments:
    """The arguments for explicit characters. The provider supports one list of them."""
    span = entry.value.span
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if len(items) != 1 or not isinstance(items[0], ir.Map):
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the random provider has only one list of characters", span)
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
            writer.is_value(path, "override_special")
        else:
            writer.is_value(path, "min_special", "derived", why="the minimum number of these characters")
    return {"override_special": text.value, "min_special": minimum(least, writer)}
