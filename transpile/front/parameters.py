"""Declarations of parameters: their types, constraints and defaults.

Invariant: the same declarations are refused as in Heat (`heat.engine.parameters.Schema`). Defaults are checked by the
linker, which knows the environment.
"""

from __future__ import annotations

from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.spelling import guess_name
from transpile.front.expressions import ExpressionReader, to_data_or_none
from transpile.front.nodes import span_of
from transpile.guarded.patterns import explain_wrong_pattern
from transpile.model.budget import Budget
from transpile.model.ir import NULL, Constraint, Entry, Expr, Lit, Map, Param, Seq, replace_errors_by_null
from transpile.model.span import Span, word_at
from transpile.schema.parameters import read_limit

ORDER = ("modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint")
LIMITS = {"range": ("min", "max"), "length": ("min", "max"), "modulo": ("step", "offset")}


def describe_wrong_modulo(limits: Map) -> str:
    """Why Heat refuses the step and the offset of a modulo constraint; empty if it accepts them."""
    step, offset = (read_limit(limits.get(word) or NULL) for word in LIMITS["modulo"])
    if step is None or offset is None:
        return ""
    if step != step // 1 or offset != offset // 1:
        return "step and offset must be integers"
    if step == 0:
        return "step cannot be 0"
    if abs(offset) >= abs(step):
        return "offset must be smaller than step"
    return "step and offset must both be positive or both be negative" if offset and (step > 0) != (offset > 0) else ""


def describe_wrong_pattern(pattern: str, budget: Budget) -> str:
    """Why Heat cannot use a regular expression of Python; empty if it can."""
    why = explain_wrong_pattern(pattern, budget)
    return f"the pattern is not a valid regular expression: {why}" if why else ""


@final
class ParameterReader:
    """Reads parameters with the help of a template's `ExpressionReader`."""

    def __init__(self, reader: ExpressionReader) -> None:
        self.reader, self.sink, self.version = reader, reader.sink, reader.version

    def read_parameter(self, name: str, key: Node, node: Node) -> Param | None:
        dialect = self.version.dialect
        span = Span(key.start_mark.index, node.end_mark.index)
        if not isinstance(node, MappingNode):
            self.sink.add(codes.WRONG_DECLARATION_TYPE, f"Parameter {name} must be a map.", span)
            return None
        value_nodes: dict[str, Node] = {}
        constraints: list[Constraint] = []
        keys: dict[str, int] = {}
        for word, key_node, value in self.reader.read_pairs(node):
            meaning = dialect.parameter.get(word)
            if meaning is None:
                hint = guess_name(word, dialect.parameter)
                self.sink.add(codes.UNKNOWN_KEY, f"Parameter {name} has no key {word}.", span_of(key_node), hint)
                continue
            keys[word] = key_node.start_mark.index
            value_nodes.setdefault(meaning, value)
            if meaning == "constraints":
                constraints = self.read_constraints(name, value)
        kind = self.read_type(name, value_nodes, span.at)
        if not self.version.is_hot:
            constraints = self.read_cfn_constraints(name, node)
        tags = self.reader.read_plain_value(value_nodes["tags"]) if "tags" in value_nodes else None
        if tags is not None and not isinstance(tags, Seq):
            self.sink.add(codes.INVALID_KEY_VALUE, f"The tags of parameter {name} must be a list.", tags)
        default = self.reader.read_plain_value(value_nodes["default"]) if "default" in value_nodes else None
        return Param(
            name,
            kind,
            None if default is None or default == NULL else replace_errors_by_null(default),
            self.read_text(value_nodes["description"]) if "description" in value_nodes else None,
            self.read_text(value_nodes["label"]) if "label" in value_nodes else None,
            self.read_flag(value_nodes["hidden"]) if "hidden" in value_nodes else False,
            self.read_flag(value_nodes["immutable"]) if "immutable" in value_nodes else False,
            tags,
            tuple(constraints),
            keys,
            span,
        )

    def read_type(self, name: str, value_nodes: dict[str, Node], at: int) -> str:
        types = self.version.dialect.types
        if "type" not in value_nodes:
            self.sink.add(
                codes.MISSING_KEY,
                f"Parameter {name} has no type.",
                word_at(at, name),
                f"The types are {', '.join(types)}.",
            )
            return "string"
        value = value_nodes["type"]
        word = value.value if isinstance(value, ScalarNode) else None
        if word is None or word not in types:
            hint = guess_name(str(word), types) or f"The types are {', '.join(types)}."
            self.sink.add(codes.UNKNOWN_PARAMETER_TYPE, f"Parameter {name} has an unknown type.", span_of(value), hint)
            return "string"
        return types[word]

    def read_text(self, node: Node) -> str | None:
        """A description or label as text; Heat accepts any value."""
        value = self.reader.read_plain_data(node)
        return None if value is None else str(value)

    def read_flag(self, node: Node) -> bool:
        value = self.reader.read_plain_data(node)
        return (
            bool(value) if self.version.is_hot else str(value).lower() == "true"
        )  # in HOT any true value, "false" in quotes too

    # constraints

    def read_constraints(self, name: str, node: Node) -> list[Constraint]:
        if isinstance(node, ScalarNode) and self.reader.read_plain_value(node) == NULL:
            return []
        if not isinstance(node, SequenceNode):
            self.sink.add(
                codes.MALFORMED_CONSTRAINT, f"The constraints of parameter {name} must be a list.", span_of(node)
            )
            return []
        constraints = [self.read_constraint(name, item, f"constraints.{i}") for i, item in enumerate(node.value)]
        return [c for c in constraints if c is not None]

    def read_constraint(self, name: str, node: Node, path: str) -> Constraint | None:
        span = span_of(node)
        if not isinstance(node, MappingNode):
            self.sink.add(codes.MALFORMED_CONSTRAINT, f"A constraint of parameter {name} must be a map.", span)
            return None
        entries = {
            word: replace_errors_by_null(self.reader.read_plain_value(value))
            for word, _, value in self.reader.read_pairs(node)
        }
        allowed_words = (*(k for k in ORDER if k in self.version.constraints), "description")
        for word in entries:
            if word not in allowed_words and word not in ORDER:  # Heat ignores constraints of later versions
                self.sink.add(
                    codes.MALFORMED_CONSTRAINT,
                    f"Unknown constraint {word}.",
                    span,
                    guess_name(word, allowed_words) or f"The constraints are {', '.join(allowed_words[:-1])}.",
                )
                return None
        kind = next((k for k in allowed_words[:-1] if k in entries), None)
        if kind is None:
            self.sink.add(codes.MALFORMED_CONSTRAINT, f"A constraint of parameter {name} has no check.", span)
            return None
        description = to_data_or_none(entries.get("description"))
        value = entries[kind]
        if not self.check_argument_shape(name, kind, value):
            return None
        return Constraint(kind, value, None if description is None else str(description), (path,), span)

    def check_argument_shape(self, name: str, kind: str, value: Expr) -> bool:
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
            elif any(read_limit(e.value) is None for e in value.entries if e.value != NULL):
                why = f"the limits of {kind} must be numbers"
            elif kind == "length" and any(isinstance(read_limit(e.value), float) for e in value.entries):
                why = "the limits of length must be integers"
            elif kind == "modulo":
                why = describe_wrong_modulo(value)
        elif kind == "allowed_values":
            why = "" if isinstance(value, Seq) else "allowed_values takes a list"
        elif not isinstance(value, Lit) or not isinstance(value.value, str):
            why = f"{kind} takes a string"
        elif kind == "allowed_pattern":
            why = describe_wrong_pattern(value.value, self.sink.budget)
        if why:
            self.sink.add(codes.MALFORMED_CONSTRAINT, f"Parameter {name}: {why}.", value)
        return not why

    def read_cfn_constraints(self, name: str, node: MappingNode) -> list[Constraint]:
        """CFN's constraints, in the order in which Heat checks them: `MinLength: 1` -> `length: {min: 1}`."""
        entries = {
            word: (key, replace_errors_by_null(self.reader.read_plain_value(value)))
            for word, key, value in self.reader.read_pairs(node)
        }
        description_data = (
            to_data_or_none(entries["ConstraintDescription"][1]) if "ConstraintDescription" in entries else None
        )
        description = None if description_data is None else str(description_data)
        constraints = []
        for kind, words in (
            ("range", ("MinValue", "MaxValue")),
            ("length", ("MinLength", "MaxLength")),
            ("allowed_values", ("AllowedValues",)),
            ("allowed_pattern", ("AllowedPattern",)),
        ):
            words_present = [w for w in words if w in entries]
            if not words_present:
                continue
            span = Span(entries[words_present[0]][0].start_mark.index, entries[words_present[-1]][1].end)
            value = entries[words_present[0]][1]
            if kind in LIMITS:
                value = Map(
                    tuple(
                        Entry("min" if w.startswith("Min") else "max", entries[w][1], entries[w][0].start_mark.index)
                        for w in words_present
                    ),
                    span,
                )
            if self.check_argument_shape(name, kind, value):
                constraints.append(Constraint(kind, value, description, tuple(words_present), span))
        return constraints
