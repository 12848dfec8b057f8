"""Finds the modules that plug-ins import: in the plug-in directories, or among the modelled ones of `library.py`.

Invariant: a file is read only if the walk of the directories (`walk.py`) came across it. Any other module is an Opaque
with its dotted path.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, final

from transpile.plugins import library
from transpile.plugins.heat import Knowledge
from transpile.plugins.values import MISSING, Module, Opaque, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.plugins.values import Class, Place, Value
    from transpile.plugins.walk import File

PACKAGE = "heat.engine.plugins"


@final
class Imports:
    """The modules of one reading. `files`: the file of each module; `paths`: the modules by the parts of paths."""

    def __init__(self, files: Iterable[File]) -> None:
        self.modules: dict[str, Module] = {}  # by name, as Heat would import them
        self.files: dict[int, File] = {}
        self.paths: dict[tuple[str, ...], Module] = {}
        self.last: dict[str, list[tuple[str, ...]]] = {}  # paths by their last part
        self.native = library.modules()
        limits = self.native["heat.engine.constraints"].names
        self.knowledge = Knowledge({
            "property": self.native["heat.engine.properties"].names["Schema"],
            "attribute": self.native["heat.engine.attributes"].names["Schema"],
            "support": self.native["heat.engine.support"].names["SupportStatus"],
            **{one.native: one for one in limits.values() if getattr(one, "native", "")},
        })  # fmt: skip
        for file in files:
            module = Module(file.name, {}, file.unit)
            self.files[id(module)] = file
            file.module = module
            if not file.shadowed:
                self.modules.setdefault(file.name, module)
            self._place(file.parts, module)
            for end in range(len(file.root), len(file.parts)):  # packages, with __init__.py or without
                self._place(file.parts[:end], None)

    def _place(self, parts: tuple[str, ...], module: Module | None) -> None:
        if parts not in self.paths:
            self.last.setdefault(parts[-1] if parts else "", []).append(parts)
            self.paths[parts] = module or Module(".".join(parts[-1:]), {}, native=True, state="done", complete=False)
        elif module is not None and self.paths[parts].unit is None:
            self.paths[parts] = module

    def find(self, name: str, level: int, importer: Module, place: Place) -> Value:
        """The module that an import names: a Module, or an Opaque."""
        words = tuple(name.split(".")) if name else ()
        file = self.files.get(id(importer))
        if level:
            base = () if file is None else file.parts if file.package else file.parts[:-1]
            base = base[: len(base) - (level - 1)]
            found = self.paths.get((*base, *words)) or self._by_package(file, level, name)
            return found or Opaque("the module is not in the plug-in directories", place)
        if name in self.native:
            return self.native[name]
        if name.startswith(f"{PACKAGE}."):
            found = self.modules.get(name.removeprefix(f"{PACKAGE}."))
            return found or Opaque("the module is not in the plug-in directories", place, name)
        if words[0] not in sys.stdlib_module_names and file is not None:
            found = self.paths.get((*file.parts[:-1], *words)) or self.paths.get((*file.root, *words))
            found = found or self._by_suffix(words, file)
            if found is not None and found is not importer:
                return found
        unread = Opaque(f"{name} is not read", place, name, library.library_of(name))
        unread.module = True
        return unread

    def _by_package(self, file: File | None, level: int, name: str) -> Module | None:
        """The module of a relative import into another plug-in directory: for Heat, all directories are one package."""
        if file is None:
            return None
        around = file.name.split(".")
        around = around if file.package else around[:-1]
        if level - 1 > len(around):
            return None
        return self.modules.get(".".join([*around[: len(around) - (level - 1)], *([name] if name else [])]))

    def _by_suffix(self, words: tuple[str, ...], file: File) -> Module | None:
        """The module whose path ends like the dotted name, as the path of an installed package would. Modules in the
        same plug-in directory come first.
        """
        if len(words) < 2:
            return None
        found = [parts for parts in self.last.get(words[-1], ()) if parts[-len(words) :] == words]
        found.sort(key=lambda parts: parts[: len(file.root)] != file.root)
        return self.paths[found[0]] if found else None

    def inside(self, module: Module, name: str) -> Value:
        """The module of that name inside a package; MISSING if there is none."""
        file = self.files.get(id(module))
        if module.native and file is None:
            if f"{module.name}.{name}" in self.native:
                return self.native[f"{module.name}.{name}"]
            parts = next((p for p in self.last.get(module.name, ()) if self.paths[p] is module), None)
            return MISSING if parts is None else self.paths.get((*parts, name), MISSING)
        if file is not None and file.package:
            return self.paths.get((*file.parts, name), self.modules.get(f"{file.name}.{name}", MISSING))
        return MISSING

    def known(self, path: str) -> Class | Module | Table | None:
        """The definition of a dotted path of Heat's: a module, class or part of a schema; None if there is none."""
        return self.native.get(path) or self.knowledge.resource_class(path) or self.knowledge.part(path)
