"""The values that adoptions and tests of the output compute are those of real terraform."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from emitters.hcl.evaluation.functions import FUNCTIONS, EvaluationFailed, UnknownValue, call_jsonencode
from emitters.hcl.evaluation.values import evaluate_hcl
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
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
    expression_from_data,
)
from emitters.hcl.tree.printer import print_hcl
from tests.support import oracles
from transpile.model.budget import Budget

DATA = {"list": ["b", "a", "b"], "map": {"y": 1, "x": 2}, "maps": [{"n": "p"}, {"n": "q"}], "text": "Ab c", "no": None}


class Local:
    """`local.x` is an item of DATA."""

    def __init__(self) -> None:
        self.budget = Budget()

    def resolve_name(self, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        if parts[0] != "local":
            raise UnknownValue(".".join(parts))
        return DATA[parts[1]], parts[2:]

    def read_output_file(self, path: str) -> str:
        raise UnknownValue(path)

    def encode_json(self, value: Any) -> str:
        return call_jsonencode(value)

    def pay_steps(self, steps: int) -> None:
        self.left = getattr(self, "left", 100_000) - steps
        if self.left < 0:
            raise MemoryError


def local(name: str) -> Traversal:
    return Traversal(("local", name))


ITEM = Traversal(("item",))
CASES: dict[str, Expr] = {
    "literal": expression_from_data({"a": [1, "x", True, None]}),
    "text": StringTemplate(("a-", 7, "-", True, "-", local("text"))),
    "sum": Op("+", 2, Op("*", 3, 4)),
    "less": Op("<", 2, "10"),
    "rest": Op("%", 7, 4),
    "quotient": Op("/", 6, 3),
    "same": Op("==", Op("+", 1, 1), 2),
    "different": Op("!=", "1", "2"),
    "and": Op("&&", True, Not(False)),
    "choice": Cond(Op("==", Fn("length", (local("list"),)), 3), "three", "other"),
    "item": Index(local("list"), 1),
    "key": Index(local("map"), "x"),
    "attribute": Attr(Index(local("maps"), 0), "n"),
    "splat": Splat(local("maps"), ("n",)),
    "for": ForTuple(("item",), local("list"), Fn("upper", (ITEM,)), Op("!=", ITEM, "a")),
    "for_pairs": ForObject(
        ("k", "v"), local("map"), StringTemplate((Traversal(("k",)), "1")), Op("+", Traversal(("v",)), 1)
    ),
    "indexes": ForTuple(("i", "item"), local("list"), StringTemplate((Traversal(("i",)), ITEM))),
    "set": Fn("toset", (local("list"),)),
    "distinct": Fn("distinct", (local("list"),)),
    "try": Fn("try", (Attr(local("map"), "z"), Index(local("list"), 9), "none")),
    "can": Fn("can", (Index(local("list"), 9),)),
    "coalesce": Fn("coalesce", (local("no"), "", "x")),
    "concat": Fn("concat", (local("list"), Tuple(("z",)))),
    "contains": Fn("contains", (local("list"), "a")),
    "element": Fn("element", (local("list"), 4)),
    "flatten": Fn("flatten", (Tuple((local("list"), Tuple((Tuple(("q",)),)))),)),
    "join": Fn("join", ("-", local("list"))),
    "json": Fn("jsonencode", (Object((("b", 1), ("a", Tuple((None, "<&>"))))),)),
    "data": Fn("jsondecode", ('{"a": [1, null]}',)),
    "keys": Fn("keys", (local("map"),)),
    "values": Fn("values", (local("map"),)),
    "lookup": Fn("lookup", (local("map"), "z", 5)),
    "lower": Fn("lower", (local("text"),)),
    "max": Fn("max", (1, 3, 2)),
    "merge": Fn("merge", (local("map"), Object((("x", 9),)))),
    "one": Fn("one", (Tuple(()),)),
    "expanded": Fn("max", (Tuple((4, 6)),), True),
    "range": Fn("range", (3,)),
    "replace": Fn("replace", ("a-b-c", "-", "+")),
    "reverse": Fn("reverse", (local("list"),)),
    "slice": Fn("slice", (local("list"), 1, 3)),
    "sort": Fn("sort", (local("list"),)),
    "split": Fn("split", (",", "a,,b")),
    "substr": Fn("substr", ("abcdef", 1, 3)),
    "product": Fn("setproduct", (Tuple(("a", "b")), Tuple(("x",)))),
    "number": Fn("tonumber", ("12",)),
    "bool": Fn("tobool", ("true",)),
    "string": Fn("tostring", (1.5,)),
    "trim": Fn("trimspace", ("  a ",)),
    "compact": Fn("compact", (Tuple(("a", "", "b")),)),
    "starts": Fn("startswith", ("abc", "ab")),
    "title": Fn("title", ("two words and true",)),
    "title_of_a_bool": Fn("title", (True,)),
    "floor": Fn("floor", (2.7,)),
    "sha256": Fn("sha256", ("é",)),
    "trimmed": Fn("trim", ("[a]", "[]")),
    "regex": Fn("regex", ("b.", "abcd")),
    "groups": Fn("regex", ("(b)(.)", "abcd")),
    "no_match": Fn("can", (Fn("regex", ("x", "abcd")),)),
    "join_of_numbers": Fn("join", ("-", Tuple((1, True)))),
    "of_each": Attr(Splat(local("maps")), "n"),
    "zip": Fn("zipmap", (Tuple(("a", "b")), Tuple((1, 2)))),
}


@oracles.needs_terraform
def test_terraform_computes_the_same(tmp_path: pathlib.Path) -> None:
    blocks = [Block("locals")]
    for name, value in DATA.items():
        blocks[0].add_argument(name, expression_from_data(value))
    for name, expr in CASES.items():
        blocks.append(Block("output", (name,)))
        blocks[-1].add_argument("value", expr)
    (tmp_path / "main.tf").write_text(print_hcl(blocks), encoding="utf-8")
    outputs = oracles.outputs(tmp_path)
    mine = {name: evaluate_hcl(expr, Local()) for name, expr in CASES.items()}
    assert {
        name: value for name, value in mine.items() if value is not None
    } == outputs  # an output of null does not exist


@pytest.mark.parametrize(
    "expr",
    [
        Attr(local("map"), "z"),
        Index(local("list"), 3),
        Index(local("list"), -1),
        Op("+", "x", 1),
        Op("/", 1, 0),
        Not("x"),
        Attr(local("no"), "a"),
        ForTuple(("item",), local("text"), ITEM),
        ForTuple(("item",), local("no"), ITEM),
        Fn("one", (Tuple((1, 2)),)),
        Fn("slice", (Tuple(()), 0, 1)),
        Fn("jsondecode", ("{",)),
        Fn("try", (Index(local("list"), 9),)),
        StringTemplate((local("list"),)),
    ],
)
def test_calls_that_terraform_refuses_have_no_value(expr: Expr) -> None:
    with pytest.raises(EvaluationFailed):
        evaluate_hcl(expr, Local())


def calls_with_null() -> dict[str, Expr]:
    """Each call of a function in CASES, with null in place of one argument."""
    return {
        f"{name}_{n}": Fn(expr.name, (*expr.args[:n], None, *expr.args[n + 1 :]), expr.expand)
        for name, expr in CASES.items()
        if isinstance(expr, Fn) and expr.name not in ("can", "try")
        for n in range(len(expr.args))
    }


@oracles.needs_terraform
def test_null_is_refused_where_terraform_refuses_it(tmp_path: pathlib.Path) -> None:
    blocks = [Block("locals")]
    for name, value in DATA.items():
        blocks[0].add_argument(name, expression_from_data(value))
    calls = {name: Fn("can", (expr,)) for name, expr in calls_with_null().items()}
    blocks += [Block("output", (name,), [Argument("value", call)]) for name, call in calls.items()]
    (tmp_path / "main.tf").write_text(print_hcl(blocks), encoding="utf-8")
    assert {name: evaluate_hcl(call, Local()) for name, call in calls.items()} == oracles.outputs(tmp_path)


def doubled(times: int) -> Expr:
    """A list of two equal lists of two equal lists…, which is small as long as nobody looks at it."""
    nested: Expr = Tuple(("x",))
    for _ in range(times):
        nested = Index(ForTuple(("item",), Tuple((nested,)), Tuple((ITEM, ITEM))), 0)
    return nested


@pytest.mark.parametrize(
    "expr",
    [
        Fn("range", (10**9,)),
        Fn("jsonencode", (doubled(40),)),
        Fn("flatten", (doubled(40),)),
        Fn("setproduct", (Fn("range", (10_000,)), Fn("range", (10_000,)))),
        Fn("replace", ("a" * 10_000, "a", "b" * 10_000)),
        Fn("join", ("b" * 10_000, Fn("range", (10_000,)))),
    ],
)
def test_large_values_are_paid_for_before_they_are_made(expr: Expr) -> None:
    with pytest.raises((MemoryError, UnknownValue)):
        evaluate_hcl(expr, Local())


def test_values_of_the_cloud_are_unknown_even_inside_of_try() -> None:
    with pytest.raises(UnknownValue):
        evaluate_hcl(Fn("try", (Traversal(("var", "x")), "other")), Local())
    with pytest.raises(UnknownValue):
        evaluate_hcl(Fn("uuid", ()), Local())
    assert "file" not in FUNCTIONS
