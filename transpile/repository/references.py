"""Resolves the names of files and types in the templates and environments of a tree.

Invariant: names are relative to the file that has them, as for Heat's client. A name that leads out of the tree is
ignored.
"""

from __future__ import annotations

import functools
import os
import posixpath
import urllib.parse
from typing import TYPE_CHECKING, final

from transpile.model.records import node
from transpile.resolve import graph
from transpile.resolve.registry import is_file
from transpile.schema.catalog import HEAT
from transpile.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from transpile.repository.contents import EnvironmentFacts, TemplateFacts

FILE_URL = "file://"
CHAIN = 8  # how many entries of the registry a type may lead through


def folder(path: str) -> str:
    return posixpath.dirname(path)


@final
@node
class Reach:
    """The contents of a stack. `used`: the names in its environments' registries that it uses; `unknown`: types that
    nothing defines; `parameters`: of all its templates; `templates`: their paths, the root first.
    """

    used: frozenset[str]
    unknown: frozenset[str]
    parameters: frozenset[str]
    templates: tuple[str, ...]


@final
class References:
    """The references among the files of one tree. `inner`: the templates that each template names; `mapped`: those that
    each environment names.
    """

    def __init__(
        self, source: str, templates: Mapping[str, TemplateFacts], environments: Mapping[str, EnvironmentFacts]
    ) -> None:
        self.source, self.real = source, os.path.realpath(source)
        self.templates, self.environments = templates, environments
        self.linked = functools.lru_cache(maxsize=10_000)(self._linked)
        self.inner = {path: self.targets(path, facts.files) for path, facts in templates.items()}
        self.mapped = {path: self.targets(path, facts.files) for path, facts in environments.items()}
        self.cost = 0  # how many templates and types were visited so far
        self.reach = functools.lru_cache(maxsize=10_000)(self._reach)

    def targets(self, path: str, names: Iterable[str]) -> tuple[str, ...]:
        """The other templates of the tree that a file names."""
        found = (self.target(folder(path), name) for name in names)
        return tuple(dict.fromkeys(one for one in found if one is not None and one != path))

    def target(self, where: str, name: str) -> str | None:
        """The template that a name in a directory of the tree means; None if it means no template of the tree."""
        if name.startswith(FILE_URL):
            name = urllib.parse.unquote(name[len(FILE_URL) :])
        elif is_url(name):
            return None
        if not name or "\0" in name:
            return None
        if name.startswith("/"):
            return self.linked(name)
        path = posixpath.normpath(posixpath.join(where, name))
        return path if path in self.templates else self.linked(path)

    def _linked(self, path: str) -> str | None:
        """The template at a path that is absolute or leads through links; None if it is not in the tree."""
        if path.startswith("../") or not path.endswith((".yaml", ".yml", ".template", ".json", ".hot")):
            return None
        real = os.path.realpath(os.path.join(self.real, path))
        below = os.path.join(self.real, "")
        found = real.removeprefix(below).replace(os.sep, "/") if real.startswith(below) else ""
        return found if found in self.templates else None

    def referrers(self) -> dict[str, list[str]]:
        """For each template that others name, the files that name it."""
        found: dict[str, list[str]] = {}
        for edges in (self.inner, self.mapped):
            for path, targets in edges.items():
                for target in targets:
                    found.setdefault(target, []).append(path)
        return found

    def _reach(self, template: str, environments: tuple[str, ...]) -> Reach:
        registry = {
            name: (value, folder(path))
            for path in environments
            for name, value in self.environments[path].types.items()
        }
        globs = [name for name in registry if name.endswith("*")]
        used, unknown, seen, todo = set[str](), set[str](), {template: None}, [template]
        while todo:
            here = todo.pop()
            self.cost += 1 + len(self.templates[here].types)
            found = list(self.inner[here])
            for kind in self.templates[here].types:
                where, name = folder(here), kind
                for _ in range(CHAIN):
                    entry = name if name in registry else next((g for g in globs if name.startswith(g[:-1])), None)
                    if entry is None:
                        break
                    used.add(entry)
                    name, where = registry[entry]
                    if is_file(name):
                        break
                if not is_file(name):
                    unknown |= set() if HEAT.find(name) is not None else {name}
                elif (target := self.target(where, name)) is not None:
                    found.append(target)
            todo += [one for one in found if one not in seen]
            seen.update(dict.fromkeys(found))
        own = self.templates[template].parameters
        parameters = own.union(*(self.templates[one].parameters for one in seen)) if len(seen) > 1 else own
        return Reach(frozenset(used), frozenset(unknown), parameters, tuple(seen))

    def reached(self, stacks: Iterable[tuple[str, Sequence[str]]]) -> set[str]:
        """All templates in stacks, also those that their environments name for single resources."""
        found: set[str] = set()
        alone = []
        for template, environments in stacks:
            if environments:
                found.update(self.reach(template, tuple(environments)).templates)
            else:
                alone.append(template)
            for path in environments:
                found.update(self.single(path))
        return found.union(alone, graph.reachable(self.inner, alone))

    def single(self, path: str) -> set[str]:
        """The templates that an environment names for single resources, and those that these nest."""
        facts = self.environments[path]
        whole = set(facts.types.values())
        begin = self.targets(path, [name for name in facts.files if name not in whole])
        return {*begin, *graph.reachable(self.inner, begin)}
