"""The rules of all codes, ours and those of plug-ins.

Invariant: our codes begin with HOT and those of plug-ins do not, so they cannot collide.
"""

from __future__ import annotations

from collections.abc import Iterable

from transpile.diagnostics.rules import RULES, Rule
from transpile.model.lazy_patterns import compile_lazily

CODE = compile_lazily("(?!HOT)[A-Z]{2,}[0-9]+")
SEVERITIES = ("error", "warning", "info")
_declared: dict[str, tuple[Rule, str]] = {}  # by code: the rule, and the plug-in that declared it


def declare_rules(rules: Iterable[Rule], owner: str) -> None:
    """Registers the rules of a plug-in. Raises ValueError for an invalid rule, or a code that another plug-in has."""
    for rule in rules:
        if not CODE.fullmatch(rule.code):
            raise ValueError(f"the code {rule.code} is not capital letters other than HOT, then digits")
        if rule.severity not in SEVERITIES:
            raise ValueError(f"the severity of {rule.code} is {', '.join(SEVERITIES[:-1])} or {SEVERITIES[-1]}")
        if _declared.setdefault(rule.code, (rule, owner))[1] != owner:
            raise ValueError(f"{_declared[rule.code][1]} has a code {rule.code} already")


def find_code_rule(code: str) -> Rule | None:
    """The rule of a code, or None if nobody declared it."""
    return RULES.get(code) or _declared.get(code, (None, ""))[0]


def code_owner(code: str) -> str:
    """The plug-in that declared a code, or an empty string for our own codes."""
    return _declared[code][1] if code in _declared else ""


def list_codes() -> list[str]:
    """All known codes."""
    return [*RULES, *_declared]


def message_of_rule(code: str, **values: str) -> str:
    """The message of a rule that has one, with these values."""
    return rule_of_code(code).message.format(**values)


def rule_of_code(code: str) -> Rule:
    """The rule of a code. A code that a plug-in did not declare counts as an error."""
    return find_code_rule(code) or Rule(
        code, "error", "A diagnostic without a rule", "Its target did not declare this code."
    )
