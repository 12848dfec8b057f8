"""Computes the values of HCL expressions as far as they are known before Terraform runs.

Invariant: a value is the one that Terraform computes, or it is not known. If the evaluator does not know a function or
an attribute of the provider, the whole value is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from emitters.hcl.evaluation.functions import (
    FUNCTIONS,
    NULLABLE,
    EvaluationFailed,
    UnknownValue,
    WrongContent,
    call_regex,
    convert_to_text,
    measure_growth,
    measure_value,
)
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
from emitters.hcl.tree.types import SCALAR_LITERALS
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily

PLACEHOLDER = compile_lazily(r"\$\{([A-Za-z_]\w*)\}|\$\$\{|%%\{")  # in a template: a variable, or an escaped sign
DIRECTIVE = compile_lazily(r"(?<!%)%\{|(?<!\$)\$\{(?![A-Za-z_]\w*\})")
SHARE = 16  # characters and items of a result that cost one step


class EvaluationScope(Protocol):
    """The meaning of names at the place of an expression."""

    @property
    def budget(self) -> Budget:
        """Pays for patterns."""
        ...

    def resolve_name(self, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """The value of a name, and the attributes that are still to be read from it. Raises UnknownValue."""
        ...

    def pay_steps(self, steps: int) -> None:
        """Pays for work. Raises LimitExceeded."""
        ...

    def encode_json(self, value: Any) -> str:
        """The text that `jsonencode` returns."""
        ...

    def read_output_file(self, path: str) -> str:
        """The text of a file in the output. Raises UnknownValue."""
        ...


def evaluate_hcl(expr: Expr, scope: EvaluationScope, bound: Mapping[str, Any] | None = None) -> Any:
    """The value of an expression as data. Raises UnknownValue, or EvaluationFailed where Terraform would fail.

    bound: the values of `each`, `count` and the variables of `for`.
    """
    return HclEvaluation(scope, bound or {}).evaluate(expr)


class HclEvaluation:
    def __init__(self, scope: EvaluationScope, bound: Mapping[str, Any]) -> None:
        self.scope, self.bound = scope, bound

    def evaluate(self, expr: Expr) -> Any:
        self.scope.pay_steps(1)
        if type(expr) in SCALAR_LITERALS:
            return expr
        if isinstance(expr, Traversal):
            return self.evaluate_name(expr.parts)
        match expr:
            case StringTemplate(parts):
                texts = [convert_to_text(self.evaluate(part)) for part in parts]
                self.scope.pay_steps(sum(map(len, texts)) // SHARE)
                return "".join(texts)
            case Attr() | Index():
                return self.evaluate_traversal(expr)
            case Splat(of, names):
                return [read_attributes(item, names) for item in splat_items(self.evaluate(of))]
            case Fn(name, args, expand):
                return self.evaluate_call(name, args, expand=expand)
            case Op(sign, left, right):
                return self.evaluate_operation(sign, left, right)
            case Not(of):
                return not convert_to_boolean(self.evaluate(of))
            case Cond(test, yes, no):
                return self.evaluate(yes if convert_to_boolean(self.evaluate(test)) else no)
            case Tuple(items):
                return [self.evaluate(item) for item in items]
            case Object(entries):
                return {convert_to_text(self.evaluate(key)): self.evaluate(item) for key, item in entries}
            case ForTuple(names, over, inner, test):
                return [iteration.evaluate(inner) for iteration in self.iterate_for(names, over, test)]
            case ForObject(names, over, key, inner, test):
                return {
                    convert_to_text(iteration.evaluate(key)): iteration.evaluate(inner)
                    for iteration in self.iterate_for(names, over, test)
                }
        raise UnknownValue(f"an expression of the form {type(expr).__name__}")

    def evaluate_name(self, parts: tuple[str, ...]) -> Any:
        if parts[0] in self.bound:
            return read_attributes(self.bound[parts[0]], parts[1:])
        value, rest = self.scope.resolve_name(parts)
        return read_attributes(value, rest)

    def evaluate_traversal(self, expr: Attr | Index) -> Any:
        """The value of a chain of attributes and indexes. After a splat, each step applies to every item."""
        steps: list[Attr | Index] = []
        base: Expr = expr
        while isinstance(base, (Attr, Index)):
            steps.append(base)
            base = base.of
        value = self.evaluate(base)
        several = isinstance(base, Splat)
        for step in reversed(steps):
            if isinstance(step, Attr):
                name = step.name
                value = [read_attribute(element, name) for element in value] if several else read_attribute(value, name)
            else:
                key = self.evaluate(step.key)
                value = [read_item(element, key) for element in value] if several else read_item(value, key)
        return value

    def evaluate_call(self, name: str, args: tuple[Expr, ...], *, expand: bool) -> Any:
        if name in ("try", "can"):
            for arg in args:
                try:
                    value = self.evaluate(arg)
                except EvaluationFailed:
                    continue
                return True if name == "can" else value
            if name == "can":
                return False
            raise EvaluationFailed("no argument of try() has a value")
        if name in ("file", "templatefile"):
            return self.evaluate_file(*args)
        if name not in FUNCTIONS and name != "regex":
            raise UnknownValue(f"the function {name}")
        arguments = [self.evaluate(arg) for arg in args]
        if expand:
            *arguments, last = arguments
            arguments += splat_items(last)
        if None in (arguments[:2] if name == "lookup" else arguments) and name not in NULLABLE:
            raise EvaluationFailed(f"{name}(): an argument is null")
        try:
            self.scope.pay_steps((measure_value(arguments) + measure_growth(name, arguments)) // SHARE)
            if name == "regex":
                pattern, text = arguments
                return call_regex(pattern, text, self.scope.budget)
            function = self.scope.encode_json if name == "jsonencode" else FUNCTIONS[name]
            return function(*arguments)
        except (TypeError, ValueError, LookupError, AttributeError) as e:
            content = any(isinstance(argument, str) for argument in arguments)
            raise (WrongContent if content else EvaluationFailed)(f"{name}(): {e}") from None

    def evaluate_file(self, path: Expr, variables: Expr = None) -> str:
        """The text of a file. With `variables`, the file is a template, and its placeholders are replaced."""
        text = self.scope.read_output_file(convert_to_text(self.evaluate(path)))
        if variables is None:
            return text
        values = self.evaluate(variables)
        self.scope.pay_steps(len(text) // SHARE)

        def replace_placeholder(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0][1:]
            return convert_to_text(read_attribute(values, match[1]))

        if DIRECTIVE.search(text):
            raise UnknownValue("a template with directives")
        return PLACEHOLDER.sub(replace_placeholder, text)

    def evaluate_operation(self, sign: str, left: Expr, right: Expr) -> Any:
        left_value = self.evaluate(left)
        if sign == "&&":
            return convert_to_boolean(left_value) and convert_to_boolean(self.evaluate(right))
        if sign == "||":
            return convert_to_boolean(left_value) or convert_to_boolean(self.evaluate(right))
        right_value = self.evaluate(right)
        if sign in ("==", "!="):
            return are_equal(left_value, right_value) is (sign == "==")
        try:
            a, b = convert_to_number(left_value), convert_to_number(right_value)
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
            raise EvaluationFailed("a division by zero") from None
        raise UnknownValue(f"the operator {sign}")

    def iterate_for(self, names: tuple[str, ...], over: Expr, test: Expr | None) -> Iterator[HclEvaluation]:
        """An evaluation for each item that passes the test of a `for`."""
        collection = self.evaluate(over)
        if not isinstance(collection, (dict, list)):
            raise EvaluationFailed("this is no list, map or set")
        pairs = collection.items() if isinstance(collection, dict) else enumerate(collection)
        for key, element in pairs:
            bindings = (key, element) if len(names) == 2 else (element,)
            inner = HclEvaluation(self.scope, {**self.bound, **dict(zip(names, bindings, strict=True))})
            if test is None or convert_to_boolean(inner.evaluate(test)):
                yield inner


def read_attribute(of: Any, name: str) -> Any:
    if isinstance(of, dict):
        if name not in of:
            raise EvaluationFailed(f"there is no attribute {name}")
        return of[name]
    if of is None or isinstance(of, (bool, int, float, str, list)):
        raise EvaluationFailed(f"this has no attribute {name}")
    return of.attribute_of(name)


def read_attributes(of: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        of = read_attribute(of, name)
    return of


def read_item(of: Any, key: Any) -> Any:
    if isinstance(of, dict):
        word = convert_to_text(key)
        if word not in of:
            raise EvaluationFailed(f"there is no item {word}")
        return of[word]
    if isinstance(of, list):
        place = convert_to_number(key)
        if int(place) != place or not 0 <= place < len(of):
            raise EvaluationFailed(f"there is no item {key}")
        return of[int(place)]
    if of is None or isinstance(of, (bool, int, float, str)):
        raise EvaluationFailed("this has no items")
    return read_attribute(of, convert_to_text(key))


def splat_items(value: Any) -> list[Any]:
    """The items that `[*]` visits."""
    if value is None:
        return []
    return value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]


def convert_to_boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise (WrongContent if isinstance(value, str) else EvaluationFailed)("this is not a boolean")


def convert_to_number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise EvaluationFailed("this is not a number")
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            try:
                return float(value)
            except ValueError:
                raise WrongContent("this is not a number") from None
    return value


def are_equal(left_value: Any, right_value: Any) -> bool:
    """Whether `==` holds: values of different types are different; integers and floats have the same type."""
    if isinstance(left_value, bool) or isinstance(right_value, bool):
        return left_value is right_value
    return bool(left_value == right_value)
