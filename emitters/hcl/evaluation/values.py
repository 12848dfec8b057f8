"""The values of HCL expressions, as far as what runs already decides them.

Invariant: a value is what Terraform computes, or it is not known. Whatever the evaluator does not know, a function or
an attribute of the provider, makes the whole value unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from emitters.hcl.evaluation.functions import FUNCTIONS, Failed, Unknown, growth, text_of, weight
from emitters.hcl.tree.nodes import (
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Not,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


PLACEHOLDER = re.compile(r"\$\{([A-Za-z_]\w*)\}|\$\$\{|%%\{")  # in a template, and what stands for itself
DIRECTIVE = re.compile(r"(?<!%)%\{|(?<!\$)\$\{(?![A-Za-z_]\w*\})")
SHARE = 16  # characters and items of a result, for one step


class Scope(Protocol):
    """What names mean where an expression stands."""

    def name(self, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """The value of a name, and the attributes after it. Raises Unknown."""
        ...

    def pay(self, steps: int) -> None:
        """Pays for work. Raises Exceeded."""
        ...

    def file(self, path: str) -> str:
        """The text of a file that is written. Raises Unknown."""
        ...


class Attributed(Protocol):
    """A value with attributes that are computed when they are asked for."""

    def attribute(self, name: str) -> Any: ...


def value(expr: Expr, scope: Scope, bound: Mapping[str, Any] | None = None) -> Any:
    """The value of an expression as data. Raises Unknown, or Failed where Terraform would fail.

    bound: the values of `each`, `count` and the variables of `for`.
    """
    return Evaluation(scope, bound or {}).of(expr)


class Evaluation:
    def __init__(self, scope: Scope, bound: Mapping[str, Any]) -> None:
        self.scope, self.bound = scope, bound

    def of(self, expr: Expr) -> Any:
        self.scope.pay(1)
        match expr:
            case None | bool() | int() | float() | str():
                return expr
            case StringTemplate(parts):
                texts = [text_of(self.of(part)) for part in parts]
                self.scope.pay(sum(map(len, texts)) // SHARE)
                return "".join(texts)
            case Traversal(parts):
                return self.name(parts)
            case Attr() | Index():
                return self.traversal(expr)
            case Splat(of, names):
                return [attributes(one, names) for one in listed(self.of(of))]
            case Fn(name, args, expand):
                return self.call(name, args, expand=expand)
            case Op(sign, left, right):
                return self.operation(sign, left, right)
            case Not(of):
                return not truth(self.of(of))
            case Cond(test, yes, no):
                return self.of(yes if truth(self.of(test)) else no)
            case Tuple(items):
                return [self.of(one) for one in items]
            case Object(entries):
                return {text_of(self.of(key)): self.of(one) for key, one in entries}
            case ForTuple(names, over, inner, test):
                return [one.of(inner) for one in self.each(names, over, test)]
            case ForObject(names, over, key, inner, test):
                return {text_of(one.of(key)): one.of(inner) for one in self.each(names, over, test)}
        raise Unknown(f"an expression of the form {type(expr).__name__}")

    def name(self, parts: tuple[str, ...]) -> Any:
        if parts[0] in self.bound:
            return attributes(self.bound[parts[0]], parts[1:])
        found, rest = self.scope.name(parts)
        return attributes(found, rest)

    def traversal(self, expr: Attr | Index) -> Any:
        """The value of attributes and indexes one after the other. What follows a splat applies to each item."""
        steps: list[Attr | Index] = []
        base: Expr = expr
        while isinstance(base, (Attr, Index)):
            steps.append(base)
            base = base.of
        found = self.of(base)
        several = isinstance(base, Splat)
        for step in reversed(steps):
            if isinstance(step, Attr):
                name = step.name
                found = [attribute(one, name) for one in found] if several else attribute(found, name)
            else:
                key = self.of(step.key)
                found = [item(one, key) for one in found] if several else item(found, key)
        return found

    def call(self, name: str, args: tuple[Expr, ...], *, expand: bool) -> Any:
        if name in ("try", "can"):
            for arg in args:
                try:
                    found = self.of(arg)
                except Failed:
                    continue
                return True if name == "can" else found
            if name == "can":
                return False
            raise Failed("no argument of try() has a value")
        if name in ("file", "templatefile"):
            return self.file(*args)
        if name not in FUNCTIONS:
            raise Unknown(f"the function {name}")
        given = [self.of(arg) for arg in args]
        if expand:
            *given, last = given
            given += listed(last)
        try:
            self.scope.pay((weight(given) + growth(name, given)) // SHARE)
            return FUNCTIONS[name](*given)
        except (TypeError, ValueError, LookupError, AttributeError) as e:
            raise Failed(f"{name}(): {e}") from None

    def file(self, path: Expr, given: Expr = None) -> str:
        """The text of a file; with `given`, of a template."""
        text = self.scope.file(text_of(self.of(path)))
        if given is None:
            return text
        values = self.of(given)
        self.scope.pay(len(text) // SHARE)

        def part(found: re.Match[str]) -> str:
            if found[1] is None:
                return found[0][1:]
            return text_of(attribute(values, found[1]))

        if DIRECTIVE.search(text):
            raise Unknown("a template with directives")
        return PLACEHOLDER.sub(part, text)

    def operation(self, sign: str, left: Expr, right: Expr) -> Any:
        one = self.of(left)
        if sign == "&&":
            return truth(one) and truth(self.of(right))
        if sign == "||":
            return truth(one) or truth(self.of(right))
        other = self.of(right)
        if sign in ("==", "!="):
            return same(one, other) is (sign == "==")
        try:
            a, b = number(one), number(other)
            match sign:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    return a / b
                case "%":
                    return a % b
                case "<":
                    return a < b
                case ">":
                    return a > b
                case "<=":
                    return a <= b
                case ">=":
                    return a >= b
        except ZeroDivisionError:
            raise Failed("a division by zero") from None
        raise Unknown(f"the operator {sign}")

    def each(self, names: tuple[str, ...], over: Expr, test: Expr | None) -> Iterator[Evaluation]:
        """An evaluation for each item that the test of a `for` lets through."""
        found = self.of(over)
        if not isinstance(found, (dict, list)):
            raise Failed("this is no collection to go through")
        pairs = found.items() if isinstance(found, dict) else enumerate(found)
        for key, one in pairs:
            given = (key, one) if len(names) == 2 else (one,)
            inner = Evaluation(self.scope, {**self.bound, **dict(zip(names, given, strict=True))})
            if test is None or truth(inner.of(test)):
                yield inner


def attribute(of: Any, name: str) -> Any:
    if isinstance(of, dict):
        if name not in of:
            raise Failed(f"there is no attribute {name}")
        return of[name]
    if of is None or isinstance(of, (bool, int, float, str, list)):
        raise Failed(f"this has no attribute {name}")
    return of.attribute(name)


def attributes(of: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        of = attribute(of, name)
    return of


def item(of: Any, key: Any) -> Any:
    if isinstance(of, dict):
        word = text_of(key)
        if word not in of:
            raise Failed(f"there is no item {word}")
        return of[word]
    if isinstance(of, list):
        place = number(key)
        if int(place) != place or not 0 <= place < len(of):
            raise Failed(f"there is no item {key}")
        return of[int(place)]
    if of is None or isinstance(of, (bool, int, float, str)):
        raise Failed("this has no items")
    return attribute(of, text_of(key))


def listed(found: Any) -> list[Any]:
    """What `[*]` goes through."""
    if found is None:
        return []
    return found if isinstance(found, list) else list(found.values()) if isinstance(found, dict) else [found]


def truth(found: Any) -> bool:
    if isinstance(found, bool):
        return found
    if found in ("true", "false"):
        return bool(found == "true")
    raise Failed("this is not a boolean")


def number(found: Any) -> int | float:
    if isinstance(found, bool) or not isinstance(found, (int, float, str)):
        raise Failed("this is not a number")
    if isinstance(found, str):
        try:
            return int(found)
        except ValueError:
            try:
                return float(found)
            except ValueError:
                raise Failed("this is not a number") from None
    return found


def same(one: Any, other: Any) -> bool:
    """Whether `==` holds: values of different types are different, but all numbers are of one."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)
