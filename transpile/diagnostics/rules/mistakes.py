"""Codes 6xx: likely mistakes."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import I, Rule, W

TABLE = (
    Rule("HOT601", W, "An unused parameter", "Nothing in the template asks for its value."),
    Rule("HOT602", W, "An unused condition", "No resource, output or function asks for it."),
    Rule("HOT603", W, "An unused mapping", "No Fn::FindInMap looks into it."),
    Rule(
        "HOT604",
        W,
        "An index_var that occurs nowhere",
        "The members of a group are told apart only by what the placeholder is replaced in.",
    ),
    Rule("HOT605", W, "A placeholder of str_replace that occurs nowhere", "Its value is put in nowhere."),
    Rule(
        "HOT606", W, "A placeholder of repeat that occurs nowhere", "All that repeat makes for its values is the same."
    ),
    Rule(
        "HOT607",
        I,
        "An outdated resource type",
        "Heat keeps the type for old stacks, and may have nothing behind it.",
    ),
    Rule("HOT608", W, "Two equal branches", "The condition decides nothing."),
    Rule("HOT609", W, "A dependency named twice", "The second mention changes nothing."),
)
