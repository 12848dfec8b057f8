"""Declarations of parameters: their types, constraints and defaults.

Invariant: exactly what Heat refuses (`heat.engine.parameters.Schema`) is refused here. Defaults are checked by the
linker, which knows the environment.
"""

from __future__ import annotations

import re
import warnings
from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.spelling import guess
from transpile.front.expressions import Expressions, plain_data
from transpile.front.nodes import span_of
from transpile.model.ir import NULL, Constraint, Entry, Expr, Lit, Map, Param, Seq, as_data
from transpile.model.span import Span, word_at
from transpile.schema.parameters import number

ORDER = ("modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint")
LIMITS = {"range": ("min", "max"), "length": ("min", "max"), "modulo": ("step", "offset")}


def remainder(limits: Map) -> str:
    """Why Heat refuses the step and the offset of a modulo constraint; empty if it accepts them."""
    step, offset = (number(limits.get(word) or NULL) for word in LIMITS["modulo"])
    if step is None or offset is None:
        return ""
    if step != step // 1 or offset != offset // 1:
        return "step and offset must be integers"
    if step == 0:
        return "step cannot be 0"
    if abs(offset) >= abs(step):
        return "offset must be smaller than step"
    return "step and offset must both be positive or both be negative" if offset and (step > 0) != (offset > 0) else ""


def unusable(pattern: str) -> str:
    """Why Heat cannot use a regular expression of Python; empty if it can."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as e:
            return f"the pattern is not a valid regular expression: {e}"
    return ""


@final
class Parameters:
    """Reads parameters with the help of a template's `ExpressionReader`."""

    def __init__(self, reader: Expressions) -> None:
        self.reader, self.sink, self.version = reader, reader.sink, reader.version

    def read(self, name: str, key: Node, node: Node) -> Param | None:
        dialect = self.version.dialect
        span = Span(key.start_mark.index, node.end_mark.index)
        if not isinstance(node, MappingNode):
            self.sink.say(codes.WRONG_DECLARATION_TYPE, f"Parameter {name} must be a map.", span)
            return None
        given: dict[str, Node] = {}
        constraints: list[Constraint] = []
        keys: dict[str, int] = {}
        for word, key_node, value in self.reader.pairs(node):
            meaning = dialect.parameter.get(word)
            if meaning is None:
                hint = guess(word, dialect.parameter)
                self.sink.say(codes.UNKNOWN_KEY, f"Parameter {name} has no key {word}.", span_of(key_node), hint)
                continue
            keys[word] = key_node.start_mark.index
            given.setdefault(meaning, value)
            if meaning == "constraints":
                constraints = self.constraints(name, value)
        kind = self.type(name, given, span.at)
        if not self.version.hot:
            constraints = self.cfn_constraints(name, node)
        tags = self.reader.plain(given["tags"]) if "tags" in given else None
        if tags is not None and not isinstance(tags, Seq):
            self.sink.say(codes.INVALID_KEY_VALUE, f"The tags of parameter {name} must be a list.", tags)
        default = self.reader.plain(given["default"]) if "default" in given else None
        return Param(
            name,
            kind,
            None if default is None or default == NULL else as_data(default),
            self.text(given["description"]) if "description" in given else None,
            self.text(given["label"]) if "label" in given else None,
            self.flag(given["hidden"]) if "hidden" in given else False,
            self.flag(given["immutable"]) if "immutable" in given else False,
            tags,
            tuple(constraints),
            keys,
            span,
        )

    def type(self, name: str, given: dict[str, Node], at: int) -> str:
        types = self.version.dialect.types
        if "type" not in given:
            self.sink.say(
                codes.MISSING_KEY,
                f"Parameter {name} has no type.",
                word_at(at, name),
                f"The types are {', '.join(types)}.",
            )
            return "string"
        value = given["type"]
        word = value.value if isinstance(value, ScalarNode) else None
        if word is None or word not in types:
            hint = guess(str(word), types) or f"The types are {', '.join(types)}."
            self.sink.say(codes.UNKNOWN_PARAMETER_TYPE, f"Parameter {name} has an unknown type.", span_of(value), hint)
            return "string"
        return types[word]

    def text(self, node: Node) -> str | None:
        """A description or label as text; Heat accepts any value."""
        value = self.reader.plain_data(node)
        return None if value is None else str(value)

    def flag(self, node: Node) -> bool:
        value = self.reader.plain_data(node)
        return (
            bool(value) if self.version.hot else str(value).lower() == "true"
        )  # in HOT any true value, "false" in quotes too

    # constraints

    def constraints(self, name: str, node: Node) -> list[Constraint]:
        if isinstance(node, ScalarNode) and self.reader.plain(node) == NULL:
            return []
        if not isinstance(node, SequenceNode):
            self.sink.say(
                codes.MALFORMED_CONSTRAINT, f"The constraints of parameter {name} must be a list.", span_of(node)
            )
            return []
        found = [self.constraint(name, item, f"constraints.{i}") for i, item in enumerate(node.value)]
        return [c for c in found if c is not None]

    def constraint(self, name: str, node: Node, path: str) -> Constraint | None:
        span = span_of(node)
        if not isinstance(node, MappingNode):
            self.sink.say(codes.MALFORMED_CONSTRAINT, f"A constraint of parameter {name} must be a map.", span)
            return None
        entries = {word: as_data(self.reader.plain(value)) for word, _, value in self.reader.pairs(node)}
        known = (*(k for k in ORDER if k in self.version.constraints), "description")
        for word in entries:
            if word not in known and word not in ORDER:  # Heat ignores constraints of later versions
                self.sink.say(
                    codes.MALFORMED_CONSTRAINT,
                    f"Unknown constraint {word}.",
                    span,
                    guess(word, known) or f"The constraints are {', '.join(known[:-1])}.",
                )
                return None
        kind = next((k for k in known[:-1] if k in entries), None)
        if kind is None:
            self.sink.say(codes.MALFORMED_CONSTRAINT, f"A constraint of parameter {name} has no check.", span)
            return None
        description = plain_data(entries.get("description"))
        value = entries[kind]
        if not self.fits(name, kind, value):
            return None
        return Constraint(kind, value, None if description is None else str(description), (path,), span)

    def fits(self, name: str, kind: str, value: Expr) -> bool:
        """Whether the argument of a constraint has the right shape; reports it if not."""
        why = ""
        if kind in LIMITS:
            limits = LIMITS[kind]
            if not isinstance(value, Map) or not value.entries or any(e.key not in limits for e in value.entries):
                why = f"{kind} takes a map with {' and '.join(limits)}"
            elif kind == "modulo" and any(value.get(word) in (None, NULL) for word in limits):
                why = "modulo needs both step and offset"
            elif all(e.value == NULL for e in value.entries):
                why = f"{kind} needs {' or '.join(limits)}"
            elif any(number(e.value) is None for e in value.entries if e.value != NULL):
                why = f"the limits of {kind} must be numbers"
            elif kind == "length" and any(isinstance(number(e.value), float) for e in value.entries):
                why = "the limits of length must be integers"
            elif kind == "modulo":
                why = remainder(value)
        elif kind == "allowed_values":
            why = "" if isinstance(value, Seq) else "allowed_values takes a list"
        elif not isinstance(value, Lit) or not isinstance(value.value, str):
            why = f"{kind} takes a string"
        elif kind == "allowed_pattern":
            why = unusable(value.value)
        if why:
            self.sink.say(codes.MALFORMED_CONSTRAINT, f"Parameter {name}: {why}.", value)
        return not why

    def cfn_constraints(self, name: str, node: MappingNode) -> list[Constraint]:
        """CFN's constraints, in the order in which Heat checks them: `MinLength: 1` -> `length: {min: 1}`."""
        given = {word: (key, as_data(self.reader.plain(value))) for word, key, value in self.reader.pairs(node)}
        told = plain_data(given["ConstraintDescription"][1]) if "ConstraintDescription" in given else None
        description = None if told is None else str(told)
        out = []
        for kind, words in (
            ("range", ("MinValue", "MaxValue")),
            ("length", ("MinLength", "MaxLength")),
            ("allowed_values", ("AllowedValues",)),
            ("allowed_pattern", ("AllowedPattern",)),
        ):
            there = [w for w in words if w in given]
            if not there:
                continue
            span = Span(given[there[0]][0].start_mark.index, given[there[-1]][1].end)
            value = given[there[0]][1]
            if kind in LIMITS:
                value = Map(
                    tuple(
                        Entry("min" if w.startswith("Min") else "max", given[w][1], given[w][0].start_mark.index)
                        for w in there
                    ),
                    span,
                )
            if self.fits(name, kind, value):
                out.append(Constraint(kind, value, description, tuple(there), span))
        return out
