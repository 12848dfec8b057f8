"""Additions of a user to a run: resource types of plug-ins, and mapping tables.

Invariant: additions are read once, before the conversions, and do not change afterwards. Two `Additions` are equal only
if they are the same object, so results computed from them can be cached.
"""

from __future__ import annotations

import functools
import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import final

from transpile import packages, registrations
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.schema.catalog import HEAT, Catalog, read_openstack_catalog


@final
class Additions:
    """The additions of one run.

    `catalog`: all resource types. `tables`: the texts of mapping tables and of the provider schemas that they name, by
    path, in order. `diagnostics`: the findings of reading the additions; they concern the run, not one template.
    """

    __slots__ = ("catalog", "diagnostics", "tables")

    def __init__(
        self,
        catalog: Catalog,
        tables: Mapping[str, str] | None = None,
        diagnostics: Sequence[Diagnostic] = (),
    ) -> None:
        self.catalog, self.tables, self.diagnostics = catalog, dict(tables or {}), tuple(diagnostics)

    def diagnostics_about(self, kinds: Iterable[str]) -> list[Diagnostic]:
        """The diagnostics that matter to a user of the types `kinds`: all warnings and errors, and the notes on the
        files that define these types.
        """
        added = self.catalog.plugin_types
        files = {added[kind]["origin"].rpartition(":")[0] for kind in kinds if "origin" in added.get(kind, {})}
        diagnostics = self.diagnostics
        return [d for d in diagnostics if d.severity != "info" or d.source is None or d.source.name in files]

    def as_bytes(self) -> bytes:
        """Everything except the diagnostics, as bytes for another process; empty if the user added nothing."""
        catalog = self.catalog
        if catalog is read_openstack_catalog() and not self.tables:
            return b""
        parts = [dict(catalog.plugin_types), sorted(catalog.plugin_constraints), list(self.tables.items())]
        return zlib.compress(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@functools.cache
def installed_additions() -> Additions:
    """The additions that need no option: the plug-ins that every user may have, and the resource types of installed
    packages.
    """
    installed = packages.installed_packages()
    if not (installed.mappings or installed.types or installed.diagnostics):
        return Additions(read_openstack_catalog())
    from transpile import mapping_files  # most runs have no tables of their own

    texts, diagnostics = mapping_files.read_mapping_files(installed.mappings, budget=Budget())
    catalog = (
        Catalog({**read_openstack_catalog().plugin_types, **installed.types})
        if installed.types
        else read_openstack_catalog()
    )
    return Additions(catalog, texts, (*installed.diagnostics, *diagnostics))


@functools.lru_cache(maxsize=4)  # the units of a run have the same
def additions_from_bytes(data: bytes) -> Additions:
    """The additions that `Additions.as_bytes` packed."""
    if not data:
        return installed_additions()
    types, constraints, tables = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Additions(Catalog(types, constraints), dict(tables))


def read_additions(
    directories: Sequence[str | os.PathLike[str]],
    mappings: Sequence[str | os.PathLike[str]] = (),
    *,
    budget: Budget,
) -> Additions:
    """Reads the types of the plug-ins in `directories`, and the mapping tables in `mappings` (files or directories).

    The types take precedence over those that every user has. The tables come after those of packages.
    """
    base = installed_additions()
    if not directories and not mappings:
        return base
    from transpile import mapping_files

    texts, diagnostics = mapping_files.read_mapping_files(mappings, budget=budget)
    tables, wrong = {**base.tables, **texts}, (*base.diagnostics, *diagnostics)
    if not directories:
        return Additions(base.catalog, tables, wrong)
    add_types = registrations.registered(registrations.PARTS)["add_plugin_types"].load()
    catalog, diagnostics = add_types(base.catalog, directories, budget)
    return Additions(catalog, tables, (*wrong, *diagnostics))


def strict_catalog(added: Additions, accepted: Callable[[str], bool]) -> Catalog:
    """The types that Heat accepts with these plug-ins. Of the plug-ins that every user may have, only the types that
    `accepted` confirms are included.
    """
    types = {
        name: facts for name, facts in added.catalog.plugin_types.items() if "plugin" not in facts or accepted(name)
    }
    constraints = added.catalog.plugin_constraints
    return Catalog(types, constraints) if types or constraints else HEAT
