"""The functions of Terraform that the output uses, over plain data.

Invariant: sets are sorted lists without duplicates. A function that needs files, time or a provider is not here, so
that its value is unknown.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Unknown(Exception):
    """The value is not known: only Terraform, the provider or the cloud can tell."""


class Failed(Exception):
    """Terraform fails to compute the value."""


def text_of(found: Any) -> str:
    """A value in a text."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, float) and found.is_integer():
        return str(int(found))
    if isinstance(found, (str, int, float)):
        return str(found)
    raise Failed("this has no form as text")


def plain(found: Any) -> Any:
    """A value without attributes that are computed on demand."""
    if found is None or isinstance(found, (bool, int, float, str)):
        return found
    if isinstance(found, list):
        return [plain(one) for one in found]
    if isinstance(found, dict):
        return {key: plain(one) for key, one in found.items()}
    raise Unknown("all attributes of a resource at once")


def coalesce(*given: Any) -> Any:
    for one in given:
        if one not in (None, ""):
            return one
    raise Failed("coalesce() has no value")


def concat(*lists: list[Any]) -> list[Any]:
    return list(itertools.chain.from_iterable(lists))


def merge(*maps: Mapping[str, Any] | None) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for one in maps:
        out |= one or {}
    return out


def flatten(found: list[Any]) -> list[Any]:
    return [inner for one in found for inner in (flatten(one) if isinstance(one, list) else [one])]


def distinct(found: list[Any]) -> list[Any]:
    out: list[Any] = []
    for one in found:
        if one not in out:
            out.append(one)
    return out


def as_set(found: list[Any]) -> list[Any]:
    return sorted(distinct(found), key=lambda one: one if isinstance(one, str) else json.dumps(plain(one)))


def as_text(found: Any) -> str | None:
    return None if found is None else text_of(found)


def as_number(found: Any) -> int | float | None:
    if found is None or (isinstance(found, (int, float)) and not isinstance(found, bool)):
        return found
    text = str(found)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def as_bool(found: Any) -> bool | None:
    if found is None or isinstance(found, bool):
        return found
    return {"true": True, "false": False}[str(found)]


def one_of(found: list[Any]) -> Any:
    if len(found) > 1:
        raise Failed("one() has several values")
    return found[0] if found else None


def found_in(found: Mapping[str, Any], key: str, *default: Any) -> Any:
    return found.get(key, *default) if default else found[key]


def numbers(*given: int) -> list[int]:
    return list(range(*given))


def piece(found: list[Any], start: int, end: int) -> list[Any]:
    if not 0 <= start <= end <= len(found):
        raise Failed("slice() is out of range")
    return found[start:end]


def part(text: str, start: int, length: int) -> str:
    return text[start:] if length < 0 else text[start : start + length]


def written(found: Any) -> str:
    """What `jsonencode` writes: keys sorted, and three characters of HTML escaped."""
    text = json.dumps(plain(found), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


MOST = 1 << 21  # characters and items: what has more is not looked through


def matched(pattern: str, text: str) -> Any:
    """What `regex` finds: the whole match, or its groups."""
    found = re.search(pattern, text)
    if found is None:
        raise Failed("regex() finds nothing")
    return found.groupdict() or list(found.groups()) or found.group()


def titled(given: Any) -> str:
    return re.sub(r"(^|\s)(\w)", lambda found: found[1] + found[2].upper(), text_of(given))


def weight(found: Any) -> int:
    """The characters and items of a value, which may hold the same part many times. Raises Unknown for a larger one."""
    total, todo = 0, [found]
    while todo and total <= MOST:
        one = todo.pop()
        total += 1 + (len(one) if isinstance(one, str) else 0)
        if isinstance(one, dict):
            total += sum(map(len, one))
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    if total > MOST:
        raise Unknown("a value of this size")
    return total


def growth(name: str, given: list[Any]) -> int:
    """What the result of a function may have beyond its arguments."""
    match name, given:
        case "range", [*numbers_] if all(isinstance(n, int) for n in numbers_):
            return max(map(abs, numbers_), default=0)
        case "setproduct", [*sets]:
            return math.prod(map(len, sets)) * len(sets)
        case "join", [str(sign), *lists]:
            return len(sign) * sum(map(len, lists))
        case "replace", [str(text), str(old), str(new)]:
            return (text.count(old) if old else len(text) + 1) * len(new)
    return 0


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "alltrue": lambda found: all(one is True for one in found),
    "anytrue": lambda found: any(one is True for one in found),
    "coalesce": coalesce,
    "compact": lambda found: [one for one in found if one not in (None, "")],
    "concat": concat,
    "contains": lambda found, one: one in found,
    "distinct": distinct,
    "element": lambda found, index: found[index % len(found)],
    "endswith": lambda text, end: text.endswith(end),
    "flatten": flatten,
    "floor": math.floor,
    "join": lambda sign, *lists: text_of(sign).join(text_of(one) for one in concat(*lists)),
    "jsondecode": json.loads,
    "jsonencode": written,
    "keys": lambda found: sorted(found),
    "length": len,
    "lookup": found_in,
    "lower": lambda text: text_of(text).lower(),
    "max": max,
    "merge": merge,
    "min": min,
    "nonsensitive": lambda found: found,
    "one": one_of,
    "range": numbers,
    "regex": matched,
    "replace": lambda text, old, new: text_of(text).replace(text_of(old), text_of(new)),
    "reverse": lambda found: found[::-1],
    "sensitive": lambda found: found,
    "setintersection": lambda *sets: as_set([one for one in sets[0] if all(one in other for other in sets[1:])]),
    "setproduct": lambda *sets: [list(one) for one in itertools.product(*sets)],
    "sha256": lambda text: hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    "slice": piece,
    "sort": sorted,
    "split": lambda sign, text: text_of(text).split(sign) if sign else list(text_of(text)),
    "startswith": lambda text, start: text.startswith(start),
    "strcontains": lambda text, inner: inner in text,
    "substr": part,
    "sum": sum,
    "title": titled,
    "tobool": as_bool,
    "tolist": lambda found: found,
    "tomap": lambda found: found,
    "tonumber": as_number,
    "toset": as_set,
    "tostring": as_text,
    "trim": lambda text, signs: text.strip(signs),
    "trimspace": lambda text: text.strip(),
    "upper": lambda text: text_of(text).upper(),
    "values": lambda found: [found[key] for key in sorted(found)],
    "zipmap": lambda keys, values: dict(zip(keys, values, strict=True)),
}
