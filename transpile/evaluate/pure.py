"""Implements Heat's pure functions on resolved arguments; targets fold constant calls with them.

Invariant: the results are Heat's (`heat.engine.hot.functions`), oddities included. Arguments that Heat refuses raise
`EvaluationError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib import parse

from transpile.evaluate.placeholders import split_at_placeholders
from transpile.evaluate.sizes import bound_result_size
from transpile.model.ir import Call, Expr, from_data, is_plain_data, to_data
from transpile.model.meter import Meter
from transpile.model.source import Source


class EvaluationError(ValueError):
    """Heat would refuse the expression."""


class MalformedExpression(EvaluationError):
    """Heat would refuse the template: an expression of YAQL cannot be parsed."""


class NotKnown(EvaluationError):
    """The value cannot be computed here: a resource does not exist yet, or a library is not installed."""


class NoValue(NotKnown):
    """A parameter has no value; `name` is its name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The parameter {name} has no value")
        self.name = name


MEMBER = r"\.member\.([0-9]+)\.(.*)"
Function: TypeAlias = Callable[[Any], Any]
FUNCTIONS: dict[str, Function] = {}


def register_function(*names: str) -> Callable[[Function], Function]:
    """Registers the implementation of one or more intrinsic functions by name."""

    def register(function: Function) -> Function:
        for name in names:
            FUNCTIONS[name] = function
        return function

    return register


def fold_call(expr: Expr, source: Source) -> Expr:
    """Replaces a call of a pure function with literal arguments by its value. Any other expression, and a call that
    Heat refuses, is returned unchanged. The budget of `source`, which contains the expression, pays for the call.
    """
    if isinstance(expr, Call) and expr.fn in FUNCTIONS and is_plain_data(expr.arg):
        try:
            return from_data(apply_function(expr, to_data(expr.arg), source), expr.span)
        except (EvaluationError, TypeError, ValueError, LookupError, AttributeError, OverflowError):
            return expr
    return expr


def apply_function(call: Call, arg: Any, source: Source) -> Any:
    """The result of a call. The budget pays for the size of the result first; raises Exceeded if it cannot."""
    meter = Meter(source, call)
    meter.spend_for_value(bound_result_size(call.fn, arg, meter.spend_steps))
    return FUNCTIONS[call.fn](arg)


def dump_json(value: Any) -> str:
    """JSON as str_replace and list_join write it: sorted keys, spaces, non-ASCII escaped."""
    return json.dumps(value, sort_keys=True)


def format_replacement(value: Any) -> str:
    """The text that str_replace inserts for a value."""
    if value is None:
        return ""
    return dump_json(value) if isinstance(value, (dict, list)) else str(value)


@register_function("str_replace")
def evaluate_str_replace(arg: Any) -> str:
    return replace_placeholders(arg)[0]


@register_function("str_replace_strict", "str_replace_vstrict")
def evaluate_str_replace_strict(arg: Any) -> str:
    """Like str_replace, but every placeholder must occur; an occurrence inside a longer one does not count."""
    text, missing = replace_placeholders(arg)
    if missing:
        raise EvaluationError(f"The following params were not found in the template: {', '.join(missing)}")
    return text


def replace_placeholders(arg: Any) -> tuple[str, list[str]]:
    """The text with all replacements, and the placeholders that do not occur in it."""
    if (
        not isinstance(arg, dict)
        or not isinstance(arg.get("template"), str)
        or not isinstance(arg.get("params"), dict)
        or "" in arg["params"]
    ):
        raise EvaluationError("str_replace takes a string and a map of placeholders")
    values = {str(k): format_replacement(v) for k, v in arg["params"].items()}
    parts = split_at_placeholders(arg["template"], values)
    occurring = {*parts[1::2]}
    parts[1::2] = [values[key] for key in parts[1::2]]
    return "".join(parts), [key for key in values if key not in occurring]


@register_function("Fn::Replace")
def evaluate_cfn_replace(arg: Any) -> Any:
    return evaluate_str_replace({"params": arg[0], "template": arg[1]})


@register_function("list_join", "Fn::Join")
def evaluate_list_join(arg: Any) -> str:
    delimiter, *lists = arg
    if not isinstance(delimiter, str):
        raise EvaluationError("the delimiter of list_join must be a string")
    items = []
    for values in lists:
        if values and not isinstance(values, list):
            raise EvaluationError("list_join joins lists")
        for item in values or ():
            if isinstance(item, (bool, int, float)):
                raise EvaluationError("items to join must be strings")
            items.append("" if item is None else item if isinstance(item, str) else dump_json(item))
    joined: str = delimiter.join(items)
    return joined


@register_function("str_split")
def evaluate_str_split(arg: Any) -> Any:
    delimiter, text, *index = arg
    if text is None:
        return None
    parts = text.split(delimiter)
    return parts[int(index[0])] if index else parts


@register_function("Fn::Split")
def evaluate_cfn_split(arg: Any) -> list[str]:
    parts: list[str] = arg[1].split(arg[0])
    return parts


@register_function("digest")
def evaluate_digest(arg: Any) -> str:
    algorithm, value = arg
    if not isinstance(value, str):
        raise EvaluationError("digest takes a string")
    import hashlib  # slow to import, and few templates need it

    return hashlib.new(algorithm, value.encode("latin-1"), usedforsecurity=False).hexdigest()


@register_function("map_merge")
def evaluate_map_merge(arg: Any) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for mapping in arg:
        if mapping is not None and not isinstance(mapping, dict):
            raise EvaluationError("map_merge merges maps")
        merged.update(mapping if mapping is not None else {})
    return merged


@register_function("map_replace")
def evaluate_map_replace(arg: Any) -> dict[str, Any]:
    source, replacements = arg
    source, replacements = ({} if argument is None else argument for argument in (source, replacements))
    if (
        not isinstance(source, dict)
        or not isinstance(replacements, dict)
        or not set(replacements) <= {"keys", "values"}
    ):
        raise EvaluationError("map_replace takes a map, and maps of keys and values")
    keys, values = ({} if replacements.get(word) is None else replacements[word] for word in ("keys", "values"))
    if not isinstance(keys, dict) or not isinstance(values, dict):
        raise EvaluationError("map_replace takes maps of keys and values")
    out: dict[str, Any] = {}
    for key, value in source.items():
        new = keys.get(key)
        if new is None:
            new = key
        elif (new in source and new != key) or new in out:
            raise EvaluationError(f"the replacement {new} collides with a key")
        out[new] = values.get(value, value) if not isinstance(value, (dict, list)) else value
    return out


@register_function("list_concat")
def evaluate_list_concat(arg: Any) -> list[Any]:
    if not isinstance(arg, list) or any(items is not None and not isinstance(items, list) for items in arg):
        raise EvaluationError("list_concat joins lists")
    return [item for items in arg if items is not None for item in items]


def make_comparable(value: Any) -> Any:
    """A hashable form of a value; two forms are equal if and only if the values are. `{"a": [1]}` -> a frozenset that
    holds `("a", (1,))`.
    """
    if isinstance(value, dict):
        return frozenset((key, make_comparable(item)) for key, item in value.items())
    return tuple(map(make_comparable, value)) if isinstance(value, list) else value


@register_function("list_concat_unique")
def evaluate_list_concat_unique(arg: Any) -> list[Any]:
    items: dict[Any, Any] = {}
    for item in evaluate_list_concat(arg):
        items.setdefault(make_comparable(item), item)
    return list(items.values())


@register_function("filter")
def evaluate_filter(arg: Any) -> Any:
    values, source = arg
    if not source:
        return source
    if not isinstance(source, list) or (values and not isinstance(values, list)):
        raise EvaluationError("filter removes values from a list")
    if not values:
        return source
    removed = set(map(make_comparable, values))
    return [item for item in source if make_comparable(item) not in removed]


@register_function("contains")
def evaluate_contains(arg: Any) -> bool:
    value, container = arg
    if not isinstance(container, (str, list)):
        raise EvaluationError("contains takes a list or a string")
    return value in container


@register_function("equals", "Fn::Equals")
def evaluate_equals(arg: Any) -> bool:
    return bool(arg[0] == arg[1])


@register_function("make_url")
def evaluate_make_url(arg: Any) -> Any:
    user, password = (parse.quote(arg.get(k, ""), safe="") for k in ("username", "password"))
    login = f"{user}{':' + password if password else ''}@" if user or password else ""
    host = arg.get("host", "")
    host = parse.quote(host[1:-1] if host.startswith("[") and host.endswith("]") else host, safe=":")
    port = arg.get("port", "")
    if port == "" and "port" in arg:
        raise EvaluationError("an empty port")
    place = login + (f"[{host}]" if ":" in host else host) + (f":{port}" if port != "" else "")
    query = parse.urlencode(arg.get("query", {})).replace("%2F", "/")
    if (port != "" and not 0 < int(port) <= 65535) or ":" in arg.get("scheme", ""):
        raise EvaluationError("the port or the scheme is invalid")
    return parse.urlunsplit(
        (arg.get("scheme", ""), place, parse.quote(arg.get("path", "")), query, parse.quote(arg.get("fragment", "")))
    )


@register_function("Fn::Select")
def evaluate_select(arg: Any) -> Any:
    index, container = arg
    if container == "" or container is None:
        return ""
    if isinstance(container, str):
        try:
            container = json.loads(container)
        except RecursionError:
            raise EvaluationError("the text of Fn::Select is nested too deeply") from None
    if isinstance(container, dict):
        if not isinstance(index, str):
            raise EvaluationError("the key of Fn::Select must be a string")
        return container.get(index, "")
    if container is None:
        return ""
    if not isinstance(container, list):
        raise EvaluationError("Fn::Select selects from lists and maps")
    try:
        return container[int(index)]
    except IndexError:
        return ""


@register_function("Fn::Base64")
def evaluate_base64(arg: Any) -> str:
    if not isinstance(arg, str):
        raise EvaluationError("Fn::Base64 takes a string")
    return arg


@register_function("Fn::MemberListToMap")
def evaluate_member_list_to_map(arg: Any) -> dict[str, str]:
    name, value, members = arg
    entries: dict[int, dict[str, str]] = {}
    if not isinstance(name, str) or not isinstance(value, str):
        raise EvaluationError("the names for key and value must be strings")
    for member in members:
        path, sign, text = member.partition("=")
        if not sign:
            raise EvaluationError("a member must have the form name=value")
        if match := re.match(MEMBER, path):
            entries.setdefault(int(match[1]), {})[match[2]] = text
    return {entry[name]: entry[value] for _, entry in sorted(entries.items()) if name in entry and value in entry}
