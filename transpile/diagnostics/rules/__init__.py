"""Every diagnostic code: its severity, its meaning and a hint; one module for each family of codes.

Invariant: a code is never reused for something else. A test checks that each code the program reports has a rule, and
each rule is reported somewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from transpile.diagnostics.rules import (
    adoption,
    configuration,
    homing,
    internal,
    limits,
    mapping,
    meaning,
    mistakes,
    names,
    placement,
    plugins,
    reading,
    repositories,
    tosca,
    user_mappings,
)
from transpile.diagnostics.rules.rule import Rule

FAMILIES = (
    reading,
    names,
    meaning,
    mapping,
    limits,
    mistakes,
    tosca,
    adoption,
    plugins,
    user_mappings,
    placement,
    homing,
    internal,
    configuration,
    repositories,
)  # in the order of their codes
RULES: Mapping[str, Rule] = {rule.code: rule for family in FAMILIES for rule in family.TABLE}
assert len(RULES) == sum(len(family.TABLE) for family in FAMILIES), "two rules have the same code"

__all__ = ["FAMILIES", "RULES", "Rule"]
