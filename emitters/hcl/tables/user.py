"""The mapping tables of users, joined with the built-in ones.

Invariant: a table with an error stops the conversion, because half of a mapping would surprise. Every problem has its
place in the table.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.tables import provider, reader, tables
from emitters.hcl.tables.checks import Checks
from emitters.hcl.tables.provider import CONFIGURATION, Providers, compact
from emitters.hcl.tables.reader import Reader, TableError, checked_map
from emitters.hcl.tables.spelling import NAME, Problem
from emitters.hcl.tables.tables import Tables
from transpile import mapping_files
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.schema.catalog import service

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from emitters.hcl.tables.checks import Hooks
    from emitters.hcl.tables.mapping import Kind, Lookup
    from transpile.mapping_files import Table
    from transpile.schema.catalog import Catalog

RESERVED = ("providers", "lookups")  # keys that are no resource types
SOURCE = re.compile(r"([a-z0-9.-]+(:\d+)?/)?[a-z0-9][\w-]*/[a-z0-9][\w-]*", re.ASCII | re.IGNORECASE)
ONE_VERSION = r"\s*(=|!=|>=?|<=?|~>)?\s*v?\d+(\.\d+)*(-[0-9A-Za-z.-]+)?\s*"
VERSION = re.compile(rf"{ONE_VERSION}(,{ONE_VERSION})*", re.ASCII)
PROVIDER_KEYS: Mapping[str, Any] = {"source": str, "version": str, "schema": str}


def read(catalog: Catalog, texts: Mapping[str, str], hooks: Hooks) -> tuple[Tables, tuple[Diagnostic, ...]]:
    """The tables for a run, and the diagnostics for the users' own. texts: as `mapping_files.read` returns them."""
    if not texts:
        return tables.of(catalog), ()
    return Joining(catalog, hooks).all(mapping_files.tables(texts))


@final
class Joining:
    """Joins the tables of a run, one file after the other."""

    def __init__(self, catalog: Catalog, hooks: Hooks) -> None:
        self.catalog, self.hooks, self.base = catalog, hooks, tables.built_in()
        self.lookups: dict[str, Lookup] = dict(self.base.lookups)
        self.facts: dict[str, Mapping[str, Any]] = {}
        self.names: list[str] = []
        self.sources: dict[str, tuple[str, str]] = {}
        self.declared: dict[str, bool] = {}  # the providers of users' tables, whether with a schema
        self.kinds: dict[str, Kind] = {}
        self.home: dict[str, str] = {}  # the table that a type or look-up comes from
        self.found: list[Diagnostic] = []

    def all(self, given: list[Table]) -> tuple[Tables, tuple[Diagnostic, ...]]:
        for table in given:
            self.say(table, self.providers_of(table))
        providers = Providers({**self.base.providers.facts, **self.facts}, self.names)
        known = frozenset(name.removeprefix("data.").partition("_")[0] for name in providers.facts)
        checks = Checks(self.catalog, providers, self.declared, self.hooks, known)
        for table in given:
            self.say(table, self.lookups_of(table, checks))
        for table in given:
            self.say(table, self.kinds_of(table, Reader(self.lookups, providers), checks))
        made = Tables(self.catalog, self.lookups, providers, self.kinds, self.sources)
        return made, tuple(self.found)

    def say(self, table: Table, problems: Iterable[Problem]) -> None:
        """Adds findings about a table, each at its place."""
        for one in problems:
            span = table.place(one.path)
            self.found.append(Diagnostic(one.code, f"{one.message}.", table.source, span, one.hint, one.severity))

    def replaced(self, table: Table, path: tuple[str, ...], key: str, what: str, built_in: bool) -> Iterable[Problem]:
        """Reports that a table replaces a type or lookup of an earlier table."""
        before = self.home.get(key) or ("hot2tf" if built_in else "")
        if before:
            yield Problem(path, codes.MAPPING_REPLACED, f"This replaces the {what} of {before}")
        self.home[key] = table.source.name

    # providers

    def providers_of(self, table: Table) -> Iterable[Problem]:
        given = table.given.get("providers", {})
        try:
            for name, about in checked_map(("providers",), given).items():
                yield from self.provider(table, name, checked_map(("providers", name), about, PROVIDER_KEYS))
        except TableError as e:
            yield Problem(e.path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)

    def provider(self, table: Table, name: str, about: Mapping[str, str]) -> Iterable[Problem]:
        path = ("providers", name)
        if "source" not in about and name not in provider.SOURCES:
            yield Problem(path, codes.INVALID_MAPPING_TABLE, f"providers.{name}: source is missing")
            return
        if not NAME.fullmatch(name):
            yield Problem(path, codes.INVALID_MAPPING_TABLE, f"{name} is no name that Terraform allows")
            return
        for key, form in (("source", SOURCE), ("version", VERSION)):
            if key in about and not form.fullmatch(about[key]):
                example = "NAMESPACE/NAME" if key == "source" else '"~> 1.2" or ">= 1.2, < 2.0"'
                yield Problem(
                    (*path, key), codes.INVALID_MAPPING_TABLE, f"providers.{name}.{key} must be like {example}"
                )
        known = provider.SOURCES.get(name, ("", ""))
        self.sources[name] = (about.get("source", known[0]), about.get("version", known[1]))
        text = table.schemas.get(name)
        built_in = name in provider.SOURCES
        self.declared[name] = text is not None or built_in or self.declared.get(name, False)
        if text is not None:
            try:
                self.schema(name, json.loads(text))
            except (KeyError, TypeError, AttributeError, ValueError) as e:
                yield Problem(
                    (*path, "schema"),
                    codes.UNREADABLE_PROVIDER_SCHEMA,
                    f"The schema of {name} is not as terraform prints it: {e!r}",
                )
        elif not built_in and "schema" not in about:
            message = f"The provider {name} has no schema here, so only terraform validate will check its arguments"
            yield Problem(path, codes.PROVIDER_WITHOUT_SCHEMA, message)

    def schema(self, name: str, given: Mapping[str, Any]) -> None:
        """Adds the facts in the schema of a provider: one value of `provider_schemas` of Terraform's JSON."""
        for section, before in (("resource_schemas", ""), ("data_source_schemas", "data.")):
            for resource, schema in given[section].items():
                self.names.append(before + resource)
                if schema is not None:
                    self.facts[before + resource] = compact(schema["block"], {})
        if given.get("provider"):
            self.facts[CONFIGURATION + name] = compact(given["provider"]["block"], {})

    # look-ups

    def lookups_of(self, table: Table, checks: Checks) -> Iterable[Problem]:
        given = table.given.get("lookups", {})
        try:
            for name, about in checked_map(("lookups",), given).items():
                built_in = name in self.base.lookups
                found = reader.lookup(name, about)
                yield from checks.lookup(found)
                yield from self.replaced(table, ("lookups", name), f"lookups.{name}", "look-up", built_in)
                self.lookups[name] = found
        except TableError as e:
            path = e.path if e.path[:1] == ("lookups",) else ("lookups", *e.path)
            yield Problem(path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)

    # types

    def kinds_of(self, table: Table, how: Reader, checks: Checks) -> Iterable[Problem]:
        for name, given in table.given.items():
            if name in RESERVED:
                continue
            if "::" not in name:
                words = " and ".join(RESERVED)
                yield Problem(
                    (name,),
                    codes.INVALID_MAPPING_TABLE,
                    f"{name} is no resource type; the other keys of a table are {words}",
                )
                continue
            facts = self.catalog.find(name)
            try:
                kind = how.kind(name, given, facts.get("properties", {}) if facts is not None else {})
            except TableError as e:
                yield Problem(e.path, codes.INVALID_MAPPING_TABLE, str(e), e.hint)
                continue
            yield from checks.kind(kind, given)
            built_in = name in tables.table(service(name)) and not self.catalog.replaces(name)
            yield from self.replaced(table, (name,), name, "mapping", built_in)
            self.kinds[name] = kind
