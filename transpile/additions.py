"""What a user adds for a run: the resource types of plug-ins, and mapping tables.

Invariant: they are read once, before the conversions, and do not change afterwards; two objects are equal only if they
are the same one, so whatever is made from them can be kept.
"""

from __future__ import annotations

import functools
import json
import zlib
from typing import TYPE_CHECKING, final

from transpile.schema.catalog import Catalog, known

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic


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

    def packed(self) -> bytes:
        """All but the diagnostics, as bytes for another process; empty if nothing was added."""
        catalog = self.catalog
        if self is none():
            return b""
        parts = [dict(catalog.added), sorted(catalog.more_constraints), list(self.tables.items())]
        return zlib.compress(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@functools.cache
def none() -> Additions:
    """Nothing but the plug-ins that everybody may have."""
    return Additions(known())


@functools.lru_cache(maxsize=4)  # the units of a run have the same
def unpacked(data: bytes) -> Additions:
    """What `packed` gave."""
    if not data:
        return none()
    types, constraints, tables = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Additions(Catalog(types, constraints), dict(tables))
