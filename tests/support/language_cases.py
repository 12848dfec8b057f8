"""Templates made of the language alone: each function and key with each kind of argument, right or wrong.

A case is a template of one output or resource. `cases` yields them by name, in a fixed order, so that a sample with a
seed is the same in each run.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

VERSION = "2021-04-16"
UNKNOWN = {"get_param": "OS::stack_name"}  # a text that no template shows
SCALARS: tuple[Any, ...] = ("a", "", "a,b", 0, 1, -1, 1.5, True, None)
LISTS: tuple[Any, ...] = ([], ["a"], ["a", "b", "a"], ["a", 1], [["a"], ["b"]], [{"a": 1}], [None], [UNKNOWN])
MAPS: tuple[Any, ...] = ({}, {"a": "b"}, {"a": 1, "b": [2]}, {"a": {"b": None}}, {"keys": {"a": "b"}})
ARGUMENTS = (*SCALARS, *LISTS, *MAPS, UNKNOWN)
LISTED: dict[
    str, list[Any]
] = {  # functions that take a list, with a right one: each item is replaced by each argument, and left out
    "list_join": [",", ["a", "b"]],
    "str_split": [",", "a,b", 0],
    "digest": ["md5", "a"],
    "map_merge": [{"a": 1}, {"b": 2}],
    "map_replace": [{"a": "b"}, {"keys": {"a": "c"}, "values": {"b": "d"}}],
    "list_concat": [["a"], ["b"]],
    "list_concat_unique": [["a"], ["a", "b"]],
    "contains": ["a", ["a"]],
    "filter": [["a"], ["a", "b"]],
    "equals": ["a", "b"],
    "if": [True, "a", "b"],
}
KEYED: dict[str, dict[str, Any]] = {  # functions that take a map, with all keys
    "str_replace": {"template": "a-b", "params": {"a": "c"}},
    "str_replace_strict": {"template": "a-b", "params": {"a": "c"}},
    "repeat": {"for_each": {"%a%": ["x", "y"]}, "template": "v-%a%"},
    "make_url": {
        **{"scheme": "http", "username": "u", "password": "p", "host": "h", "port": 80},
        **{"path": "/p", "query": {"q": "1"}, "fragment": "f"},
    },
    "yaql": {"expression": "$.data.a", "data": {"a": 1}},
}
EXPRESSIONS = ("$.data", "$.data.[", "", "$", "len($.data)", "nothing($.data)", "$.data.a +", "'a' + 'b'")


def output(value: Any) -> dict[str, Any]:
    return {"heat_template_version": VERSION, "outputs": {"o": {"value": value}}}


def arguments_of(fn: str) -> Iterator[Any]:
    """The right argument of a function, and those that differ from it in one place."""
    yield from ARGUMENTS
    if fn in LISTED:
        right = LISTED[fn]
        yield right
        for i, other in itertools.product(range(len(right)), ARGUMENTS):
            yield [*right[:i], other, *right[i + 1 :]]
        for i in range(len(right)):
            yield right[:i]
        yield [*right, "z"]
        return
    entries = KEYED[fn]
    yield entries
    for key, other in itertools.product(entries, ARGUMENTS):
        yield {**entries, key: other}
    for key in entries:
        yield {name: value for name, value in entries.items() if name != key}
        yield {key: entries[key]}
    yield {**entries, "unheard_of": "z"}


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """All cases, with their names."""
    for fn in (*LISTED, *KEYED):
        for argument in arguments_of(fn):
            yield f"{fn} {json.dumps(argument)}", output({fn: argument})
    for text in EXPRESSIONS:
        yield f"yaql {text}", output({"yaql": {"expression": text, "data": {"a": [1]}}})
    for port in (0, 1, 65535, 65536, "80", "x", ""):
        yield f"port {port!r}", output({"make_url": {"host": "h", "port": port}})
    for key, value in itertools.product(("external_id", "deletion_policy", "metadata", "depends_on"), ARGUMENTS):
        resource = {"type": "OS::Neutron::Net", key: value}
        yield f"{key} {json.dumps(value)}", {"heat_template_version": VERSION, "resources": {"a": resource}}
