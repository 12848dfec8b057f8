"""Says why a value does not fit the type constraint of a variable.

Invariant: only a value that Terraform surely refuses is a misfit; an unknown value may fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.resources.argument_types import follow_locals, why_unconvertible
from emitters.hcl.tree.nodes import Block, Cond, Expr, Fn, Object, Traversal, Tuple
from emitters.hcl.tree.types import ANY, BOOL, LISTS, MAPS, NUMBER, STRING, HclType

SCALARS = {"string": STRING, "number": NUMBER, "bool": BOOL}


@final
class ValueFit:
    """Compares values in one directory, which has these variables, with type constraints."""

    def __init__(self, emission: Emission, variables: Mapping[str, Block]) -> None:
        self.emission, self.variables = emission, variables

    def why_unfit(self, value: Expr, constraint: Expr) -> str:
        """Why a value does not fit a type constraint, as the end of a sentence; empty if it may fit."""
        value = follow_locals(self.emission, value)
        if value is None:
            return ""
        if isinstance(constraint, Traversal):
            scalar = SCALARS.get(constraint.parts[0])
            return why_unconvertible(self.emission, value, scalar) if scalar is not None else ""
        if not isinstance(constraint, Fn):
            return ""
        if isinstance(value, Cond) or (isinstance(value, Fn) and value.name == "try"):
            ways = (value.yes, value.no) if isinstance(value, Cond) else value.args
            reasons = [self.why_unfit(way, constraint) for way in ways]
            return reasons[0] if all(reasons) else ""  # one of them may never be taken
        if why := why_unconvertible(self.emission, value, HclType(constraint.name, ANY)):
            return why
        inner = constraint.args[0]
        if constraint.name == "object":
            return self.why_keys_unfit(value, inner)
        parts: Iterable[Expr] = ()
        if constraint.name in LISTS and isinstance(value, Tuple):
            parts = value.items
        elif constraint.name in MAPS and isinstance(value, Object):
            parts = [part for _, part in value.entries]
        wrong = next((why for part in parts if (why := self.why_unfit(part, inner))), "")
        return wrong and f"has an item that {wrong}"

    def why_keys_unfit(self, value: Expr, keys: Expr) -> str:
        """Why the keys of a value do not fit those of an object type; empty if they may fit."""
        known = self.known_keys(value)
        if known is None or not isinstance(keys, Object):
            return ""
        for key, constraint in keys.entries:
            optional = isinstance(constraint, Fn) and constraint.name == "optional"
            if key not in known:
                if not optional:
                    return f"requires the key {key}"
            elif why := self.why_unfit(
                known[key], constraint.args[0] if isinstance(constraint, Fn) and optional else constraint
            ):
                return f"has a key {key} that {why}"
        return ""

    def known_keys(self, value: Expr) -> Mapping[Expr, Expr] | None:
        """The keys of an object, each with its value, or with None if that is not known; None for other expressions."""
        if isinstance(value, Object):
            return dict(value.entries) if all(isinstance(key, str) for key, _ in value.entries) else None
        if not isinstance(value, Traversal) or len(value.parts) != 2:
            return None
        first, name = value.parts
        if first != "var" or name not in self.variables:
            return None
        constraint = self.variables[name].find_argument("type")
        if constraint is None or not isinstance(constraint.value, Fn) or constraint.value.name != "object":
            return None
        shape = constraint.value.args[0]
        return dict.fromkeys([key for key, _ in shape.entries]) if isinstance(shape, Object) else None
