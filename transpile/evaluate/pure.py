"""Implements Heat's pure functions on resolved arguments; targets fold constant calls with them.

Invariant: the results are Heat's (`heat.engine.hot.functions`), oddities included. Arguments that Heat refuses raise
`EvaluationError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib import parse

from transpile.evaluate.placeholders import parted
from transpile.evaluate.sizes import size
from transpile.model.ir import Call, Expr, data, from_data, literal
from transpile.model.meter import Meter

if TYPE_CHECKING:
    from transpile.model.source import Source


class EvaluationError(ValueError):
    """Heat would refuse the expression."""


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


def evaluates(*names: str) -> Callable[[Function], Function]:
    """Registers the implementation of one or more intrinsic functions by name."""

    def add(function: Function) -> Function:
        for name in names:
            FUNCTIONS[name] = function
        return function

    return add


def fold(expr: Expr, source: Source) -> Expr:
    """Replaces a call of a pure function with literal arguments by its value. Any other expression, and a call that
    Heat refuses, is returned unchanged. The budget of `source`, which contains the expression, pays for the call.
    """
    if isinstance(expr, Call) and expr.fn in FUNCTIONS and literal(expr.arg):
        try:
            return from_data(apply(expr, data(expr.arg), source), expr.span)
        except (EvaluationError, TypeError, ValueError, LookupError, AttributeError):
            return expr
    return expr


def apply(call: Call, arg: Any, source: Source) -> Any:
    """The result of a call. The budget pays for the size of the result first; raises Exceeded if it cannot."""
    meter = Meter(source, call)
    meter.make(size(call.fn, arg, meter.pay))
    return FUNCTIONS[call.fn](arg)


def dumps(value: Any) -> str:
    """JSON as str_replace and list_join write it: sorted keys, spaces, non-ASCII escaped."""
    return json.dumps(value, sort_keys=True)


def replacement(value: Any) -> str:
    """The text that str_replace inserts for a value."""
    if value is None:
        return ""
    return dumps(value) if isinstance(value, (dict, list)) else str(value)


@evaluates("str_replace")
def str_replace(arg: Any) -> str:
    return replaced(arg)[0]


@evaluates("str_replace_strict", "str_replace_vstrict")
def str_replace_strict(arg: Any) -> str:
    """Like str_replace, but every placeholder must occur; an occurrence inside a longer one does not count."""
    text, missing = replaced(arg)
    if missing:
        raise EvaluationError(f"The following params were not found in the template: {', '.join(missing)}")
    return text


def replaced(arg: Any) -> tuple[str, list[str]]:
    """The text with all replacements, and the placeholders that do not occur in it."""
    if (
        not isinstance(arg, dict)
        or not isinstance(arg.get("template"), str)
        or not isinstance(arg.get("params"), dict)
        or "" in arg["params"]
    ):
        raise EvaluationError("str_replace takes a string and a map of placeholders")
    values = {str(k): replacement(v) for k, v in arg["params"].items()}
    parts = parted(arg["template"], values)
    there = {*parts[1::2]}
    parts[1::2] = [values[key] for key in parts[1::2]]
    return "".join(parts), [key for key in values if key not in there]


@evaluates("Fn::Replace")
def cfn_replace(arg: Any) -> Any:
    return str_replace({"params": arg[0], "template": arg[1]})


@evaluates("list_join", "Fn::Join")
def list_join(arg: Any) -> str:
    delimiter, *lists = arg
    if not isinstance(delimiter, str):
        raise EvaluationError("the delimiter of list_join must be a string")
    items = []
    for one in lists:
        if one and not isinstance(one, list):
            raise EvaluationError("list_join joins lists")
        for item in one or ():
            if isinstance(item, (bool, int, float)):
                raise EvaluationError("items to join must be strings")
            items.append("" if item is None else item if isinstance(item, str) else dumps(item))
    joined: str = delimiter.join(items)
    return joined


@evaluates("str_split")
def str_split(arg: Any) -> Any:
    delimiter, text, *index = arg
    if text is None:
        return None
    parts = text.split(delimiter)
    return parts[int(index[0])] if index else parts


@evaluates("Fn::Split")
def cfn_split(arg: Any) -> list[str]:
    parts: list[str] = arg[1].split(arg[0])
    return parts


@evaluates("digest")
def digest(arg: Any) -> str:
    algorithm, value = arg
    if not isinstance(value, str):
        raise EvaluationError("digest takes a string")
    import hashlib  # slow to import, and few templates need it

    return hashlib.new(algorithm, value.encode("latin-1"), usedforsecurity=False).hexdigest()


@evaluates("map_merge")
def map_merge(arg: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for one in arg:
        if one is not None and not isinstance(one, dict):
            raise EvaluationError("map_merge merges maps")
        out.update(one if one is not None else {})
    return out


@evaluates("map_replace")
def map_replace(arg: Any) -> dict[str, Any]:
    source, how = arg
    source, how = ({} if one is None else one for one in (source, how))
    if not isinstance(source, dict) or not isinstance(how, dict) or not set(how) <= {"keys", "values"}:
        raise EvaluationError("map_replace takes a map, and maps of keys and values")
    keys, values = ({} if how.get(word) is None else how[word] for word in ("keys", "values"))
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


@evaluates("list_concat")
def list_concat(arg: Any) -> list[Any]:
    if not isinstance(arg, list) or any(one is not None and not isinstance(one, list) for one in arg):
        raise EvaluationError("list_concat joins lists")
    return [item for one in arg if one is not None for item in one]


def comparable(value: Any) -> Any:
    """A hashable form of a value; two forms are equal if and only if the values are. `{"a": [1]}` -> a frozenset that
    holds `("a", (1,))`.
    """
    if isinstance(value, dict):
        return frozenset((key, comparable(item)) for key, item in value.items())
    return tuple(map(comparable, value)) if isinstance(value, list) else value


@evaluates("list_concat_unique")
def list_concat_unique(arg: Any) -> list[Any]:
    out: dict[Any, Any] = {}
    for item in list_concat(arg):
        out.setdefault(comparable(item), item)
    return list(out.values())


@evaluates("filter")
def filter_(arg: Any) -> Any:
    values, source = arg
    if not source:
        return source
    if not isinstance(source, list) or (values and not isinstance(values, list)):
        raise EvaluationError("filter removes values from a list")
    if not values:
        return source
    removed = set(map(comparable, values))
    return [item for item in source if comparable(item) not in removed]


@evaluates("contains")
def contains(arg: Any) -> bool:
    value, where = arg
    if not isinstance(where, (str, list)):
        raise EvaluationError("contains takes a list or a string")
    return value in where


@evaluates("equals", "Fn::Equals")
def equals(arg: Any) -> bool:
    return bool(arg[0] == arg[1])


@evaluates("make_url")
def make_url(arg: Any) -> Any:
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


@evaluates("Fn::Select")
def select(arg: Any) -> Any:
    index, where = arg
    if where == "" or where is None:
        return ""
    if isinstance(where, str):
        try:
            where = json.loads(where)
        except RecursionError:
            raise EvaluationError("the text of Fn::Select is nested too deeply") from None
    if isinstance(where, dict):
        if not isinstance(index, str):
            raise EvaluationError("the key of Fn::Select must be a string")
        return where.get(index, "")
    if where is None:
        return ""
    if not isinstance(where, list):
        raise EvaluationError("Fn::Select selects from lists and maps")
    try:
        return where[int(index)]
    except IndexError:
        return ""


@evaluates("Fn::Base64")
def base64(arg: Any) -> str:
    if not isinstance(arg, str):
        raise EvaluationError("Fn::Base64 takes a string")
    return arg


@evaluates("Fn::MemberListToMap")
def member_list_to_map(arg: Any) -> dict[str, str]:
    name, value, members = arg
    found: dict[int, dict[str, str]] = {}
    if not isinstance(name, str) or not isinstance(value, str):
        raise EvaluationError("the names for key and value must be strings")
    for member in members:
        path, sign, text = member.partition("=")
        if not sign:
            raise EvaluationError("a member must have the form name=value")
        if match := re.match(MEMBER, path):
            found.setdefault(int(match[1]), {})[match[2]] = text
    return {one[name]: one[value] for _, one in sorted(found.items()) if name in one and value in one}
