"""Names and words in a user's table that Terraform or hot2tf do not have, whatever the types and the providers are.

Invariant: what a table makes a name in the output is a name that Terraform allows; the printer does not quote names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.tables.mapping import HookRule
from emitters.hcl.tables.provider import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.tables.mapping import Kind, Rule

NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)  # what Terraform allows as a name


class Problem(NamedTuple):
    """path: the keys that lead to it in the table. severity: other than the rule's."""

    path: tuple[str, ...]
    code: str
    message: str
    hint: str = ""
    severity: str = ""


def words(kind: Kind) -> Iterator[Problem]:
    """Names that Terraform does not allow."""
    path, wanted = (kind.name,), list[tuple[tuple[str, ...], Any]]()
    if kind.resource:
        wanted.append(((*path, "resource"), kind.resource.removeprefix("data.").removeprefix(CONFIGURATION)))
    wanted += [((*path, "reference"), kind.reference)] if kind.reference else []
    wanted += [((*path, "constants", one), one) for one in kind.constants]
    wanted += [((*path, "named"), one) for one in kind.named]
    wanted += [
        ((*path, section, name), row.to)
        for section, rows in (("attributes", kind.attributes), ("show", kind.show))
        for name, row in rows.items()
        if row.to
    ]
    for at, word in wanted:
        if word and not (isinstance(word, str) and NAME.fullmatch(word)):
            yield Problem(at, "HOT831", f"{word} is no name that Terraform allows")


def every_rule(path: tuple[str, ...], rules: Mapping[str, Rule]) -> Iterator[tuple[tuple[str, ...], Rule]]:
    """All rules, with those for fields and keys."""
    for name, rule in rules.items():
        yield (*path, name), rule
        yield from every_rule((*path, name, "fields"), rule.fields)
        if isinstance(rule, HookRule):
            yield from every_rule((*path, name, "keys"), rule.keys)
