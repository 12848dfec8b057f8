"""Addresses of Terraform as expressions, as texts, and as their steps: `module.node[0].openstack_networking_port_v2.p`.

Invariant: an address that is split and joined again is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from emitters.hcl.tree.nodes import Attr, Expr, Index, Traversal
from transpile.model.lazy_patterns import compile_lazily

STEP = compile_lazily(r'([\w-]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.')


class Key(NamedTuple):
    """The key of an instance, as a step of a path."""

    value: Expr


def list_steps(path: Expr) -> list[Any]:
    """The names and the keys of a path, in order."""
    match path:
        case Traversal(parts):
            return list(parts)
        case Attr(of, name):
            return [*list_steps(of), name]
        case Index(of, key):
            return [*list_steps(of), Key(key)]
    raise TypeError(f"{type(path).__name__} is no address")


def join_steps(steps: Iterable[Any]) -> Expr:
    """The path with these names and keys."""
    names: list[str] = []
    path: Expr = None
    for step in steps:
        if isinstance(step, Key):
            path = Index(path if path is not None else Traversal(tuple(names)), step.value)
        elif path is None:
            names.append(step)
        else:
            path = Attr(path, step)
    return path if path is not None else Traversal(tuple(names))


def split_address(text: str) -> list[Any]:
    """The names and the keys of an address that is a text."""
    steps: list[Any] = []
    for match in STEP.finditer(text):
        if match[1] is not None:
            steps.append(match[1])
        elif match[2] is not None:
            steps.append(Key(json.loads(f'"{match[2]}"')))
        elif match[3] is not None:
            steps.append(Key(int(match[3])))
    return steps
