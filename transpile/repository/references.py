"""Resolves the names of files and types in the templates and environments of a tree.

Invariant: names are relative to the file that has them, as for Heat's client. A name that leads out of the tree is
ignored.
"""

from __future__ import annotations

import functools
import os
import posixpath
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import final

from transpile.model.records import EMPTY, node
from transpile.repository.contents import EnvironmentFacts, TemplateFacts
from transpile.resolve import graph
from transpile.resolve.registry import is_file
from transpile.schema.catalog import HEAT
from transpile.text.urls import is_url, map_url

FILE_URL = "file://"
CHAIN = 8  # how many entries of the registry a type may lead through


def folder_of(path: str) -> str:
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
class FileReferences:
    """The references among the files of one tree. `inner`: the templates that each template names; `mapped`: those that
    each environment names. `url_map`: directories that stand for the beginnings of URLs.
    """

    def __init__(
        self,
        source: str,
        templates: Mapping[str, TemplateFacts],
        environments: Mapping[str, EnvironmentFacts],
        url_map: Mapping[str, str] = EMPTY,
    ) -> None:
        self.url_map = url_map
        self.source, self.real = source, os.path.realpath(source)
        self.templates, self.environments = templates, environments
        self.find_linked = functools.lru_cache(maxsize=10_000)(self._find_linked)
        self.inner = {path: self.find_targets(path, facts.files) for path, facts in templates.items()}
        self.mapped = {path: self.find_targets(path, facts.files) for path, facts in environments.items()}
        self.cost = 0  # how many templates and types were visited so far
        self.reach = functools.lru_cache(maxsize=10_000)(self._compute_reach)

    def find_targets(self, path: str, names: Iterable[str]) -> tuple[str, ...]:
        """The other templates of the tree that a file names."""
        targets = (self.find_target(folder_of(path), name) for name in names)
        return tuple(dict.fromkeys(target for target in targets if target is not None and target != path))

    def find_target(self, where: str, name: str) -> str | None:
        """The template that a name in a directory of the tree means; None if it means no template of the tree."""
        if name.startswith(FILE_URL):
            name = urllib.parse.unquote(name[len(FILE_URL) :])
        elif is_url(name):
            mapped = map_url(name, self.url_map)
            if mapped is None:
                return None
            name = os.path.join(os.path.abspath(mapped[0]), mapped[1])
        if not name or "\0" in name:
            return None
        if name.startswith("/"):
            return self.find_linked(name)
        path = posixpath.normpath(posixpath.join(where, name))
        return path if path in self.templates else self.find_linked(path)

    def _find_linked(self, path: str) -> str | None:
        """The template at a path that is absolute or leads through links; None if it is not in the tree."""
        if path.startswith("../") or not path.endswith((".yaml", ".yml", ".template", ".json", ".hot")):
            return None
        real = os.path.realpath(os.path.join(self.real, path))
        below = os.path.join(self.real, "")
        relative = real.removeprefix(below).replace(os.sep, "/") if real.startswith(below) else ""
        return relative if relative in self.templates else None

    def map_referrers(self) -> dict[str, list[str]]:
        """For each template that others name, the files that name it."""
        return graph.reverse_edges(self.inner, self.mapped)

    def _compute_reach(self, template: str, environments: tuple[str, ...]) -> Reach:
        registry = {
            name: (value, folder_of(path))
            for path in environments
            for name, value in self.environments[path].types.items()
        }
        globs = [name for name in registry if name.endswith("*")]
        used, unknown, seen, todo = set[str](), set[str](), {template: None}, [template]
        while todo:
            here = todo.pop()
            self.cost += 1 + len(self.templates[here].types)
            targets = list(self.inner[here])
            for kind in self.templates[here].types:
                where, name = folder_of(here), kind
                for _ in range(CHAIN):
                    entry = name if name in registry else next((g for g in globs if name.startswith(g[:-1])), None)
                    if entry is None:
                        break
                    used.add(entry)
                    name, where = registry[entry]
                    if is_file(name):
                        break
                if not is_file(name):
                    unknown |= set() if HEAT.has_type(name) else {name}
                elif (target := self.find_target(where, name)) is not None:
                    targets.append(target)
            todo += [path for path in targets if path not in seen]
            seen.update(dict.fromkeys(targets))
        own = self.templates[template].parameters
        parameters = own.union(*(self.templates[path].parameters for path in seen)) if len(seen) > 1 else own
        return Reach(frozenset(used), frozenset(unknown), parameters, tuple(seen))

    def reached_templates(self, stacks: Iterable[tuple[str, Sequence[str]]]) -> set[str]:
        """All templates in stacks, also those that their environments name for single resources."""
        templates: set[str] = set()
        alone = []
        for template, environments in stacks:
            if environments:
                templates.update(self.reach(template, tuple(environments)).templates)
            else:
                alone.append(template)
            for path in environments:
                templates.update(self.templates_of_single_resources(path))
        return templates.union(alone, graph.reachable_nodes(self.inner, alone))

    def templates_of_single_resources(self, path: str) -> set[str]:
        """The templates that an environment names for single resources, and those that these nest."""
        facts = self.environments[path]
        whole = set(facts.types.values())
        begin = self.find_targets(path, [name for name in facts.files if name not in whole])
        return {*begin, *graph.reachable_nodes(self.inner, begin)}
