"""All options that commands share: our own, from `Request`, and the options of installed packages.

A package declares options for other kinds of documents. Only the command line and the reader of configurations need
them. A conversion gets their values in `Request.contributed`, and does not import the packages.

Invariant: a package cannot replace one of our own options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from transpile import registrations
from transpile.settings import table
from transpile.settings.table import ConfiguredOption


def declared_options() -> Iterator[ConfiguredOption]:
    """Yields the options of installed packages. If two options have the same name, the first one is used.

    The entry point of a package is a function. It takes the class `ConfiguredOption` and returns a tuple of options.
    """
    names = {row.name for row in table.OPTIONS}
    for entry in registrations.registered(registrations.OPTIONS).values():
        try:
            rows = [row for row in entry.load()(ConfiguredOption) if row.name not in names]
        except (
            Exception
        ):  # a package may raise any exception; its options are then unknown, and using them is reported as an error
            continue
        names |= {row.name for row in rows}
        yield from rows


CONTRIBUTED: tuple[ConfiguredOption, ...] = tuple(declared_options())
OPTIONS: tuple[ConfiguredOption, ...] = (*table.OPTIONS, *CONTRIBUTED)
BY_NAME: Mapping[str, ConfiguredOption] = {row.name: row for row in OPTIONS}
# Options of targets that a configuration cannot set in its table `options`, each with the key to write instead:
# `prefer` has a key of its own. "" means that there is no such key, because `beside` says where files are written.
ELSEWHERE: Mapping[str, str] = {**{row.field: row.name for row in OPTIONS if row.of_target}, "beside": ""}
