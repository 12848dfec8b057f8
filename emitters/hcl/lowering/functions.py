"""Lowers pure intrinsics: one function for each meaning, registered for all names of the intrinsic.

An intrinsic without a function here keeps in Heat the resource that calls it. Terraform's functions often differ in
details: `replace` treats `/…/` as a regular expression, `coalesce` skips empty strings, `setsubtract` loses the order,
`distinct` converts mixed values to strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib import parse

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import get_file, paths
from emitters.hcl.lowering.list_functions import call_arguments, lower_list_to_join
from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.lowering.registry import lowers_intrinsic, splits_intrinsic
from emitters.hcl.lowering.rewrites import join_pieces, try_alternatives
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, ForObject, ForTuple, Index, Op, StringTemplate, Traversal
from emitters.hcl.tree.types import (
    ANY,
    MAPS,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    STRINGS,
    HclType,
    TypedValue,
    format_as_heat,
)
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.model import ir, records
from transpile.model.meter import PART, Meter
from transpile.schema import parameters

STRICT = ("str_replace_strict", "str_replace_vstrict")


# texts


@splits_intrinsic("list_join", "Fn::Join")
def join_parts(lowering: HclLowering, call: ir.Call) -> list[Part] | None:
    """Joins literal lists into one text."""
    delimiter, *lists = call_arguments(call)
    if not isinstance(delimiter, ir.Lit) or not all(
        isinstance(item_list, ir.Seq) or item_list == ir.NULL for item_list in lists
    ):
        return None
    members = [item for item_list in lists if isinstance(item_list, ir.Seq) for item in item_list.items]
    if any(map(ir.is_optional, members)):
        return None  # an item may be omitted, and its delimiter with it
    between = lowering.lower_text_parts(delimiter)
    size = sum(len(part) if isinstance(part, str) else PART for part in between)
    Meter(lowering.template.source, call).spend_for_value(size * len(members))
    out: list[Part] = []
    for i, item in enumerate(members):
        out += [*(between if i else []), *lowering.lower_text_parts(item)]
    return out


@lowers_intrinsic("list_join", "Fn::Join")
def lower_join(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    if (parts := join_parts(lowering, call)) is not None:
        return lowering.compose_text(parts)
    delimiter, *lists = call_arguments(call)
    arguments = [lower_list_to_join(lowering, item_list) for item_list in lists]
    joined_lists = [argument for argument in arguments if argument is not None]
    if not joined_lists:
        return TypedValue("", STRING)
    between = lowering.lower_expression(delimiter, STRING)
    if len(joined_lists) == 1:
        return TypedValue(join_pieces(between, joined_lists[0]), STRING)
    return TypedValue(Fn("join", (between, *joined_lists)), STRING)


@splits_intrinsic("Fn::Base64")
def base64_parts(lowering: HclLowering, call: ir.Call) -> list[Part] | None:
    return lowering.lower_text_parts(call.arg)


@lowers_intrinsic("Fn::Base64")
def lower_base64(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    """Returns the argument: Heat's Fn::Base64 does nothing, and the provider encodes user data itself."""
    return lowering.lower_value(call.arg, want)


def template_and_params(call: ir.Call) -> tuple[ir.Expr, ir.Expr]:
    """The template and the params of a str_replace call."""
    if call.fn == "Fn::Replace":
        params, template = call_arguments(call)
        return template, params
    assert isinstance(call.arg, ir.Map)
    template_, params_ = call.arg.get("template"), call.arg.get("params")
    assert template_ is not None
    assert params_ is not None
    return template_, params_


@splits_intrinsic("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace")
def replace_parts(lowering: HclLowering, call: ir.Call) -> list[Part] | None:
    """Splits a literal template at its placeholders, as Heat does. Inserted values are not searched again.

    The word of a loop around the call, such as `%index%`, is replaced last: Heat replaces it in the result.
    """
    template, params = template_and_params(call)
    template = evaluate.fold_call(template, lowering.template.source)
    if not isinstance(template, ir.Lit) or not isinstance(template.value, str) or not isinstance(params, ir.Map):
        return None
    check_strict_replacement(lowering, call, template.value, params)
    meter = Meter(lowering.template.source, call)
    by_key = {key: value for key, value in active_replacements(lowering, params).items() if key}
    parts = evaluate.split_at_placeholders(template.value, by_key, meter.spend_steps)
    values = {key: parts_of_replacement(lowering, key, by_key[key]) for key in evaluate.replacement_order(parts)}
    out = lowering.lower_text_parts(ir.Lit(parts[0], template.span))
    for key, piece in zip(parts[1::2], parts[2::2], strict=True):
        inserted = values[key]
        meter.spend_for_value(sum(len(part) if isinstance(part, str) else PART for part in inserted))
        out += [*inserted, *lowering.lower_text_parts(ir.Lit(piece, template.span))]
    return out


def active_replacements(lowering: HclLowering, params: ir.Map) -> dict[str, ir.Expr]:
    """The replacement for each placeholder. An `if` without an else that is false leaves the placeholder."""
    out: dict[str, ir.Expr] = {}
    for entry in params.entries:
        value = entry.value
        if ir.is_optional(value):
            decided = lowering.decide_condition(value.condition)
            if decided is None and any(e.key in entry.key for e in params.entries if e is not entry):
                why = f"whether {entry.key} is replaced is known only at run time"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, value)
            if decided is False:
                continue
            value = value.then if decided else records.replace(value, orelse=ir.Lit(entry.key))
        out[entry.key] = value
    return out


def parts_of_replacement(lowering: HclLowering, key: str, expr: ir.Expr) -> list[Part]:
    """The parts that replace a placeholder."""
    if ir.is_plain_data(expr):  # as a literal, which may contain the word of a loop around the call
        expr = ir.Lit(evaluate.format_replacement(ir.to_data(expr)), expr.span)
    parts = lowering.lower_text_parts(expr)
    hint = "".join(c if c.isalnum() and c.isascii() else "_" for c in key).strip("_").lower()
    return [
        part
        if isinstance(part, str)
        else TypedValue(lowering.text_of_value(part, hint), NUMBER if part.type == NUMBER and not part.null else STRING)
        for part in parts
    ]


def check_strict_replacement(lowering: HclLowering, call: ir.Call, text: str, params: ir.Map) -> None:
    """Reports values that the strict forms reject: placeholders that do not occur, and for `vstrict` empty values."""
    if call.fn not in STRICT:
        return
    keys = [e.key for e in params.entries]
    there = {*evaluate.split_at_placeholders(text, keys, Meter(lowering.template.source, call).spend_steps)[1::2]}
    for key in evaluate.sort_placeholders(keys):
        if key and key not in there:
            message = f"The template does not contain {key}; Heat fails when it evaluates {call.fn}."
            lowering.say(codes.FUNCTION_FAILS, message, call)
    if call.fn == "str_replace_vstrict" and any(may_be_empty_at_run_time(lowering, e.value) for e in params.entries):
        lowering.differs(
            codes.EMPTY_VALUES_NOT_CHECKED, "Heat rejects empty values here at run time; Terraform does not.", call
        )


def may_be_empty_at_run_time(lowering: HclLowering, expr: ir.Expr) -> bool:
    """Whether a value that is known only at run time may be empty; numbers and booleans cannot be."""
    kind = lowering.template.type_of_parameter(expr.name) if ir.is_whole_parameter(expr) else ""
    return not ir.is_plain_data(expr) and kind not in ("number", "boolean")


@lowers_intrinsic("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace")
def lower_str_replace(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    template, params = template_and_params(call)
    if not isinstance(params, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the placeholders of str_replace are known only at run time", call)
    if isinstance(template, ir.FileRef):
        file = get_file.read_file_to_rewrite(lowering, template)
        if isinstance(file, TypedValue):
            return replace_at_run_time(lowering, file, params)
        check_strict_replacement(lowering, call, file.text, params)
        return get_file.lower_template_file(lowering, file, template, params)
    if (parts := replace_parts(lowering, call)) is not None:
        return lowering.compose_text(parts)
    return replace_at_run_time(lowering, lowering.lower_value(template, STRING), params)


def replace_at_run_time(lowering: HclLowering, source: TypedValue, params: ir.Map) -> TypedValue:
    """Nested calls of split and join (or replace), the longest placeholder outermost, so that inserted values are never
    searched.
    """
    by_key = {key: value for key, value in active_replacements(lowering, params).items() if key}
    keys = evaluate.sort_placeholders(by_key)
    replacements = {
        key: lowering.compose_text(parts_of_replacement(lowering, key, value)).expr for key, value in by_key.items()
    }
    for key, text in replacements.items():
        if isinstance(text, StringTemplate) and len(text.parts) == 1:  # join() converts it to a string
            replacements[key] = text.parts[0]

    def nest_joins(text: Expr, rest: Sequence[str]) -> Expr:
        key, *others = rest
        pieces: Expr = Fn("split", (key, text))
        if others:
            pieces = ForTuple(("s",), pieces, nest_joins(Traversal(("s",)), others))
        return join_pieces(replacements[key], pieces)

    return TypedValue(nest_joins(source.expr, keys), STRING) if keys else source


@lowers_intrinsic("str_split", "Fn::Split")
def lower_str_split(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    delimiter, text, *index = call_arguments(call)
    source = lowering.lower_value(text, STRING)
    if source.is_null:
        return TypedValue(None, NULL, True)
    between = lowering.lower_expression(delimiter, STRING)
    number = parameters.read_index(index[0].value) if index and isinstance(index[0], ir.Lit) else None

    def split_alternative(way: Expr) -> Expr:
        pieces = Fn("split", (between, way))
        if not index:
            return pieces
        if number is None:
            return Index(pieces, lowering.lower_expression(index[0], NUMBER))
        return Index(pieces, number) if number >= 0 else Index(Fn("reverse", (pieces,)), -number - 1)

    kind = STRING if index else STRINGS
    # a missing part fails the stack, but in an output it gives null
    if source.null or (index and lowering.scope.in_output):
        return TypedValue(Fn("try", (*map(split_alternative, try_alternatives(source.expr)), None)), kind, True)
    return TypedValue(split_alternative(source.expr), kind)


@lowers_intrinsic("digest")
def lower_digest(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    algorithm, value = call_arguments(call)
    name = str(algorithm.value).lower() if isinstance(algorithm, ir.Lit) else ""
    if name not in ("md5", "sha1", "sha256", "sha512"):
        why = f"Terraform has no digest function {name}" if name else "the digest algorithm is known only at run time"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, call)
    lowering.differs(codes.DIGEST_OF_NON_ASCII_TEXT, "Heat hashes the text as Latin-1, Terraform as UTF-8.", call)
    text = lowering.with_changes(hashed=True).lower_expression(value, STRING)
    return TypedValue(Fn(name, (text,)), STRING)


@splits_intrinsic("make_url")
def url_parts(lowering: HclLowering, call: ir.Call) -> list[Part] | None:
    """The parts of a URL. Literals are quoted here; Terraform inserts other values unquoted."""
    assert isinstance(call.arg, ir.Map)
    values = {e.key: e.value for e in call.arg.entries}

    def quoted_parts(name: str, safe: str) -> list[Part]:
        expr = evaluate.fold_call(values[name], lowering.template.source) if name in values else ir.Lit("")
        if isinstance(expr, ir.Lit):
            return [parse.quote(format_as_heat(expr.value), safe=safe)]
        parts = lowering.lower_text_parts(expr)
        rare = name == "host"  # rarely contains characters to quote
        message = f"The {name} is inserted into the URL unquoted; Heat quotes it."
        lowering.differs(codes.URL_QUOTED_DIFFERENTLY, message, expr, severity="info" if rare else "")
        return [parse.quote(p, safe=safe) if isinstance(p, str) else p for p in parts]

    query, host = values.get("query"), values.get("host")
    if host is None or (query is not None and not ir.is_plain_data(query)):
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL, "the URL has no host, or a query that is known only at run time", call
        )
    out: list[Part] = [*lowering.lower_text_parts(values["scheme"]), "://"] if "scheme" in values else ["//"]
    if "username" in values or "password" in values:
        out += [
            *quoted_parts("username", ""),
            *([":", *quoted_parts("password", "")] if "password" in values else []),
            "@",
        ]
    host_parts = quoted_parts("host", ":")
    if len(host_parts) == 1 and isinstance(host_parts[0], str):
        text = host_parts[0].strip("[]")
        out.append(f"[{text}]" if ":" in text else text)
    else:  # IPv6 addresses need brackets
        value = lowering.compose_text(host_parts)
        bracketed = lowering.compose_text(["[", TypedValue(Fn("trim", (value.expr, "[]")), STRING), "]"])
        out.append(TypedValue(Cond(Fn("strcontains", (value.expr, ":")), bracketed.expr, value.expr), STRING))
    if "port" in values:
        out += [":", *lowering.lower_text_parts(values["port"])]
    path = quoted_parts("path", "/")
    if isinstance(path[0], str):
        out += [*(["/"] if path != [""] and not path[0].startswith("/") else []), *path]
    else:
        value = lowering.compose_text(path)
        rooted = Op("||", Op("==", value.expr, ""), Fn("startswith", (value.expr, "/")))
        out.append(TypedValue(Cond(rooted, value.expr, lowering.compose_text(["/", value]).expr), STRING))
    if query is not None and not isinstance(query, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the query of make_url must be a map", call)
    if query is not None and (query_text := parse.urlencode(ir.to_data(query)).replace("%2F", "/")):
        out += ["?", query_text]
    fragment = quoted_parts("fragment", "/")
    return out + (["#", *fragment] if fragment != [""] else [])


@lowers_intrinsic("make_url")
def lower_make_url(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    if not isinstance(call.arg, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the argument of make_url must be a map", call)
    return lowering.compose_text(url_parts(lowering, call) or [])


# paths and lookups


@lowers_intrinsic("Fn::Select")
def lower_select(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    index, where = call_arguments(call)
    number = parameters.read_index(index.value) if isinstance(index, ir.Lit) else None
    if isinstance(where, ir.Seq) and number is not None:
        return (
            lowering.lower_value(where.items[number], want)
            if -len(where.items) <= number < len(where.items)
            else TypedValue("", STRING)
        )
    if isinstance(where, ir.Map) and isinstance(index, ir.Lit):
        selected = where.get(str(index.value))
        return lowering.lower_value(selected, want) if selected is not None else TypedValue("", STRING)
    source = lowering.lower_value(where)
    if source.type.kind == "string":
        source = TypedValue(Fn("jsondecode", (source.expr,)))
    if number is not None and source.type.kind not in MAPS:
        index = ir.Lit(number)
    ways, _ = paths.select_path(lowering, source, (index,), [])
    return TypedValue(Fn("try", (*ways, "")), STRING if source.type == STRINGS else ANY)


@lowers_intrinsic("Fn::FindInMap")
def lower_find_in_map(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    """Indexes the local for a mapping; a missing key is an error in both Heat and Terraform."""
    if not isinstance(call.arg, ir.Seq) or len(call.arg.items) != 3:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "Fn::FindInMap takes a mapping and two keys", call)
    name, *keys = call.arg.items
    if not isinstance(name, ir.Lit) or str(name.value) not in lowering.template.mappings:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the mapping is missing, or known only at run time", call)
    value: Expr = lowering.lower_mapping(str(name.value))
    for key in keys:
        if isinstance(key, ir.Lit):
            text = str(key.value)
            value = Attr(value, text) if text.isidentifier() and text.isascii() else Index(value, text)
        else:
            value = Index(value, lowering.lower_expression(key))
    texts = isinstance(keys[1], ir.Lit) and lowering.unit.has_texts(str(name.value), str(keys[1].value))
    return TypedValue(value, STRING if texts else ANY)


@lowers_intrinsic("Fn::GetAZs")
def lower_get_azs(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    address = lowering.shared.availability_zones()
    return TypedValue(Traversal((*address, "names")), STRINGS)


@lowers_intrinsic("resource_facade", "Fn::ResourceFacade")
def lower_resource_facade(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    """A key of the resource that this template implements; the caller of the module passes it."""
    key = str(call.arg.value) if isinstance(call.arg, ir.Lit) else ""
    canonical_words = {
        "metadata": "metadata",
        "Metadata": "metadata",
        "deletion_policy": "deletion_policy",
        "DeletionPolicy": "deletion_policy",
        "update_policy": "update_policy",
        "UpdatePolicy": "update_policy",
    }
    if key not in canonical_words:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL, "resource_facade supports only metadata, deletion_policy and update_policy", call
        )
    return lowering.symbols.facade_variable(canonical_words[key])


@lowers_intrinsic("yaql")
def lower_yaql(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    from emitters.hcl.lowering import yaql as expressions  # loads the grammar only when needed

    return expressions.lower_yaql_call(lowering, call)


@lowers_intrinsic("Fn::MemberListToMap")
def lower_member_list_to_map(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    """Converts query parameters of the AWS API to a map. With the keys Name and Value, `.member.0.Name=a` and
    `.member.0.Value=1` become `{a: "1"}`.
    """
    name, value, members = call_arguments(call)
    listed = lowering.lower_value(members, STRINGS).expr
    text = Traversal(("text",))
    pairs = ForObject(
        ("text",),
        listed,
        Index(Fn("regex", ("^([^=]*)", text)), 0),
        Index(Fn("regex", ("(?s)^[^=]*=(.*)$", text)), 0),
        Fn("can", (Fn("regex", ("^[.]member[.][0-9]+[^=]*=", text)),)),
    )
    if not isinstance(name, ir.Lit) or not isinstance(value, ir.Lit):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the keys of Fn::MemberListToMap are known only at run time", call)
    values_by_path = lowering.blocks.share_local(f"{lowering.scope.owner}_members", pairs)
    path, key = Traversal(("path",)), Traversal(("key",))
    other = Index(values_by_path, Fn("replace", (path, f".{name.value}", f".{value.value}")))
    test = Op("&&", Fn("endswith", (path, f".{name.value}")), Fn("can", (other,)))
    return TypedValue(ForObject(("path", "key"), values_by_path, key, other, test), OBJECT)
