"""The resource registry of the environments: maps the types of templates to built-in types and nested templates.

Invariant: the search order is that of `heat.engine.environment.ResourceRegistry`, oddities included: entries for single
resources first, then wildcards, then exact names. An entry that leads nowhere is skipped.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.model.ir import NULL, Entry, Environment, Expr, Lit, Map, Seq
from transpile.model.meter import spend
from transpile.model.records import node
from transpile.schema.catalog import HEAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from transpile.schema.catalog import Catalog

FILES = (".yaml", ".template")  # Heat's endings of templates; x.yml is a type's name
HOOKS = tuple(f"{when}-{what}" for when in ("pre", "post") for what in ("create", "update", "delete"))
ACTIONS = ("update", "replace")
STEERING = {"hooks": HOOKS, "restricted_actions": ACTIONS}
DEPTH = 100  # wildcards could expand forever
Tree = dict[str, Any]  # name → Registration, Tree, or the words of hooks and restricted actions
T = TypeVar("T")
Choose: TypeAlias = "Callable[[Registration], Registration]"


@final
@node
class Choice:
    """The resolution of an entry with several candidates: the requirements that decided, and why each of the others was
    ruled out.
    """

    requires: Mapping[str, str]
    others: Mapping[str, str]


@final
@node
class Registration:
    """One entry: its path of keys and its value; `entry` has the position. `candidates`: the possible values, if there
    are several; `value` is empty until one is chosen.
    """

    path: tuple[str, ...]
    value: str
    environment: Environment
    entry: Entry
    candidates: tuple[Lit, ...] = ()
    choice: Choice | None = None

    @property
    def undecided(self) -> bool:
        return bool(self.candidates) and self.choice is None


@final
@node
class Found:
    """The result of resolving a type: `kind` is a built-in type or, if `is_template`, the name of a file.
    `registration`: the last entry on the way, None if the template itself names the file;
    `candidate_registration`: the last entry on the way that has candidates.
    """

    kind: str
    file: bool = False
    by: Registration | None = None
    chosen: Registration | None = None


def is_file(kind: str) -> bool:
    """Whether Heat treats a type's name as a template's file name."""
    return kind.endswith(FILES)


def is_path(kind: str) -> bool:
    """Whether a type's name looks like a path, however Heat treats it."""
    return is_file(kind) or kind.endswith(".yml") or "/" in kind


@final
class Prefixes(Generic[T]):
    """Values by the prefix of a name: with `{"OS::": 1}`, `OS::Nova::Server` has the value 1."""

    def __init__(self, values: Mapping[str, T]) -> None:
        self.values = values
        self.lengths = sorted({len(prefix) for prefix in values})

    def of(self, name: str) -> Iterator[T]:
        """The values of all prefixes of a name, the shortest prefix first."""
        for length in self.lengths:
            if length > len(name):
                return
            if (found := self.values.get(name[:length])) is not None:
                yield found


def patterns(tree: Tree) -> Prefixes[list[tuple[str, Tree]]]:
    """The maps of a tree by the literal prefix of their names, which may be wildcards: `web*` is under `web`."""
    found: dict[str, list[tuple[str, Tree]]] = {}
    for pattern, inner in tree.items():
        if isinstance(inner, dict):
            found.setdefault(re.split(r"[*?\[]", pattern, maxsplit=1)[0], []).append((pattern, inner))
    return Prefixes(found)


@final
class Registry:
    """The entries of all environments, above the `catalog` of built-in types. Nested stacks see a child registry: its
    `parent` has the types; the `removed_types` are hidden from it.
    """

    def __init__(
        self,
        types: Mapping[str, Registration] | None = None,
        resources: Tree | None = None,
        parent: Registry | None = None,
        taken: frozenset[str] = frozenset(),
        catalog: Catalog = HEAT,
    ) -> None:
        self.catalog = catalog
        self.types: Mapping[str, Registration] = types or {}
        self.resources: Tree = resources or {}
        self.taken = taken
        self.globs: Prefixes[str] = (
            parent.globs if parent is not None else Prefixes({n[:-1]: n for n in self.types if n.endswith("*")})
        )
        self.patterns = patterns(self.resources)
        self._known: dict[tuple[str, str], Found | None] = {}
        self._builtin: dict[str, Found | None] = {}
        self._failed: dict[tuple[str, str], int] = {}  # searches without result, and the depth that they had left
        self._children: dict[tuple[str, tuple[str, ...]], Registry] = {}

    def __bool__(self) -> bool:
        return bool(self.types or self.resources)

    def find(self, kind: str, name: str = "") -> Found | None:
        """The meaning of a type for a resource of that name; None if Heat does not find it."""
        if not self:
            return Found(kind, True) if is_file(kind) else self.builtin(kind)
        key = kind, name if name in self.resources else ""
        if key not in self._known:
            self._known[key] = self._find(*key, DEPTH)
        return self._known[key]

    def _find(self, kind: str, name: str, depth: int) -> Found | None:
        if depth <= self._failed.get((kind, name), 0):
            return None
        for one in sorted(self._matches(kind, name), key=lambda r: (-len(r.path), r.path)):
            mine = one if one.candidates else None
            if is_file(one.path[-1]) or is_file(one.value) or one.undecided:
                return Found(one.path[-1] if is_file(one.path[-1]) else one.value, True, one, mine)
            value, key = one.value, one.path[-1]
            if key.endswith("*") and value.endswith("*"):
                value = value[:-1] + kind[len(key) - 1 :]
            if (found := self._find(value, name, depth - 1)) is not None:
                return Found(found.kind, found.file, found.by or one, found.chosen or mine)
        if not is_file(kind) and self.builtin(kind) is None:
            self._failed[kind, name] = depth
            return None
        return Found(kind, True) if is_file(kind) else self.builtin(kind)

    def builtin(self, kind: str) -> Found | None:
        """A built-in type, under any name that Heat has for it."""
        if kind not in self._builtin:
            there = self.catalog.find(kind) is not None
            self._builtin[kind] = Found(self.catalog.canonical(kind)) if there else None
        return self._builtin[kind]

    def _matches(self, kind: str, name: str) -> Iterator[Registration]:
        own = self.resources.get(name)
        if isinstance(own, dict) and isinstance(one := own.get(kind), Registration):
            yield one
        if kind in self.types and kind not in self.taken:
            yield self.types[kind]
        for glob in self.globs.of(kind):
            one = self.types[glob]
            spend("registry", 1, one.environment.source, one.entry)
            if kind != one.value and kind != glob and not is_file(one.value) and glob not in self.taken:
                yield one

    def steered(self, name: str, word: str) -> list[str]:
        """The hooks or restricted actions of a resource, by name or wildcard, in Heat's order."""
        found: set[str] = set()
        for inner in self.matching(name):
            words = inner.get(word)
            found.update(words if isinstance(words, tuple) else ())
        return [one for one in STEERING[word] if one in found]

    def matching(self, name: str) -> list[Tree]:
        """The maps under `resources` for a name or a wildcard that matches it, in order."""
        near = [one for listed in self.patterns.of(name) for one in listed]
        found = {pattern: inner for pattern, inner in near if fnmatch.fnmatchcase(name, pattern)}
        if len(found) < 2:
            return list(found.values())
        return [inner for pattern, inner in self.resources.items() if pattern in found]

    def registrations(self) -> Iterator[Registration]:
        """All entries, including those for single resources of the root template."""
        yield from (one for name, one in self.types.items() if name not in self.taken)
        for inner in self.resources.values():
            if isinstance(inner, dict):
                yield from (one for one in inner.values() if isinstance(one, Registration))

    def child(self, name: str, by: Registration | None) -> Registry:
        """The registry of a nested stack: without the entry that made it, and from `resources` only the entries under
        its own name or a matching wildcard.
        """
        own: Tree = {}
        for tree in self.matching(name):
            own.update(tree)
        if isinstance(inner := self.resources.get(name), dict):
            own.update(inner)
        own = {k: v for k, v in own.items() if isinstance(v, dict)}
        word = by.path[-1] if by is not None else ""
        removed = by is not None and is_file(by.value) and self.types.get(word) is by and word not in self.taken
        if not removed and own == self.resources:
            return self
        key = name if self.resources else "", by.path if removed and by is not None else ()
        if key not in self._children:
            taken = self.taken | {word} if removed else self.taken
            self._children[key] = Registry(self.types, own, self, taken, self.catalog)
        return self._children[key]


def undecided(one: Registration) -> Registration:
    """The default for `choose`: leaves the entry open."""
    return one


def read_registry(
    environments: Sequence[Environment], choose: Choose = undecided, catalog: Catalog = HEAT
) -> tuple[Registry, list[Diagnostic]]:
    """The registry of environments, merged in order by top-level entry: a later `resources` replaces an earlier one as
    a whole. `choose`: resolves entries that have candidates.
    """
    merged: dict[str, tuple[Entry, Environment]] = {}
    for environment in environments:
        for key, entry in environment.registry.items():
            if entry.value != NULL or not merged:
                merged[key] = entry, environment
    found: list[Diagnostic] = []
    types: dict[str, Registration] = {}
    resources: Tree = {}
    for key, (entry, environment) in merged.items():
        sink = Sink(environment.source)
        tree = _branch((key,), entry, environment, sink, choose)
        found += sink.found
        if key == "resources" and isinstance(tree, dict):
            resources = tree
        elif isinstance(tree, Registration):
            types[key] = tree
        elif tree is None and key.endswith("*"):
            types = {name: one for name, one in types.items() if not name.startswith(key[:-1])}
        elif tree is None:
            types.pop(key, None)
    return Registry(types, resources, catalog=catalog), found


def _branch(path: tuple[str, ...], entry: Entry, environment: Environment, sink: Sink, choose: Choose) -> Any:
    """An entry as a Registration, a Tree, or None for null."""
    value = entry.value
    if path[-1] in STEERING:
        return steering(path[-1], value, sink)
    if isinstance(value, Map):
        inner = {e.key: _branch((*path, e.key), e, environment, sink, choose) for e in value.entries}
        return {k: v for k, v in inner.items() if v is not None}
    if isinstance(value, Lit) and value.value is None:
        return None
    if path[-1] == "base_url":  # only Heat's client reads it: the folder of the files in the entries next to it
        return ()
    if isinstance(value, Lit) and isinstance(value.value, str):
        return Registration(path, value.value, environment, entry)
    if isinstance(value, Seq) and candidates(path, value, sink):
        return choose(Registration(path, "", environment, entry, tuple(v for v in value.items if isinstance(v, Lit))))
    if isinstance(value, Seq):
        return ()
    sink.say(codes.MALFORMED_ENVIRONMENT, f"{'.'.join(path)} must be the name of a type or a template.", entry.value)
    return ()


def candidates(path: tuple[str, ...], value: Seq, sink: Sink) -> bool:
    """Whether a list is a valid list of candidates; reports it if not."""
    wrong = [v for v in value.items if not isinstance(v, Lit) or not isinstance(v.value, str) or not v.value]
    if wrong:
        sink.say(codes.MALFORMED_CAPABILITIES, "A candidate must be the name of a template or a type.", wrong[0])
    elif not value.items:
        sink.say(codes.MALFORMED_CAPABILITIES, f"The list of candidates for {path[-1]} is empty.", value)
    elif path[-1].endswith("*"):
        message = f"{path[-1]} matches several types. Candidates are only possible for a single type."
        sink.say(codes.MALFORMED_CAPABILITIES, message, value)
    else:
        return True
    return False


def steering(word: str, value: Expr, sink: Sink) -> tuple[str, ...]:
    """The hooks or restricted actions of an entry: a word or a list of words."""
    found = []
    for item in value.items if isinstance(value, Seq) else [value]:
        text = item.value if isinstance(item, Lit) else None
        if text in STEERING[word]:
            found.append(str(text))
        else:
            hint = sink.guess(str(text), STEERING[word]) or f"Heat supports {', '.join(STEERING[word])}."
            sink.say(codes.UNKNOWN_HOOK_OR_EVENT_SINK, f"Unknown {word.replace('_', ' ')[:-1]} {text}.", item, hint)
    return tuple(found)
