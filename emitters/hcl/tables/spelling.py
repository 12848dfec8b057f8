"""The parts that readers and checks of tables share: the form of a name, a problem, and the walk over rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from emitters.hcl.tables.mapping import HookRule, Rule
from transpile.diagnostics import codes
from transpile.model.lazy_patterns import compile_lazily

NAME = compile_lazily(r"[A-Za-z_][\w-]*", re.ASCII)  # the names that Terraform allows


class TableProblem(NamedTuple):
    """A problem in a table. path: the keys that lead to it. severity: empty for the severity of the code's rule."""

    path: tuple[str, ...]
    code: str
    message: str
    hint: str = ""
    severity: str = ""


def invalid_name(path: tuple[str, ...], name: str) -> TableProblem:
    """The problem of a name that Terraform does not allow, such as `my provider`."""
    return TableProblem(path, codes.INVALID_MAPPING_TABLE, f"{name} is no name that Terraform allows")


def walk_rules(path: tuple[str, ...], rules: Mapping[str, Rule]) -> Iterator[tuple[tuple[str, ...], Rule]]:
    """All rules with the keys that lead to them, including the rules for fields and keys."""
    for name, rule in rules.items():
        yield (*path, name), rule
        yield from walk_rules((*path, name, "fields"), rule.fields)
        if isinstance(rule, HookRule):
            yield from walk_rules((*path, name, "keys"), rule.keys)
