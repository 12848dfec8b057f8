"""All options that commands share: those of `Request`, and those that packages declare for documents of other kinds.

Only the command line and what reads configurations need the latter. A conversion gets their values in
`Request.contributed`, and imports none of the packages.

Invariant: a package cannot replace an option of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile import registrations
from transpile.settings import table
from transpile.settings.table import ConfiguredOption

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def declared_options() -> Iterator[ConfiguredOption]:
    """The options that packages declare, ours first. An entry point is a function from `Option` to a tuple of them."""
    names = {row.name for row in table.OPTIONS}
    for entry in registrations.registered(registrations.OPTIONS).values():
        try:
            rows = [row for row in entry.load()(ConfiguredOption) if row.name not in names]
        except (
            Exception
        ):  # code of others may raise anything: then the option is unknown, which is an error where it is used
            continue
        names |= {row.name for row in rows}
        yield from rows


CONTRIBUTED: tuple[ConfiguredOption, ...] = tuple(declared_options())
OPTIONS: tuple[ConfiguredOption, ...] = (*table.OPTIONS, *CONTRIBUTED)
BY_NAME: Mapping[str, ConfiguredOption] = {row.name: row for row in OPTIONS}
# Options of targets that cannot stand below `options`: by name, the key that says the same, or "" for one that says
# where files go.
ELSEWHERE: Mapping[str, str] = {**{row.field: row.name for row in OPTIONS if row.of_target}, "beside": ""}
