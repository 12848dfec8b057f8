"""Reads plug-in directories: files, modules, mappings and types, with a diagnostic for each problem.

Invariant: an error in one plug-in does not stop the reading of another, and an error in this program is a diagnostic.
"""

from __future__ import annotations

import ast
import configparser
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.meter import LimitExceeded
from transpile.model.source import Source
from transpile.model.span import Span, word_at
from transpile.plugins import behaviour, facts, registration, syntax
from transpile.plugins import cache as store
from transpile.plugins.evaluator import Evaluator
from transpile.plugins.imports import Imports
from transpile.plugins.inherited import RESOURCE
from transpile.plugins.machine import Limited
from transpile.plugins.model import PluginDirectory, PluginPlace, Plugins, PluginType
from transpile.plugins.report import PluginReport
from transpile.plugins.syntax import PluginUnit, UnreadableModule
from transpile.plugins.values import ClassValue, ModuleValue, OpaqueValue
from transpile.plugins.values import NodePlace as At
from transpile.plugins.walk import PluginFile, PluginWalk, sort_in_load_order
from transpile.schema import catalog
from transpile.schema.catalog import Catalog

SIZE = 1 << 16  # bytes
NAME = compile_lazily(r"(?m)^[ \t]*(\S{1,200})[ \t]*=[ \t]*([\w.]{1,200}):(\w{1,200})[ \t]*$")

FRAMES = 3_000  # Python's recursion limit while plug-ins are read; the evaluator's own limits are reached first


def read_plugins(directories: Sequence[str | os.PathLike[str]], budget: Budget, *, cache: bool = True) -> Plugins:
    """Reads the plug-ins in directories, which are in the order of Heat's option plugin_dirs."""
    paths = [os.fspath(directory) for directory in directories]
    reading = PluginReading(paths, budget)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, FRAMES))
    try:
        return reading.read_directories(cache=cache)
    finally:
        sys.setrecursionlimit(limit)


def add_plugin_types(
    base: Catalog, directories: Sequence[str | os.PathLike[str]], budget: Budget
) -> tuple[Catalog, Sequence[Diagnostic]]:
    """The catalog with the types of the plug-ins in directories, which take precedence over its own."""
    plugins = read_plugins(directories, budget)
    types = dict(base.plugin_types)
    for name, plugin_type in plugins.types.items():
        line, _ = plugin_type.source.line_and_column(plugin_type.at)
        types[name] = facts = plugin_type.facts.copy()
        facts["origin"] = f"{plugin_type.source.name}:{line}"
    return Catalog(types, plugins.constraints), plugins.diagnostics


@final
class PluginReading:
    """One reading of directories."""

    def __init__(self, directories: Sequence[str], budget: Budget) -> None:
        self.budget = budget
        self.directories = directories
        self.report = PluginReport()
        self.types: dict[str, PluginType] = {}
        self.names: list[dict[str, None]] = [{} for _ in directories]
        self.unread: list[dict[str, None]] = [{} for _ in directories]
        self.constraints: dict[str, PluginPlace] = {}
        self.files: list[PluginFile] = []

    def read_directories(self, *, cache: bool) -> Plugins:
        walk = PluginWalk(self.directories, self.budget)
        self.report.report_walk(walk, self.budget)
        self.files = [file for file in walk.files if self.open_file(file)]
        key = store.compute_key(
            self.directories, [(file.path, file.name, file.unit.text) for file in self.files if file.unit is not None]
        )
        sources = {file.path: file.unit.source for file in self.files if file.unit is not None}
        reading = store.load_reading(key, sources) if cache else None
        if reading is None:
            self.evaluate_modules()
            self.report.report_conditions()
            diagnostics = self.report.diagnostics[self.report.mark :]
            names, unread = [list(names) for names in self.names], [list(files) for files in self.unread]
            reading = store.CachedReading(self.types, self.constraints, diagnostics, names, unread)
            if cache and not self.report.exhausted:
                store.save_reading(key, reading)
        diagnostics = [*self.report.diagnostics[: self.report.mark], *reading.diagnostics]
        counts = [sum(file.directory == index for file in self.files) for index in range(len(self.directories))]
        rows = [
            PluginDirectory(path, counts[i], reading.names[i], [*self.report.unread.get(i, ()), *reading.unread[i]])
            for i, path in enumerate(self.directories)
        ]
        constraints = {
            name: place for directory in self.directories for name, place in read_constraints(directory).items()
        }
        return Plugins(reading.types, {**constraints, **reading.constraints}, diagnostics, rows)

    def open_file(self, file: PluginFile) -> bool:
        """Reads the text of a file into its unit, and returns whether that succeeded."""
        try:
            if os.stat(file.path).st_size > syntax.SIZE:
                raise UnreadableModule(f"it has more than {syntax.SIZE:,} bytes")
            with open(file.path, "rb") as stream:
                data = stream.read(syntax.SIZE + 1)
            text = syntax.decode_module(data)
        except (OSError, UnreadableModule) as error:
            why = error.message if isinstance(error, UnreadableModule) else error.strerror or "it cannot be read"
            self.report.report_unreadable(file, why)
            return False
        if not self.budget.spend("plugin_characters", len(text)):
            self.report.report_limit("plugin_characters", file, self.budget)
            return False
        file.unit = PluginUnit(file.path, file.name, text, self.budget)
        return True

    def evaluate_modules(self) -> None:
        """Evaluates all modules, and reads the types that they register."""
        self.report.begin_contents()
        imports = Imports(self.files)
        run = Evaluator(imports)
        loaded = sort_in_load_order(self.files)
        try:
            for file in loaded:
                self.run_guarded(run, file, lambda module: run.load_module(module))
            self.report_modules(run, imports)
            for file in loaded:
                run.spent = 0
                self.run_guarded(run, file, lambda module: self.read_registrations(run, module))
        except LimitExceeded as error:
            self.report.report_exceeded(error)

    def run_guarded(self, run: Evaluator, file: PluginFile, work: Any) -> None:
        """Calls a function with the module of a file; an exception becomes a diagnostic, except Exceeded, which ends
        the run.
        """
        module = file.module
        assert module is not None
        run.depth = run.call_depth = run.try_depth = run.chain = 0
        run.journal.frames = []
        try:
            work(module)
        except Limited as error:
            self.report.report_stopped(file, error)
            self.unread[file.directory][file.path] = None
        except RecursionError:
            self.report.report_file(
                file, codes.PLUGIN_LIMIT_EXCEEDED, f"The module {file.name} is not read: it is nested too deeply."
            )
            self.unread[file.directory][file.path] = None
        except LimitExceeded:
            self.unread[file.directory][file.path] = None
            raise
        except Exception as error:
            self.report.report_internal(file, error)
            self.unread[file.directory][file.path] = None

    def report_modules(self, run: Evaluator, imports: Imports) -> None:
        """Reports modules that Heat does not load, that fail, or that are written for older releases."""
        for file in self.files:
            module = file.module
            if module is None:
                continue
            if file.shadowed:
                self.report.report_file(
                    file,
                    codes.PLUGIN_MODULE_HIDDEN,
                    f"Heat never loads this module: an earlier directory has a module {file.name}.",
                )
            if id(module) in run.stopped:
                self.report.report_stopped(file, run.stopped[id(module)][1])
                self.unread[file.directory][file.path] = None
            elif id(module) in run.failures and file.loaded:
                self.report.report_raised(file, run.failures[id(module)][1])
            if file.unit is not None and file.loaded and (why := explain_outdated(file.unit)):
                self.report.report_file(
                    file,
                    codes.PLUGIN_FOR_OLDER_HEAT,
                    f"The module {file.name} is written for older releases of Heat: {why}.",
                )

    # Types

    def read_registrations(self, run: Evaluator, module: ModuleValue) -> None:
        """Reads the types and constraints that a module registers."""
        file = next(candidate for candidate in self.files if candidate.module is module)
        for mapping in registration.evaluate_resource_mappings(run, module):
            if mapping.empty:
                self.report_empty_mapping(mapping)
            elif mapping.problem is not None and not (mapping.classes and mapping.problem.path):
                self.report.report_mapping(mapping)
            for name, (value, conditional) in mapping.classes.items():
                if module.failed and name in self.types:
                    continue  # Heat cannot load this module, so its types do not replace those of another
                requires = mapping.library or ("?" if conditional else "")
                if isinstance(value, ClassValue):
                    self.read_type(run, file, name, value, requires, mapping)
                elif isinstance(value, OpaqueValue) and conditional and not mapping.library:
                    mapping.problem = value
                    self.report.report_mapping(mapping)
                elif isinstance(value, OpaqueValue):
                    self.add_unknown_class(file, name, value, requires, mapping)
                else:
                    self.report.report_at(
                        mapping.place,
                        codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                        f"{name} is mapped to something that is no class.",
                    )
        constraints = registration.evaluate_constraint_mapping(run, module)
        if isinstance(constraints, registration.PluginMapping):
            if constraints.empty:
                self.report_empty_mapping(constraints)
            else:
                self.report.report_mapping(constraints)
            return
        for name, cls in constraints.items():
            if cls is not None and cls.unit is not None and cls.node is not None:
                span = cls.unit.span(cls.node)
                self.constraints[name] = PluginPlace(cls.unit.source, span, cls.name)
            elif file.unit is not None:
                self.constraints[name] = PluginPlace(file.unit.source, Span(0, 0))

    def report_empty_mapping(self, mapping: registration.PluginMapping) -> None:
        message = f"{mapping.function} gives no mapping but {mapping.empty}: Heat ignores it."
        self.report.report_at(mapping.place, codes.PLUGIN_MAPPING_WITHOUT_CLASSES, message)

    def read_type(
        self,
        run: Evaluator,
        file: PluginFile,
        name: str,
        cls: ClassValue,
        requires: str,
        mapping: registration.PluginMapping,
    ) -> None:
        if cls.unit is None or cls.node is None:  # one of Heat's own under another name
            place = mapping.place
        else:
            place = At(cls.unit, cls.node)
        if not any(
            ancestor if isinstance(ancestor, OpaqueValue) else f"{ancestor.module}.{ancestor.name}" == RESOURCE
            for ancestor in cls.lineage()
        ):
            self.report.report_at(
                place,
                codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
                f"{name} is mapped to {cls.name}, which is not a class of resources.",
            )
            return
        reader = facts.SchemaReader(run, cls, place)
        type_facts = reader.read_type()
        span = place.unit.span(place.node)
        handlers = behaviour.list_handlers(cls)
        self.types[name] = PluginType(
            name, cast("catalog.TypeFacts", type_facts), place.unit.source, span, cls.module, requires,
            catalog.HEAT.has_type(name), handlers, behaviour.overrides_method(cls, "validate", "validate"),
            reader.list_unread()
        )  # fmt: skip
        self.names[file.directory][name] = None
        self.report.report_type(self.types[name], place, reader)

    def add_unknown_class(
        self, file: PluginFile, name: str, value: OpaqueValue, requires: str, mapping: registration.PluginMapping
    ) -> None:
        """Adds a type whose class is unknown, so that templates may use it: any property and attribute is accepted."""
        type_facts = {"properties": {}, "attributes": {}, "open": True, "any_attribute": True, "ref": "?"}
        span = mapping.place.unit.span(mapping.place.node)
        self.types[name] = PluginType(
            name, cast("catalog.TypeFacts", type_facts), mapping.place.unit.source, span, file.name, requires,
            catalog.HEAT.has_type(name), unread=("the class",)
        )  # fmt: skip
        self.names[file.directory][name] = None
        self.report.report_unknown_class(self.types[name], value)


def explain_outdated(unit: PluginUnit) -> str:
    """Why no current release of Heat loads a module; empty if there is no such reason."""
    if unit.old:
        return "it is Python 2"
    for node in [] if unit.tree is None else unit.tree.body:
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if any(f"{name}.".startswith("heat.openstack.") for name in names):
            return "it imports heat.openstack"
    return ""


def read_constraints(directory: str) -> Mapping[str, PluginPlace]:
    """The constraints by name, each at its line in the file."""
    path = os.path.join(directory, "setup.cfg")
    if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > SIZE:
        return {}
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read(SIZE)
        parser = configparser.RawConfigParser(strict=False)
        parser.read_string(text)
        listed = parser.get("entry_points", "heat.constraints", fallback="")
    except (OSError, UnicodeError, configparser.Error):
        return {}
    source, out = Source(path, text, budget=Budget()), {}
    for match in NAME.finditer(listed):
        at = text.find(match[0].strip())
        out[match[1]] = PluginPlace(source, word_at(max(at, 0), match[0].strip()), match[3])
    return out
