"""The HCL syntax tree, which the emitter builds and the printer prints.

Invariant: a Python str, number, bool or None in an expression is a literal, which the printer escapes. Everything that
Terraform evaluates is a node. The classes are final, so code that visits every node of an output compares types with
`is`, which takes less than half as long as `isinstance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, Union, final

from transpile.model.records import field, node, record
from transpile.model.span import NOWHERE, Located, Span, WithSpan

Expr: TypeAlias = Union[
    bool,
    int,
    float,
    str,
    "StringTemplate",
    "Traversal",
    "Attr",
    "Index",
    "Splat",
    "Fn",
    "Op",
    "Not",
    "Cond",
    "Tuple",
    "Object",
    "ForTuple",
    "ForObject",
    None,
]


@final
@node
class StringTemplate:
    """A string with interpolations: parts of type str are literal, all others are printed inside `${}`."""

    parts: tuple[Expr, ...]


@final
@node
class Traversal:
    """A traversal of plain names: `var.x`, `openstack_compute_instance_v2.server.id`, `count.index`."""

    parts: tuple[str, ...]


@final
@node
class Attr:
    of: Expr
    name: str


@final
@node
class Index:
    of: Expr
    key: Expr


@final
@node
class Splat:
    """A splat with the attributes after it: `of[*].a.b`."""

    of: Expr
    names: tuple[str, ...] = ()


@final
@node
class Fn:
    """A call of a Terraform function; `expand` for the `...` after its last argument."""

    name: str
    args: tuple[Expr, ...]
    expand: bool = False


@final
@node
class Op:
    sign: str
    left: Expr
    right: Expr


@final
@node
class Not:
    of: Expr


@final
@node
class Cond:
    test: Expr
    yes: Expr
    no: Expr


def make_conditional(test: Expr, yes: Expr, no: Expr) -> Expr:
    """`test ? yes : no`. A negated test is not written; its branches change places instead."""
    return Cond(test.of, no, yes) if isinstance(test, Not) else Cond(test, yes, no)


def text_of_bool(value: Expr) -> Expr:
    """A boolean as a string: `"true"` for a literal, `tostring(var.ha)` for anything else."""
    return str(value).lower() if isinstance(value, bool) else Fn("tostring", (value,))


def count_if(test: Expr) -> Expr:
    """`count` of a resource that exists only if a condition holds: `test ? 1 : 0`."""
    return make_conditional(test, 1, 0)


@final
@node
class Tuple:
    items: tuple[Expr, ...]


def condition_of_count(repeated: Argument | None) -> Expr:
    """The condition in a `count` that `count_if` made; None for another `count` or `for_each`, or none at all."""
    match repeated:
        case Argument(name="count", value=Cond(test, 1, 0)):
            return test
        case Argument(name="count", value=Cond(test, 0, 1)):
            return Not(test)
    return None


def for_each_if(test: Expr) -> Expr:
    """`for_each` of a dynamic block that exists only if a condition holds: `test ? [1] : []`."""
    return make_conditional(test, Tuple((1,)), Tuple(()))


@final
@node
class Object:
    """An object constructor. Keys of type str are literal, others are evaluated."""

    entries: tuple[tuple[Expr, Expr], ...]


@final
@node
class ForTuple:
    names: tuple[str, ...]
    over: Expr
    value: Expr
    test: Expr | None = None


@final
@node
class ForObject:
    names: tuple[str, ...]
    over: Expr
    key: Expr
    value: Expr
    test: Expr | None = None


# bodies

REPEATS = ("count", "for_each")


@final
@record
class Argument(WithSpan):
    """`name = value`. span: its place in the Heat template; the template's comments follow it into the output."""

    name: str
    value: Expr
    span: Span = NOWHERE
    comments: list[str] = field(default_factory=list)


@final
@record
class Block(WithSpan):
    type: str
    labels: tuple[str, ...] = ()
    body: list[Argument | Block | Note] = field(default_factory=list)
    span: Span = NOWHERE
    comments: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The address of a resource, data source or module: `module.node`, `data.openstack_images_image_v2.image`."""
        kind = () if self.type == "resource" else (self.type,)
        return ".".join((*kind, *self.labels))

    @property
    def schema_key(self) -> str:
        """The key under which `provider.json` has the schema: a resource type, `data.TYPE` or `provider.NAME`."""
        return self.labels[0] if self.type == "resource" else f"{self.type}.{self.labels[0]}"

    def add_argument(self, name: str, value: Expr, where: Located = NOWHERE) -> Argument:
        """Adds an argument and returns it. It does not replace an argument of the same name."""
        argument = Argument(name, value, where.span)
        self.body.append(argument)
        return argument

    def find_argument(self, name: str) -> Argument | None:
        """The argument of this name, if the block has one."""
        for item in self.body:
            if type(item) is Argument and item.name == name:
                return item
        return None

    @property
    def repetition(self) -> Argument | None:
        """`count` or `for_each`; None if the block is one instance."""
        for item in self.body:
            if type(item) is Argument and item.name in REPEATS:
                return item
        return None

    def has_argument(self, name: str) -> bool:
        return self.find_argument(name) is not None

    def lifecycle(self) -> Block:
        """The block `lifecycle` of a resource, which has at most one; adds it if there is none."""
        present = next((item for item in self.body if isinstance(item, Block) and item.type == "lifecycle"), None)
        return present if present is not None else self.add_block("lifecycle")

    @property
    def ignored_changes(self) -> tuple[Expr, ...]:
        """The items of `lifecycle.ignore_changes`."""
        lifecycle = next((item for item in self.body if isinstance(item, Block) and item.type == "lifecycle"), None)
        argument = lifecycle.find_argument("ignore_changes") if lifecycle is not None else None
        return argument.value.items if argument is not None and isinstance(argument.value, Tuple) else ()

    def count_blocks(self) -> int:
        """The number of nested blocks in a body in which all arguments come first."""
        first = next((i for i, item in enumerate(self.body) if isinstance(item, Block)), len(self.body))
        return len(self.body) - first

    def add_block(self, kind: str, *labels: str, where: Located = NOWHERE) -> Block:
        """Adds a nested block and returns it, so that the caller can fill it."""
        nested = Block(kind, labels, span=where.span)
        self.body.append(nested)
        return nested


@final
@record
class Note:
    """Comment lines that belong to no block or argument."""

    lines: list[str]


def prepend_line(line: str, text: Expr) -> Fn:
    """A text after a line: `join("\\n", ["#cloud-config", yamlencode(…)])`. A template in quotes would mean the same,
    but readers with a simple grammar (that of checkov) reject a call on several lines there.
    """
    return Fn("join", ("\n", Tuple((line, text))))


def child_expressions(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression."""
    inside = CHILDREN.get(type(expr))
    return inside(expr) if inside is not None else ()


# A table and not a match statement, for speed: every walk over the output looks here for each node.
CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {  # only for types of nodes that have children
    StringTemplate: lambda expr: tuple([p for p in expr.parts if not isinstance(p, str)]),
    Attr: lambda expr: (expr.of,),
    Splat: lambda expr: (expr.of,),
    Not: lambda expr: (expr.of,),
    Index: lambda expr: (expr.of, expr.key),
    Fn: lambda expr: expr.args,
    Op: lambda expr: (expr.left, expr.right),
    Cond: lambda expr: (expr.test, expr.yes, expr.no),
    Tuple: lambda expr: expr.items,
    Object: lambda expr: tuple([part for entry in expr.entries for part in entry]),
    ForTuple: lambda expr: (expr.over, expr.value, *((expr.test,) if expr.test is not None else ())),
    ForObject: lambda expr: (expr.over, expr.key, expr.value, *((expr.test,) if expr.test is not None else ())),
}


def walk_expression(expr: Expr) -> Iterator[Expr]:
    """An expression and all its subexpressions, in preorder."""
    stack = [expr]
    while stack:
        current = stack.pop()
        yield current
        if (inside := CHILDREN.get(type(current))) is not None:
            stack += inside(current)[::-1]


def expression_from_data(value: Any) -> Expr:
    """Data as JSON has it (lists, maps, scalars) as an expression of literals. Keys become strings."""
    if isinstance(value, list):
        return Tuple(tuple(expression_from_data(v) for v in value))
    if isinstance(value, dict):
        return Object(tuple((str(k), expression_from_data(v)) for k, v in value.items()))
    assert value is None or isinstance(value, (bool, int, float, str))
    return value
