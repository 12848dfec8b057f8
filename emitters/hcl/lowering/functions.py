"""Lowers pure intrinsics: one function for each meaning, registered for all names of the intrinsic.

An intrinsic without a function here keeps in Heat the resource that calls it. Terraform's functions often differ in
details: `replace` treats `/…/` as a regular expression, `coalesce` skips empty strings, `setsubtract` loses the order,
`distinct` converts mixed values to strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib import parse

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import get_file, paths
from emitters.hcl.lowering.list_functions import items, joined
from emitters.hcl.lowering.registry import lowers, text_of
from emitters.hcl.lowering.rewrites import ways
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, ForObject, ForTuple, Index, Name, Op, Text
from emitters.hcl.tree.types import ANY, MAPS, NULL, NUMBER, OBJECT, STRING, STRINGS, Type, Value, heat_text
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.model import ir, records
from transpile.model.meter import PART, Meter
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emitters.hcl.lowering.lowering import Lowering, Part

STRICT = ("str_replace_strict", "str_replace_vstrict")


# texts


@text_of("list_join", "Fn::Join")
def join_parts(lowering: Lowering, call: ir.Call) -> list[Part] | None:
    """Joins literal lists into one text."""
    delimiter, *lists = items(call)
    if not isinstance(delimiter, ir.Lit) or not all(isinstance(one, ir.Seq) or one == ir.NULL for one in lists):
        return None
    members = [item for one in lists if isinstance(one, ir.Seq) for item in one.items]
    if any(isinstance(item, ir.If) and item.orelse is None for item in members):
        return None  # an item may be omitted, and its delimiter with it
    between = lowering.text(delimiter)
    size = sum(len(part) if isinstance(part, str) else PART for part in between)
    Meter(lowering.template.source, call).make(size * len(members))
    out: list[Part] = []
    for i, item in enumerate(members):
        out += [*(between if i else []), *lowering.text(item)]
    return out


@lowers("list_join", "Fn::Join")
def join(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    if (parts := join_parts(lowering, call)) is not None:
        return lowering.compose(parts)
    delimiter, *lists = items(call)
    found = [joined(lowering, one) for one in lists]
    shown = [one for one in found if one is not None]
    return Value(Fn("join", (lowering.expr(delimiter, STRING), *shown)) if shown else "", STRING)


@text_of("Fn::Base64")
def base64_parts(lowering: Lowering, call: ir.Call) -> list[Part] | None:
    return lowering.text(call.arg)


@lowers("Fn::Base64")
def base64(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    """Returns the argument: Heat's Fn::Base64 does nothing, and the provider encodes user data itself."""
    return lowering.value(call.arg, want)


def replacement(call: ir.Call) -> tuple[ir.Expr, ir.Expr]:
    """The template and the params of a str_replace call."""
    if call.fn == "Fn::Replace":
        params, template = items(call)
        return template, params
    assert isinstance(call.arg, ir.Map)
    template_, params_ = call.arg.get("template"), call.arg.get("params")
    assert template_ is not None
    assert params_ is not None
    return template_, params_


@text_of("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace")
def replace_parts(lowering: Lowering, call: ir.Call) -> list[Part] | None:
    """Splits a literal template at its placeholders, as Heat does. Inserted values are not searched again."""
    template, params = replacement(call)
    template = evaluate.fold(template, lowering.template.source)
    if not isinstance(template, ir.Lit) or not isinstance(template.value, str) or not isinstance(params, ir.Map):
        return None
    check(lowering, call, template.value, params)
    pieces = lowering.text(template)
    if len(pieces) > 1 and not (
        all(isinstance(bound, Name) and bound.parts[0] in ("count", "each") for _, bound in lowering.scope.bound)
        and not any(c.isdigit() for entry in params.entries for c in entry.key)
    ):
        return None  # a bound value may be part of a placeholder; a group's index cannot be
    out: list[Part] = []
    for piece in pieces:
        out += split(lowering, piece, params, call) if isinstance(piece, str) else [piece]
    return out


def split(lowering: Lowering, text: str, params: ir.Map, call: ir.Call) -> list[Part]:
    """The parts of a literal text with its placeholders replaced. The size of the result is charged to the budget."""
    meter = Meter(lowering.template.source, call)
    by_key = {key: value for key, value in present(lowering, params).items() if key}
    parts = evaluate.parted(text, by_key, meter.pay)
    values = {key: put_in(lowering, key, by_key[key]) for key in evaluate.met(parts)}
    out: list[Part] = [parts[0]]
    for key, piece in zip(parts[1::2], parts[2::2], strict=True):
        found = values[key]
        meter.make(sum(len(part) if isinstance(part, str) else PART for part in found))
        out += [*found, piece]
    return out


def present(lowering: Lowering, params: ir.Map) -> dict[str, ir.Expr]:
    """The replacement for each placeholder. An `if` without an else that is false leaves the placeholder."""
    out: dict[str, ir.Expr] = {}
    for entry in params.entries:
        value = entry.value
        if isinstance(value, ir.If) and value.orelse is None:
            known = lowering.known(value.condition)
            if known is None and any(e.key in entry.key for e in params.entries if e is not entry):
                why = f"whether {entry.key} is replaced is known only at run time"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, value)
            if known is False:
                continue
            value = value.then if known else records.replace(value, orelse=ir.Lit(entry.key))
        out[entry.key] = value
    return out


def put_in(lowering: Lowering, key: str, expr: ir.Expr) -> list[Part]:
    """The parts that replace a placeholder."""
    if ir.literal(expr):
        return [evaluate.replacement(ir.data(expr))]
    parts = lowering.text(expr)
    hint = "".join(c if c.isalnum() and c.isascii() else "_" for c in key).strip("_").lower()
    return [
        part
        if isinstance(part, str)
        else Value(lowering.as_text(part, hint), NUMBER if part.type == NUMBER and not part.null else STRING)
        for part in parts
    ]


def check(lowering: Lowering, call: ir.Call, text: str, params: ir.Map) -> None:
    """Reports what the strict forms reject: placeholders that do not occur, and for `vstrict` empty values."""
    if call.fn not in STRICT:
        return
    keys = [e.key for e in params.entries]
    there = {*evaluate.parted(text, keys, Meter(lowering.template.source, call).pay)[1::2]}
    for key in evaluate.in_order(keys):
        if key and key not in there:
            message = f"The template does not contain {key}; Heat fails when it evaluates {call.fn}."
            lowering.say(codes.FUNCTION_FAILS, message, call)
    if call.fn == "str_replace_vstrict" and any(may_be_empty(lowering, e.value) for e in params.entries):
        lowering.differs(
            codes.EMPTY_VALUES_NOT_CHECKED, "Heat rejects empty values here at run time; Terraform does not.", call
        )


def may_be_empty(lowering: Lowering, expr: ir.Expr) -> bool:
    """Whether a value that is known only at run time may be empty; numbers and booleans cannot be."""
    param = lowering.template.parameters.get(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else None
    return not ir.literal(expr) and (param is None or param.type not in ("number", "boolean"))


@lowers("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace")
def replace(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    template, params = replacement(call)
    if not isinstance(params, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the placeholders of str_replace are known only at run time", call)
    if isinstance(template, ir.FileRef):
        found = get_file.named(lowering, template)
        if isinstance(found, Value):
            return replace_at_run_time(lowering, found, params)
        check(lowering, call, found.text, params)
        return get_file.replaced(lowering, found, template, params)
    if (parts := replace_parts(lowering, call)) is not None:
        return lowering.compose(parts)
    return replace_at_run_time(lowering, lowering.value(template, STRING), params)


def replace_at_run_time(lowering: Lowering, source: Value, params: ir.Map) -> Value:
    """Nested calls of split and join, the longest placeholder outermost, so that inserted values are never searched."""
    by_key = {key: value for key, value in present(lowering, params).items() if key}
    keys = evaluate.in_order(by_key)
    shown = {key: lowering.compose(put_in(lowering, key, value)).expr for key, value in by_key.items()}
    for key, text in shown.items():
        if isinstance(text, Text) and len(text.parts) == 1:  # join() converts it to a string
            shown[key] = text.parts[0]

    def nest(text: Expr, rest: Sequence[str]) -> Expr:
        key, *others = rest
        pieces: Expr = Fn("split", (key, text))
        if others:
            pieces = ForTuple(("s",), pieces, nest(Name(("s",)), others))
        return Fn("join", (shown[key], pieces))

    return Value(nest(source.expr, keys), STRING) if keys else source


@lowers("str_split", "Fn::Split")
def str_split(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    delimiter, text, *index = items(call)
    source = lowering.value(text, STRING)
    if source.expr is None:
        return Value(None, NULL, True)
    between = lowering.expr(delimiter, STRING)
    number = parameters.index(index[0].value) if index and isinstance(index[0], ir.Lit) else None

    def parted(way: Expr) -> Expr:
        found = Fn("split", (between, way))
        if not index:
            return found
        if number is None:
            return Index(found, lowering.expr(index[0], NUMBER))
        return Index(found, number) if number >= 0 else Index(Fn("reverse", (found,)), -number - 1)

    kind = STRING if index else STRINGS
    # a missing part fails the stack, but in an output it gives null
    if source.null or (index and lowering.scope.in_output):
        return Value(Fn("try", (*map(parted, ways(source.expr)), None)), kind, True)
    return Value(parted(source.expr), kind)


@lowers("digest")
def digest(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    algorithm, value = items(call)
    name = str(algorithm.value).lower() if isinstance(algorithm, ir.Lit) else ""
    if name not in ("md5", "sha1", "sha256", "sha512"):
        why = f"Terraform has no digest function {name}" if name else "the digest algorithm is known only at run time"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, call)
    lowering.differs(codes.DIGEST_OF_NON_ASCII_TEXT, "Heat hashes the text as Latin-1, Terraform as UTF-8.", call)
    text = lowering.changed(hashed=True).expr(value, STRING)
    return Value(Fn(name, (text,)), STRING)


@text_of("make_url")
def url_parts(lowering: Lowering, call: ir.Call) -> list[Part] | None:
    """The parts of a URL. Literals are quoted here; Terraform inserts other values unquoted."""
    assert isinstance(call.arg, ir.Map)
    given = {e.key: e.value for e in call.arg.entries}

    def piece(name: str, safe: str) -> list[Part]:
        expr = evaluate.fold(given[name], lowering.template.source) if name in given else ir.Lit("")
        if isinstance(expr, ir.Lit):
            return [parse.quote(heat_text(expr.value), safe=safe)]
        parts = lowering.text(expr)
        rare = name == "host"  # rarely contains characters to quote
        message = f"The {name} is inserted into the URL unquoted; Heat quotes it."
        lowering.differs(codes.URL_QUOTED_DIFFERENTLY, message, expr, severity="info" if rare else "")
        return [parse.quote(p, safe=safe) if isinstance(p, str) else p for p in parts]

    query, host = given.get("query"), given.get("host")
    if host is None or (query is not None and not ir.literal(query)):
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL, "the URL has no host, or a query that is known only at run time", call
        )
    out: list[Part] = [*lowering.text(given["scheme"]), "://"] if "scheme" in given else ["//"]
    if "username" in given or "password" in given:
        out += [*piece("username", ""), *([":", *piece("password", "")] if "password" in given else []), "@"]
    shown = piece("host", ":")
    if len(shown) == 1 and isinstance(shown[0], str):
        text = shown[0].strip("[]")
        out.append(f"[{text}]" if ":" in text else text)
    else:  # IPv6 addresses need brackets
        value = lowering.compose(shown)
        bracketed = lowering.compose(["[", Value(Fn("trim", (value.expr, "[]")), STRING), "]"])
        out.append(Value(Cond(Fn("strcontains", (value.expr, ":")), bracketed.expr, value.expr), STRING))
    if "port" in given:
        out += [":", *lowering.text(given["port"])]
    path = piece("path", "/")
    if isinstance(path[0], str):
        out += [*(["/"] if path != [""] and not path[0].startswith("/") else []), *path]
    else:
        value = lowering.compose(path)
        rooted = Op("||", Op("==", value.expr, ""), Fn("startswith", (value.expr, "/")))
        out.append(Value(Cond(rooted, value.expr, lowering.compose(["/", value]).expr), STRING))
    if query is not None and not isinstance(query, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the query of make_url must be a map", call)
    if query is not None and (found := parse.urlencode(ir.data(query)).replace("%2F", "/")):
        out += ["?", found]
    fragment = piece("fragment", "/")
    return out + (["#", *fragment] if fragment != [""] else [])


@lowers("make_url")
def make_url(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    if not isinstance(call.arg, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the argument of make_url must be a map", call)
    return lowering.compose(url_parts(lowering, call) or [])


# paths and lookups


@lowers("Fn::Select")
def select(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    index, where = items(call)
    number = parameters.index(index.value) if isinstance(index, ir.Lit) else None
    if isinstance(where, ir.Seq) and number is not None:
        return (
            lowering.value(where.items[number], want)
            if -len(where.items) <= number < len(where.items)
            else Value("", STRING)
        )
    if isinstance(where, ir.Map) and isinstance(index, ir.Lit):
        found = where.get(str(index.value))
        return lowering.value(found, want) if found is not None else Value("", STRING)
    source = lowering.value(where)
    if source.type.kind == "string":
        source = Value(Fn("jsondecode", (source.expr,)))
    if number is not None and source.type.kind not in MAPS:
        index = ir.Lit(number)
    ways, _ = paths.select(lowering, source, (index,), [])
    return Value(Fn("try", (*ways, "")), STRING if source.type == STRINGS else ANY)


@lowers("Fn::FindInMap")
def find_in_map(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    """Indexes the local for a mapping; a missing key is an error in both Heat and Terraform."""
    if not isinstance(call.arg, ir.Seq) or len(call.arg.items) != 3:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "Fn::FindInMap takes a mapping and two keys", call)
    name, *keys = call.arg.items
    if not isinstance(name, ir.Lit) or str(name.value) not in lowering.template.mappings:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the mapping is missing, or known only at run time", call)
    found: Expr = lowering.mapping(str(name.value))
    for key in keys:
        if isinstance(key, ir.Lit):
            text = str(key.value)
            found = Attr(found, text) if text.isidentifier() and text.isascii() else Index(found, text)
        else:
            found = Index(found, lowering.expr(key))
    texts = isinstance(keys[1], ir.Lit) and lowering.unit.has_texts(str(name.value), str(keys[1].value))
    return Value(found, STRING if texts else ANY)


@lowers("Fn::GetAZs")
def availability_zones(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    address = lowering.shared.zones()
    return Value(Name((*address, "names")), STRINGS)


@lowers("resource_facade", "Fn::ResourceFacade")
def facade(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    """A key of the resource that this template implements; the caller of the module passes it."""
    what = str(call.arg.value) if isinstance(call.arg, ir.Lit) else ""
    known = {
        "metadata": "metadata",
        "Metadata": "metadata",
        "deletion_policy": "deletion_policy",
        "DeletionPolicy": "deletion_policy",
        "update_policy": "update_policy",
        "UpdatePolicy": "update_policy",
    }
    if what not in known:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL, "resource_facade supports only metadata, deletion_policy and update_policy", call
        )
    return lowering.symbols.facade(known[what])


@lowers("yaql")
def yaql(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    from emitters.hcl.lowering import yaql as expressions  # loads the grammar only when needed

    return expressions.lower(lowering, call)


@lowers("Fn::MemberListToMap")
def member_list_to_map(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    """Converts query parameters of the AWS API to a map. With the keys Name and Value, `.member.0.Name=a` and
    `.member.0.Value=1` become `{a: "1"}`.
    """
    name, value, members = items(call)
    listed = lowering.value(members, STRINGS).expr
    text = Name(("text",))
    pairs = ForObject(
        ("text",),
        listed,
        Index(Fn("regex", ("^([^=]*)", text)), 0),
        Index(Fn("regex", ("(?s)^[^=]*=(.*)$", text)), 0),
        Fn("can", (Fn("regex", ("^[.]member[.][0-9]+[^=]*=", text)),)),
    )
    if not isinstance(name, ir.Lit) or not isinstance(value, ir.Lit):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the keys of Fn::MemberListToMap are known only at run time", call)
    known = lowering.blocks.local(f"{lowering.scope.owner}_members", pairs)
    path, key = Name(("path",)), Name(("key",))
    other = Index(known, Fn("replace", (path, f".{name.value}", f".{value.value}")))
    test = Op("&&", Fn("endswith", (path, f".{name.value}")), Fn("can", (other,)))
    return Value(ForObject(("path", "key"), known, key, other, test), OBJECT)
