"""Reads plug-in directories: files, modules, mappings and types, with a diagnostic for each problem.

Invariant: an error in one plug-in does not stop the reading of another, and an error in this program is a diagnostic.
"""

from __future__ import annotations

import ast
import os
import sys
from typing import TYPE_CHECKING, Any, cast, final

from transpile.diagnostics import codes
from transpile.model.budget import Budget
from transpile.model.meter import Exceeded
from transpile.model.span import Span
from transpile.plugins import behaviour, entry_points, facts, registration, syntax
from transpile.plugins import cache as store
from transpile.plugins.evaluator import Evaluator
from transpile.plugins.imports import Imports
from transpile.plugins.inherited import RESOURCE
from transpile.plugins.machine import Limited
from transpile.plugins.model import Directory, Place, Plugins, PluginType
from transpile.plugins.report import Report
from transpile.plugins.syntax import Unit, Unreadable
from transpile.plugins.values import Class, Module, Opaque
from transpile.plugins.values import Place as At
from transpile.plugins.walk import File, Walk, load_order
from transpile.schema import catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

FRAMES = 3_000  # Python's recursion limit while plug-ins are read; the evaluator's own limits are reached first


def read(directories: Sequence[str | os.PathLike[str]], budget: Budget | None = None, *, cache: bool = True) -> Plugins:
    """Reads the plug-ins in directories, which are in the order of Heat's option plugin_dirs."""
    given = [os.fspath(one) for one in directories]
    reading = Reading(given, budget or Budget())
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, FRAMES))
    try:
        return reading.run(cache=cache)
    finally:
        sys.setrecursionlimit(limit)


@final
class Reading:
    """One reading of directories."""

    def __init__(self, directories: Sequence[str], budget: Budget) -> None:
        self.budget = budget
        self.directories = directories
        self.report = Report()
        self.types: dict[str, PluginType] = {}
        self.names: list[dict[str, None]] = [{} for _ in directories]
        self.unread: list[dict[str, None]] = [{} for _ in directories]
        self.constraints: dict[str, Place] = {}
        self.files: list[File] = []

    def run(self, *, cache: bool) -> Plugins:
        walk = Walk(self.directories, self.budget)
        self.report.walked(walk, self.budget)
        self.files = [file for file in walk.files if self.opened(file)]
        key = store.key(
            self.directories, [(file.path, file.name, file.unit.text) for file in self.files if file.unit is not None]
        )
        sources = {file.path: file.unit.source for file in self.files if file.unit is not None}
        kept = store.load(key, sources) if cache else None
        if kept is None:
            self.evaluate()
            self.report.conditions()
            kept = store.Kept(self.types, self.constraints, self.report.found[self.report.mark :],
                              [list(one) for one in self.names], [list(one) for one in self.unread])  # fmt: skip
            if cache and not self.report.exhausted:
                store.save(key, kept)
        found = [*self.report.found[: self.report.mark], *kept.diagnostics]
        counts = [sum(file.directory == index for file in self.files) for index in range(len(self.directories))]
        rows = [
            Directory(path, counts[i], kept.names[i], [*self.report.unread.get(i, ()), *kept.unread[i]])
            for i, path in enumerate(self.directories)
        ]
        constraints = {name: place for one in self.directories for name, place in entry_points.constraints(one).items()}
        return Plugins(kept.types, {**constraints, **kept.constraints}, found, rows)

    def opened(self, file: File) -> bool:
        """Reads the text of a file into its unit, and returns whether that succeeded."""
        try:
            if os.stat(file.path).st_size > syntax.SIZE:
                raise Unreadable(f"it has more than {syntax.SIZE:,} bytes")
            with open(file.path, "rb") as stream:
                data = stream.read(syntax.SIZE + 1)
            text = syntax.decode(data)
        except (OSError, Unreadable) as error:
            why = error.message if isinstance(error, Unreadable) else error.strerror or "it cannot be read"
            self.report.file(file, codes.UNREADABLE_PLUGIN_MODULE, f"The module {file.name} is not read: {why}.")
            return False
        if not self.budget.spend("plugin_characters", len(text)):
            self.report.limit("plugin_characters", file, self.budget)
            return False
        file.unit = Unit(file.path, file.name, text, self.budget)
        return True

    def evaluate(self) -> None:
        """Evaluates all modules, and reads the types that they register."""
        self.report.begin()
        imports = Imports(self.files)
        run = Evaluator(imports)
        loaded = load_order(self.files)
        try:
            for file in loaded:
                self.guarded(run, file, lambda module: run.load(module))
            self.modules(run, imports)
            for file in loaded:
                run.spent = 0
                self.guarded(run, file, lambda module: self.registered(run, module))
        except Exceeded as error:
            self.report.exceeded(error)

    def guarded(self, run: Evaluator, file: File, work: Any) -> None:
        """Calls a function with the module of a file; an exception becomes a diagnostic, except Exceeded, which ends
        the run.
        """
        module = file.module
        assert module is not None
        run.depth = run.calls = run.trying = run.chain = 0
        run.journal.frames = []
        try:
            work(module)
        except Limited as error:
            self.report.stopped(file, error)
            self.unread[file.directory][file.path] = None
        except RecursionError:
            self.report.file(
                file, codes.PLUGIN_LIMIT_EXCEEDED, f"The module {file.name} is not read: it is nested too deeply."
            )
            self.unread[file.directory][file.path] = None
        except Exceeded:
            self.unread[file.directory][file.path] = None
            raise
        except Exception as error:
            self.report.internal(file, error)
            self.unread[file.directory][file.path] = None

    def modules(self, run: Evaluator, imports: Imports) -> None:
        """Reports modules that Heat does not load, that fail, or that are written for older releases."""
        for file in self.files:
            module = file.module
            if module is None:
                continue
            if file.shadowed:
                self.report.file(
                    file,
                    codes.PLUGIN_MODULE_HIDDEN,
                    f"Heat never loads this module: an earlier directory has a module {file.name}.",
                )
            if id(module) in run.stopped:
                self.report.stopped(file, run.stopped[id(module)][1])
                self.unread[file.directory][file.path] = None
            elif id(module) in run.failures and file.loaded:
                self.report.raised(file, run.failures[id(module)][1])
            if file.unit is not None and file.loaded and (why := older(file.unit)):
                self.report.file(
                    file,
                    codes.PLUGIN_FOR_OLDER_HEAT,
                    f"The module {file.name} is written for older releases of Heat: {why}.",
                )

    # Types

    def registered(self, run: Evaluator, module: Module) -> None:
        """Reads the types and constraints that a module registers."""
        file = next(one for one in self.files if one.module is module)
        for mapping in registration.mappings(run, module):
            if mapping.empty:
                self.report.at(
                    mapping.place,
                    codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                    f"{mapping.function} gives no mapping but {mapping.empty}: Heat ignores it.",
                )
            elif mapping.problem is not None and not (mapping.classes and mapping.problem.path):
                self.report.mapping(mapping)
            for name, (value, conditional) in mapping.classes.items():
                if module.failed and name in self.types:
                    continue  # Heat cannot load this module, so its types do not replace those of another
                requires = mapping.library or ("?" if conditional else "")
                if isinstance(value, Class):
                    self.type(run, file, name, value, requires, mapping)
                elif isinstance(value, Opaque) and conditional and not mapping.library:
                    mapping.problem = value
                    self.report.mapping(mapping)
                elif isinstance(value, Opaque):
                    self.unknown_class(file, name, value, requires, mapping)
                else:
                    self.report.at(
                        mapping.place,
                        codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                        f"{name} is mapped to something that is no class.",
                    )
        found = registration.constraints(run, module)
        if isinstance(found, registration.Mapping):
            if found.empty:
                self.report.at(
                    found.place,
                    codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                    f"{found.function} gives no mapping but {found.empty}: Heat ignores it.",
                )
            else:
                self.report.mapping(found)
            return
        for name, cls in found.items():
            if cls is not None and cls.unit is not None and cls.node is not None:
                span = cls.unit.span(cls.node)
                self.constraints[name] = Place(cls.unit.source, span, cls.name)
            elif file.unit is not None:
                self.constraints[name] = Place(file.unit.source, Span(0, 0))

    def type(
        self, run: Evaluator, file: File, name: str, cls: Class, requires: str, mapping: registration.Mapping
    ) -> None:
        if cls.unit is None or cls.node is None:  # one of Heat's own under another name
            place = mapping.place
        else:
            place = At(cls.unit, cls.node)
        if not any(one if isinstance(one, Opaque) else f"{one.module}.{one.name}" == RESOURCE for one in cls.line()):
            self.report.at(
                place,
                codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                f"{name} is mapped to {cls.name}, which is no class of resources.",
            )
            return
        reader = facts.Reader(run, cls, place)
        found = reader.read()
        span = place.unit.span(place.node)
        handlers = behaviour.handlers(cls)
        self.types[name] = PluginType(
            name, cast("catalog.Type", found), place.unit.source, span, cls.module, requires,
            catalog.HEAT.find(name) is not None, handlers, behaviour.decides(cls, "validate", "validate"),
            reader.gaps()
        )  # fmt: skip
        self.names[file.directory][name] = None
        self.report.type(self.types[name], place, reader)

    def unknown_class(self, file: File, name: str, value: Opaque, requires: str, mapping: registration.Mapping) -> None:
        """Adds a type whose class is unknown, so that templates may use it: any property and attribute is accepted."""
        found = {"properties": {}, "attributes": {}, "open": True, "any_attribute": True, "ref": "?"}
        span = mapping.place.unit.span(mapping.place.node)
        self.types[name] = PluginType(
            name, cast("catalog.Type", found), mapping.place.unit.source, span, file.name, requires,
            catalog.HEAT.find(name) is not None, unread=("the class",)
        )  # fmt: skip
        self.names[file.directory][name] = None
        self.report.unknown_class(self.types[name], value)


def older(unit: Unit) -> str:
    """Why no current release of Heat loads a module; empty if there is no such reason."""
    if unit.old:
        return "it is Python 2"
    for node in [] if unit.tree is None else unit.tree.body:
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if any(f"{name}.".startswith("heat.openstack.") for name in names):
            return "it imports heat.openstack"
    return ""
