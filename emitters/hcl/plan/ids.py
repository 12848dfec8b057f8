"""Variables of modules that hold an ID where the template has a name or an ID."""

from __future__ import annotations

from typing import final

from emitters.hcl.tables.mapping import NameLookup
from transpile.model import ir
from transpile.model.records import node
from transpile.resolve.lookup_places import Types


@final
@node
class IdVariable:
    """A variable that holds the ID of the resource that `source` names, or a list of IDs. source: a parameter, or a
    literal name. kinds: the types among which Heat looks the name up. lookup: how the provider does; None for key
    pairs, whose names are their IDs.
    """

    source: ir.ParamRef | ir.Lit
    kinds: Types
    listed: bool
    lookup: NameLookup | None

    @property
    def description(self) -> str:
        noun = self.lookup.noun if self.lookup is not None else "key pair"
        if isinstance(self.source, ir.Lit):
            return f"ID of the {noun} {self.source.value}."
        return (
            f"The ID of each {noun} that {self.source.name} names."
            if self.listed
            else f"ID of the {noun} that {self.source.name} names."
        )
