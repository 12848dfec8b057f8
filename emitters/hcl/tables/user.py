"""The mapping tables of users, joined with the built-in ones.

Invariant: a table with an error stops the conversion, because half of a mapping would surprise. Every problem has its
place in the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.tables import provider, reader, tables
from emitters.hcl.tables.checks import TableChecks
from emitters.hcl.tables.mapping import NameLookup, TypeMapping
from emitters.hcl.tables.overlays import compare_providers
from emitters.hcl.tables.provider import CONFIGURATION, Providers, compact_block
from emitters.hcl.tables.provider_versions import load_histories
from emitters.hcl.tables.reader import Path, TableError, TableReader, check_map
from emitters.hcl.tables.spelling import NAME, TableProblem, invalid_name
from emitters.hcl.tables.tables import Tables
from transpile import mapping_files
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.mapping_files import MappingTable
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.schema.catalog import Catalog, file_name_of_type

if TYPE_CHECKING:
    from emitters.hcl.tables.checks import Hooks

RESERVED = ("providers", "lookups")  # keys that are no resource types
SOURCE = compile_lazily(r"([a-z0-9.-]+(:\d+)?/)?[a-z0-9][\w-]*/[a-z0-9][\w-]*", re.ASCII | re.IGNORECASE)
ONE_VERSION = r"\s*(=|!=|>=?|<=?|~>)?\s*v?\d+(\.\d+)*(-[0-9A-Za-z.-]+)?\s*"
VERSION = compile_lazily(rf"{ONE_VERSION}(,{ONE_VERSION})*", re.ASCII)
PROVIDER_KEYS: Mapping[str, Any] = {
    **{"source": str, "version": str, "schema": str, "replaces": str},
    **{"types": dict, "arguments": dict},
}


def read_user_tables(catalog: Catalog, texts: Mapping[str, str], hooks: Hooks) -> tuple[Tables, tuple[Diagnostic, ...]]:
    """The tables for a run, and the diagnostics for the users' own. texts: as `mapping_files.read` returns them."""
    if not texts:
        return tables.tables_of_catalog(catalog), ()
    return TableJoiner(catalog, hooks).join_tables(mapping_files.parse_tables(texts))


@final
class TableJoiner:
    """Joins the tables of a run, one file after the other."""

    def __init__(self, catalog: Catalog, hooks: Hooks) -> None:
        self.catalog, self.hooks, self.base = catalog, hooks, tables.load_built_in_tables()
        self.lookups: dict[str, NameLookup] = dict(self.base.lookups)
        self.facts: dict[str, Mapping[str, Any]] = {}
        self.names: list[str] = []
        self.sources: dict[str, tuple[str, str]] = {}
        self.declared: dict[str, bool] = {}  # the providers of users' tables, whether with a schema
        # by provider: the parent, and the names of types and arguments
        self.replacing: dict[str, tuple[str, Mapping[str, str | None], Mapping[str, Any]]] = {}
        self.mappings: dict[str, TypeMapping] = {}
        self.home: dict[str, str] = {}  # the table that a type or look-up comes from
        self.diagnostics: list[Diagnostic] = []

    def join_tables(self, user_tables: list[MappingTable]) -> tuple[Tables, tuple[Diagnostic, ...]]:
        for table in user_tables:
            self.report_problems(table, self.read_providers(table))
        providers = Providers({**self.base.providers.facts, **self.facts}, self.names)
        provider_names = frozenset(name.removeprefix("data.").partition("_")[0] for name in providers.facts)
        budget = user_tables[0].source.budget if user_tables else Budget()
        checks = TableChecks(self.catalog, providers, self.declared, self.hooks, provider_names, budget)
        for table in user_tables:
            self.report_problems(table, self.read_lookups(table, checks))
        for table in user_tables:
            self.report_problems(table, self.read_mappings(table, TableReader(self.lookups, providers), checks))
        overlays = {
            name: compare_providers(name, parent, types, self.base.providers.facts, self.facts, arguments)
            for name, (parent, types, arguments) in self.replacing.items()
        }
        result = Tables(self.catalog, self.lookups, providers, self.mappings, self.sources, overlays)
        return result, tuple(self.diagnostics)

    def report_problems(self, table: MappingTable, problems: Iterable[TableProblem]) -> None:
        """Adds findings about a table, each at its place."""
        for problem in problems:
            span = table.span_of_path(problem.path)
            self.diagnostics.append(
                Diagnostic(problem.code, f"{problem.message}.", table.source, span, problem.hint, problem.severity)
            )

    def report_replacement(
        self, table: MappingTable, path: tuple[str, ...], key: str, kind: str, built_in: bool
    ) -> Iterable[TableProblem]:
        """Reports that a table replaces a type or lookup of an earlier table."""
        before = self.home.get(key) or ("hot2tf" if built_in else "")
        if before:
            yield TableProblem(path, codes.MAPPING_REPLACED, f"This replaces the {kind} of {before}")
        self.home[key] = table.source.name

    # providers

    def read_providers(self, table: MappingTable) -> Iterable[TableProblem]:
        rows = table.sections.get("providers", {})
        try:
            for name, about in check_map(("providers",), rows).items():
                yield from self.read_provider(table, name, check_map(("providers", name), about, PROVIDER_KEYS))
        except TableError as e:
            yield TableProblem(e.path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)

    def read_provider(self, table: MappingTable, name: str, about: Mapping[str, Any]) -> Iterable[TableProblem]:
        path = ("providers", name)
        if "source" not in about and name not in provider.SOURCES:
            yield TableProblem(path, codes.INVALID_MAPPING_TABLE, f"providers.{name}: source is missing")
            return
        if not NAME.fullmatch(name):
            yield invalid_name(path, name)
            return
        for key, form in (("source", SOURCE), ("version", VERSION)):
            if key in about and not form.fullmatch(about[key]):
                example = "NAMESPACE/NAME" if key == "source" else '"~> 1.2" or ">= 1.2, < 2.0"'
                yield TableProblem(
                    (*path, key), codes.INVALID_MAPPING_TABLE, f"providers.{name}.{key} must be like {example}"
                )
        if not about.keys().isdisjoint(("replaces", "types", "arguments")):
            yield from self.read_replacement(path, name, about)
        built_in_source = provider.SOURCES.get(name, ("", ""))
        self.sources[name] = (about.get("source", built_in_source[0]), about.get("version", built_in_source[1]))
        text = table.schemas.get(name)
        built_in = name in provider.SOURCES
        self.declared[name] = text is not None or built_in or self.declared.get(name, False)
        if text is not None:
            try:
                self.read_schema(name, json.loads(text))
            except (KeyError, TypeError, AttributeError, ValueError) as e:
                yield TableProblem(
                    (*path, "schema"),
                    codes.UNREADABLE_PROVIDER_SCHEMA,
                    f"The schema of {name} is not as terraform prints it: {e!r}",
                )
        elif not built_in and "schema" not in about:
            message = f"The provider {name} has no schema here, so only terraform validate will check its arguments"
            yield TableProblem(path, codes.PROVIDER_WITHOUT_SCHEMA, message)

    def read_replacement(self, path: Path, name: str, about: Mapping[str, Any]) -> Iterable[TableProblem]:
        """Reads the provider that another one replaces, and the other's names for its types."""
        parent, types = about.get("replaces", ""), check_map((*path, "types"), about.get("types", {}))
        if parent not in load_histories() or parent == name:
            choice = " or ".join(load_histories())
            why = f"providers.{name}.replaces must be a provider of hot2tf: {choice}"
            yield TableProblem((*path, "replaces"), codes.INVALID_MAPPING_TABLE, why)
            return
        if "schema" not in about:
            why = f"providers.{name} replaces {parent}, and only its schema says what it has"
            hint = "Name a file with the output of terraform providers schema -json: schema: provider.json."
            yield TableProblem(path, codes.INVALID_MAPPING_TABLE, why, hint)
            return
        for kind, own in types.items():
            facts = self.base.providers.facts
            if kind not in facts and f"data.{kind}" not in facts:
                yield TableProblem((*path, "types", kind), codes.INVALID_MAPPING_TABLE, f"{parent} has no {kind}")
            elif own is not None and not (isinstance(own, str) and own.startswith(f"{name}_")):
                why = f"{kind} must be a type of {name}, such as {name}{kind.removeprefix(parent)}, or null"
                yield TableProblem((*path, "types", kind), codes.INVALID_MAPPING_TABLE, why)
        arguments = check_map((*path, "arguments"), about.get("arguments", {}))
        for argument, row in arguments.items():
            yield from self.check_argument_name((*path, "arguments", argument), argument, row)
        self.replacing[name] = parent, types, arguments

    def check_argument_name(self, path: Path, argument: str, row: Any) -> Iterable[TableProblem]:
        """Checks the name that a provider has for an argument or block."""
        kind, _, rest = argument.partition(".")
        facts = self.base.providers.facts.get(kind, {})
        for part in rest.split("."):
            inner = facts.get("blocks", {})
            facts = inner[part] if part in inner else facts.get("arguments", {}).get(part)
            if facts is None:
                yield TableProblem(path, codes.INVALID_MAPPING_TABLE, f"{kind} has no {rest}")
                return
        form = {"to": str, "key": str, "entries": list}
        is_whole = isinstance(row, str) or ("to" in check_map(path, row, form) and len(row.get("entries", "kv")) == 2)
        if not is_whole:
            why = f"{argument} must be a name, or a map with to, and with key or the two names of entries"
            yield TableProblem(path, codes.INVALID_MAPPING_TABLE, why)

    def read_schema(self, name: str, document: Mapping[str, Any]) -> None:
        """Adds the facts in the schema of a provider: one value of `provider_schemas` of Terraform's JSON."""
        for section, before in (("resource_schemas", ""), ("data_source_schemas", "data.")):
            for resource, schema in document[section].items():
                self.names.append(before + resource)
                if schema is not None:
                    self.facts[before + resource] = compact_block(schema["block"], {})
        if document.get("provider"):
            self.facts[CONFIGURATION + name] = compact_block(document["provider"]["block"], {})

    # look-ups

    def read_lookups(self, table: MappingTable, checks: TableChecks) -> Iterable[TableProblem]:
        rows = table.sections.get("lookups", {})
        try:
            for name, about in check_map(("lookups",), rows).items():
                built_in = name in self.base.lookups
                lookup = reader.read_lookup(name, about)
                yield from checks.check_lookup(lookup)
                yield from self.report_replacement(table, ("lookups", name), f"lookups.{name}", "look-up", built_in)
                self.lookups[name] = lookup
        except TableError as e:
            path = e.path if e.path[:1] == ("lookups",) else ("lookups", *e.path)
            yield TableProblem(path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)

    # types

    def read_mappings(
        self, table: MappingTable, table_reader: TableReader, checks: TableChecks
    ) -> Iterable[TableProblem]:
        for name, row in table.sections.items():
            if name in RESERVED:
                continue
            if "::" not in name:
                words = " and ".join(RESERVED)
                yield TableProblem(
                    (name,),
                    codes.INVALID_MAPPING_TABLE,
                    f"{name} is no resource type; the other keys of a table are {words}",
                )
                continue
            try:
                mapping = table_reader.read_mapping(name, row, self.catalog.find_type(name).get("properties", {}))
            except TableError as e:
                yield TableProblem(e.path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)
                continue
            yield from checks.check_mapping(mapping, row)
            built_in = name in tables.load_table(file_name_of_type(name)) and not self.catalog.is_replaced_by_plugin(
                name
            )
            yield from self.report_replacement(table, (name,), name, "mapping", built_in)
            self.mappings[name] = mapping
