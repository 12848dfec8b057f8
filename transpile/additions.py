"""What a user adds for a run: the resource types of plug-ins, and mapping tables.

Invariant: they are read once, before the conversions, and do not change afterwards; two objects are equal only if they
are the same one, so whatever is made from them can be kept.
"""

from __future__ import annotations

import functools
import json
import zlib
from typing import TYPE_CHECKING, final

from transpile import packages
from transpile.schema.catalog import HEAT, Catalog, known

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.budget import Budget
    from transpile.schema.catalog import Type


@final
class Additions:
    """`catalog`: all resource types. `tables`: the texts of mapping tables and of what they name, by path, in order.
    `diagnostics`: what reading them found; it concerns the run and not one template.
    """

    __slots__ = ("catalog", "diagnostics", "tables")

    def __init__(
        self,
        catalog: Catalog,
        tables: Mapping[str, str] | None = None,
        diagnostics: Sequence[Diagnostic] = (),
    ) -> None:
        self.catalog, self.tables, self.diagnostics = catalog, dict(tables or {}), tuple(diagnostics)

    def about(self, kinds: Iterable[str]) -> list[Diagnostic]:
        """The diagnostics that matter to whoever uses these types: all warnings, and notes on the files that define
        them.
        """
        added = self.catalog.added
        files = {added[kind]["origin"].rpartition(":")[0] for kind in kinds if "origin" in added.get(kind, {})}
        found = self.diagnostics
        return [d for d in found if d.severity != "info" or d.source is None or d.source.name in files]

    def packed(self) -> bytes:
        """All but the diagnostics, as bytes for another process; empty if nothing was added."""
        catalog = self.catalog
        if catalog is known() and not self.tables:
            return b""
        parts = [dict(catalog.added), sorted(catalog.more_constraints), list(self.tables.items())]
        return zlib.compress(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@functools.cache
def none() -> Additions:
    """What a user has without asking: the plug-ins that everybody may have, and what installed packages offer."""
    found = packages.installed()
    if not (found.mappings or found.types or found.diagnostics):
        return Additions(known())
    from transpile import mapping_files  # most runs have no tables of their own

    texts, said = mapping_files.read(found.mappings)
    catalog = Catalog({**known().added, **found.types}) if found.types else known()
    return Additions(catalog, texts, (*found.diagnostics, *said))


@functools.lru_cache(maxsize=4)  # the units of a run have the same
def unpacked(data: bytes) -> Additions:
    """What `packed` gave."""
    if not data:
        return none()
    types, constraints, tables = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Additions(Catalog(types, constraints), dict(tables))


def read(
    directories: Sequence[str | os.PathLike[str]],
    mappings: Sequence[str | os.PathLike[str]] = (),
    budget: Budget | None = None,
) -> Additions:
    """The types of the plug-ins in these directories, above those that everybody has, and the tables of mapping files
    or directories, after those of packages.
    """
    base = none()
    if not directories and not mappings:
        return base
    from transpile import mapping_files

    texts, said = mapping_files.read(mappings, budget)
    tables, wrong = {**base.tables, **texts}, (*base.diagnostics, *said)
    if not directories:
        return Additions(base.catalog, tables, wrong)
    from transpile.plugins import reader  # most runs have no plug-ins

    found = reader.read(directories, budget)
    types: dict[str, Type] = {**base.catalog.added}
    for name, one in found.types.items():
        line, _ = one.source.position(one.at)
        types[name] = facts = one.facts.copy()
        facts["origin"] = f"{one.source.name}:{line}"
    return Additions(Catalog(types, found.constraints), tables, (*wrong, *found.diagnostics))


def strict(added: Additions, accepted: Callable[[str], bool]) -> Catalog:
    """The types that Heat accepts with these plug-ins: of those that everybody may have only the `accepted` ones."""
    types = {name: one for name, one in added.catalog.added.items() if "plugin" not in one or accepted(name)}
    constraints = added.catalog.more_constraints
    return Catalog(types, constraints) if types or constraints else HEAT
