"""The resource registry of the environments: maps the types of templates to built-in types and nested templates.

Invariant: the search order is that of `heat.engine.environment.ResourceRegistry`, oddities included: entries for single
resources first, then wildcards, then exact names. An entry that leads nowhere is skipped.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.model.ir import NULL, Entry, Environment, Expr, Lit, Map, Seq
from transpile.model.meter import spend_budget
from transpile.model.records import node, replace
from transpile.schema.catalog import HEAT, Catalog

FILES = (".yaml", ".template")  # Heat's endings of templates; x.yml is a type's name
HOOKS = tuple(f"{when}-{action}" for when in ("pre", "post") for action in ("create", "update", "delete"))
ACTIONS = ("update", "replace")
STEERING = {"hooks": HOOKS, "restricted_actions": ACTIONS}
CHARACTERS = 100  # in the ranges of wildcards, that cost as much as an entry
DEPTH = 100  # wildcards could expand forever
Tree = dict[str, Any]  # name → Registration, Tree, or the words of hooks and restricted actions
T = TypeVar("T")
Choose: TypeAlias = "Callable[[Registration], Registration]"


@final
@node
class CandidateChoice:
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
    choice: CandidateChoice | None = None

    @property
    def is_undecided(self) -> bool:
        return bool(self.candidates) and self.choice is None


@final
@node
class ResolvedType:
    """The result of resolving a type: `kind` is a built-in type or, if `is_template`, the name of a file.
    `registration`: the last entry on the way, None if the template itself names the file;
    `candidate_registration`: the last entry on the way that has candidates. `is_known`: whether Heat finds the type.
    """

    kind: str
    is_template: bool = False
    registration: Registration | None = None
    candidate_registration: Registration | None = None
    is_known: bool = True


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

    def matching_values(self, name: str) -> Iterator[T]:
        """The values of all prefixes of a name, the shortest prefix first."""
        for length in self.lengths:
            if length > len(name):
                return
            if (value := self.values.get(name[:length])) is not None:
                yield value


def count_characters_in_ranges(pattern: str) -> int:
    """The characters in the ranges of a wildcard, such as 26 in `web-[a-z]`: fnmatch visits all of them once."""
    return sum(max(0, ord(after) - ord(before)) for before, after in re.findall(r"(?s)(?=(.)-(.))", pattern))


def index_patterns(tree: Tree) -> Prefixes[list[tuple[str, Tree]]]:
    """The maps of a tree by the literal prefix of their names, which may be wildcards: `web*` is under `web`."""
    trees: dict[str, list[tuple[str, Tree]]] = {}
    for pattern, inner in tree.items():
        if isinstance(inner, dict):
            trees.setdefault(re.split(r"[*?\[]", pattern, maxsplit=1)[0], []).append((pattern, inner))
    return Prefixes(trees)


@final
class ResourceRegistry:
    """The entries of all environments, above the `catalog` of built-in types. Nested stacks see a child registry: its
    `parent` has the types; the `removed_types` are hidden from it.
    """

    def __init__(
        self,
        types: Mapping[str, Registration] | None = None,
        resources: Tree | None = None,
        parent: ResourceRegistry | None = None,
        removed_types: frozenset[str] = frozenset(),
        catalog: Catalog = HEAT,
    ) -> None:
        self.catalog = catalog
        self.types: Mapping[str, Registration] = types or {}
        self.resources: Tree = resources or {}
        self.removed_types = removed_types
        self.globs: Prefixes[str] = (
            parent.globs if parent is not None else Prefixes({n[:-1]: n for n in self.types if n.endswith("*")})
        )
        self.patterns = index_patterns(self.resources)
        self._resolved: dict[tuple[str, str], ResolvedType] = {}
        self._unmapped: dict[str, ResolvedType] = {}
        self._failed: dict[tuple[str, str], int] = {}  # searches without result, and the depth that they had left
        self._children: dict[tuple[str, tuple[str, ...]], ResourceRegistry] = {}

    def __bool__(self) -> bool:
        return bool(self.types or self.resources)

    def resolve_type(self, kind: str, name: str = "") -> ResolvedType:
        """The meaning of a type for a resource of that name."""
        if not self:
            return self.find_own_meaning(kind)
        key = kind, name if name in self.resources else ""
        if key not in self._resolved:
            self._resolved[key] = self._search_type(*key, DEPTH)
        return self._resolved[key]

    def _search_type(self, kind: str, name: str, depth: int) -> ResolvedType:
        if depth <= self._failed.get((kind, name), 0):
            return self.find_own_meaning(kind)
        for registration in sorted(self._matching_registrations(kind, name), key=lambda r: (-len(r.path), r.path)):
            mine = registration if registration.candidates else None
            if is_file(registration.path[-1]) or is_file(registration.value) or registration.is_undecided:
                return ResolvedType(
                    registration.path[-1] if is_file(registration.path[-1]) else registration.value,
                    True,
                    registration,
                    mine,
                )
            value, key = registration.value, registration.path[-1]
            if key.endswith("*") and value.endswith("*"):
                value = value[:-1] + kind[len(key) - 1 :]
            resolved_type = self._search_type(value, name, depth - 1)
            if resolved_type.is_known:
                return replace(
                    resolved_type,
                    registration=resolved_type.registration or registration,
                    candidate_registration=resolved_type.candidate_registration or mine,
                )
        meaning = self.find_own_meaning(kind)
        if not meaning.is_known:
            self._failed[kind, name] = depth
        return meaning

    def find_own_meaning(self, kind: str) -> ResolvedType:
        """The meaning of a type that no entry maps: a file, or a built-in type under any name that Heat has for it."""
        if kind not in self._unmapped:
            self._unmapped[kind] = (
                ResolvedType(kind, True)
                if is_file(kind)
                else ResolvedType(self.catalog.resolve_alias(kind), is_known=self.catalog.has_type(kind))
            )
        return self._unmapped[kind]

    def _matching_registrations(self, kind: str, name: str) -> Iterator[Registration]:
        own = self.resources.get(name)
        if isinstance(own, dict) and isinstance(registration := own.get(kind), Registration):
            yield registration
        if kind in self.types and kind not in self.removed_types:
            yield self.types[kind]
        for glob in self.globs.matching_values(kind):
            registration = self.types[glob]
            spend_budget("registry", 1, registration.environment.source, registration.entry)
            if (
                kind != registration.value
                and kind != glob
                and not is_file(registration.value)
                and glob not in self.removed_types
            ):
                yield registration

    def steering_words(self, name: str, word: str) -> list[str]:
        """The hooks or restricted actions of a resource, by name or wildcard, in Heat's order."""
        matched_words: set[str] = set()
        for inner in self.matching_trees(name):
            words = inner.get(word)
            matched_words.update(words if isinstance(words, tuple) else ())
        return [steering_word for steering_word in STEERING[word] if steering_word in matched_words]

    def matching_trees(self, name: str) -> list[Tree]:
        """The maps under `resources` for a name or a wildcard that matches it, in order."""
        near = [pair for listed in self.patterns.matching_values(name) for pair in listed]
        matches = {pattern: inner for pattern, inner in near if fnmatch.fnmatchcase(name, pattern)}
        if len(matches) < 2:
            return list(matches.values())
        return [inner for pattern, inner in self.resources.items() if pattern in matches]

    def list_registrations(self) -> Iterator[Registration]:
        """All entries, including those for single resources of the root template."""
        yield from (registration for name, registration in self.types.items() if name not in self.removed_types)
        for inner in self.resources.values():
            if isinstance(inner, dict):
                yield from (registration for registration in inner.values() if isinstance(registration, Registration))

    def child_registry(self, name: str, by: Registration | None) -> ResourceRegistry:
        """The registry of a nested stack: without the entry that made it, and from `resources` only the entries under
        its own name or a matching wildcard.
        """
        own: Tree = {}
        for tree in self.matching_trees(name):
            own.update(tree)
        if isinstance(inner := self.resources.get(name), dict):
            own.update(inner)
        own = {k: v for k, v in own.items() if isinstance(v, dict)}
        word = by.path[-1] if by is not None else ""
        removed = by is not None and is_file(by.value) and self.types.get(word) is by and word not in self.removed_types
        if not removed and own == self.resources:
            return self
        key = name if self.resources else "", by.path if removed and by is not None else ()
        if key not in self._children:
            taken = self.removed_types | {word} if removed else self.removed_types
            self._children[key] = ResourceRegistry(self.types, own, self, taken, self.catalog)
        return self._children[key]


def leave_undecided(registration: Registration) -> Registration:
    """The default for `choose`: leaves the entry open."""
    return registration


def read_registry(
    environments: Sequence[Environment], choose: Choose = leave_undecided, catalog: Catalog = HEAT
) -> tuple[ResourceRegistry, list[Diagnostic]]:
    """The registry of environments, merged in order by top-level entry: a later `resources` replaces an earlier one as
    a whole. `choose`: resolves entries that have candidates.
    """
    merged: dict[str, tuple[Entry, Environment]] = {}
    for environment in environments:
        for key, entry in environment.registry.items():
            if entry.value != NULL or not merged:
                merged[key] = entry, environment
    diagnostics: list[Diagnostic] = []
    types: dict[str, Registration] = {}
    resources: Tree = {}
    for key, (entry, environment) in merged.items():
        sink = Sink(environment.source)
        tree = _read_branch((key,), entry, environment, sink, choose)
        diagnostics += sink.diagnostics
        if key == "resources" and isinstance(tree, dict):
            ranges = sum(map(count_characters_in_ranges, tree))
            spend_budget("registry", ranges // CHARACTERS, environment.source, entry)
            resources = tree
        elif isinstance(tree, Registration):
            types[key] = tree
        elif tree is None and key.endswith("*"):
            types = {name: registration for name, registration in types.items() if not name.startswith(key[:-1])}
        elif tree is None:
            types.pop(key, None)
    return ResourceRegistry(types, resources, catalog=catalog), diagnostics


def _read_branch(path: tuple[str, ...], entry: Entry, environment: Environment, sink: Sink, choose: Choose) -> Any:
    """An entry as a Registration, a Tree, or None for null."""
    value = entry.value
    if path[-1] in STEERING:
        return read_steering_words(path[-1], value, sink)
    if isinstance(value, Map):
        inner = {e.key: _read_branch((*path, e.key), e, environment, sink, choose) for e in value.entries}
        return {k: v for k, v in inner.items() if v is not None}
    if isinstance(value, Lit) and value.value is None:
        return None
    if path[-1] == "base_url":  # only Heat's client reads it: the folder of the files in the entries next to it
        return ()
    if isinstance(value, Lit) and isinstance(value.value, str):
        return Registration(path, value.value, environment, entry)
    if isinstance(value, Seq) and check_candidates(path, value, sink):
        return choose(Registration(path, "", environment, entry, tuple(v for v in value.items if isinstance(v, Lit))))
    if isinstance(value, Seq):
        return ()
    sink.add(codes.MALFORMED_ENVIRONMENT, f"{'.'.join(path)} must be the name of a type or a template.", entry.value)
    return ()


def check_candidates(path: tuple[str, ...], value: Seq, sink: Sink) -> bool:
    """Whether a list is a valid list of candidates; reports it if not."""
    wrong = [v for v in value.items if not isinstance(v, Lit) or not isinstance(v.value, str) or not v.value]
    if wrong:
        sink.add(codes.MALFORMED_CAPABILITIES, "A candidate must be the name of a template or a type.", wrong[0])
    elif not value.items:
        sink.add(codes.MALFORMED_CAPABILITIES, f"The list of candidates for {path[-1]} is empty.", value)
    elif path[-1].endswith("*"):
        message = f"{path[-1]} matches several types. Candidates are only possible for a single type."
        sink.add(codes.MALFORMED_CAPABILITIES, message, value)
    else:
        return True
    return False


def read_steering_words(word: str, value: Expr, sink: Sink) -> tuple[str, ...]:
    """The hooks or restricted actions of an entry: a word or a list of words."""
    words = []
    for item in value.items if isinstance(value, Seq) else [value]:
        text = item.value if isinstance(item, Lit) else None
        if text in STEERING[word]:
            words.append(str(text))
        else:
            hint = sink.guess_name(str(text), STEERING[word]) or f"Heat supports {', '.join(STEERING[word])}."
            sink.add(codes.UNKNOWN_HOOK_OR_EVENT_SINK, f"Unknown {word.replace('_', ' ')[:-1]} {text}.", item, hint)
    return tuple(words)
