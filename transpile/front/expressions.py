"""YAML nodes to expressions: decides which maps are function calls, and decodes their arguments.

Invariant: a map of one key is a call only if this version has that function in this place (value or condition);
everything else is data. References are collected in `refs` on the way, so that the linker need not search for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, did_you_mean
from transpile.front import nodes
from transpile.front.nodes import MAP, MAX_DEPTH, MERGE, SEQ, STR, span_of
from transpile.model.intrinsics import INTRINSICS, PERMUTATIONS, Version
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
    data,
    literal,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from transpile.model.span import Span

LOOKALIKES = frozenset(INTRINSICS) - {
    "and",
    "contains",
    "digest",
    "equals",
    "filter",
    "not",
    "or",
}  # words of data, too


@final
class Expressions:
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
        self.decoders: dict[str, Callable[[str, Node, Span], Expr]] = {
            "get_param": self.get_param,
            "get_resource": self.get_resource,
            "Ref": self.ref,
            "get_attr": self.get_attr,
            "Fn::GetAtt": self.get_attr,
            "get_file": self.get_file,
            "if": self.if_,
            "Fn::If": self.if_,
            "repeat": self.repeat,
            "not": self.logic,
            "and": self.logic,
            "or": self.logic,
            "Fn::Not": self.logic,
            "Fn::And": self.logic,
            "Fn::Or": self.logic,
        }

    # values

    def value(self, node: Node) -> Expr:
        """Any value, function calls included."""
        if type(node) is ScalarNode:
            if node.tag == STR:
                return Lit(node.value, span_of(node))
            return self.scalar(node)
        if type(node) is SequenceNode:
            if node.tag != SEQ:
                return self.ordered(node) if node.tag in nodes.PAIRS else self.foreign(node)
            self.enter(node)
            items = tuple([self.value(item) for item in node.value])
            self.depth -= 1
            return Seq(items, span_of(node))
        if node.tag != MAP:
            return self.members(node) if node.tag == nodes.SET else self.foreign(node)
        pairs = node.value
        if len(pairs) == 1:
            name = pairs[0][0].value
            if name.__class__ is str:
                if name in self.functions:
                    self.enter(node)
                    found = self.call(name, node, pairs[0][1])
                    self.depth -= 1
                    return found
                if name in self.elsewhere:  # a function, but removed, or not allowed in conditions
                    return self.misplaced(name, node)
                if name in LOOKALIKES:
                    self.sink.say(
                        codes.MAP_LOOKS_LIKE_CALL,
                        f"{name} is not a function in version {self.version.name}, so Heat treats this as a map.",
                        span_of(node),
                        "Use HOT's own functions, such as get_param, get_resource, get_attr and list_join."
                        if INTRINSICS[name].cfn
                        else "",
                    )
        assert isinstance(node, MappingNode)
        self.enter(node)
        entries = self.entries(node)
        self.depth -= 1
        return Map(entries, span_of(node))

    def enter(self, node: Node) -> None:
        """Enters a collection; the caller decrements `depth` when it leaves."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            nodes.too_deep(self.sink, node.start_mark.index)

    def scalar(self, node: ScalarNode) -> Expr:
        try:
            return Lit(nodes.scalar(node), span_of(node))
        except ValueError as e:
            return self.error(codes.INVALID_VALUE_OR_KEY, f"Heat cannot read this value: {e}.", node)

    def members(self, node: Node) -> Expr:
        """YAML's `!!set` as a list of its members, as Heat's client sends it."""
        assert isinstance(node, MappingNode)
        items = tuple([self.value(key) for key, _ in node.value])
        return Seq(items, span_of(node))

    def ordered(self, node: Node) -> Expr:
        """YAML's `!!omap` and `!!pairs` as lists of two-item lists: `[a: 1, b: 2]` -> `[[a, 1], [b, 2]]`."""
        items = []
        for item in node.value:
            if type(item) is not MappingNode or len(item.value) != 1:
                return self.error(
                    codes.INVALID_VALUE_OR_KEY, "Each item of an ordered map must be a map with one key.", item
                )
            items.append(Seq(tuple([self.value(part) for part in item.value[0]]), span_of(item)))
        return Seq(tuple(items), span_of(node))

    def foreign(self, node: Node) -> ErrorNode:
        return self.error(
            codes.INVALID_VALUE_OR_KEY,
            f"Heat cannot read this value: unsupported tag {node.tag.replace(nodes.TAG, '!!')}.",
            node,
        )

    def error(self, code: str, message: str, node: Node, hint: str = "") -> ErrorNode:
        span = span_of(node)
        if self.guards:
            self.deferred.append(DeferredError(tuple(self.guards), code, message, span, hint))
        else:
            self.sink.say(code, message, span, hint)
        return ErrorNode(message, span)

    def pairs(self, node: MappingNode) -> list[tuple[str, Node, Node]]:
        """The keys of a map as Heat sees them, with merge keys applied. If a key occurs twice, its last value counts,
        in the position of the first.
        """
        if node.tag != MAP:
            self.foreign(node)
        if plainly(node):
            return [(key.value, key, value) for key, value in node.value]
        out: dict[str, tuple[str, Node, Node]] = {}
        merged: set[str] = set()
        same: dict[Scalar, str] = {}  # 1, 1.0 and true are one key to Python, spelled as the first
        for key_node, value_node in node.value:
            if key_node.tag == MERGE:
                for pair in self.merged(value_node):
                    merged.add(pair[0])
                    out[pair[0]] = pair
        for key_node, value_node in node.value:
            if type(key_node) is not ScalarNode:
                self.error(codes.INVALID_VALUE_OR_KEY, "A key must be a string, a number or a boolean.", key_node)
                continue
            tag = key_node.tag
            if tag == STR:
                key = key_node.value
            elif tag == MERGE:
                continue
            else:
                try:
                    found = nodes.scalar(key_node)
                    key = same.setdefault(found, nodes.key_text(found))
                except ValueError as e:
                    self.error(codes.INVALID_VALUE_OR_KEY, f"Heat cannot read this key: {e}.", key_node)
                    continue
            if key in out and key not in merged:
                self.sink.say(codes.DUPLICATE_KEY, f"Duplicate key {key}; Heat uses the last value.", span_of(key_node))
            merged.discard(key)
            out[key] = (key, key_node, value_node)
        return list(out.values())

    def merged(self, node: Node) -> list[tuple[str, Node, Node]]:
        """The pairs that a merge key adds, later ones overriding earlier ones."""
        if type(node) is MappingNode:
            return self.pairs(node)
        if type(node) is SequenceNode and all(type(n) is MappingNode for n in node.value):
            return [pair for n in reversed(node.value) for pair in self.pairs(n)]
        self.error(codes.INVALID_VALUE_OR_KEY, "A merge key << takes a map or a list of maps.", node)
        return []

    def entries(self, node: MappingNode) -> tuple[Entry, ...]:
        if plainly(node):
            return tuple([Entry(k.value, self.value(v), k.start_mark.index) for k, v in node.value])
        return tuple([Entry(k, self.value(v), n.start_mark.index) for k, n, v in self.pairs(node)])

    def plain(self, node: Node) -> Expr:
        """A value in which nothing is a function call, even a map such as `{get_param: p}`."""
        if type(node) is ScalarNode:
            if node.tag == STR:
                return Lit(node.value, span_of(node))
            return self.scalar(node)
        if node.tag != (SEQ if type(node) is SequenceNode else MAP):
            return self.foreign(node)
        self.enter(node)
        found: Expr
        if type(node) is SequenceNode:
            items = tuple([self.plain(item) for item in node.value])
            found = Seq(items, span_of(node))
        else:
            assert isinstance(node, MappingNode)
            if plainly(node):
                entries = tuple([Entry(k.value, self.plain(v), k.start_mark.index) for k, v in node.value])
            else:
                entries = tuple([Entry(k, self.plain(v), n.start_mark.index) for k, n, v in self.pairs(node)])
            found = Map(entries, span_of(node))
        self.depth -= 1
        return found

    def plain_data(self, node: Node) -> object:
        """A value without function calls, as Python data; None if part of it is unreadable."""
        if type(node) is ScalarNode and node.tag == STR:
            return node.value
        return plain_data(self.plain(node))

    # conditions

    def condition(self, node: Node) -> Expr:
        """A condition: a boolean, the name of a condition, or the call of a function that returns a boolean."""
        if type(node) is ScalarNode:
            found = self.scalar(node)
            if isinstance(found, Lit) and isinstance(found.value, str):
                ref = ConditionRef(found.value, found.span)
                self.refs.append(ref)
                return ref
            if isinstance(found, Lit) and not isinstance(found.value, bool):
                return self.error(
                    codes.NOT_A_CONDITION,
                    "A condition must be a boolean, the name of a condition or a condition function.",
                    node,
                )
            return found
        saved = self.functions, self.elsewhere, self.in_condition
        self.functions = self.version.conditions
        self.elsewhere = (self.version.functions | self.version.removed) - self.functions
        self.in_condition = True
        found = self.value(node)
        self.functions, self.elsewhere, self.in_condition = saved
        if isinstance(found, (Map, Seq)):
            return self.error(
                codes.NOT_A_CONDITION,
                "A condition must be a boolean, the name of a condition or a condition function.",
                node,
            )
        return found

    # calls

    def call(self, name: str, node: Node, arg: Node) -> Expr:
        span = span_of(node)
        decode = self.decoders.get(name)
        if decode is not None:
            return decode(name, arg, span)
        found = self.value(arg)
        if (why := misshapen(name, found)) is not None:
            return self.error(codes.MALFORMED_FUNCTION_CALL, why, node)
        self.looked_past(name, found)
        return self.noted(Call(name, found, span))

    def noted(self, call: Call | If | Repeat) -> Expr:
        self.calls.append(call)
        return call

    def looked_past(self, name: str, arg: Expr) -> None:
        """Reports keys of an argument that Heat ignores."""
        row = INTRINSICS.get(name)
        if row is not None and row.lenient and isinstance(arg, Map):
            known = (*row.keys, *row.optional)
            for entry in arg.entries:
                if entry.key not in known:
                    message = f"{name} has no key {entry.key}; Heat ignores it."
                    self.sink.say(
                        codes.IGNORED_FUNCTION_KEY, message, entry.key_span, self.sink.guess(entry.key, known)
                    )

    def misplaced(self, name: str, node: Node) -> ErrorNode:
        if self.in_condition and name not in self.version.removed:
            return self.error(
                codes.FUNCTION_NOT_ALLOWED_IN_CONDITION, f"The function {name} cannot be used in a condition.", node
            )
        found = self.error(
            codes.REMOVED_FUNCTION, f"The function {name} was removed before version {self.version.name}.", node
        )
        assert isinstance(node, MappingNode)
        return ErrorNode(found.why, found.span, Map(self.entries(node), found.span))

    def path(self, nodes_: list[Node]) -> tuple[Expr, ...]:
        return tuple([self.value(n) for n in nodes_])

    def get_param(self, name: str, arg: Node, span: Span) -> Expr:
        first, rest = arg, []
        if type(arg) is SequenceNode and arg.value:
            first, rest = arg.value[0], arg.value[1:]
        if type(first) is ScalarNode:
            named = self.plain_data(first)
            if isinstance(named, str):
                ref = ParamRef(named, self.path(rest) if rest else (), name, span)
                self.refs.append(ref)
                return ref
        elif type(first) is MappingNode:
            return self.noted(Call(name, self.value(arg), span))
        # Heat refuses this only when the value is used
        self.sink.say(
            codes.MALFORMED_FUNCTION_CALL,
            "get_param takes the name of a parameter, or a list with the name and a path.",
            span_of(arg),
            severity="warning",
        )
        return self.noted(Call(name, self.value(arg), span))

    def name(self, node: Node) -> str:
        """A name, spelled as a key of a map would be: it may have been written as a number."""
        if node.tag == STR:
            return str(node.value)
        found = self.scalar(node) if isinstance(node, ScalarNode) else None
        return nodes.key_text(found.value) if isinstance(found, Lit) else ""

    def get_resource(self, name: str, arg: Node, span: Span) -> Expr:
        if type(arg) is ScalarNode:
            ref = ResourceRef(self.name(arg), name, span)
            self.refs.append(ref)
            return ref
        if type(arg) is MappingNode:
            return self.noted(Call(name, self.value(arg), span))
        return self.error(codes.MALFORMED_FUNCTION_CALL, "get_resource takes the name of a resource.", arg)

    def ref(self, name: str, arg: Node, span: Span) -> Expr:
        """`Ref`: a resource takes precedence over a parameter of the same name."""
        if type(arg) is not ScalarNode:
            return self.error(codes.MALFORMED_FUNCTION_CALL, "Ref takes the name of a resource or parameter.", arg)
        named = self.name(arg)
        ref: Ref = ParamRef(named, (), name, span)
        if named in self.resources and not self.in_condition:
            ref = ResourceRef(named, name, span)
        self.refs.append(ref)
        return ref

    def get_attr(self, name: str, arg: Node, span: Span) -> Expr:
        least = 1 if self.version.since("2015-10-15") else 2
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
            return self.error(codes.MALFORMED_FUNCTION_CALL, f"{name} takes {shape}.", arg)
        if type(arg.value[0]) is MappingNode:
            return self.noted(Call(name, self.value(arg), span))
        ref = AttrRef(self.name(arg.value[0]), self.path(arg.value[1:]), name, span)
        self.refs.append(ref)
        return ref

    def get_file(self, name: str, arg: Node, span: Span) -> Expr:
        if type(arg) is not ScalarNode or arg.tag not in (STR, nodes.TIMESTAMP) or not arg.value:
            return self.error(
                codes.MALFORMED_FUNCTION_CALL, "get_file takes a literal path or URL, not a function call.", arg
            )
        ref = FileRef(arg.value, span)
        self.refs.append(ref)
        return ref

    def if_(self, name: str, arg: Node, span: Span) -> Expr:
        sizes = (2, 3) if self.version.since("2021-04-16") else (3,)
        if type(arg) is not SequenceNode or len(arg.value) not in sizes:
            return self.error(
                codes.MALFORMED_FUNCTION_CALL, f"{name} takes a condition, a value for true and a value for false.", arg
            )
        condition = self.condition(arg.value[0])
        then = self.branch(condition, True, arg.value[1])
        orelse = self.branch(condition, False, arg.value[2]) if len(arg.value) == 3 else None
        return self.noted(If(condition, then, orelse, name, span))

    def branch(self, condition: Expr, holds: bool, node: Node) -> Expr:
        known = len(self.refs)
        self.guards.append((condition, holds))
        found = self.value(node)
        guards = tuple(self.guards)
        for ref in self.refs[known:]:
            self.guarded.setdefault(ref.at, guards)  # inner branches return first, so theirs are set already
        self.guards.pop()
        return found

    def repeat(self, name: str, arg: Node, span: Span) -> Expr:
        found = self.value(arg)
        if isinstance(found, ErrorNode):
            return found
        if (why := misshapen(name, found)) is not None:
            return self.error(codes.MALFORMED_FUNCTION_CALL, why, arg)
        assert isinstance(found, Map)
        self.looked_past(name, found)
        template, for_each, permutations = (found.get(key) for key in ("template", "for_each", "permutations"))
        assert template is not None
        if permutations is not None and not self.version.since(PERMUTATIONS):
            message = f"repeat supports permutations from version {PERMUTATIONS} on; Heat ignores it here."
            self.sink.say(codes.IGNORED_FUNCTION_KEY, message, permutations)
            permutations = None
        if not isinstance(for_each, Map) or not for_each.entries:
            return self.error(
                codes.MALFORMED_FUNCTION_CALL, "for_each of repeat must be a map from placeholders to lists.", arg
            )
        plain = permutations is None or (isinstance(permutations, Lit) and isinstance(permutations.value, bool))
        if not plain:
            return self.error(
                codes.MALFORMED_FUNCTION_CALL, "permutations of repeat must be a literal true or false.", arg
            )
        return self.noted(Repeat(template, for_each.entries, permutations, span))

    def logic(self, name: str, arg: Node, span: Span) -> Expr:
        """not, and, or: their arguments are conditions, so plain texts are names of conditions."""
        if name == "not":
            return self.noted(Call(name, self.condition(arg), span))
        least = 1 if name == "Fn::Not" else 2
        if type(arg) is not SequenceNode or len(arg.value) < least or (name == "Fn::Not" and len(arg.value) != 1):
            return self.error(
                codes.MALFORMED_FUNCTION_CALL,
                f"{name} takes a list of {'one condition' if name == 'Fn::Not' else 'two or more conditions'}.",
                arg,
            )
        items = tuple([self.condition(n) for n in arg.value])
        return self.noted(Call(name, Seq(items, span_of(arg)), span))


def plainly(node: MappingNode) -> bool:
    """Whether all keys are distinct strings, none a merge key: the fast path of nearly all maps."""
    return len({key.value for key, _ in node.value if key.tag == STR and type(key) is ScalarNode}) == len(node.value)


SIZES = {"list+": (2, 1 << 30, "two or more"), "pair": (2, 2, "two"), "triple": (3, 3, "three")}


FACADE = {
    "resource_facade": ("metadata", "deletion_policy", "update_policy"),
    "Fn::ResourceFacade": ("Metadata", "DeletionPolicy", "UpdatePolicy"),
}


def misshapen(name: str, arg: Expr) -> str | None:
    """What is wrong with the argument of a function, according to its row in INTRINSICS; None if it is right."""
    row = INTRINSICS[name]
    if isinstance(arg, ErrorNode):
        return None
    if row.shape == "map":
        if not isinstance(arg, Map):
            return f"{name} takes a map."
        given = {entry.key for entry in arg.entries}
        if row.keys:
            if missing := [k for k in row.keys if k not in given]:
                return f"{name} needs {' and '.join(missing)}."
            if not row.lenient and (extra := sorted(given - {*row.keys, *row.optional})):
                return f"{name} has no key {extra[0]}. {did_you_mean(extra[0], (*row.keys, *row.optional))}".rstrip()
        if name == "yaql" and not_text(arg.get("expression")):
            return "The expression of yaql must be a string."
    elif row.shape == "text":
        if not_text(arg):
            return f"{name} takes a string."
    elif row.shape in SIZES:
        least, most, word = SIZES[row.shape]
        if not isinstance(arg, Seq) or not least <= len(arg.items) <= most:
            return f"{name} takes a list of {word} items."
    elif name in FACADE and (not isinstance(arg, Lit) or arg.value not in FACADE[name]):
        return f"{name} takes one of {', '.join(FACADE[name])}."
    return None


def not_text(expr: Expr | None) -> bool:
    """Whether an expression cannot be a string: a list, a map, a number, a boolean or null. A function may return one,
    so `{get_param: p}` can be a string.
    """
    return isinstance(expr, (Map, Seq)) or (isinstance(expr, Lit) and not isinstance(expr.value, str))


def plain_data(expr: Expr | None) -> object:
    """A literal expression as Python data; None for any other expression."""
    return data(expr) if expr is not None and literal(expr) else None
