"""Lowers YAQL expressions that have an equivalent in HCL.

Invariant: a form is lowered only if it gives Heat's result. Differences for rare values are reported (`rare`), all
other forms raise CannotSay. YAQL's `and` and `or` return an operand, so only boolean ones become `&&` and `||`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

import grammars
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.conditions import equal
from emitters.hcl.lowering.paths import counted, selected
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.tree.nodes import Attr, Expr, Fn, ForObject, ForTuple, Index, Name, Not, Object, Op, Tuple
from emitters.hcl.tree.types import ANY, BOOL, LISTS, MAPS, NUMBER, OBJECT, OPEN, STRING, STRINGS, TUPLE, Type, Value
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering


class Scope(NamedTuple):
    """The meaning of `$`: the data at the top level (None here), an item inside select and where."""

    item: Expr | None
    depth: int = 0


def lower(lowering: Lowering, call: ir.Call) -> Value:
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
    found = yaql.value(tree, Scope(None))
    if yaql.reasons:
        message = f"The result differs from Heat's for some values: {'; '.join(yaql.reasons)}."
        lowering.differs(codes.YAQL_DIFFERS_FOR_RARE_VALUES, message, expression)
    return found


class _Yaql:
    def __init__(self, lowering: Lowering, data: ir.Expr, expression: ir.Lit) -> None:
        self.lowering, self.data, self.expression = lowering, data, expression
        self.reasons: dict[str, None] = {}

    def no(self, what: str) -> CannotSay:
        """The error for a form without an equivalent."""
        return CannotSay(codes.UNTRANSLATABLE_YAQL, f"YAQL: {what} has no equivalent in Terraform", self.expression)

    def rare(self, what: str) -> None:
        """Records values for which the result differs from Heat's."""
        self.reasons[what] = None

    def value(self, tree: Any, scope: Scope) -> Value:
        """The value of a node of the syntax tree. The method for a rule `x` of the grammar is called `on_x`."""
        handler = getattr(self, f"on_{tree.data}", None)
        if handler is None:
            raise self.no(str(tree.data))
        found: Value = handler(*tree.children, scope)
        return found

    def on_or_(self, left: Any, right: Any, scope: Scope) -> Value:
        """`or` of booleans, or the idiom `x != '' and x.select(…) or []`."""
        if left.data == "and_" and right.data == "list" and right.children[0] is None:
            test, then = left.children
            if test.data == "compare" and test.children[1] == "!=":
                self.rare("an error gives an empty list, where Heat fails")
                return Value(Fn("try", (self.value(then, scope).expr, Tuple(()))), TUPLE)
        return self.both("||", left, right, scope)

    def on_and_(self, left: Any, right: Any, scope: Scope) -> Value:
        return self.both("&&", left, right, scope)

    def both(self, sign: str, left: Any, right: Any, scope: Scope) -> Value:
        one, two = self.value(left, scope), self.value(right, scope)
        if one.type != BOOL or two.type != BOOL:
            raise self.no("and/or of values that are not booleans")
        return Value(Op(sign, one.expr, two.expr), BOOL)

    def on_not_(self, inner: Any, scope: Scope) -> Value:
        found = self.value(inner, scope)
        if found.type != BOOL:
            raise self.no("not of a value that is not a boolean")
        return Value(Not(found.expr), BOOL)

    def on_compare(self, left: Any, sign: Any, right: Any, scope: Scope) -> Value:
        one, two = self.value(left, scope), self.value(right, scope)
        if str(sign) in ("=", "!="):
            same = equal(self.lowering, one, two, self.expression)
            return Value(same if str(sign) == "=" else is_not(same), BOOL)
        if STRING in (one.type, two.type):
            raise self.no(f"{sign} of strings")
        if ANY in (one.type, two.type):
            self.rare(f"Terraform cannot compare strings with {sign}")
        return Value(Op(str(sign), one.expr, two.expr), BOOL)

    def on_in_(self, left: Any, right: Any, scope: Scope) -> Value:
        where = self.value(right, scope)
        if where.type.kind not in (*LISTS, *OPEN):
            raise self.no("in")
        return self.among(where, self.value(left, scope))

    def among(self, where: Value, one: Value) -> Value:
        """Whether a list contains a value."""
        kinds = {type(i) for i in where.expr.items} if isinstance(where.expr, Tuple) else {type(one.expr)}
        if where.type != STRINGS and kinds & {bool, int, float}:
            self.rare("1 does not equal true")
        return Value(Fn("contains", (where.expr, one.expr)), BOOL)

    def on_binary(self, left: Any, sign: Any, right: Any, scope: Scope) -> Value:
        one, two = self.value(left, scope), self.value(right, scope)
        if one.type != NUMBER or two.type != NUMBER or str(sign) == "/":
            raise self.no(f"{sign} of values that may not be numbers")
        return Value(Op(str(sign), one.expr, two.expr), NUMBER)

    def on_negative(self, inner: Any, scope: Scope) -> Value:
        found = self.value(inner, scope)
        if not isinstance(found.expr, (int, float)):
            raise self.no("-")
        return Value(-found.expr, NUMBER)

    def on_variable(self, name: Any, scope: Scope) -> Value:
        if str(name) != "$" or scope.item is None:
            raise self.no(str(name))
        return Value(scope.item, ANY)

    def on_member(self, of: Any, name: Any, scope: Scope) -> Value:
        if of.data == "variable" and str(of.children[0]) == "$" and scope.item is None:
            if str(name) != "data":
                raise self.no(f"$.{name}")
            return self.lowering.value(self.data)
        if scope.item is None and self.is_data(of) and isinstance(self.data, ir.Map):
            found = self.data.get(str(name))
            if found is None:
                raise self.no(f"the missing key {name}")
            return self.lowering.value(found)
        base = self.value(of, scope)
        if base.type.kind in OPEN and base.expr != scope.item:
            self.rare("a member of a list fails, where Heat collects it from each item")
        if base.type.kind in LISTS:  # a member of a list is the list of its items' members
            item = self.name(scope)
            return Value(ForTuple((item,), base.expr, Attr(Name((item,)), str(name))), TUPLE)
        return Value(Attr(base.expr, str(name)), ANY)

    @staticmethod
    def is_data(tree: Any) -> bool:
        return bool(tree.data == "member" and str(tree.children[1]) == "data" and tree.children[0].data == "variable")

    def on_index(self, of: Any, key: Any, scope: Scope) -> Value:
        base = self.value(of, scope)
        found = self.value(key, scope)
        if isinstance(found.expr, (int, str)):
            return Value(selected(base.expr, found.expr), STRING if base.type == STRINGS else ANY)
        if base.type.kind not in LISTS:
            self.rare("a negative index does not count from the end")
            return Value(Index(base.expr, found.expr), ANY)
        return Value(Index(base.expr, counted(base.expr, found.expr)), base.type.of or ANY)

    def on_string(self, text: Any, scope: Scope) -> Value:
        raw = str(text)
        return Value(raw[1:-1] if raw[0] == "`" else str(ast.literal_eval(raw)), STRING)

    def on_number(self, text: Any, scope: Scope) -> Value:
        return Value(float(text) if "." in text else int(text), NUMBER)

    def on_constant(self, text: Any, scope: Scope) -> Value:
        return Value({"true": True, "false": False, "null": None}[str(text)], BOOL if text != "null" else Type("null"))

    def on_list(self, args: Any, scope: Scope) -> Value:
        return Value(
            Tuple(tuple(self.value(a, scope).expr for a in (args.children if args is not None else ()))), TUPLE
        )

    def on_dict(self, pairs: Any, scope: Scope) -> Value:
        entries: list[tuple[Expr, Expr]] = []
        for pair in pairs.children if pairs is not None else ():
            key, value = pair.children
            entries.append(
                (str(key) if not hasattr(key, "data") else self.value(key, scope).expr, self.value(value, scope).expr)
            )
        return Value(Object(tuple(entries)), OBJECT)

    # calls

    def on_function(self, name: Any, args: Any, scope: Scope) -> Value:
        given = list(args.children) if args is not None else []
        if name == "int" and len(given) == 1:
            source = self.value(given[0], scope)
            if source.type != STRING:
                self.rare("int() keeps fractions, and int(null) is null")
            return Value(Fn("tonumber", (source.expr,)), NUMBER)
        if name == "str" and len(given) == 1:
            found = self.value(given[0], scope)
            if found.type not in (STRING, BOOL):
                self.rare("str(1.0) is 1, and str(null) is null")
            return found if found.type == STRING else Value(Fn("tostring", (found.expr,)), STRING)
        if name in ("min", "max") and len(given) == 2:
            return Value(Fn(str(name), tuple(self.value(g, scope).expr for g in given)), NUMBER)
        if name == "dict" and len(given) == 1:
            return self.dict_of(given[0], scope)
        if name in ("len", "sum", "first", "last", "distinct", "flatten") and len(given) == 1:
            return self.method(given[0], str(name), [], scope)
        raise self.no(f"{name}()")

    def dict_of(self, tree: Any, scope: Scope) -> Value:
        """dict(xs.select([$.k, $.v])): an object from pairs."""
        if tree.data == "method" and tree.children[1] == "select" and len(tree.children[2].children) == 1:
            source, _, args = tree.children
            pair = args.children[0]
            if pair.data == "list" and pair.children[0] is not None and len(pair.children[0].children) == 2:
                item = self.name(scope)
                inner = Scope(Name((item,)), scope.depth + 1)
                self.rare("a duplicate key fails, where Heat takes the last one")
                key, value = (self.value(c, inner).expr for c in pair.children[0].children)
                return Value(ForObject((item,), self.collection(source, scope).expr, key, value), OBJECT)
        raise self.no("dict() of anything but a select of pairs")

    def on_method(self, of: Any, name: Any, args: Any, scope: Scope) -> Value:
        return self.method(of, str(name), list(args.children) if args is not None else [], scope)

    def collection(self, tree: Any, scope: Scope) -> Value:
        found = self.value(tree, scope)
        if found.type.kind not in (*LISTS, *OPEN):
            raise self.no("a query over a value that is not a list")
        return found

    def name(self, scope: Scope) -> str:
        return "item" if scope.depth == 0 else f"item{scope.depth + 1}"

    def method(self, of: Any, name: str, args: list[Any], scope: Scope) -> Value:
        if name in ("select", "where") and len(args) == 1:
            source = self.collection(of, scope)
            item = self.name(scope)
            inner = Scope(Name((item,)), scope.depth + 1)
            if name == "select":
                found = self.value(args[0], inner)
                return Value(ForTuple((item,), source.expr, found.expr), Type("tuple", found.type))
            test = self.value(args[0], inner)
            if test.type != BOOL:
                raise self.no("where with a condition that is not a boolean")
            return Value(ForTuple((item,), source.expr, Name((item,)), test.expr), source.type)
        if name == "containsKey" and len(args) == 1:
            return Value(Fn("can", (Index(self.value(of, scope).expr, self.value(args[0], scope).expr),)), BOOL)
        if name == "join" and len(args) == 1:
            return Value(Fn("join", (self.value(args[0], scope).expr, self.collection(of, scope).expr)), STRING)
        if name == "contains" and len(args) == 1:
            return self.among(self.collection(of, scope), self.value(args[0], scope))
        if name == "orderBy" and len(args) == 1 and args[0].data == "variable":
            source = self.collection(of, scope)
            if source.type not in (STRINGS, Type("tuple", STRING)):
                raise self.no("orderBy of values that may not be strings")
            return Value(Fn("sort", (source.expr,)), STRINGS)
        if args:
            raise self.no(f".{name}()")
        return self.plain(self.value(of, scope), name)

    def plain(self, source: Value, name: str) -> Value:
        """A method without arguments."""
        expr, inner = source.expr, source.type.of or ANY
        if name == "len":
            return Value(Fn("length", (expr,)), NUMBER)
        if name in ("keys", "values") and source.type.kind in (*MAPS, *OPEN):
            self.lowering.differs(
                codes.KEYS_ORDERED_DIFFERENTLY,
                f"Terraform returns the {name} of a map in alphabetical order of its keys, Heat in the original order.",
                self.expression,
            )
            return Value(Fn(name, (expr,)), STRINGS if name == "keys" else TUPLE)
        if source.type.kind not in (*LISTS, *OPEN):
            raise self.no(f".{name}() of a value that is not a list")
        if name in ("min", "max"):
            if inner != NUMBER:
                raise self.no(f".{name}() of values that may not be numbers")
            return Value(Fn(name, (expr,), expand=True), NUMBER)
        if name == "sum" and inner == NUMBER:
            return Value(Fn("sum", (expr,)), NUMBER)
        if name in ("flatten", "distinct"):
            if name == "distinct" and inner != STRING:
                self.rare("distinct() converts mixed values to strings")
            return Value(Fn(name, (expr,)), source.type)
        if name == "first":
            return Value(Index(expr, 0), inner)
        if name == "last":
            return Value(selected(expr, -1), inner)
        if name in ("toList", "list"):
            return source
        if name == "any":
            return Value(Op(">", Fn("length", (expr,)), 0), BOOL)
        raise self.no(f".{name}()")
