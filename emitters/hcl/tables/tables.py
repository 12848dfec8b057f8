"""The mapping tables of a conversion, as a value.

A service's built-in table (`mappings/*.yaml`) is loaded on first use of one of its types.

Invariant: a built-in table is read once in a process, however many conversions there are. An invalid table is a
diagnostic with file and line. Positions are looked up only then, because parsing with positions is far slower.
"""

from __future__ import annotations

import copy
import functools
import pathlib
from collections.abc import Collection, Mapping
from typing import Any, final

import yaml

from emitters.hcl.tables import clouds, provider, reader
from emitters.hcl.tables.built import load_yaml_file
from emitters.hcl.tables.mapping import UNMAPPED, NameLookup, TypeMapping
from emitters.hcl.tables.overlays import NO_OVERLAY, ProviderOverlay
from emitters.hcl.tables.provider import SOURCES, Providers
from emitters.hcl.tables.provider_versions import ProviderVersion, read_target_versions
from emitters.hcl.tables.reader import TableError, TableReader
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.front.nodes import span_of
from transpile.model.budget import Budget
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.model.span import START, Span
from transpile.schema.catalog import Catalog, file_name_of_type, read_openstack_catalog
from transpile.text.yaml_loader import FastLoader

HERE = pathlib.Path(__file__).parent / "mappings"
NONE = "no mapping to Terraform resources yet"
OF_PLUGIN = "a plug-in defines the type, and there is no mapping for it"
REPLACED = "a plug-in replaces Heat's own type, and the mapping of hot2tf is for that one"


@final
class Tables:
    """The mappings of a catalog's types, the lookups that rules use, and the facts about providers.

    user_mappings: the mappings in users' tables, by type. sources: the registry address and the version of the
    providers that these tables declare. target_versions: the versions of providers that the output is for, if the user
    names one; the newest known one otherwise. overlays: the providers that replace another one, by name. overlay: the
    one that the output is for.
    """

    def __init__(
        self,
        catalog: Catalog,
        lookups: Mapping[str, NameLookup],
        providers: Providers,
        user_mappings: Mapping[str, TypeMapping] = EMPTY,
        sources: Mapping[str, tuple[str, str]] = EMPTY,
        overlays: Mapping[str, ProviderOverlay] = EMPTY,
    ) -> None:
        self.catalog, self.lookups, self.providers = catalog, lookups, providers
        self.sources = {**SOURCES, **sources}
        self.reader = TableReader(lookups, providers)
        self.mappings: dict[str, TypeMapping] = dict(user_mappings)
        self.target_versions: Mapping[str, ProviderVersion] = EMPTY
        self.overlays = overlays
        self.overlay: ProviderOverlay = NO_OVERLAY
        self.ties: dict[tuple[str, str], bool] = {}

    def for_provider(self, wish: str) -> Tables:
        """The same tables for output for a provider: an older version, as in `openstack=2.1`, or the name of one that
        replaces OpenStack's, in a table of the user or of hot2tf. Raises LookupError if no table declares that.
        """
        tables = copy.copy(self)
        if wish and "=" not in wish:
            if wish in self.overlays:
                tables.overlay = self.overlays[wish]
            else:
                tables.overlay, source = clouds.load_cloud(wish)
                tables.sources = {**self.sources, wish: source}
        else:
            tables.target_versions = read_target_versions(wish)
        return tables

    def find_mapping(self, kind: str) -> TypeMapping:
        """The mapping of a type; UNMAPPED if it is not Heat's own."""
        if kind not in self.mappings:
            self.mappings[kind] = self._load_mapping(kind)
        return self.mappings[kind]

    def _load_mapping(self, kind: str) -> TypeMapping:
        facts, home = self.catalog.find_type(kind), file_name_of_type(kind)
        if self.catalog.is_replaced_by_plugin(kind):
            return TypeMapping(kind, "embedded", why=REPLACED)
        rows = load_table(home)
        if kind not in rows:
            if not facts:
                return UNMAPPED
            return TypeMapping(kind, "embedded", why=OF_PLUGIN if "origin" in facts else NONE)
        try:
            return self.reader.read_mapping(kind, rows[kind], facts.get("properties", {}))
        except TableError as e:
            raise table_error_diagnostic(home, e) from e

    def find_lookup(self, kinds: Collection[str]) -> NameLookup | None:
        """The lookup for IDs of some types; None if there is none, as for key pairs, whose names are their IDs."""
        return next((lookup for lookup in self.lookups.values() if set(kinds) & set(lookup.of)), None)

    def must_stay_together(self, kind: str, other: str) -> bool:
        """Whether resources of two types work only together."""
        if (kind, other) not in self.ties:
            self.ties[kind, other] = self.needs_partner(kind, other) or self.needs_partner(other, kind)
        return self.ties[kind, other]

    def needs_partner(self, kind: str, other: str) -> bool:
        """Whether a type stays with Heat because it works only together with another one, which stays there."""
        mapping, partner = self.find_mapping(kind), self.find_mapping(other)
        return other in mapping.stays_with and partner.treatment == "embedded"


@functools.cache
def load_built_in_tables() -> Tables:
    """The tables of hot2tf, for Heat's own types."""
    try:
        lookups = {key: reader.read_lookup(key, row) for key, row in _load_file("lookups").items()}
    except TableError as e:
        raise table_error_diagnostic("lookups", e) from e
    return Tables(read_openstack_catalog(), lookups, provider.load_built_in_providers())


@functools.lru_cache(maxsize=4)  # all conversions of a run have the same catalog
def tables_of_catalog(catalog: Catalog) -> Tables:
    """The tables of hot2tf for the types of a catalog."""
    base = load_built_in_tables()
    return base if catalog is base.catalog else Tables(catalog, base.lookups, base.providers)


@functools.cache
def load_table(service: str) -> Mapping[str, Any]:
    """A service's table as loaded from its file."""
    return _load_file(service) if service.isalpha() and service != "lookups" else {}


def find_raw_mapping(kind: str) -> Mapping[str, Any] | None:
    """The built-in mapping of a type as loaded from its file; None if there is none. An alias of a type is resolved."""
    name = read_openstack_catalog().resolve_alias(kind)
    mapping: Mapping[str, Any] | None = load_table(file_name_of_type(name)).get(name)
    return mapping


def find_provider_schema(resource: str) -> Mapping[str, Any] | None:
    """The schema of a resource or data source of a provider, in the form of provider.json."""
    return provider.load_built_in_providers().find_schema(resource) or None


def list_services() -> list[str]:
    """The services that have a table."""
    return sorted(p.stem for p in HERE.glob("*.yaml") if p.stem != "lookups")


def _load_file(name: str) -> Mapping[str, Any]:
    path = HERE / f"{name}.yaml"
    try:
        return reader.check_map((), load_yaml_file(path))
    except OSError:  # there is no such table, or the name (perhaps from a template) is no file name
        return {}
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        why = getattr(e, "problem", None) or "it is not YAML"
        diagnostic = Diagnostic(
            codes.INVALID_BUILT_IN_TABLE,
            f"This table cannot be read: {why}.",
            Source(str(path), path.read_text(encoding="utf-8"), budget=Budget()),
            Span(mark.index if mark else 0),
        )
        raise Stopped([diagnostic]) from e
    except TableError as e:
        raise table_error_diagnostic(name, e) from e


def table_error_diagnostic(name: str, error: TableError) -> Stopped:
    """The diagnostic for an invalid built-in table."""
    path = HERE / f"{name}.yaml"
    source = Source(str(path), path.read_text(encoding="utf-8"), budget=Budget())
    return Stopped(
        [
            Diagnostic(
                codes.INVALID_BUILT_IN_TABLE, f"{error}.", source, find_key_span(source.text, error.path), error.hint
            )
        ]
    )


def find_key_span(text: str, path: reader.Path) -> Span:
    """The place of the last key of a path in a table. If a key is missing, the place of the key before it."""
    span = START
    node = yaml.compose(text, Loader=FastLoader)  # parses again, with positions
    for key in path:
        entries = {k.value: (k, v) for k, v in node.value} if isinstance(node, yaml.MappingNode) else {}
        if key not in entries:
            break
        key_node, node = entries[key]
        span = span_of(key_node)
    return span
