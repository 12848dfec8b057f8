"""Variables of modules that hold an ID where the template has a name or an ID."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, final

from emitters.hcl.tables.mapping import lookups
from transpile.model import ir
from transpile.model.records import node

if TYPE_CHECKING:
    from emitters.hcl.tables.mapping import Lookup
    from transpile.resolve.lookup_places import Types


@final
@node
class ById:
    """A variable that holds the ID of what `source` names, or a list of IDs. source: a parameter, or a literal name.
    kinds: the types that Heat looks for.
    """

    source: ir.ParamRef | ir.Lit
    kinds: Types
    listed: bool

    @property
    def lookup(self) -> Lookup | None:
        return lookup_for(self.kinds)

    @property
    def description(self) -> str:
        what = self.lookup.what if self.lookup is not None else "key pair"
        if isinstance(self.source, ir.Lit):
            return f"ID of the {what} {self.source.value}."
        return (
            f"IDs of what {self.source.name} names."
            if self.listed
            else f"ID of the {what} that {self.source.name} names."
        )


@functools.cache
def lookup_for(kinds: Types) -> Lookup | None:
    """The provider's look-up for types; None if it has none, as for key pairs, whose names are their IDs."""
    return next((one for one in lookups().values() if set(kinds) & set(one.of)), None)
