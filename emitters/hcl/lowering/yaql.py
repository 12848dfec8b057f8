"""Lowers YAQL expressions that have an equivalent in HCL.

Invariant: a form is lowered only if it gives Heat's result. Differences for rare values are reported (`rare`), all
other forms raise CannotSay. YAQL's `and` and `or` return an operand, so only boolean ones become `&&` and `||`.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import grammars
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.conditions import compare_values
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.paths import select_literal_step, wrap_negative_index
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.tree.nodes import Attr, Expr, Fn, ForObject, ForTuple, Index, Not, Object, Op, Traversal, Tuple
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    LISTS,
    MAPS,
    NUMBER,
    OBJECT,
    OPEN,
    STRING,
    STRINGS,
    TUPLE,
    HclType,
    TypedValue,
)
from transpile.diagnostics import codes
from transpile.model import ir


class YaqlScope(NamedTuple):
    """The meaning of `$`: the data at the top level (None here), an item inside select and where."""

    item: Expr | None
    depth: int = 0


def children_of(tree: Any) -> list[Any]:
    """The parts of a syntax tree; none of one that is not written, such as the arguments of `len()`."""
    return list(getattr(tree, "children", ()))


def lower_yaql_call(lowering: HclLowering, call: ir.Call) -> TypedValue:
    """The value of a yaql call. Raises CannotSay for forms without an equivalent."""
    assert isinstance(call.arg, ir.Map)
    expression = call.arg.get("expression")
    if not isinstance(expression, ir.Lit) or not isinstance(expression.value, str):
        raise CannotSay(codes.UNTRANSLATABLE_YAQL, "the YAQL expression is known only at run time", call)
    try:
        tree = grammars.parse("yaql", expression.value)
    except grammars.NotParsed as e:
        raise CannotSay(
            codes.UNTRANSLATABLE_YAQL, f"this YAQL expression has no equivalent in Terraform ({e})", expression
        ) from None
    data = call.arg.get("data") or ir.NULL
    yaql = _Yaql(lowering, data, expression)
    result = yaql.lower_tree(tree, YaqlScope(None))
    if yaql.reasons:
        message = f"The result differs from Heat's for some values: {'; '.join(yaql.reasons)}."
        lowering.differs(codes.YAQL_DIFFERS_FOR_RARE_VALUES, message, expression)
    return result


class _Yaql:
    def __init__(self, lowering: HclLowering, data: ir.Expr, expression: ir.Lit) -> None:
        self.lowering, self.data, self.expression = lowering, data, expression
        self.reasons: dict[str, None] = {}

    def no_equivalent(self, construct: str) -> CannotSay:
        """The error for a form without an equivalent."""
        return CannotSay(
            codes.UNTRANSLATABLE_YAQL, f"YAQL: {construct} has no equivalent in Terraform", self.expression
        )

    def record_difference(self, construct: str) -> None:
        """Records values for which the result differs from Heat's."""
        self.reasons[construct] = None

    def lower_tree(self, tree: Any, scope: YaqlScope) -> TypedValue:
        """The value of a node of the syntax tree. The method for a rule `x` of the grammar is called `on_x`."""
        handler = getattr(self, f"on_{tree.data}", None)
        if handler is None:
            raise self.no_equivalent(str(tree.data))
        value: TypedValue = handler(*tree.children, scope)
        return value

    def on_or_(self, left: Any, right: Any, scope: YaqlScope) -> TypedValue:
        """`or` of booleans, or the idiom `x != '' and x.select(…) or []`."""
        if left.data == "and_" and right.data == "list" and right.children[0] is None:
            test, then = left.children
            if test.data == "compare" and test.children[1] == "!=":
                self.record_difference("an error gives an empty list, where Heat fails")
                return TypedValue(Fn("try", (self.lower_tree(then, scope).expr, Tuple(()))), TUPLE)
        return self.lower_logical("||", left, right, scope)

    def on_and_(self, left: Any, right: Any, scope: YaqlScope) -> TypedValue:
        return self.lower_logical("&&", left, right, scope)

    def lower_logical(self, sign: str, left: Any, right: Any, scope: YaqlScope) -> TypedValue:
        first, second = self.lower_tree(left, scope), self.lower_tree(right, scope)
        if first.type != BOOL or second.type != BOOL:
            raise self.no_equivalent("and/or of values that are not booleans")
        return TypedValue(Op(sign, first.expr, second.expr), BOOL)

    def on_not_(self, inner: Any, scope: YaqlScope) -> TypedValue:
        operand = self.lower_tree(inner, scope)
        if operand.type != BOOL:
            raise self.no_equivalent("not of a value that is not a boolean")
        return TypedValue(Not(operand.expr), BOOL)

    def on_compare(self, left: Any, sign: Any, right: Any, scope: YaqlScope) -> TypedValue:
        first, second = self.lower_tree(left, scope), self.lower_tree(right, scope)
        if str(sign) in ("=", "!="):
            same = compare_values(self.lowering, first, second, self.expression)
            return TypedValue(same if str(sign) == "=" else negate_expression(same), BOOL)
        if STRING in (first.type, second.type):
            raise self.no_equivalent(f"{sign} of strings")
        if ANY in (first.type, second.type):
            self.record_difference(f"Terraform cannot compare strings with {sign}")
        return TypedValue(Op(str(sign), first.expr, second.expr), BOOL)

    def on_in_(self, left: Any, right: Any, scope: YaqlScope) -> TypedValue:
        where = self.lower_tree(right, scope)
        if where.type.kind not in (*LISTS, *OPEN):
            raise self.no_equivalent("in")
        return self.lower_membership(where, self.lower_tree(left, scope))

    def lower_membership(self, where: TypedValue, item: TypedValue) -> TypedValue:
        """Whether a list contains a value."""
        kinds = {type(i) for i in where.expr.items} if isinstance(where.expr, Tuple) else {type(item.expr)}
        if where.type != STRINGS and kinds & {bool, int, float}:
            self.record_difference("1 does not equal true")
        return TypedValue(Fn("contains", (where.expr, item.expr)), BOOL)

    def on_binary(self, left: Any, sign: Any, right: Any, scope: YaqlScope) -> TypedValue:
        first, second = self.lower_tree(left, scope), self.lower_tree(right, scope)
        if first.type != NUMBER or second.type != NUMBER or str(sign) == "/":
            raise self.no_equivalent(f"{sign} of values that may not be numbers")
        return TypedValue(Op(str(sign), first.expr, second.expr), NUMBER)

    def on_negative(self, inner: Any, scope: YaqlScope) -> TypedValue:
        operand = self.lower_tree(inner, scope)
        if not isinstance(operand.expr, (int, float)):
            raise self.no_equivalent("-")
        return TypedValue(-operand.expr, NUMBER)

    def on_variable(self, name: Any, scope: YaqlScope) -> TypedValue:
        if str(name) != "$" or scope.item is None:
            raise self.no_equivalent(str(name))
        return TypedValue(scope.item, ANY)

    def on_member(self, of: Any, name: Any, scope: YaqlScope) -> TypedValue:
        if of.data == "variable" and str(of.children[0]) == "$" and scope.item is None:
            if str(name) != "data":
                raise self.no_equivalent(f"$.{name}")
            return self.lowering.lower_value(self.data)
        if scope.item is None and self.is_data(of) and isinstance(self.data, ir.Map):
            member = self.data.get(str(name))
            if member is None:
                raise self.no_equivalent(f"the missing key {name}")
            return self.lowering.lower_value(member)
        base = self.lower_tree(of, scope)
        if base.type.kind in OPEN and base.expr != scope.item:
            self.record_difference("a member of a list fails, where Heat collects it from each item")
        if base.type.kind in LISTS:  # a member of a list is the list of its items' members
            item = self.iterator_name(scope)
            return TypedValue(ForTuple((item,), base.expr, Attr(Traversal((item,)), str(name))), TUPLE)
        return TypedValue(Attr(base.expr, str(name)), ANY)

    @staticmethod
    def is_data(tree: Any) -> bool:
        return bool(tree.data == "member" and str(tree.children[1]) == "data" and tree.children[0].data == "variable")

    def on_index(self, of: Any, key: Any, scope: YaqlScope) -> TypedValue:
        base = self.lower_tree(of, scope)
        index = self.lower_tree(key, scope)
        if isinstance(index.expr, (int, str)):
            return TypedValue(select_literal_step(base.expr, index.expr), STRING if base.type == STRINGS else ANY)
        if base.type.kind not in LISTS:
            self.record_difference("a negative index does not count from the end")
            return TypedValue(Index(base.expr, index.expr), ANY)
        return TypedValue(Index(base.expr, wrap_negative_index(base.expr, index.expr)), base.type.of or ANY)

    def on_string(self, text: Any, scope: YaqlScope) -> TypedValue:
        raw = str(text)
        return TypedValue(raw[1:-1] if raw[0] == "`" else str(ast.literal_eval(raw)), STRING)

    def on_number(self, text: Any, scope: YaqlScope) -> TypedValue:
        return TypedValue(float(text) if "." in text else int(text), NUMBER)

    def on_constant(self, text: Any, scope: YaqlScope) -> TypedValue:
        return TypedValue(
            {"true": True, "false": False, "null": None}[str(text)], BOOL if text != "null" else HclType("null")
        )

    def on_list(self, args: Any, scope: YaqlScope) -> TypedValue:
        return TypedValue(Tuple(tuple(self.lower_tree(a, scope).expr for a in children_of(args))), TUPLE)

    def on_dict(self, pairs: Any, scope: YaqlScope) -> TypedValue:
        entries: list[tuple[Expr, Expr]] = []
        for pair in children_of(pairs):
            key, value = pair.children
            entries.append(
                (
                    str(key) if not hasattr(key, "data") else self.lower_tree(key, scope).expr,
                    self.lower_tree(value, scope).expr,
                )
            )
        return TypedValue(Object(tuple(entries)), OBJECT)

    # calls

    def on_function(self, name: Any, args: Any, scope: YaqlScope) -> TypedValue:
        arguments = children_of(args)
        if name == "int" and len(arguments) == 1:
            source = self.lower_tree(arguments[0], scope)
            if source.type != STRING:
                self.record_difference("int() keeps fractions, and int(null) is null")
            return TypedValue(Fn("tonumber", (source.expr,)), NUMBER)
        if name == "str" and len(arguments) == 1:
            argument = self.lower_tree(arguments[0], scope)
            if argument.type not in (STRING, BOOL):
                self.record_difference("str(1.0) is 1, and str(null) is null")
            return argument if argument.type == STRING else TypedValue(Fn("tostring", (argument.expr,)), STRING)
        if name in ("min", "max") and len(arguments) == 2:
            return TypedValue(Fn(str(name), tuple(self.lower_tree(g, scope).expr for g in arguments)), NUMBER)
        if name == "dict" and len(arguments) == 1:
            return self.dict_of(arguments[0], scope)
        if name in ("len", "sum", "first", "last", "distinct", "flatten") and len(arguments) == 1:
            return self.lower_method(arguments[0], str(name), [], scope)
        raise self.no_equivalent(f"{name}()")

    def dict_of(self, tree: Any, scope: YaqlScope) -> TypedValue:
        """dict(xs.select([$.k, $.v])): an object from pairs."""
        if tree.data == "method" and tree.children[1] == "select" and len(tree.children[2].children) == 1:
            source, _, args = tree.children
            pair = args.children[0]
            if pair.data == "list" and len(children_of(pair.children[0])) == 2:
                item = self.iterator_name(scope)
                inner = YaqlScope(Traversal((item,)), scope.depth + 1)
                self.record_difference("a duplicate key fails, where Heat takes the last one")
                key, value = (self.lower_tree(c, inner).expr for c in pair.children[0].children)
                return TypedValue(ForObject((item,), self.lower_collection(source, scope).expr, key, value), OBJECT)
        raise self.no_equivalent("dict() of anything but a select of pairs")

    def on_method(self, of: Any, name: Any, args: Any, scope: YaqlScope) -> TypedValue:
        return self.lower_method(of, str(name), children_of(args), scope)

    def lower_collection(self, tree: Any, scope: YaqlScope) -> TypedValue:
        value = self.lower_tree(tree, scope)
        if value.type.kind not in (*LISTS, *OPEN):
            raise self.no_equivalent("a query over a value that is not a list")
        return value

    def iterator_name(self, scope: YaqlScope) -> str:
        return "item" if scope.depth == 0 else f"item{scope.depth + 1}"

    def lower_method(self, of: Any, name: str, args: list[Any], scope: YaqlScope) -> TypedValue:
        if name in ("select", "where") and len(args) == 1:
            source = self.lower_collection(of, scope)
            item = self.iterator_name(scope)
            inner = YaqlScope(Traversal((item,)), scope.depth + 1)
            if name == "select":
                body = self.lower_tree(args[0], inner)
                return TypedValue(ForTuple((item,), source.expr, body.expr), HclType("tuple", body.type))
            test = self.lower_tree(args[0], inner)
            if test.type != BOOL:
                raise self.no_equivalent("where with a condition that is not a boolean")
            return TypedValue(ForTuple((item,), source.expr, Traversal((item,)), test.expr), source.type)
        if name == "containsKey" and len(args) == 1:
            return TypedValue(
                Fn("can", (Index(self.lower_tree(of, scope).expr, self.lower_tree(args[0], scope).expr),)), BOOL
            )
        if name == "join" and len(args) == 1:
            return TypedValue(
                Fn("join", (self.lower_tree(args[0], scope).expr, self.lower_collection(of, scope).expr)), STRING
            )
        if name == "contains" and len(args) == 1:
            return self.lower_membership(self.lower_collection(of, scope), self.lower_tree(args[0], scope))
        if name == "orderBy" and len(args) == 1 and args[0].data == "variable":
            source = self.lower_collection(of, scope)
            if source.type not in (STRINGS, HclType("tuple", STRING)):
                raise self.no_equivalent("orderBy of values that may not be strings")
            return TypedValue(Fn("sort", (source.expr,)), STRINGS)
        if args:
            raise self.no_equivalent(f".{name}()")
        return self.lower_plain_method(self.lower_tree(of, scope), name)

    def lower_plain_method(self, source: TypedValue, name: str) -> TypedValue:
        """A method without arguments."""
        expr, inner = source.expr, source.type.of or ANY
        if name == "len":
            return TypedValue(Fn("length", (expr,)), NUMBER)
        if name in ("keys", "values") and source.type.kind in (*MAPS, *OPEN):
            self.lowering.differs(
                codes.KEYS_ORDERED_DIFFERENTLY,
                f"Terraform returns the {name} of a map in alphabetical order of its keys, Heat in the original order.",
                self.expression,
            )
            return TypedValue(Fn(name, (expr,)), STRINGS if name == "keys" else TUPLE)
        if source.type.kind not in (*LISTS, *OPEN):
            raise self.no_equivalent(f".{name}() of a value that is not a list")
        if name in ("min", "max"):
            if inner != NUMBER:
                raise self.no_equivalent(f".{name}() of values that may not be numbers")
            return TypedValue(Fn(name, (expr,), expand=True), NUMBER)
        if name == "sum" and inner == NUMBER:
            return TypedValue(Fn("sum", (expr,)), NUMBER)
        if name in ("flatten", "distinct"):
            if name == "distinct" and inner != STRING:
                self.record_difference("distinct() converts mixed values to strings")
            return TypedValue(Fn(name, (expr,)), source.type)
        if name == "first":
            return TypedValue(Index(expr, 0), inner)
        if name == "last":
            return TypedValue(select_literal_step(expr, -1), inner)
        if name in ("toList", "list"):
            return source
        if name == "any":
            return TypedValue(Op(">", Fn("length", (expr,)), 0), BOOL)
        raise self.no_equivalent(f".{name}()")
