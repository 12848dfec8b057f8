"""Ansible's filters and tests for Jinja2, as far as they only compute: the result depends on the arguments alone.

Invariant: nothing here reads a file, a variable of the environment, a clock or a random number, and nothing calls an
argument. It runs in the sandbox of `transpile.text.sandbox`, whose limits of time and memory hold.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import posixpath
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import jinja2
import yaml

TRUE = ("yes", "on", "1", "true", "y", "t")
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")


def to_json(value: Any, **options: Any) -> str:
    return json.dumps(value, **limit_options(options, "indent", "sort_keys", "ensure_ascii", "separators"))


def to_nice_json(value: Any, indent: int = 4, sort_keys: bool = True, **options: Any) -> str:
    return to_json(value, indent=indent, sort_keys=sort_keys, separators=(",", ": "), **options)


def to_yaml(value: Any, default_flow_style: bool | None = None, **options: Any) -> str:
    allowed = limit_options(options, "indent", "width", "sort_keys", "explicit_start", "explicit_end")
    return str(
        yaml.dump(
            plain(value), Dumper=yaml.SafeDumper, allow_unicode=True, default_flow_style=default_flow_style, **allowed
        )
    )


def to_nice_yaml(value: Any, indent: int = 4, **options: Any) -> str:
    return to_yaml(value, default_flow_style=False, indent=indent, **options)


def limit_options(options: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """The options that only change the form of a text. Raises TypeError for others."""
    if unknown := sorted(options.keys() - set(known)):
        raise TypeError(f"the option {unknown[0]} is not supported")
    return dict(options)


def plain(value: Any) -> Any:
    """A value made of lists, maps and scalars, as YAML takes it."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def from_yaml(text: Any) -> Any:
    return yaml.load(text, yaml.SafeLoader) if isinstance(text, str) else text


def to_bool(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    return (value.lower() if isinstance(value, str) else str(value)) in TRUE


def combine(*maps: Any, recursive: bool = False, list_merge: str = "replace") -> dict[Any, Any]:
    """Several maps as one; later ones win."""
    result: dict[Any, Any] = {}
    for each in itertools.chain.from_iterable(each if isinstance(each, list) else [each] for each in maps):
        if not isinstance(each, Mapping):
            raise TypeError("combine takes maps")
        result = merge_maps(result, each, recursive, list_merge)
    return result


def merge_maps(first: Mapping[Any, Any], second: Mapping[Any, Any], recursive: bool, lists: str) -> dict[Any, Any]:
    result = dict(first)
    for key, value in second.items():
        old = result.get(key)
        if recursive and isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = merge_maps(old, value, recursive, lists)
        elif isinstance(old, list) and isinstance(value, list):
            result[key] = merge_lists(old, value, lists)
        else:
            result[key] = value
    return result


def merge_lists(old: list[Any], new: list[Any], how: str) -> list[Any]:
    merged = {
        "replace": lambda: new,
        "keep": lambda: old,
        "append": lambda: old + new,
        "prepend": lambda: new + old,
        "append_rp": lambda: [each for each in old if each not in new] + new,
        "prepend_rp": lambda: new + [each for each in old if each not in new],
    }
    if how not in merged:
        raise ValueError(f"list_merge cannot be {how}")
    return merged[how]()


def ternary(value: Any, true: Any, false: Any, none: Any = None) -> Any:
    return none if value is None and none is not None else true if value else false


def mandatory(value: Any, message: str = "") -> Any:
    if isinstance(value, jinja2.Undefined):
        raise jinja2.UndefinedError(message or f"Mandatory variable {value._undefined_name!r} not defined.")
    return value


def flags(ignorecase: bool, multiline: bool) -> int:
    return (re.IGNORECASE if ignorecase else 0) | (re.MULTILINE if multiline else 0)


def regex_replace(
    value: Any = "",
    pattern: str = "",
    replacement: str = "",
    ignorecase: bool = False,
    multiline: bool = False,
    count: int = 0,
) -> str:
    return re.sub(pattern, str(replacement), str(value), count=count, flags=flags(ignorecase, multiline))


def regex_search(value: Any, pattern: str, *groups: str, ignorecase: bool = False, multiline: bool = False) -> Any:
    match = re.search(pattern, str(value), flags(ignorecase, multiline))
    if match is None:
        return None
    names = [each.removeprefix("\\g<").removesuffix(">").lstrip("\\") for each in groups]
    return [match[int(name) if name.isdigit() else name] for name in names] if names else match[0]


def regex_findall(value: Any, pattern: str, multiline: bool = False, ignorecase: bool = False) -> list[Any]:
    return re.findall(pattern, str(value), flags(ignorecase, multiline))


def b64encode(value: Any, encoding: str = "utf-8") -> str:
    return base64.b64encode(str(value).encode(encoding)).decode()


def b64decode(value: Any, encoding: str = "utf-8") -> str:
    return base64.b64decode(str(value)).decode(encoding)


def hash_text(value: Any, kind: str = "sha1") -> str:
    if kind not in HASHES:
        raise ValueError(f"there is no hash {kind} here")
    return hashlib.new(kind, str(value).encode(), usedforsecurity=False).hexdigest()


def flatten(value: Iterable[Any], levels: int | None = None, skip_nulls: bool = True) -> list[Any]:
    result = []
    for each in value:
        if isinstance(each, (list, tuple)) and levels != 0:
            result += flatten(each, None if levels is None else levels - 1, skip_nulls)
        elif not (skip_nulls and each in (None, "None", "null")):
            result.append(each)
    return result


def each_once(values: Iterable[Any]) -> list[Any]:
    result: list[Any] = []
    for value in values:
        if value not in result:
            result.append(value)
    return result


def union(first: Iterable[Any], second: Iterable[Any]) -> list[Any]:
    return each_once([*first, *second])


def intersect(first: Iterable[Any], second: Iterable[Any]) -> list[Any]:
    others = list(second)
    return each_once(value for value in first if value in others)


def difference(first: Iterable[Any], second: Iterable[Any]) -> list[Any]:
    others = list(second)
    return each_once(value for value in first if value not in others)


def dict2items(value: Mapping[Any, Any], key_name: str = "key", value_name: str = "value") -> list[dict[str, Any]]:
    return [{key_name: key, value_name: each} for key, each in value.items()]


def items2dict(value: Iterable[Mapping[str, Any]], key_name: str = "key", value_name: str = "value") -> dict[Any, Any]:
    return {each[key_name]: each[value_name] for each in value}


def zip_lists(first: Iterable[Any], *others: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    return zip(first, *others, strict=False)


def search(value: Any, pattern: str, ignorecase: bool = False, multiline: bool = False) -> bool:
    return re.search(pattern, str(value), flags(ignorecase, multiline)) is not None


FILTERS: Mapping[str, Callable[..., Any]] = {
    "to_json": to_json,
    "to_nice_json": to_nice_json,
    "to_yaml": to_yaml,
    "to_nice_yaml": to_nice_yaml,
    "from_json": lambda value: json.loads(str(value)),
    "from_yaml": from_yaml,
    "bool": to_bool,
    "combine": combine,
    "ternary": ternary,
    "mandatory": mandatory,
    "regex_replace": regex_replace,
    "regex_search": regex_search,
    "regex_findall": regex_findall,
    "regex_escape": lambda value: re.escape(str(value)),
    "b64encode": b64encode,
    "b64decode": b64decode,
    "basename": lambda value: posixpath.basename(str(value)),
    "dirname": lambda value: posixpath.dirname(str(value)),
    "splitext": lambda value: posixpath.splitext(str(value)),
    "quote": lambda value: shlex.quote(str(value)),
    "hash": hash_text,
    "md5": lambda value: hash_text(value, "md5"),
    "sha1": hash_text,
    "checksum": hash_text,
    "flatten": flatten,
    "union": union,
    "intersect": intersect,
    "difference": difference,
    "dict2items": dict2items,
    "items2dict": items2dict,
    "zip": zip_lists,
}
TESTS: Mapping[str, Callable[..., Any]] = {
    "match": lambda value, pattern, ignorecase=False, multiline=False: (
        re.match(pattern, str(value), flags(ignorecase, multiline)) is not None
    ),
    "search": search,
    "regex": search,
    "contains": lambda value, item: item in value,
    "subset": lambda value, of: all(each in of for each in value),
    "superset": lambda value, of: all(each in value for each in of),
}
