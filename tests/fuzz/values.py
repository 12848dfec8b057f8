"""Odd values, keys and pieces of text, and calls of functions."""

from __future__ import annotations

import copy
import functools
import random
from typing import Any

from transpile.model import intrinsics

NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 80, 65536, 2**31, 2**53 + 1, 2**63, 10**20, 10**100, 10**400, -(10**400), 10**4299),
    *(0.5, -0.0, 1e16, 1e21, 1e-7, 1e308, float("inf"), float("-inf"), float("nan"), 1.0, 100000.0),
)
COUNTS: tuple[Any, ...] = (100, 999, 1000, 1001, 10_000, 10**6, 10**8, 10**12, 10**18, 10**30)
TEXTS: tuple[str, ...] = (
    *("", " ", "\n", "\t", "a", "true", "null", "~", "1", "1.0", "1e3", "0x1f", "017", "1_000", "12:30", "-", "--"),
    *("2021-04-16", "[a]", "{a: b}", '["a", "b"]', '{"a": 1}', "{", "[", '{"a":', "a,b,,c", ",", "a\nb\n", " a ", "a "),
    *("${var.x}", "%{if true}", "$${x}", "%%{", "$", "%", "{{ x }}", "{% raw %}", "%index%", "$1", "\\", "\\n", '"'),
    *("\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\u00a0", "\u2028", "\u2029", "\ufeff", "\ufffe", "\u202e", "\ud800"),
    *("é", "e\u0301", "\u0345", "\U000e0041", "\uff9e", "\u0e33", "\U0001f600", "\U0001193f", "\u200d", "İ", "ß"),
    *("../x", "/etc/passwd", "file:///etc/passwd", "http://h/x", "x\x00y", "a/b", "..", ".", "a.b", "a:b", "a b", "*"),
    *("OS::Nova::Server", "OS::Heat::None", "OS::Heat::ResourceGroup", "stack.yaml", "part_0.yaml", "OS::*", "::"),
    *(
        "10.0.0.0/24",
        "fe80::1",
        "10.0.0.1",
        "999.9.9.9",
        "EOT",
        "<<EOT",
        "/*",
        "*/",
        "#",
        "//",
        "x" * 300,
        "x" * 70_000,
    ),
    *("get_param", "self", "count", "each", "for_each", "provider", "depends_on", "lifecycle", "module", "version"),
    *("%", "%s", "%(a)s", "{0}", "{}", "\\d+", "(", "(a|a)*$", "[a-", "^.*$", "$.x", "$.a.b[0]", "<%", "%>"),
)
COLLECTIONS: tuple[Any, ...] = (
    *([], {}, [[]], [{}], {"": ""}, [None], {"a": None}, ["a"], ["a", "b"], [1, 2], ["a", ["b"]], {"a": "b"}),
    *({"a": {"b": "c"}}, {"a": ["b"]}, [{"a": "b"}], [[["a"]]], {"1": 2}, {"a b": 1}, {"a": 1, "b": [2, {"c": 3}]}),
)
SCALARS: tuple[Any, ...] = (None, True, False, *NUMBERS, *TEXTS)


@functools.cache
def functions() -> tuple[str, ...]:
    """The names of all functions, of HOT and of CFN."""
    return tuple(intrinsics.INTRINSICS)


class Names:
    """The names that a template declares, so that calls refer to existing ones."""

    def __init__(self, tree: Any) -> None:
        self.resources = names(tree, "resources", "Resources")
        self.parameters = names(tree, "parameters", "Parameters")
        self.conditions = names(tree, "conditions", "Conditions")


def names(tree: Any, *sections: str) -> list[str]:
    for section in sections:
        entries = tree.get(section) if isinstance(tree, dict) else None
        if isinstance(entries, dict) and entries:
            return [str(name) for name in entries]
    return ["none"]


ATTRIBUTES = (
    *("name", "id", "show", "networks", "first_address", "addresses", "outputs", "value", "refs", "attributes", "o0"),
    *("resource.0", "resource.0.o0", "fixed_ips", "security_groups", "admin_state_up", "output", "", 0, "Arn"),
)


def call(rng: random.Random, names: Names, inner: Any) -> Any:
    """A call of a function, with a value of the template inside where one fits."""
    resource, parameter = rng.choice(names.resources), rng.choice(names.parameters)
    condition = rng.choice(names.conditions)
    attribute = rng.choice(ATTRIBUTES)
    made: tuple[Any, ...] = (
        {"get_param": parameter},
        {"get_param": [parameter, attribute, 0]},
        {"get_param": inner},
        {"get_resource": resource},
        {"get_attr": [resource, attribute]},
        {"get_attr": [resource, attribute, 0, inner]},
        {"list_join": [rng.choice(TEXTS), [inner, inner]]},
        {"list_join": [",", inner]},
        {"list_join": [",", {"get_attr": [resource, attribute]}, inner]},
        {"str_replace": {"template": "a $x b", "params": {"$x": inner}}},
        {"str_replace": {"template": inner, "params": {"a": "aa", "b": inner}}},
        {"str_replace_strict": {"template": "$x$y", "params": {"$x": inner, "$y": "$x"}}},
        {"str_split": [rng.choice(TEXTS), inner]},
        {"str_split": [",", inner, rng.choice(NUMBERS)]},
        {"repeat": {"template": {"a%v%": inner}, "for_each": {"%v%": ["a", "b"]}}},
        {"repeat": {"template": "%v%", "for_each": {"%v%": inner}}},
        {"repeat": {"template": inner, "for_each": {"%v%": [1, 2], "%w%": inner}, "permutations": rng.random() < 0.5}},
        {"if": [condition, inner, None]},
        {"if": [condition, {"get_resource": resource}, inner]},
        {"if": [inner, "a", "b"]},
        {"not": inner},
        {"and": [condition, inner]},
        {"or": [{"not": condition}, inner]},
        {"equals": [inner, {"get_param": parameter}]},
        {"map_merge": [inner, {"a": "b"}]},
        {"map_replace": [inner, {"keys": {"a": "b"}, "values": {"c": inner}}]},
        {"list_concat": [inner, ["a"], inner]},
        {"list_concat_unique": [inner, inner]},
        {"filter": [["a", None], inner]},
        {"contains": ["a", inner]},
        {"yaql": {"expression": "$.data.x", "data": {"x": inner}}},
        {"yaql": {"expression": inner, "data": inner}},
        {"digest": ["sha256", inner]},
        {"make_url": {"scheme": "http", "host": inner, "port": 80, "path": inner, "query": {"a": inner}}},
        {"get_file": rng.choice(TEXTS)},
        {"get_file": rng.choice(("plain.txt", "part.yaml", "stack.yaml"))},
        {"resource_facade": rng.choice(("metadata", "deletion_policy", "x"))},
        {"Ref": resource},
        {"Ref": parameter},
        {"Fn::GetAtt": [resource, str(attribute)]},
        {"Fn::GetAtt": [inner, inner]},
        {"Fn::GetAtt": f"{resource}.{attribute}"},
        {"Fn::Join": ["", [inner, inner]]},
        {"Fn::Split": [",", inner]},
        {"Fn::Select": [rng.choice(NUMBERS), inner]},
        {"Fn::FindInMap": [resource, inner, "a"]},
        {"Fn::Base64": inner},
        {"Fn::Replace": [{"a": inner}, inner]},
        {"Fn::If": [condition, inner, inner]},
        {"Fn::GetAZs": inner},
        {rng.choice(functions()): inner},
        {rng.choice(functions()): [inner, parameter]},
        {rng.choice(functions()): {"template": inner, "for_each": inner, "params": inner}},
        {rng.choice(functions()): copy.deepcopy(rng.choice(COLLECTIONS))},
        {rng.choice(functions()): rng.choice(SCALARS)},
    )
    return rng.choice(made)
