"""Hooks of types that are values: OS::Heat::Value, RandomString, None.

The easy rule to break: a value is converted by its type more strictly than a parameter ("yes" is no boolean), and a
random text must be made of the classes that Heat would use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl.handles import Local, Native, Nothing
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.lower import CannotSay
from emitters.hcl.names import snake
from emitters.hcl.tree import Cond, Expr, Fn, Name, Object
from emitters.hcl.types import ANY, BOOL, NUMBER, STRING, STRINGS, Type, Value, literal
from transpile import catalog, ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.handles import Handle
    from emitters.hcl.mapping import Kind

NULL = ir.Lit(None)
TYPES: dict[str, Type] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOL,
    "comma_delimited_list": STRINGS,
    "json": ANY,
}
CONVERT = {"string": "tostring", "number": "tonumber", "boolean": "tobool"}


def prop(resource: ir.Resource, name: str) -> ir.Entry | None:
    """A property that is set and not null."""
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == name and entry.value != NULL:
            return entry
    return None


def facts(resource: ir.Resource) -> frozenset[ir.Expr]:
    """What is known where a resource exists."""
    return frozenset(() if resource.condition is None else (resource.condition,))


# OS::Heat::Value


@prepare_hook("value")
def prepare_value(directory: Directory, resource: ir.Resource, kind: Kind) -> Handle:
    def get() -> Value:
        write_value(directory, resource, kind)
        name, of = directory.folded[resource.name]
        return Value(name, of, resource.condition is not None)

    return Local(directory, resource, ("value",), get, text=False)


@write_hook("value")
def write_value(directory: Directory, resource: ir.Resource, kind: Kind) -> None:
    """A local, converted by its type."""
    if resource.name in directory.folded:
        return
    entry = prop(resource, "value")
    declared = prop(resource, "type")
    of = str(declared.value.value) if declared is not None and isinstance(declared.value, ir.Lit) else ""
    if declared is not None and of not in TYPES:
        raise CannotSay(
            "HOT550",
            "the type of a value is known only at run time",
            declared.value.at,
            declared.value.end,
            resource.name,
        )
    label = directory.local_names.take(snake(resource.name))
    directory.folded[resource.name] = (
        Name(("local", label)),
        TYPES.get(of, ANY),
    )  # before its value, which may refer to others
    with directory.lowering.owned(label, facts=facts(resource), resource=resource.name):
        found = directory.lowering.value(entry.value) if entry is not None else Value(None, ANY, True)
        expr = found.expr
        if (
            of in CONVERT
            and found.type != TYPES[of]
            and not (literal(expr) and expr is not None and convertible(expr, of))
        ):
            expr = Fn(CONVERT[of], (expr,))
        elif literal(expr) and expr is not None and of in CONVERT:
            expr = converted(expr, of)
    if resource.condition is not None and directory.lowering.known(resource.condition) is None:
        with directory.lowering.owned(label):
            expr = Cond(directory.lowering.condition(resource.condition), expr, None)
    directory.folded[resource.name] = (Name(("local", label)), TYPES.get(of) or found.type)
    report = directory.resource_report(resource)
    report.treatment, report.addresses = "folded", [f"local.{label}"]
    directory.add_local(label, expr, resource.at, resource.end)
    for one in resource.properties.entries if resource.properties is not None else ():
        if one.key == "value":
            report.properties["value"] = fate("value", f"local.{label}", label)
        else:
            report.properties[one.key] = fate(
                "derived",
                f"local.{label}",
                label,
                "the local is converted to this type" if of in CONVERT else "the local has this shape",
            )


def convertible(expr: Expr, of: str) -> bool:
    return (
        (of == "string" and isinstance(expr, str))
        or (of == "number" and isinstance(expr, (int, float)) and not isinstance(expr, bool))
        or (of == "boolean" and isinstance(expr, bool))
    )


def converted(expr: Expr, of: str) -> Expr:
    return expr if convertible(expr, of) else Fn(CONVERT[of], (expr,))


# OS::Heat::None


@prepare_hook("none")
def prepare_none(directory: Directory, resource: ir.Resource, kind: Kind) -> Handle:
    return Nothing(resource)


@write_hook("none")
def write_none(directory: Directory, resource: ir.Resource, kind: Kind) -> None:
    report = directory.resource_report(resource)
    report.treatment, report.why = "folded", kind.why
    for entry in resource.properties.entries if resource.properties is not None else ():
        report.properties[entry.key] = fate("implied", why="OS::Heat::None takes any property and does nothing with it")


# OS::Heat::RandomString

CLASSES: dict[str, dict[str, Any]] = {
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
ALPHABET = {
    "lowercase": {"lower"},
    "uppercase": {"upper"},
    "digits": {"numeric"},
    "letters": {"lower", "upper"},
    "lettersdigits": {"lower", "upper", "numeric"},
}


@prepare_hook("random_string")
def prepare_random(directory: Directory, resource: ir.Resource, kind: Kind) -> Handle:
    label = directory.label("random_password", snake(resource.name))
    return Native(directory, resource, kind, ("random_password", label), counted=resource.condition is not None)


@write_hook("random_string")
def write_random(directory: Directory, resource: ir.Resource, kind: Kind) -> None:
    """random_password, limited to the characters that Heat would draw from."""
    from emitters.hcl.resources import Writer

    handle = directory.handles[resource.name]
    assert isinstance(handle, Native)
    writer = Writer(directory, resource, kind, handle.address, resource.properties)
    with directory.writing(resource, handle.address[1]):
        if directory.repeated is not None:
            writer.block.body.append(directory.repeated)
        fill_random(writer)
    directory.providers.add("random")
    directory.finish_resource(writer)


def fill_random(writer: Any) -> None:
    resource = writer.resource
    given = writer.given
    length = given.get("length")
    if length is not None and length.value != NULL:
        writer.block.set("length", writer.lowering.expr(length.value, NUMBER), length.at, length.value.end)
        writer.is_value("length", "length")
    else:
        writer.block.set(
            "length", (catalog.find("OS::Heat::RandomString") or {})["properties"]["length"].get("default", 32)
        )
        if length is not None:
            writer.fate("length", fate("implied", why="null asks for the default"))
    arguments: dict[str, Any] = dict(CLASSES["lettersdigits"])
    if (sequence := given.get("sequence")) is not None and sequence.value != NULL:
        arguments = classes(writer, [(written(sequence.value, writer), 1)])
        writer.is_value("sequence", "special", "derived", why="the class of characters, written as what is left out")
    chosen = given.get("character_classes")
    if chosen is not None and chosen.value not in (NULL, ir.Seq(())):
        if not isinstance(chosen.value, ir.Seq) or not all(isinstance(i, ir.Map) for i in chosen.value.items):
            raise CannotSay(
                "HOT404",
                f"the characters of {resource.name} are known only at run time",
                chosen.value.at,
                chosen.value.end,
            )
        pairs = []
        for i, item in enumerate(chosen.value.items):
            assert isinstance(item, ir.Map)
            word, least = item.get("class") or ir.Lit("lettersdigits"), item.get("min") or ir.Lit(1)
            pairs.append((written(word, writer), minimum(least, writer)))
            for field in item.entries:
                writer.is_value(
                    f"character_classes.{i}.{field.key}",
                    "special",
                    "derived",
                    why="the class of characters, written as what is left out and what there is at least",
                )
        arguments = classes(writer, pairs)
    sequences = given.get("character_sequences")
    if sequences is not None and sequences.value not in (NULL, ir.Seq(())):
        arguments = with_sequences(writer, sequences, arguments if chosen is not None or sequence is not None else None)
    for name in (
        "lower",
        "upper",
        "numeric",
        "special",
        "override_special",
        "min_lower",
        "min_upper",
        "min_numeric",
        "min_special",
    ):
        if name in arguments:
            writer.block.set(name, arguments[name])
    salt = given.get("salt")
    if salt is not None and salt.value != NULL:
        writer.block.set(
            "keepers", Object((("salt", writer.lowering.expr(salt.value, STRING)),)), salt.at, salt.value.end
        )
        writer.is_value("salt", "keepers.salt")
    for name in ("salt", "sequence", "character_classes", "character_sequences"):
        if name in given and given[name].value in (NULL, ir.Seq(())):
            writer.fate(name, fate("implied", why="null and empty ask for the default"))


def written(expr: ir.Expr, writer: Any) -> str:
    if isinstance(expr, ir.Lit) and expr.value in CLASSES:
        return str(expr.value)
    raise CannotSay("HOT404", f"the characters of {writer.resource.name} are known only at run time", expr.at, expr.end)


def minimum(expr: ir.Expr, writer: Any) -> int:
    if isinstance(expr, ir.Lit) and str(expr.value).isdigit():
        return int(str(expr.value))
    raise CannotSay(
        "HOT404",
        f"how many characters {writer.resource.name} has at least is known only at run time",
        expr.at,
        expr.end,
    )


def classes(writer: Any, pairs: list[tuple[str, int]]) -> dict[str, Any]:
    """The arguments for a union of classes."""
    if len(pairs) == 1:
        (word, least), out = pairs[0], dict(CLASSES[pairs[0][0]])
        if word in MINIMUM and least > 1:
            out[MINIMUM[word]] = least
        return out
    out = {"special": False}
    kinds: set[str] = set()
    for word, least in pairs:
        if word in ("hexdigits", "octdigits"):
            raise CannotSay(
                "HOT404",
                f"several classes of characters with {word} among them",
                writer.resource.at,
                writer.resource.at + len(writer.resource.name),
            )
        kinds |= ALPHABET[word]
        if word in MINIMUM and least:
            out[MINIMUM[word]] = least
    for name in ("lower", "upper", "numeric"):
        if name not in kinds:
            out[name] = False
    return out


def with_sequences(writer: Any, entry: ir.Entry, others: dict[str, Any] | None) -> dict[str, Any]:
    """Characters given one by one: the provider has one list of them."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if len(items) != 1 or not isinstance(items[0], ir.Map):
        raise CannotSay(
            "HOT404", f"several lists of characters of {writer.resource.name}", entry.value.at, entry.value.end
        )
    text, least = items[0].get("sequence"), items[0].get("min") or ir.Lit(1)
    if not isinstance(text, ir.Lit) or not isinstance(text.value, str) or any(c.isalnum() for c in text.value):
        raise CannotSay(
            "HOT404",
            f"letters and digits among the characters of {writer.resource.name}",
            entry.value.at,
            entry.value.end,
        )
    for field in items[0].entries:
        writer.is_value(
            f"character_sequences.0.{field.key}",
            "override_special" if field.key == "sequence" else "min_special",
            "derived" if field.key == "min" else "value",
            why="how many of them there are at least",
        )
    base = {k: v for k, v in (others or {"lower": False, "upper": False, "numeric": False}).items() if k != "special"}
    return base | {"override_special": text.value, "min_special": minimum(least, writer)}
