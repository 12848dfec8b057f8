"""Codes 6xx: likely mistakes."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import I, Rule, W

TABLE = (
    Rule("HOT601", W, "Unused parameter", "Nothing in the template uses its value."),
    Rule("HOT602", W, "Unused condition", "No resource, output or function uses it."),
    Rule("HOT603", W, "Unused mapping", "No Fn::FindInMap uses it."),
    Rule("HOT604", W, "Unused index_var", "Without the placeholder, all members of the group are identical."),
    Rule(
        "HOT605",
        W,
        "Unused str_replace placeholder",
        "The text does not contain the placeholder, so its value is not used.",
    ),
    Rule(
        "HOT606",
        W,
        "Unused repeat placeholder",
        "The template of repeat does not contain the placeholder, so all items are equal.",
    ),
    Rule(
        "HOT607", I, "Outdated resource type", "Heat keeps the type for old stacks, and it may no longer do anything."
    ),
    Rule("HOT608", W, "Identical branches", "Both branches of the if are the same, so the condition has no effect."),
    Rule("HOT609", W, "Duplicate dependency", "The second mention has no effect."),
)
