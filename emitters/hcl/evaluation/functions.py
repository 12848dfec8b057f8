"""The functions of Terraform that the output uses, over plain data.

Invariant: sets are sorted lists without duplicates. A function that needs files, time or a provider is not here, so
that its value is unknown.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import json
import math
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from transpile.guarded.patterns import NotCompared, match_pattern
from transpile.model.budget import Budget


class UnknownValue(Exception):
    """The value is not known: only Terraform, the provider or the cloud can tell."""


class EvaluationFailed(Exception):
    """Terraform fails to compute the value."""


class WrongContent(EvaluationFailed):
    """Terraform fails because of the characters of a text. Another text in its place may be valid."""


def convert_to_text(value: Any) -> str:
    """The text of a value inside a string: `"${true}"` is "true"."""
    if isinstance(value, str):  # most are
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    raise EvaluationFailed("this cannot be converted to text")


def to_plain_data(value: Any) -> Any:
    """A copy of a value as plain lists, dicts and scalars; a part that occurs many times is copied once. Raises
    UnknownValue if the value contains a whole resource.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return copy_plain_data(value, {})


def copy_plain_data(value: Any, copies: dict[int, Any]) -> Any:
    """As `to_plain_data`. copies: of lists and dicts, by id() of the original."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, list):
        copies[id(value)] = [copy_plain_data(item, copies) for item in value]
    elif isinstance(value, dict):
        copies[id(value)] = {key: copy_plain_data(item, copies) for key, item in value.items()}
    else:
        raise UnknownValue("all attributes of a resource at once")
    return copies[id(value)]


def call_coalesce(*values: Any) -> Any:
    for value in values:
        if value not in (None, ""):
            return value
    raise EvaluationFailed("coalesce() has no value")


def call_concat(*lists: list[Any]) -> list[Any]:
    return list(itertools.chain.from_iterable(lists))


def call_merge(*maps: Mapping[str, Any] | None) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for mapping in maps:
        out |= mapping or {}
    return out


def call_flatten(items: list[Any]) -> list[Any]:
    return [inner for item in items for inner in (call_flatten(item) if isinstance(item, list) else [item])]


def freeze(value: Any) -> Any:
    """A value that can be in a set, equal to others if and only if Terraform takes the original values as equal."""
    if isinstance(value, dict):
        return dict, frozenset((key, freeze(item)) for key, item in value.items())
    if isinstance(value, list):
        return list, tuple(map(freeze, value))
    return (bool, value) if isinstance(value, bool) else value


def call_distinct(items: list[Any]) -> list[Any]:
    out: dict[Any, Any] = {}
    for item in items:
        out.setdefault(freeze(item), item)
    return list(out.values())


def call_toset(items: list[Any] | None) -> list[Any] | None:
    if items is None:
        return None
    return sorted(
        call_distinct(items), key=lambda item: item if isinstance(item, str) else json.dumps(to_plain_data(item))
    )


def call_setintersection(*sets: list[Any]) -> list[Any] | None:
    common = set[Any].intersection(*({freeze(item) for item in items} for items in sets))
    return call_toset([item for item in sets[0] if freeze(item) in common])


def call_tostring(value: Any) -> str | None:
    return None if value is None else convert_to_text(value)


def call_tonumber(value: Any) -> int | float | None:
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    text = str(value)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def call_tobool(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    return {"true": True, "false": False}[str(value)]


def call_one(items: list[Any]) -> Any:
    if len(items) > 1:
        raise EvaluationFailed("one() has several values")
    return items[0] if items else None


def call_lookup(mapping: Mapping[str, Any], key: str, *default: Any) -> Any:
    return mapping.get(key, *default) if default else mapping[key]


def call_range(*bounds: int) -> list[int]:
    return list(range(*bounds))


def call_slice(items: list[Any], start: int, end: int) -> list[Any]:
    if not 0 <= start <= end <= len(items):
        raise EvaluationFailed("slice() is out of range")
    return items[start:end]


def call_substr(text: str, start: int, length: int) -> str:
    """The result of `substr`: a negative start counts from the end, a negative length means the rest."""
    start = max(start + len(text), 0) if start < 0 else start
    return text[start:] if length < 0 else text[start : start + length]


def call_digest(name: str, text: Any) -> str:
    """The hexadecimal digest of a text in UTF-8, which Terraform hashes."""
    return hashlib.new(name, convert_to_text(text).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def call_base64encode(text: Any) -> str:
    return base64.b64encode(convert_to_text(text).encode("utf-8", "surrogatepass")).decode("ascii")


def call_base64decode(text: Any) -> str:
    return base64.b64decode(convert_to_text(text), validate=True).decode("utf-8")


def call_jsonencode(value: Any) -> str:
    """The text that `jsonencode` returns: keys sorted, and three characters of HTML escaped."""
    text = json.dumps(to_plain_data(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


MOST = 1 << 21  # characters and items of a value; larger values are unknown


def call_regex(pattern: str, text: str, budget: Budget) -> Any:
    """The result of `regex`: the groups of the match, or the whole match if the pattern has no groups. Raises
    UnknownValue if the budget does not allow the search.
    """
    try:
        match = match_pattern(pattern, text, budget, search=True)
    except NotCompared:
        raise UnknownValue("a comparison with a pattern that takes too long") from None
    if match is None:
        raise WrongContent("regex() finds nothing")
    return match.names or list(match.groups) or text[match.start : match.end]


def call_title(value: Any) -> str:
    return re.sub(r"(^|\s)(\w)", lambda match: match[1] + match[2].upper(), convert_to_text(value))


def measure_value(value: Any) -> int:
    """The number of characters and items in a value. A part that occurs twice counts twice.

    Raises UnknownValue if there are more than MOST.
    """
    total, todo = 0, [value]
    while todo and total <= MOST:
        part = todo.pop()
        total += 1 + (len(part) if isinstance(part, str) else 0)
        if isinstance(part, dict):
            total += sum(map(len, part))
            todo += part.values()
        elif isinstance(part, list):
            todo += part
    if total > MOST:
        raise UnknownValue("a value of this size")
    return total


def measure_growth(name: str, arguments: list[Any]) -> int:
    """The number of characters and items that the result of a function may have beyond those of its arguments."""
    match name, arguments:
        case "range", [*numbers_] if all(isinstance(n, int) for n in numbers_):
            return max(map(abs, numbers_), default=0)
        case "setproduct", [*sets]:
            return math.prod(map(len, sets)) * len(sets)
        case "join", [str(sign), *lists]:
            return len(sign) * sum(map(len, lists))
        case "replace", [str(text), str(old), str(new)]:
            return (text.count(old) if old else len(text) + 1) * len(new)
    return 0


def make_named_uuid(namespace: str, name: str) -> str:
    """A UUID that depends on nothing but a name."""
    namespaces = {"dns": uuid.NAMESPACE_DNS, "url": uuid.NAMESPACE_URL, "oid": uuid.NAMESPACE_OID}
    return str(uuid.uuid5(namespaces[namespace], name))


NULLABLE = frozenset(  # functions that take null as an argument; all others fail with it
    [
        "coalesce",
        "jsonencode",
        "merge",
        "nonsensitive",
        "sensitive",
        "tobool",
        "tolist",
        "tomap",
        "tonumber",
        "toset",
        "tostring",
    ]
)

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "alltrue": lambda items: all(item is True for item in items),
    "anytrue": lambda items: any(item is True for item in items),
    "base64decode": call_base64decode,
    "base64encode": call_base64encode,
    "coalesce": call_coalesce,
    "compact": lambda items: [item for item in items if item not in (None, "")],
    "concat": call_concat,
    "contains": lambda items, item: freeze(item) in map(freeze, items),
    "distinct": call_distinct,
    "element": lambda items, index: items[index % len(items)],
    "endswith": lambda text, end: text.endswith(end),
    "flatten": call_flatten,
    "floor": math.floor,
    "join": lambda sign, *lists: convert_to_text(sign).join(convert_to_text(item) for item in call_concat(*lists)),
    "jsondecode": json.loads,
    "jsonencode": call_jsonencode,
    "keys": lambda mapping: sorted(mapping),
    "length": len,
    "lookup": call_lookup,
    "lower": lambda text: convert_to_text(text).lower(),
    "max": max,
    "merge": call_merge,
    "min": min,
    "nonsensitive": lambda value: value,
    "one": call_one,
    "range": call_range,
    "replace": lambda text, old, new: convert_to_text(text).replace(convert_to_text(old), convert_to_text(new)),
    "reverse": lambda items: items[::-1],
    "sensitive": lambda value: value,
    "setintersection": call_setintersection,
    "setproduct": lambda *sets: [list(combination) for combination in itertools.product(*sets)],
    **{name: functools.partial(call_digest, name) for name in ("md5", "sha1", "sha256", "sha512")},
    "uuidv5": make_named_uuid,
    "slice": call_slice,
    "sort": sorted,
    "split": lambda sign, text: convert_to_text(text).split(sign) if sign else list(convert_to_text(text)),
    "startswith": lambda text, start: text.startswith(start),
    "strcontains": lambda text, inner: inner in text,
    "substr": call_substr,
    "sum": sum,
    "title": call_title,
    "tobool": call_tobool,
    "tolist": lambda value: value,
    "tomap": lambda value: value,
    "tonumber": call_tonumber,
    "toset": call_toset,
    "tostring": call_tostring,
    "trim": lambda text, signs: text.strip(signs),
    "trimspace": lambda text: text.strip(),
    "upper": lambda text: convert_to_text(text).upper(),
    "values": lambda mapping: [mapping[key] for key in sorted(mapping)],
    "zipmap": lambda keys, values: dict(zip(keys, values, strict=True)),
}
