"""OS::Heat::RandomString from several sets of characters, with a preference: a random_password for each set, shuffled.

Invariant: it is made as in Heat: the minimum number of characters from each set, the rest from all of them, all in a
random order. The order comes from another random_password, by hashes, so Terraform treats the result as a secret, too.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.handles import no_id_in_terraform
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import (
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
)
from emitters.hcl.tree.types import NUMBER, STRING, TypedValue
from transpile.model import ir

PASSWORD = "random_password"
DEFAULT = 32  # characters
DIGITS, LOWER = "0123456789", "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
MEMBERS = {
    "lettersdigits": LOWER + UPPER + DIGITS,
    "letters": LOWER + UPPER,
    "lowercase": LOWER,
    "uppercase": UPPER,
    "digits": DIGITS,
    "hexdigits": DIGITS + "ABCDEF",
    "octdigits": "01234567",
}
WHY = "a part of the text for each set of characters, in a random order"
HASH = 64  # characters of a hash


@final
class ShuffledHandle:
    """The handle of a string that is made of shuffled parts: a local. parts, order: the two random_password."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource
        self.label = emission.names.locals.reserve_name(snake_case(resource.name))
        name = snake_case(resource.name)
        self.parts = (PASSWORD, emission.names.reserve_label(PASSWORD, f"{name}_parts"))
        self.order = (PASSWORD, f"{name}_order")

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        local = Traversal(("local", self.label))
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(local)
        return TypedValue(local, STRING)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        if ref.path != (ir.Lit("value"),):
            raise no_id_in_terraform(self.resource, ref)
        local = Traversal(("local", self.label))
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(
            "value", self.emission.log.reported_text(local)
        )
        return TypedValue(local, STRING)


def needs_parts(resource: ir.Resource) -> bool:
    """Whether one random_password cannot make the string: beyond its classes it has only one list of characters,
    without letters and digits.
    """
    if resource.is_conditional:
        return False
    texts = [i.get("sequence") for i in ir.maps_of(resource.value_of("character_sequences"))]
    words = [i.get("class") for i in ir.maps_of(resource.value_of("character_classes"))]
    mixed = any(w in (ir.Lit("hexdigits"), ir.Lit("octdigits")) for w in words) and len(words) + len(texts) > 1
    plain = [t.value for t in texts if isinstance(t, ir.Lit) and isinstance(t.value, str)]
    return mixed or len(texts) > 1 or any(c.isalnum() for text in plain for c in text)


def unknown_characters_error(writer: Writer, expr: ir.Expr) -> CannotSay:
    return only_at_run_time(f"the characters of {writer.resource.name} are", expr)


def read_minimum(expr: ir.Expr, writer: Writer) -> int:
    """The minimum number of characters from a set, which must be literal."""
    if isinstance(expr, ir.Lit) and str(expr.value).isdecimal():
        return int(str(expr.value))
    raise only_at_run_time(f"a minimum number of characters of {writer.resource.name} is", expr)


def read_character_sets(writer: Writer) -> list[tuple[str, str, int]]:
    """The sets of characters, each with its path in the template and its minimum number."""
    result = []
    for prop, field in (("character_sequences", "sequence"), ("character_classes", "class")):
        expr = writer.value_of(prop)
        if expr in ir.UNSET:
            continue
        items = ir.maps_of(expr)
        if not isinstance(expr, ir.Seq) or len(items) != len(expr.items):
            raise unknown_characters_error(writer, expr)
        for i, item in enumerate(items):
            value = item.get(field) or ir.Lit("lettersdigits")
            text = str(value.value) if isinstance(value, ir.Lit) else ""
            text = MEMBERS.get(text, "") if field == "class" else text
            if not text:
                raise unknown_characters_error(writer, value)
            least = read_minimum(item.get("min") or ir.Lit(1), writer)
            result.append((f"{prop}.{i}", "".join(dict.fromkeys(text)), least))
            for item_entry in item.entries:
                writer.record_value(f"{prop}.{i}.{item_entry.key}", "for_each", "derived", why=WHY)
    return result


def write_shuffled(writer: Writer, handle: ShuffledHandle) -> None:
    """Writes the parts, their order, and the local with the text."""
    emission = writer.emission
    character_sets, length = read_character_sets(writer), writer.value_of("length")
    total: Expr = DEFAULT
    if length != ir.NULL:
        total = writer.lowering.lower_expression(length, NUMBER)
        writer.record_value("length", "for_each", "derived", why=WHY)
    least = sum(number for _, _, number in character_sets)
    rest: Expr = int(total) - least if isinstance(total, (int, float)) else Op("-", total, least)
    every = "".join(dict.fromkeys("".join(text for _, text, _ in character_sets)))
    parts = [
        (f"part_{i}", part_arguments(text, number)) for i, (_, text, number) in enumerate(character_sets) if number
    ]
    part_node, key = Traversal(("part",)), Traversal(("name",))
    chosen: Expr = Object((*parts, ("rest", part_arguments(every, rest))))
    if rest == 0:
        chosen = Object(tuple(parts))
    elif not isinstance(rest, int):
        chosen = ForObject(("name", "part"), chosen, key, part_node, Op(">", Attr(part_node, "length"), 0))
    block = writer.block
    block.add_argument("for_each", chosen)
    block.add_argument("length", Traversal(("each", "value", "length")))
    for word in ("lower", "upper", "numeric"):
        block.add_argument(word, False)
    block.add_argument("override_special", Traversal(("each", "value", "characters")))
    order = writer.add_block(*handle.order)
    order.add_argument("length", 32)
    order.add_argument("special", False)
    if (salt := writer.value_of("salt")) != ir.NULL:
        value = Object((("salt", writer.lowering.lower_expression(salt, STRING)),))
        for one_block in (block, order):
            one_block.add_argument("keepers", value)
        writer.record_value("salt", "keepers.salt")
    emission.blocks.add_local(handle.label, lower_shuffled_text(block, order), writer.resource)


def part_arguments(characters: str, length: Expr) -> Expr:
    """An item of `for_each`: the arguments for one part."""
    return Object((("characters", characters), ("length", length)))


def lower_shuffled_text(parts: Block, order: Block) -> Expr:
    """The characters of all parts, in a random order.

    Terraform has no function that shuffles. So each character follows a hash of its place and of a random text, these
    words are sorted, and the hashes are cut off again.
    """
    joined = Fn("join", ("", Splat(Fn("values", (Traversal(parts.labels),)), ("result",))))
    place, character, word = Traversal(("place",)), Traversal(("character",)), Traversal(("word",))
    hashed = Fn("sha256", (StringTemplate((Traversal((*order.labels, "result")), place)),))
    words = ForTuple(("place", "character"), Fn("split", ("", joined)), StringTemplate((hashed, character)))
    return Fn("join", ("", ForTuple(("word",), Fn("sort", (words,)), Fn("substr", (word, HASH, 1)))))
