"""Finds the modules that plug-ins import: in the plug-in directories, or among the modelled ones of `library.py`.

Invariant: a file is read only if the walk of the directories (`walk.py`) came across it. Any other module is an Opaque
with its dotted path.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import final

from transpile.plugins import library
from transpile.plugins.heat import Knowledge
from transpile.plugins.values import MISSING, ClassValue, ModuleValue, NodePlace, OpaqueValue, TableValue, Value
from transpile.plugins.walk import PluginFile

HEAT = ("heat", "engine", "resources")


@final
class Imports:
    """The modules of one reading. `files`: the file of each module; `paths`: the modules by the parts of paths."""

    def __init__(self, files: Iterable[PluginFile]) -> None:
        self.files: dict[int, PluginFile] = {}
        self.paths: dict[tuple[str, ...], ModuleValue] = {}
        self.paths_by_last_part: dict[str, list[tuple[str, ...]]] = {}  # paths by their last part
        self.native = library.build_modules()
        limits = self.native["heat.engine.constraints"].names
        self.knowledge = Knowledge({
            "property": self.native["heat.engine.properties"].names["Schema"],
            "attribute": self.native["heat.engine.attributes"].names["Schema"],
            "support": self.native["heat.engine.support"].names["SupportStatus"],
            **{constraint.native: constraint for constraint in limits.values() if getattr(constraint, "native", "")},
        })  # fmt: skip
        self.roots: set[tuple[str, ...]] = set()  # of the plug-in directories
        for file in files:
            self.roots.add(file.root)
            module = ModuleValue(file.name, {}, file.unit)
            self.files[id(module)] = file
            file.module = module
            self._add_path(file.parts, module)
            for end in range(len(file.root), len(file.parts)):  # packages, with __init__.py or without
                self._add_path(file.parts[:end], None)

    def _add_path(self, parts: tuple[str, ...], module: ModuleValue | None) -> None:
        if parts not in self.paths:
            self.paths_by_last_part.setdefault(parts[-1] if parts else "", []).append(parts)
            self.paths[parts] = module or ModuleValue(
                ".".join(parts[-1:]), {}, native=True, state="done", complete=False
            )
        elif module is not None and self.paths[parts].unit is None:
            self.paths[parts] = module

    def find_module(self, name: str, level: int, importer: ModuleValue, place: NodePlace) -> Value:
        """The module that an import names: a Module, or an Opaque."""
        words = tuple(name.split(".")) if name else ()
        file = self.files.get(id(importer))
        if level:
            base = () if file is None else file.parts if file.package else file.parts[:-1]
            base = base[: len(base) - (level - 1)]
            module = self.paths.get((*base, *words))
            return module or OpaqueValue("the module is not in the plug-in directories", place)
        if name in self.native:
            return self.native[name]
        if words[0] not in sys.stdlib_module_names and file is not None:
            module = None
            if words[0] != HEAT[0]:
                module = self.paths.get((*file.parts[:-1], *words)) or self.paths.get((*file.root, *words))
            module = module or self._find_by_suffix(words, file)
            if module is not None and module is not importer:
                return module
        unread = OpaqueValue(f"{name} is not read", place, name, library.find_library(name))
        unread.module = True
        return unread

    def _find_by_suffix(self, words: tuple[str, ...], file: PluginFile) -> ModuleValue | None:
        """The module whose path ends like the dotted name, as the path of an installed package would. Modules in the
        same plug-in directory come first. A folder `heat` in a plug-in directory is not Heat, whose own package is
        loaded already; a plug-in directory may lie inside `heat/engine/resources`, as Heat's own resources do.
        """
        if len(words) < 2:
            return None
        candidates = [parts for parts in self.paths_by_last_part.get(words[-1], ()) if parts[-len(words) :] == words]
        if words[0] == HEAT[0]:
            depth = len(HEAT) - len(words)
            candidates = [
                parts
                for parts in candidates
                if words[: len(HEAT)] == HEAT and not self._is_inside_directory(parts[: len(parts) + depth])
            ]
        candidates.sort(key=lambda parts: parts[: len(file.root)] != file.root)
        return self.paths[candidates[0]] if candidates else None

    def _is_inside_directory(self, parts: tuple[str, ...]) -> bool:
        """Whether a folder is inside a plug-in directory, and not around it."""
        return any(len(parts) > len(root) and parts[: len(root)] == root for root in self.roots)

    def find_submodule(self, module: ModuleValue, name: str) -> Value:
        """The module of that name inside a package; MISSING if there is none."""
        file = self.files.get(id(module))
        if module.native and file is None:
            if f"{module.name}.{name}" in self.native:
                return self.native[f"{module.name}.{name}"]
            parts = next((p for p in self.paths_by_last_part.get(module.name, ()) if self.paths[p] is module), None)
            return MISSING if parts is None else self.paths.get((*parts, name), MISSING)
        if file is not None and file.package:
            return self.paths.get((*file.parts, name), MISSING)
        return MISSING

    def find_definition(self, path: str) -> ClassValue | ModuleValue | TableValue | None:
        """The definition of a dotted path of Heat's: a module, class or part of a schema; None if there is none."""
        return self.native.get(path) or self.knowledge.resource_class(path) or self.knowledge.find_schema_part(path)
