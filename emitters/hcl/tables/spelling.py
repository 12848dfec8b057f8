"""Names and words in a user's table that Terraform or hot2tf do not have, whatever the types and the providers are.

Invariant: what a table makes a name in the output is a name that Terraform allows; the printer does not quote names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.tables.provider import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.tables.mapping import Kind, Rule

NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)  # what Terraform allows as a name
CODES = ("HOT401", "HOT402")  # for what is dropped
STORED = ("address", "cidr", "lower", "mac", "networks")


class Problem(NamedTuple):
    """path: the keys that lead to it in the table. severity: other than the rule's."""

    path: tuple[str, ...]
    code: str
    message: str
    hint: str = ""
    severity: str = ""


def words(kind: Kind) -> Iterator[Problem]:
    """Names that Terraform does not allow, and values that a table cannot have."""
    path, wanted = (kind.name,), list[tuple[tuple[str, ...], Any]]()
    if kind.resource:
        wanted.append(((*path, "resource"), kind.resource.removeprefix("data.").removeprefix(CONFIGURATION)))
    wanted += [((*path, "reference"), kind.reference)] if kind.reference else []
    wanted += [((*path, "constants", one), one) for one in kind.constants or {}]
    wanted += [((*path, "named"), one) for one in kind.named]
    wanted += [
        ((*path, section, name), row.to)
        for section, rows in (("attributes", kind.attributes), ("show", kind.show))
        for name, row in (rows or {}).items()
        if row.to
    ]
    for rule_path, rule in every((*path, "properties"), kind.properties or {}):
        wanted += [(rule_path, one) for one in (rule.to or "").split(".") if rule.to]
        wanted += [((*rule_path, key), one) for key, one in (("block", rule.block), ("each", rule.each)) if one]
        wanted += [((*rule_path, "item"), rule.item)] if rule.item else []
        for key, found in (("owner", rule.owner), ("constants", rule.constants)):
            wanted += [((*rule_path, key, one), one) for one in found or {}]
        wanted += [((*rule_path, "owner"), one) for one in (rule.owner or {}).values()]
        wrong = [one for one in (rule.values or {}).values() if not isinstance(one, str)]
        if wrong:
            yield Problem((*rule_path, "values"), "HOT831", f"{'.'.join(rule_path)}: values must be strings")
        if rule.code not in CODES:
            yield Problem((*rule_path, "code"), "HOT831", f"{'.'.join(rule_path)}: code is one of {', '.join(CODES)}")
        if rule.stored and rule.stored not in STORED:
            known = ", ".join(STORED)
            yield Problem((*rule_path, "stored"), "HOT831", f"{'.'.join(rule_path)}: stored is one of {known}")
    for at, word in wanted:
        if word and not (isinstance(word, str) and NAME.fullmatch(word)):
            yield Problem(at, "HOT831", f"{word} is no name that Terraform allows")


def every(path: tuple[str, ...], rules: Mapping[str, Rule]) -> Iterator[tuple[tuple[str, ...], Rule]]:
    """All rules, with those of fields and keys."""
    for name, rule in rules.items():
        yield (*path, name), rule
        yield from every((*path, name, "fields"), rule.fields or {})
        yield from every((*path, name, "keys"), rule.keys or {})
