"""The intermediate representation: one Heat template as a value, independent of the syntax it was written in.

Invariant: nodes are immutable values (mypy enforces it). A pass returns a new node; equality ignores positions in the
text. Intrinsics stay as they were written, and a target never sees YAML.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, final

from transpile.model.intrinsics import Version
from transpile.model.records import EMPTY, field, node, replace
from transpile.model.source import Source
from transpile.model.span import NOWHERE, Span, WithSpan, word_at

SHORT = 16  # entries of a map that are looked through one by one


def _span_field() -> Any:
    """The place in the source, ignored by equality; NOWHERE if the node comes from no text."""
    return field(default=NOWHERE, compare=False)


def _offset_field() -> Any:
    """A character offset into the source, ignored by equality; -1 if the node comes from no text."""
    return field(default=-1, compare=False)


def _keys_field() -> Any:
    """The keys of a declaration as spelled and in order, each with its offset."""
    return field(default=EMPTY, compare=False)


Expr: TypeAlias = (
    "Lit | Seq | Map | ParamRef | ResourceRef | AttrRef | ConditionRef | FileRef | If | Repeat | Call | ErrorNode"
)
Ref: TypeAlias = "ParamRef | ResourceRef | AttrRef | ConditionRef | FileRef"
Scalar: TypeAlias = bool | int | float | str | None


@final
@node
class Lit(WithSpan):
    """A scalar as Heat reads it. `True`, `1` and `1.0` are three values, unlike in Python."""

    value: Scalar
    span: Span = _span_field()

    def __eq__(self, other: object) -> bool:
        if type(other) is not Lit or type(self.value) is not type(other.value):
            return False
        # Not a number is the only value that differs from itself; here it equals another one, as in the text.
        return self.value == other.value or (self.value != self.value and other.value != other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value if self.value == self.value else None))


NULL = Lit(None)


@final
@node
class Seq(WithSpan):
    items: tuple[Expr, ...]
    span: Span = _span_field()


@final
@node
class Entry:
    """A key of a map and its value; `at` is the offset of the key."""

    key: str
    value: Expr
    at: int = _offset_field()

    @property
    def end(self) -> int:
        return self.value.end

    @property
    def span(self) -> Span:
        return Span(self.at, self.value.end)

    @property
    def key_span(self) -> Span:
        return word_at(self.at, self.key)


@final
@node
class Map(WithSpan):
    entries: tuple[Entry, ...]
    span: Span = _span_field()
    _index: tuple[tuple[Entry, ...], dict[str, Expr]] | None = field(default=None, compare=False)  # of a long one

    def get(self, key: str) -> Expr | None:
        if len(self.entries) > SHORT:
            return self.values_by_key().get(key)
        for entry in self.entries:
            if entry.key == key:
                return entry.value
        return None

    def __contains__(self, key: str) -> bool:
        """Whether it has a key."""
        return self.get(key) is not None

    def value_of(self, key: str) -> Expr:
        """The value of a key; null if there is no such key."""
        return self.get(key) or NULL

    def values_by_key(self) -> dict[str, Expr]:
        """The values by key, built on first use. If a key occurs twice, its first value counts, as in `get`."""
        if self._index is None or self._index[0] is not self.entries:  # a changed copy begins with the old one
            values: dict[str, Expr] = {}
            for entry in self.entries:
                values.setdefault(entry.key, entry.value)
            self._index = self.entries, values  # type: ignore[misc]  # a cache: the value of the node stays the same
        return self._index[1]


NO_PROPERTIES = Map(())
ALWAYS = Lit(True)  # the condition of a resource without one
UNSET = (NULL, Lit(""), Seq(()), NO_PROPERTIES)  # values with which many properties count as not set


def as_map(expr: Expr | None) -> Map:
    """The expression if it is a map; otherwise an empty one."""
    return expr if isinstance(expr, Map) else NO_PROPERTIES


@final
@node
class ParamRef(WithSpan):
    """`get_param`, or a `Ref` to a parameter or pseudo parameter; `path` selects inside its value."""

    name: str
    path: tuple[Expr, ...] = ()
    fn: str = "get_param"
    span: Span = _span_field()


@final
@node
class ResourceRef(WithSpan):
    """`get_resource`, or a `Ref` to a resource."""

    name: str
    fn: str = "get_resource"
    span: Span = _span_field()


@final
@node
class AttrRef(WithSpan):
    """`get_attr` or `Fn::GetAtt`; `path` begins with the attribute, and is empty for all attributes."""

    name: str
    path: tuple[Expr, ...]
    fn: str = "get_attr"
    span: Span = _span_field()


@final
@node
class ConditionRef(WithSpan):
    """The name of a condition, where a condition is expected."""

    name: str
    span: Span = _span_field()


@final
@node
class FileRef(WithSpan):
    """`get_file` with a literal name, path or URL."""

    name: str
    span: Span = _span_field()


@final
@node
class If(WithSpan):
    """`if` or `Fn::If`; `orelse` is None in the two-argument form, which yields nothing if the condition is false."""

    condition: Expr
    then: Expr
    orelse: Expr | None
    fn: str = "if"
    span: Span = _span_field()

    @property
    def branches(self) -> tuple[Expr, ...]:
        """The values that it may have: one in the two-argument form."""
        return (self.then,) if self.orelse is None else (self.then, self.orelse)

    def with_branches(self, change: Callable[[Expr], Expr]) -> If:
        """The same with each of its branches changed."""
        return replace(self, then=change(self.then), orelse=change(self.orelse) if self.orelse else None)


@final
@node
class Repeat(WithSpan):
    """`repeat`: a template copied for each combination of the lists, with placeholders replaced as text."""

    template: Expr
    for_each: tuple[Entry, ...]
    permutations: Expr | None = None
    span: Span = _span_field()


@final
@node
class Call(WithSpan):
    """Any other intrinsic, by the name it was written with; `arg` is its one argument, most often a list or a map."""

    fn: str
    arg: Expr
    span: Span = _span_field()


@final
@node
class ErrorNode(WithSpan):
    """An expression that could not be understood: always accompanied by an error diagnostic, never emitted.

    `data`: the value that Heat uses when it evaluates the expression without having validated it.
    """

    why: str
    span: Span = _span_field()
    data: Expr | None = None


class Declaration(WithSpan):
    """A base of what a section of a template declares by a name, at which its span begins."""

    __slots__ = ()
    name: str

    @property
    def name_span(self) -> Span:
        """The place of its name."""
        return word_at(self.at, self.name)


class OptionalDeclaration(Declaration):
    """A base of what may have a condition."""

    __slots__ = ()
    condition: Expr

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """Its condition; empty if it has none."""
        return (self.condition,) if self.is_conditional else ()

    @property
    def is_conditional(self) -> bool:
        """Whether it has a condition, so that it may not exist."""
        return is_written_condition(self.condition)


@final
@node
class Constraint(WithSpan):
    """One constraint.

    `kind`: length, range, modulo, allowed_values, allowed_pattern or custom_constraint; `keys`: the keys that declare
    it, as spelled.
    """

    kind: str
    value: Expr
    description: str | None = None
    keys: tuple[str, ...] = ()
    span: Span = _span_field()


@final
@node
class Param(Declaration):
    """A parameter; `type` is HOT's word. Heat treats a default of null as no default. `hidden_by`: the template that
    declares it hidden, if its own does not (`transpile/resolve/hidden_parameters.py`).
    """

    name: str
    type: str
    default: Expr | None = None
    description: str | None = None
    label: str | None = None
    hidden: bool = False
    immutable: bool = False
    tags: Expr | None = None
    constraints: tuple[Constraint, ...] = ()
    keys: Mapping[str, int] = _keys_field()
    span: Span = _span_field()
    hidden_by: str = field(default="", compare=False)

    @property
    def default_data(self) -> tuple[Any, ...]:
        """Its default as data; empty if it has none, or one that is computed."""
        return (to_data(self.default),) if self.default is not None and is_plain_data(self.default) else ()


@final
@node
class ParameterGroup(WithSpan):
    label: str | None
    description: str | None
    parameters: tuple[str, ...]
    span: Span = _span_field()


@final
@node
class Condition(Declaration):
    name: str
    value: Expr
    refs: tuple[Ref, ...] = field(default=(), compare=False)
    span: Span = _span_field()


@final
@node
class Name(WithSpan):
    """A name used as a plain string: an item of `depends_on`."""

    name: str
    span: Span = _span_field()


PARTS_WITHOUT_CONDITION = ("properties", "metadata", "update_policy", "deletion_policy", "external_id")
PARTS = (*PARTS_WITHOUT_CONDITION, "condition")


def is_written_condition(condition: Expr) -> bool:
    """Whether the template has this condition, and not the default ALWAYS. A template may have the condition `true`."""
    return condition is not ALWAYS and (condition.at >= 0 or condition != ALWAYS)


@final
@node
class Resource(OptionalDeclaration):
    """A resource.

    `type`: the word in the template, which an environment may map to another type: `My::Server`. `kind`: the type that
    it means, which the linker finds out: `OS::Nova::Server`; empty before that. Only the kind decides how a resource is
    treated.
    `refs`: all references inside it, in text order (collected while reading, ignored by equality).
    """

    name: str
    type: str
    properties: Map = NO_PROPERTIES
    metadata: Expr | None = None
    depends_on: tuple[Name, ...] = ()
    update_policy: Expr | None = None
    deletion_policy: Expr | None = None  # a literal in Heat's spelling, or resource_facade
    external_id: Expr | None = None
    condition: Expr = ALWAYS
    description: str | None = None
    ignored: tuple[Entry, ...] = ()  # keys that Heat ignores (CFN only)
    keys: Mapping[str, int] = _keys_field()
    refs: tuple[Ref, ...] = field(default=(), compare=False)
    span: Span = _span_field()
    type_at: int = _offset_field()
    kind: str = field(default="", compare=False)

    @property
    def is_existing(self) -> bool:
        """Whether it stands for an object that exists already (`external_id`)."""
        return self.external_id is not None

    @property
    def has_properties(self) -> bool:
        """Whether the key `properties` is written, or properties were added."""
        return self.properties.at >= 0 or bool(self.properties.entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its properties with their values."""
        return self.properties.entries

    def find_property(self, *names: str) -> Expr | None:
        """The value of the first of these properties that it sets."""
        for name in names:
            if (value := self.properties.get(name)) is not None:
                return value
        return None

    def find_value(self, *names: str, unset: Container[Expr] = (NULL,)) -> Expr | None:
        """The value of the first of these properties that it sets, if it is not one of `unset`."""
        entry = self.find_entry(*names, unset=unset)
        return entry.value if entry is not None else None

    def value_of(self, *names: str) -> Expr:
        """The value of the first of these properties that is not null; null if there is none."""
        return self.find_value(*names) or NULL

    def find_entry(self, *names: str, unset: Container[Expr] = (NULL,)) -> Entry | None:
        """The first of these properties that it sets, if its value is not one of `unset`."""
        for name in names:
            for entry in self.entries:
                if entry.key == name and entry.value not in unset:
                    return entry
        return None

    @property
    def parts(self) -> dict[str, Expr]:
        """The expressions in it, by the names of their fields."""
        names = PARTS if self.is_conditional else PARTS_WITHOUT_CONDITION
        return {name: part for name in names if (part := getattr(self, name)) is not None}

    @property
    def type_span(self) -> Span:
        return word_at(self.type_at, self.type)


@final
@node
class Output(OptionalDeclaration):
    name: str
    value: Expr
    description: str | None = None
    condition: Expr = ALWAYS
    ignored: tuple[Entry, ...] = ()  # keys that Heat ignores
    keys: Mapping[str, int] = _keys_field()
    refs: tuple[Ref, ...] = field(default=(), compare=False)
    span: Span = _span_field()


@final
@node
class Comment:
    """A comment without its `#`.

    `anchor`: the offset of the key, item or declaration that it belongs to; `where`: before, end or after.
    """

    text: str
    anchor: int
    where: str = "before"
    at: int = -1


@final
@node
class DeferredError(WithSpan):
    """An error inside branches of `if`: Heat reports it only if the branch is taken. `guards`: the conditions around
    it, and whether each must hold.
    """

    guards: tuple[tuple[Expr, bool], ...]
    code: str
    message: str
    span: Span
    hint: str = ""


@final
@node
class Template:
    """A template of any dialect. The mappings keep the order of the text."""

    version: Version
    source: Source = field(compare=False)
    description: str | None = None
    parameter_groups: tuple[ParameterGroup, ...] = ()
    parameters: Mapping[str, Param] = EMPTY
    mappings: Mapping[str, Map] = EMPTY
    conditions: Mapping[str, Condition] = EMPTY
    resources: Mapping[str, Resource] = EMPTY
    outputs: Mapping[str, Output] = EMPTY
    capabilities: Mapping[str, Entry] = EMPTY  # each a scalar or a list of scalars
    comments: tuple[Comment, ...] = field(default=(), compare=False)
    # for references in branches of `if`, by offset: the conditions, and whether each must hold
    guarded: Mapping[int, tuple[tuple[Expr, bool], ...]] = field(default=EMPTY, compare=False)
    sections: Mapping[str, int] = field(default=EMPTY, compare=False)  # offset of each section's key, by HOT's name
    calls: tuple[Expr, ...] = field(default=(), compare=False)  # all Call, If and Repeat, inner ones before outer ones
    deferred: tuple[DeferredError, ...] = field(default=(), compare=False)

    def type_of_parameter(self, name: str) -> str:
        """The type of a parameter; empty if it is not declared."""
        return self.parameters[name].type if name in self.parameters else ""


@final
@node
class Environment:
    """An environment file. `order`: its sections in text order; `places`: the offset of each section's key; `folder`:
    the directory of its files, if known.
    """

    source: Source = field(compare=False)
    parameters: Mapping[str, Entry] = EMPTY
    parameter_defaults: Mapping[str, Entry] = EMPTY
    registry: Mapping[str, Entry] = EMPTY
    strategies: Mapping[str, Entry] = EMPTY
    other: Mapping[str, Entry] = EMPTY
    requires: Mapping[str, Entry] = EMPTY  # values like those of a template's capabilities
    comments: tuple[Comment, ...] = field(default=(), compare=False)
    order: tuple[str, ...] = field(default=(), compare=False)
    folder: pathlib.Path | None = field(default=None, compare=False)
    places: Mapping[str, int] = field(default=EMPTY, compare=False)


def items_of(expr: Expr | None) -> tuple[Expr, ...]:
    """The items of a literal list; none for anything else."""
    return expr.items if isinstance(expr, Seq) else ()


def maps_of(expr: Expr | None) -> list[Map]:
    """The maps in a literal list."""
    return [item for item in items_of(expr) if isinstance(item, Map)]


def children(expr: Expr) -> Sequence[Expr]:
    """The direct subexpressions of an expression, in text order: `{if: [c, a, b]}` -> c, a and b."""
    match expr:
        case Lit():
            return ()
        case Map(entries):
            return [entry.value for entry in entries]
        case Seq(items):
            return items
        case ParamRef(_, path) | AttrRef(_, path):
            return path
        case Call(_, arg):
            return (arg,)
        case If(condition, then, orelse):
            return (condition, then) if orelse is None else (condition, then, orelse)
        case Repeat(template, for_each, permutations):
            rest = () if permutations is None else (permutations,)
            return template, *(entry.value for entry in for_each), *rest
    return ()


def rebuilt(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with `change` applied to each direct subexpression; the same object if it has none."""
    match expr:
        case Seq(items, span):
            return Seq(tuple([change(i) for i in items]), span)
        case Map(entries, span):
            return Map(tuple([Entry(e.key, change(e.value), e.at) for e in entries]), span)
        case ParamRef(name, path, fn, span):
            return ParamRef(name, tuple([change(p) for p in path]), fn, span) if path else expr
        case AttrRef(name, path, fn, span):
            return AttrRef(name, tuple([change(p) for p in path]), fn, span) if path else expr
        case If(condition, then, orelse, fn, span):
            return If(change(condition), change(then), None if orelse is None else change(orelse), fn, span)
        case Repeat(template, for_each, permutations, span):
            lists = tuple([Entry(e.key, change(e.value), e.at) for e in for_each])
            return Repeat(change(template), lists, None if permutations is None else change(permutations), span)
        case Call(fn, arg, span):
            return Call(fn, change(arg), span)
        case _:
            return expr


def rebuilt_resource(resource: Resource, change: Callable[[Expr], Expr]) -> Resource:
    """The resource with `change` applied to each expression in it."""
    changed: dict[str, Any] = {name: change(part) for name, part in resource.parts.items()}
    return replace(resource, **changed | {"properties": as_map(changed["properties"])})


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and all its subexpressions, outermost first."""
    todo = [expr]
    while todo:
        subexpression = todo.pop()
        yield subexpression
        if subexpression.__class__ is not Lit:  # most are, and have no subexpressions
            todo += reversed(children(subexpression))


def to_data(expr: Expr) -> Any:
    """A literal expression as Python data: `Seq((Lit(1), Lit("a")))` -> `[1, "a"]`.

    Raises ValueError if a part of it has to be evaluated.
    """
    if type(expr) is Lit:
        return expr.value
    if type(expr) is Seq:
        return [to_data(item) for item in expr.items]
    if type(expr) is Map:
        return {entry.key: to_data(entry.value) for entry in expr.entries}
    raise ValueError(type(expr).__name__)


def is_whole_parameter(expr: object) -> TypeGuard[ParamRef]:
    """Whether it reads a parameter without a path."""
    return isinstance(expr, ParamRef) and not expr.path


def is_optional(expr: object) -> TypeGuard[If]:
    """Whether an item or entry is left out if a condition is false: an `if` without another branch."""
    return isinstance(expr, If) and expr.orelse is None


def is_plain_data(expr: Expr) -> bool:
    """Whether an expression consists of scalars, lists and maps only, so that nothing in it has to be evaluated."""
    if type(expr) is Lit:
        return True
    if type(expr) is Seq:
        return all(map(is_plain_data, expr.items))
    return type(expr) is Map and all(is_plain_data(entry.value) for entry in expr.entries)


def replace_errors_by_null(expr: Expr) -> Expr:
    """The expression with null in place of each ErrorNode, which has been reported. It has no function calls."""
    if isinstance(expr, ErrorNode):
        return Lit(None, expr.span)
    return expr if is_plain_data(expr) else rebuilt(expr, replace_errors_by_null)


def from_data(value: Any, span: Span = NOWHERE) -> Expr:
    """Python data as a literal expression."""
    if isinstance(value, dict):
        return Map(tuple(Entry(str(k), from_data(v, span), span.at) for k, v in value.items()), span)
    if isinstance(value, list):
        return Seq(tuple(from_data(v, span) for v in value), span)
    return Lit(value, span)
