"""The mapping tables of a conversion, as a value.

A service's built-in table (`mappings/*.yaml`) is loaded on first use of one of its types.

Invariant: a built-in table is read once in a process, however many conversions there are. An invalid table is a
diagnostic with file and line. Positions are looked up only then, because parsing with positions is far slower.
"""

from __future__ import annotations

import functools
import pathlib
from typing import TYPE_CHECKING, Any, final

import yaml

from emitters.hcl.tables import provider, reader
from emitters.hcl.tables.mapping import Kind
from emitters.hcl.tables.provider import SOURCES
from emitters.hcl.tables.reader import Reader, TableError
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.front.nodes import span_of
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.model.span import START, Span
from transpile.schema.catalog import known, service

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from emitters.hcl.tables.mapping import Lookup
    from emitters.hcl.tables.provider import Providers
    from transpile.schema.catalog import Catalog

HERE = pathlib.Path(__file__).parent / "mappings"
NONE = "no mapping to Terraform resources yet"
OF_PLUGIN = "a plug-in defines the type, and there is no mapping for it"
REPLACED = "a plug-in replaces Heat's own type, and the mapping of hot2tf is for that one"


@final
class Tables:
    """How the types of a catalog are converted, the lookups that rules use, and what is known about providers.

    user_mappings: the mappings in users' tables, by type. sources: the registry address and the version of the
    providers that these tables declare.
    """

    def __init__(
        self,
        catalog: Catalog,
        lookups: Mapping[str, Lookup],
        providers: Providers,
        given: Mapping[str, Kind] = EMPTY,
        sources: Mapping[str, tuple[str, str]] = EMPTY,
    ) -> None:
        self.catalog, self.lookups, self.providers = catalog, lookups, providers
        self.sources = {**SOURCES, **sources}
        self.reader = Reader(lookups, providers)
        self.kinds: dict[str, Kind | None] = dict(given)
        self.ties: dict[tuple[str, str], bool] = {}

    def find(self, kind: str) -> Kind | None:
        """How a type is converted; None if there is no such type."""
        if kind not in self.kinds:
            self.kinds[kind] = self._find(kind)
        return self.kinds[kind]

    def _find(self, kind: str) -> Kind | None:
        facts, home = self.catalog.find(kind), service(kind)
        if self.catalog.replaces(kind):
            return Kind(kind, "embedded", why=REPLACED)
        given = table(home)
        if kind not in given:
            return None if facts is None else Kind(kind, "embedded", why=OF_PLUGIN if "origin" in facts else NONE)
        try:
            return self.reader.kind(kind, given[kind], facts["properties"] if facts else {})
        except TableError as e:
            raise refused(home, e) from e

    def lookup_for(self, kinds: Collection[str]) -> Lookup | None:
        """The lookup for IDs of some types; None if there is none, as for key pairs, whose names are their IDs."""
        return next((one for one in self.lookups.values() if set(kinds) & set(one.of)), None)

    def tied(self, one: str, other: str) -> bool:
        """Whether resources of two types work only together."""
        if (one, other) not in self.ties:
            self.ties[one, other] = self.needs(one, other) or self.needs(other, one)
        return self.ties[one, other]

    def needs(self, one: str, other: str) -> bool:
        """Whether a type stays with Heat because it works only together with another one, which stays there."""
        kind, partner = self.find(one), self.find(other)
        return kind is not None and other in kind.stays_with and partner is not None and partner.treatment == "embedded"


@functools.cache
def built_in() -> Tables:
    """The tables of hot2tf, for Heat's own types."""
    try:
        lookups = {key: reader.lookup(key, given) for key, given in _load("lookups").items()}
    except TableError as e:
        raise refused("lookups", e) from e
    return Tables(known(), lookups, provider.built_in())


@functools.lru_cache(maxsize=4)  # all conversions of a run have the same catalog
def of(catalog: Catalog) -> Tables:
    """The tables of hot2tf for the types of a catalog."""
    found = built_in()
    return found if catalog is found.catalog else Tables(catalog, found.lookups, found.providers)


@functools.cache
def table(service: str) -> Mapping[str, Any]:
    """A service's table as loaded from its file."""
    return _load(service) if service.isalpha() and service != "lookups" else {}


def mapping_of(kind: str) -> Mapping[str, Any] | None:
    """The built-in mapping of a type as loaded from its file; None if there is none. An alias of a type is resolved."""
    name = known().canonical(kind)
    mapping: Mapping[str, Any] | None = table(service(name)).get(name)
    return mapping


def schema_of(resource: str) -> Mapping[str, Any] | None:
    """The schema of a resource or data source of a provider, in the form of provider.json."""
    return provider.built_in().find(resource)


def services() -> list[str]:
    """The services that have a table."""
    return sorted(p.stem for p in HERE.glob("*.yaml") if p.stem != "lookups")


def _load(name: str) -> Mapping[str, Any]:
    path = HERE / f"{name}.yaml"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:  # there is no such table, or the name (perhaps from a template) is no file name
        return {}
    try:
        return reader.checked_map((), yaml.load(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        why = getattr(e, "problem", None) or "it is not YAML"
        found = Diagnostic(
            codes.INVALID_BUILT_IN_TABLE,
            f"This table cannot be read: {why}.",
            Source(str(path), text),
            Span(mark.index if mark else 0),
        )
        raise Stopped([found]) from e
    except TableError as e:
        raise refused(name, e) from e


def refused(name: str, error: TableError) -> Stopped:
    """The diagnostic for an invalid built-in table."""
    path = HERE / f"{name}.yaml"
    source = Source(str(path), path.read_text(encoding="utf-8"))
    return Stopped(
        [Diagnostic(codes.INVALID_BUILT_IN_TABLE, f"{error}.", source, place(source.text, error.path), error.hint)]
    )


def place(text: str, path: reader.Path) -> Span:
    """The place of the last key of a path in a table. If a key is missing, the place of the key before it."""
    span = START
    node = yaml.compose(text, Loader=yaml.CSafeLoader)  # parses again, with positions
    for key in path:
        entries = {k.value: (k, v) for k, v in node.value} if isinstance(node, yaml.MappingNode) else {}
        if key not in entries:
            break
        found, node = entries[key]
        span = span_of(found)
    return span
