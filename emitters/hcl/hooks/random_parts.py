"""OS::Heat::RandomString from several sets of characters, with a preference: a random_password for each set, shuffled.

Invariant: it is made as in Heat: the minimum number of characters from each set, the rest from all of them, all in a
random order. The order comes from another random_password, by hashes, so Terraform treats the result as a secret, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.resources.handles import generated_id
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, ForObject, ForTuple, Name, Object, Op, Splat, Text
from emitters.hcl.tree.types import NUMBER, STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.writer import Writer

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
class Shuffled:
    """The handle of a string that is made of shuffled parts: a local. parts, order: the two random_password."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource
        self.label = emission.names.locals.take(snake(resource.name))
        name = snake(resource.name)
        self.parts = (PASSWORD, emission.names.label(PASSWORD, f"{name}_parts"))
        self.order = (PASSWORD, f"{name}_order")

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        found = Name(("local", self.label))
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.shown(found)
        return Value(found, STRING)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        if ref.path != (ir.Lit("value"),):
            raise generated_id(self.resource, ref)
        found = Name(("local", self.label))
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(
            "value", self.emission.log.shown(found)
        )
        return Value(found, STRING)


def needed(resource: ir.Resource) -> bool:
    """Whether one random_password cannot make the string: beyond its classes it has only one list of characters,
    without letters and digits.
    """
    properties = resource.properties
    if properties is None or resource.condition is not None:
        return False
    sequences, classes = properties.get("character_sequences"), properties.get("character_classes")
    texts = [i.get("sequence") for i in maps(sequences)]
    words = [i.get("class") for i in maps(classes)]
    mixed = any(w in (ir.Lit("hexdigits"), ir.Lit("octdigits")) for w in words) and len(words) + len(texts) > 1
    plain = [t.value for t in texts if isinstance(t, ir.Lit) and isinstance(t.value, str)]
    return mixed or len(texts) > 1 or any(c.isalnum() for text in plain for c in text)


def maps(expr: ir.Expr | None) -> list[ir.Map]:
    """The items of a list that are maps."""
    return [item for item in expr.items if isinstance(item, ir.Map)] if isinstance(expr, ir.Seq) else []


def at_run_time(writer: Writer, expr: ir.Expr) -> CannotSay:
    return CannotSay(
        codes.ONLY_AT_RUN_TIME, f"the characters of {writer.resource.name} are known only at run time", expr
    )


def minimum(expr: ir.Expr, writer: Writer) -> int:
    """The minimum number of characters from a set, which must be literal."""
    if isinstance(expr, ir.Lit) and str(expr.value).isdecimal():
        return int(str(expr.value))
    why = f"a minimum number of characters of {writer.resource.name} is known only at run time"
    raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr)


def sets(writer: Writer) -> list[tuple[str, str, int]]:
    """The sets of characters, each with its path in the template and its minimum number."""
    found = []
    for prop, field in (("character_sequences", "sequence"), ("character_classes", "class")):
        entry = writer.given.get(prop)
        if entry is None or entry.value in (ir.NULL, ir.Seq(())):
            continue
        items = maps(entry.value)
        if not isinstance(entry.value, ir.Seq) or len(items) != len(entry.value.items):
            raise at_run_time(writer, entry.value)
        for i, item in enumerate(items):
            given = item.get(field) or ir.Lit("lettersdigits")
            text = str(given.value) if isinstance(given, ir.Lit) else ""
            text = MEMBERS.get(text, "") if field == "class" else text
            if not text:
                raise at_run_time(writer, given)
            least = minimum(item.get("min") or ir.Lit(1), writer)
            found.append((f"{prop}.{i}", "".join(dict.fromkeys(text)), least))
            for one in item.entries:
                writer.is_value(f"{prop}.{i}.{one.key}", "for_each", "derived", why=WHY)
    return found


def write(writer: Writer, handle: Shuffled) -> None:
    """Writes the parts, their order, and the local with the text."""
    emission, given = writer.emission, writer.given
    emission.blocks.providers.add("random")
    found, length = sets(writer), given.get("length")
    total: Expr = DEFAULT
    if length is not None and length.value != ir.NULL:
        total = writer.lowering.expr(length.value, NUMBER)
        writer.is_value("length", "for_each", "derived", why=WHY)
    least = sum(number for _, _, number in found)
    rest: Expr = int(total) - least if isinstance(total, (int, float)) else Op("-", total, least)
    every = "".join(dict.fromkeys("".join(text for _, text, _ in found)))
    parts = [(f"part_{i}", part(text, number)) for i, (_, text, number) in enumerate(found) if number]
    one, key = Name(("part",)), Name(("name",))
    chosen: Expr = Object((*parts, ("rest", part(every, rest))))
    if rest == 0:
        chosen = Object(tuple(parts))
    elif not isinstance(rest, int):
        chosen = ForObject(("name", "part"), chosen, key, one, Op(">", Attr(one, "length"), 0))
    block = writer.block
    block.set("for_each", chosen)
    block.set("length", Name(("each", "value", "length")))
    for word in ("lower", "upper", "numeric"):
        block.set(word, False)
    block.set("override_special", Name(("each", "value", "characters")))
    order = writer.beside(*handle.order)
    order.set("length", 32)
    order.set("special", False)
    if (salt := given.get("salt")) is not None and salt.value != ir.NULL:
        value = Object((("salt", writer.lowering.expr(salt.value, STRING)),))
        for one_block in (block, order):
            one_block.set("keepers", value)
        writer.is_value("salt", "keepers.salt")
    emission.blocks.add_local(handle.label, shuffled(block, order), writer.resource)


def part(characters: str, length: Expr) -> Expr:
    """An item of `for_each`: the arguments for one part."""
    return Object((("characters", characters), ("length", length)))


def shuffled(parts: Block, order: Block) -> Expr:
    """The characters of all parts, in a random order.

    Terraform has no function that shuffles. So each character follows a hash of its place and of a random text, these
    words are sorted, and the hashes are cut off again.
    """
    joined = Fn("join", ("", Splat(Fn("values", (Name(parts.labels),)), ("result",))))
    place, character, word = Name(("place",)), Name(("character",)), Name(("word",))
    hashed = Fn("sha256", (Text((Name((*order.labels, "result")), place)),))
    words = ForTuple(("place", "character"), Fn("split", ("", joined)), Text((hashed, character)))
    return Fn("join", ("", ForTuple(("word",), Fn("sort", (words,)), Fn("substr", (word, HASH, 1)))))
