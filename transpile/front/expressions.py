"""YAML nodes to expressions: decides which maps are function calls, and decodes their arguments.

Invariant: a map of one key is a call only if this version has that function in this place (value or condition);
everything else is data. References are collected in `refs` on the way, so that the linker need not search for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, did_you_mean
from transpile.front import nodes
from transpile.front.nodes import MAP, MAX_DEPTH, MERGE, SEQ, STR, span_of
from transpile.model.intrinsics import ALL_ATTRIBUTES, IF_WITHOUT_ELSE, INTRINSICS, PERMUTATIONS, URL_TEXTS, Version
from transpile.model.ir import (
    AttrRef,
    Call,
    ConditionRef,
    DeferredError,
    Entry,
    ErrorNode,
    Expr,
    FileRef,
    If,
    Lit,
    Map,
    ParamRef,
    Ref,
    Repeat,
    ResourceRef,
    Scalar,
    Seq,
    is_plain_data,
    to_data,
)
from transpile.model.span import Span

WORDS_OF_DATA = frozenset(("contains", "digest", "filter"))  # a key of these names means a call only before a pair
LOOKALIKES = frozenset(INTRINSICS) - {"and", "equals", "not", "or"}  # those are functions only in conditions


@final
class ExpressionReader:
    """Reads the expressions of one template."""

    def __init__(self, sink: Sink, version: Version, resources: frozenset[str]) -> None:
        self.sink, self.version, self.resources = sink, version, resources
        self.refs: list[Ref] = []
        self.guarded: dict[int, tuple[tuple[Expr, bool], ...]] = {}
        self.guards: list[tuple[Expr, bool]] = []
        self.deferred: list[DeferredError] = []
        self.calls: list[Expr] = []
        self.depth = 0
        self.functions, self.elsewhere, self.in_condition = version.functions, version.removed, False

    # values

    def read_value(self, node: Node) -> Expr:
        """Any value, function calls included."""
        if type(node) is ScalarNode:
            if node.tag == STR:
                return Lit(node.value, span_of(node))
            return self.read_scalar(node)
        if type(node) is SequenceNode:
            if node.tag != SEQ:
                return self.read_ordered_map(node) if node.tag in nodes.PAIRS else self.report_unsupported_tag(node)
            self.enter_collection(node)
            items = tuple([self.read_value(item) for item in node.value])
            self.depth -= 1
            return Seq(items, span_of(node))
        if node.tag != MAP:
            return self.read_set(node) if node.tag == nodes.SET else self.report_unsupported_tag(node)
        pairs = node.value
        if len(pairs) == 1:
            name = pairs[0][0].value
            if name.__class__ is str:
                if name in self.functions:
                    self.enter_collection(node)
                    expression = self.read_call(name, node, pairs[0][1])
                    self.depth -= 1
                    return expression
                if name in self.elsewhere:  # a function, but removed, or not allowed in conditions
                    return self.report_misplaced_function(name, node)
                if name in LOOKALIKES and (name not in WORDS_OF_DATA or is_pair(pairs[0][1])):
                    self.sink.add(
                        codes.MAP_LOOKS_LIKE_CALL,
                        f"{name} is not a function in version {self.version.name}, so Heat treats this as a map.",
                        span_of(node),
                        "Use HOT's own functions, such as get_param, get_resource, get_attr and list_join."
                        if INTRINSICS[name].cfn
                        else "",
                    )
        assert isinstance(node, MappingNode)
        self.enter_collection(node)
        entries = self.read_entries(node)
        self.depth -= 1
        return Map(entries, span_of(node))

    def enter_collection(self, node: Node) -> None:
        """Enters a collection; the caller decrements `depth` when it leaves."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            nodes.refuse_deep_nesting(self.sink, node.start_mark.index)

    def read_scalar(self, node: ScalarNode) -> Expr:
        try:
            return Lit(nodes.read_scalar_node(node), span_of(node))
        except ValueError as e:
            return self.report_error(codes.INVALID_VALUE_OR_KEY, f"Heat cannot read this value: {e}.", node)

    def read_set(self, node: Node) -> Expr:
        """YAML's `!!set` as a list of its members, as Heat's client sends it."""
        assert isinstance(node, MappingNode)
        items = tuple([self.read_value(key) for key, _ in node.value])
        return Seq(items, span_of(node))

    def read_ordered_map(self, node: Node) -> Expr:
        """YAML's `!!omap` and `!!pairs` as lists of two-item lists: `[a: 1, b: 2]` -> `[[a, 1], [b, 2]]`."""
        items = []
        for item in node.value:
            if type(item) is not MappingNode or len(item.value) != 1:
                return self.report_error(
                    codes.INVALID_VALUE_OR_KEY, "Each item of an ordered map must be a map with one key.", item
                )
            items.append(Seq(tuple([self.read_value(part) for part in item.value[0]]), span_of(item)))
        return Seq(tuple(items), span_of(node))

    def report_unsupported_tag(self, node: Node) -> ErrorNode:
        return self.report_error(
            codes.INVALID_VALUE_OR_KEY,
            f"Heat cannot read this value: unsupported tag {node.tag.replace(nodes.TAG, '!!')}.",
            node,
        )

    def report_error(self, code: str, message: str, node: Node, hint: str = "") -> ErrorNode:
        span = span_of(node)
        if self.guards:
            self.deferred.append(DeferredError(tuple(self.guards), code, message, span, hint))
        else:
            self.sink.add(code, message, span, hint)
        return ErrorNode(message, span)

    def read_pairs(self, node: MappingNode) -> list[tuple[str, Node, Node]]:
        """The keys of a map as Heat sees them, with merge keys applied. If a key occurs twice, its last value counts,
        in the position of the first.
        """
        if node.tag != MAP:
            self.report_unsupported_tag(node)
        if has_plain_keys(node):
            return [(key.value, key, value) for key, value in node.value]
        pairs: dict[str, tuple[str, Node, Node]] = {}
        merged: set[str] = set()
        same: dict[Scalar, str] = {}  # 1, 1.0 and true are one key to Python, spelled as the first
        for key_node, value_node in node.value:
            if key_node.tag == MERGE:
                for pair in self.read_merge_key(value_node):
                    merged.add(pair[0])
                    pairs[pair[0]] = pair
        for key_node, value_node in node.value:
            if type(key_node) is not ScalarNode:
                self.report_error(
                    codes.INVALID_VALUE_OR_KEY, "A key must be a string, a number or a boolean.", key_node
                )
                continue
            tag = key_node.tag
            if tag == STR:
                key = key_node.value
            elif tag == MERGE:
                continue
            else:
                try:
                    scalar_key = nodes.read_scalar_node(key_node)
                    key = same.setdefault(scalar_key, nodes.key_text(scalar_key))
                except ValueError as e:
                    self.report_error(codes.INVALID_VALUE_OR_KEY, f"Heat cannot read this key: {e}.", key_node)
                    continue
            if key in pairs and key not in merged:
                self.sink.add(codes.DUPLICATE_KEY, f"Duplicate key {key}; Heat uses the last value.", span_of(key_node))
            merged.discard(key)
            pairs[key] = (key, key_node, value_node)
        return list(pairs.values())

    def read_merge_key(self, node: Node) -> list[tuple[str, Node, Node]]:
        """The pairs that a merge key adds, later ones overriding earlier ones."""
        if type(node) is MappingNode:
            return self.read_pairs(node)
        if type(node) is SequenceNode and all(type(n) is MappingNode for n in node.value):
            return [pair for n in reversed(node.value) for pair in self.read_pairs(n)]
        self.report_error(codes.INVALID_VALUE_OR_KEY, "A merge key << takes a map or a list of maps.", node)
        return []

    def read_entries(self, node: MappingNode) -> tuple[Entry, ...]:
        if has_plain_keys(node):
            return tuple([Entry(k.value, self.read_value(v), k.start_mark.index) for k, v in node.value])
        return tuple([Entry(k, self.read_value(v), n.start_mark.index) for k, n, v in self.read_pairs(node)])

    def read_plain_value(self, node: Node) -> Expr:
        """A value in which nothing is a function call, even a map such as `{get_param: p}`."""
        if type(node) is ScalarNode:
            if node.tag == STR:
                return Lit(node.value, span_of(node))
            return self.read_scalar(node)
        if node.tag != (SEQ if type(node) is SequenceNode else MAP):
            return self.report_unsupported_tag(node)
        self.enter_collection(node)
        expression: Expr
        if type(node) is SequenceNode:
            items = tuple([self.read_plain_value(item) for item in node.value])
            expression = Seq(items, span_of(node))
        else:
            assert isinstance(node, MappingNode)
            if has_plain_keys(node):
                entries = tuple([Entry(k.value, self.read_plain_value(v), k.start_mark.index) for k, v in node.value])
            else:
                entries = tuple(
                    [Entry(k, self.read_plain_value(v), n.start_mark.index) for k, n, v in self.read_pairs(node)]
                )
            expression = Map(entries, span_of(node))
        self.depth -= 1
        return expression

    def read_plain_data(self, node: Node) -> object:
        """A value without function calls, as Python data; None if part of it is unreadable."""
        if type(node) is ScalarNode and node.tag == STR:
            return node.value
        return to_data_or_none(self.read_plain_value(node))

    # conditions

    def read_condition(self, node: Node) -> Expr:
        """A condition: a boolean, the name of a condition, or the call of a function that returns a boolean."""
        if type(node) is ScalarNode:
            expression = self.read_scalar(node)
            if isinstance(expression, Lit) and isinstance(expression.value, str):
                ref = ConditionRef(expression.value, expression.span)
                self.refs.append(ref)
                return ref
            if isinstance(expression, Lit) and not isinstance(expression.value, bool):
                return self.refuse_condition(node)
            return expression
        saved = self.functions, self.elsewhere, self.in_condition
        self.functions = self.version.conditions
        self.elsewhere = (self.version.functions | self.version.removed) - self.functions
        self.in_condition = True
        expression = self.read_value(node)
        self.functions, self.elsewhere, self.in_condition = saved
        if isinstance(expression, (Map, Seq)):
            return self.refuse_condition(node)
        return expression

    def refuse_condition(self, node: Node) -> ErrorNode:
        message = "A condition must be a boolean, the name of a condition or a condition function."
        return self.report_error(codes.NOT_A_CONDITION, message, node)

    # calls

    def read_call(self, name: str, node: Node, arg: Node) -> Expr:
        span = span_of(node)
        decode = DECODERS.get(name)
        if decode is not None:
            return decode(self, name, arg, span)
        value = self.read_value(arg)
        if why := describe_wrong_argument(name, value):
            return self.report_error(codes.MALFORMED_FUNCTION_CALL, why, node)
        self.report_ignored_keys(name, value)
        return self.record_call(Call(name, value, span))

    def record_call(self, call: Call | If | Repeat) -> Expr:
        self.calls.append(call)
        return call

    def report_ignored_keys(self, name: str, arg: Expr) -> None:
        """Reports keys of an argument that Heat ignores."""
        row = INTRINSICS.get(name)
        if row is not None and row.lenient and isinstance(arg, Map):
            allowed_keys = (*row.keys, *row.optional)
            for entry in arg.entries:
                if entry.key not in allowed_keys:
                    message = f"{name} has no key {entry.key}; Heat ignores it."
                    self.sink.add(
                        codes.IGNORED_FUNCTION_KEY,
                        message,
                        entry.key_span,
                        self.sink.guess_name(entry.key, allowed_keys),
                    )

    def report_misplaced_function(self, name: str, node: Node) -> ErrorNode:
        if self.in_condition and name not in self.version.removed:
            return self.report_error(
                codes.FUNCTION_NOT_ALLOWED_IN_CONDITION, f"The function {name} cannot be used in a condition.", node
            )
        error = self.report_error(
            codes.REMOVED_FUNCTION, f"The function {name} was removed before version {self.version.name}.", node
        )
        assert isinstance(node, MappingNode)
        return ErrorNode(error.why, error.span, Map(self.read_entries(node), error.span))

    def read_path(self, nodes_: list[Node]) -> tuple[Expr, ...]:
        return tuple([self.read_value(n) for n in nodes_])

    def decode_get_param(self, name: str, arg: Node, span: Span) -> Expr:
        first, rest = arg, []
        if type(arg) is SequenceNode and arg.value:
            first, rest = arg.value[0], arg.value[1:]
        if type(first) is ScalarNode:
            parameter_name = self.read_plain_data(first)
            if isinstance(parameter_name, str):
                ref = ParamRef(parameter_name, self.read_path(rest) if rest else (), name, span)
                self.refs.append(ref)
                return ref
        elif type(first) is MappingNode:
            return self.record_call(Call(name, self.read_value(arg), span))
        # Heat refuses this only when the value is used
        message, hint = "get_param takes the name of a parameter, or a list with the name and a path.", ""
        if type(first) is ScalarNode and first.value:
            hint = f'YAML reads {first.value} as no text: quote it, here and where it is declared: "{first.value}".'
        self.sink.add(codes.MALFORMED_FUNCTION_CALL, message, span_of(arg), hint, severity="warning")
        return self.record_call(Call(name, self.read_value(arg), span))

    def read_name(self, node: Node) -> str:
        """A name, spelled as a key of a map would be: it may have been written as a number."""
        if node.tag == STR:
            return str(node.value)
        scalar = self.read_scalar(node) if isinstance(node, ScalarNode) else None
        return nodes.key_text(scalar.value) if isinstance(scalar, Lit) else ""

    def decode_get_resource(self, name: str, arg: Node, span: Span) -> Expr:
        if type(arg) is ScalarNode:
            ref = ResourceRef(self.read_name(arg), name, span)
            self.refs.append(ref)
            return ref
        if type(arg) is MappingNode:
            return self.record_call(Call(name, self.read_value(arg), span))
        return self.report_error(codes.MALFORMED_FUNCTION_CALL, "get_resource takes the name of a resource.", arg)

    def decode_ref(self, name: str, arg: Node, span: Span) -> Expr:
        """`Ref`: a resource takes precedence over a parameter of the same name."""
        if type(arg) is not ScalarNode:
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL, "Ref takes the name of a resource or parameter.", arg
            )
        target_name = self.read_name(arg)
        ref: Ref = ParamRef(target_name, (), name, span)
        if target_name in self.resources and not self.in_condition:
            ref = ResourceRef(target_name, name, span)
        self.refs.append(ref)
        return ref

    def decode_get_attr(self, name: str, arg: Node, span: Span) -> Expr:
        least = 1 if self.version.has_form(ALL_ATTRIBUTES) else 2
        most = 2 if name == "Fn::GetAtt" else 1 << 30
        if least == 1 and type(arg) is ScalarNode and arg.tag == STR and len(arg.value) == 1:
            ref = AttrRef(arg.value, (), name, span)  # Heat takes the text for a list of its one character
            self.refs.append(ref)
            return ref
        if type(arg) is not SequenceNode or not least <= len(arg.value) <= most or type(arg.value[0]) is SequenceNode:
            shape = (
                "a resource and an attribute"
                if most == 2
                else "a list with a resource, an attribute and an optional path"
            )
            return self.report_error(codes.MALFORMED_FUNCTION_CALL, f"{name} takes {shape}.", arg)
        if type(arg.value[0]) is MappingNode:
            return self.record_call(Call(name, self.read_value(arg), span))
        ref = AttrRef(self.read_name(arg.value[0]), self.read_path(arg.value[1:]), name, span)
        self.refs.append(ref)
        return ref

    def decode_get_file(self, name: str, arg: Node, span: Span) -> Expr:
        if type(arg) is not ScalarNode or arg.tag not in (STR, nodes.TIMESTAMP) or not arg.value:
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL, "get_file takes a literal path or URL, not a function call.", arg
            )
        ref = FileRef(arg.value, span)
        self.refs.append(ref)
        return ref

    def decode_if(self, name: str, arg: Node, span: Span) -> Expr:
        sizes = (2, 3) if self.version.has_form(IF_WITHOUT_ELSE) else (3,)
        if type(arg) is not SequenceNode or len(arg.value) not in sizes:
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL, f"{name} takes a condition, a value for true and a value for false.", arg
            )
        condition = self.read_condition(arg.value[0])
        then = self.read_branch(condition, True, arg.value[1])
        orelse = self.read_branch(condition, False, arg.value[2]) if len(arg.value) == 3 else None
        return self.record_call(If(condition, then, orelse, name, span))

    def read_branch(self, condition: Expr, holds: bool, node: Node) -> Expr:
        refs_before = len(self.refs)
        self.guards.append((condition, holds))
        expression = self.read_value(node)
        guards = tuple(self.guards)
        for ref in self.refs[refs_before:]:
            self.guarded.setdefault(ref.at, guards)  # inner branches return first, so theirs are set already
        self.guards.pop()
        return expression

    def decode_repeat(self, name: str, arg: Node, span: Span) -> Expr:
        value = self.read_value(arg)
        if isinstance(value, ErrorNode):
            return value
        if why := describe_wrong_argument(name, value):
            return self.report_error(codes.MALFORMED_FUNCTION_CALL, why, arg)
        assert isinstance(value, Map)
        self.report_ignored_keys(name, value)
        template, for_each, permutations = (value.get(key) for key in ("template", "for_each", "permutations"))
        assert template is not None
        if permutations is not None and not self.version.has_form(PERMUTATIONS):
            message = f"repeat supports permutations from version {PERMUTATIONS.since} on; Heat ignores it here."
            self.sink.add(codes.IGNORED_FUNCTION_KEY, message, permutations)
            permutations = None
        if not isinstance(for_each, Map) or not for_each.entries:
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL, "for_each of repeat must be a map from placeholders to lists.", arg
            )
        plain = permutations is None or (isinstance(permutations, Lit) and isinstance(permutations.value, bool))
        if not plain:
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL, "permutations of repeat must be a literal true or false.", arg
            )
        return self.record_call(Repeat(template, for_each.entries, permutations, span))

    def decode_logic(self, name: str, arg: Node, span: Span) -> Expr:
        """not, and, or: their arguments are conditions, so plain texts are names of conditions."""
        if name == "not":
            return self.record_call(Call(name, self.read_condition(arg), span))
        least = 1 if name == "Fn::Not" else 2
        if type(arg) is not SequenceNode or len(arg.value) < least or (name == "Fn::Not" and len(arg.value) != 1):
            return self.report_error(
                codes.MALFORMED_FUNCTION_CALL,
                f"{name} takes a list of {'one condition' if name == 'Fn::Not' else 'two or more conditions'}.",
                arg,
            )
        items = tuple([self.read_condition(n) for n in arg.value])
        return self.record_call(Call(name, Seq(items, span_of(arg)), span))


DECODERS: Mapping[str, Callable[[ExpressionReader, str, Node, Span], Expr]] = {
    "get_param": ExpressionReader.decode_get_param,
    "get_resource": ExpressionReader.decode_get_resource,
    "Ref": ExpressionReader.decode_ref,
    "get_attr": ExpressionReader.decode_get_attr,
    "Fn::GetAtt": ExpressionReader.decode_get_attr,
    "get_file": ExpressionReader.decode_get_file,
    "if": ExpressionReader.decode_if,
    "Fn::If": ExpressionReader.decode_if,
    "repeat": ExpressionReader.decode_repeat,
    "not": ExpressionReader.decode_logic,
    "and": ExpressionReader.decode_logic,
    "or": ExpressionReader.decode_logic,
    "Fn::Not": ExpressionReader.decode_logic,
    "Fn::And": ExpressionReader.decode_logic,
    "Fn::Or": ExpressionReader.decode_logic,
}


def has_plain_keys(node: MappingNode) -> bool:
    """Whether all keys are distinct strings, none a merge key: the fast path of nearly all maps."""
    return len({key.value for key, _ in node.value if key.tag == STR and type(key) is ScalarNode}) == len(node.value)


def is_pair(node: Node) -> bool:
    """Whether a node is a list of two items."""
    return type(node) is SequenceNode and len(node.value) == 2


SIZES = {"list+": (2, 1 << 30, "two or more"), "pair": (2, 2, "two"), "triple": (3, 3, "three")}


FACADE = {
    "resource_facade": ("metadata", "deletion_policy", "update_policy"),
    "Fn::ResourceFacade": ("Metadata", "DeletionPolicy", "UpdatePolicy"),
}


def describe_wrong_argument(name: str, arg: Expr) -> str:
    """Returns the mistake in the argument of a function, according to its row in INTRINSICS; empty if there is none."""
    row = INTRINSICS[name]
    if isinstance(arg, ErrorNode):
        return ""
    if row.shape == "map":
        if not isinstance(arg, Map):
            return f"{name} takes a map."
        keys = {entry.key for entry in arg.entries}
        if missing := [k for k in row.keys if k not in keys]:
            return f"{name} needs {' and '.join(missing)}."
        known = (*row.keys, *row.optional)
        if known and not row.lenient and (extra := sorted(keys - {*known})):
            return f"{name} has no key {extra[0]}. {did_you_mean(extra[0], known)}".rstrip()
        if "params" in row.keys and isinstance(arg.get("params"), (Seq, Lit)):
            return f"params of {name} must be a map."
        if name == "yaql" and not_text(arg.get("expression")):
            return "The expression of yaql must be a string."
        if name == "make_url":
            return describe_wrong_url(arg)
    elif row.shape == "text":
        if not_text(arg):
            return f"{name} takes a string."
    elif row.shape in SIZES:
        least, most, word = SIZES[row.shape]
        if not isinstance(arg, Seq) or not least <= len(arg.items) <= most:
            return f"{name} takes a list of {word} items."
        if name == "Fn::Replace" and isinstance(arg.items[0], (Seq, Lit)):
            return "The first item of Fn::Replace must be a map."
    elif name == "get_resource" and isinstance(arg, Seq):
        return "get_resource takes the name of a resource."
    elif name == "get_attr" and not (isinstance(arg, Seq) and arg.items and not isinstance(arg.items[0], Seq)):
        return "get_attr takes a list with a resource, an attribute and an optional path."
    elif name in FACADE and (not isinstance(arg, Lit) or arg.value not in FACADE[name]):
        return f"{name} takes one of {', '.join(FACADE[name])}."
    return ""


def describe_wrong_url(arg: Map) -> str:
    """Returns the mistake in the literal parts of a URL. Beside a query, Heat does not look at the fragment."""
    query, port = arg.get("query"), arg.get("port")
    for key in (*URL_TEXTS, *(("fragment",) if query is None else ())):
        if not_text(arg.get(key)):
            return f"The {key} of make_url must be a string."
    if isinstance(query, (Seq, Lit)):
        return "The query of make_url must be a map."
    if isinstance(port, (Map, Seq)):
        return "The port of make_url must be a number."
    if isinstance(port, Lit):
        try:
            valid = 0 < int(port.value if port.value is not None else "") <= 65535
        except (ValueError, OverflowError):
            valid = False
        return "" if valid else "The port of make_url must be a number from 1 to 65535."
    return ""


def not_text(expr: Expr | None) -> bool:
    """Whether an expression cannot be a string: a list, a map, a number, a boolean or null. A function may return one,
    so `{get_param: p}` can be a string.
    """
    return isinstance(expr, (Map, Seq)) or (isinstance(expr, Lit) and not isinstance(expr.value, str))


def to_data_or_none(expr: Expr | None) -> object:
    """A literal expression as Python data; None for any other expression."""
    return to_data(expr) if expr is not None and is_plain_data(expr) else None
