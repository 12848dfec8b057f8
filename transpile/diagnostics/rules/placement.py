"""Codes 84x: inventories, and where the parts of a service may run."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, Rule, W

TABLE = (
    Rule(
        "HOT840",
        E,
        "Not an inventory",
        "An inventory is a list of candidates, or a map with the list `candidates` and other sections.",
    ),
    Rule(
        "HOT841",
        E,
        "Invalid candidate of an inventory",
        "A candidate has an id and an inventory type, numbers are finite, and coordinates are on the globe.",
    ),
    Rule("HOT842", E, "Candidate twice", "The id of a candidate is unique in its inventory."),
    Rule(
        "HOT843",
        W,
        "Unknown column or section of an inventory",
        "The name looks like one of the candidate schema. As an attribute, only a template that names it reads it.",
    ),
    Rule(
        "HOT844",
        W,
        "Value that an inventory lacks",
        "The template asks for something that the inventory does not say, about some candidates or about any.",
    ),
    Rule(
        "HOT845",
        W,
        "Constraint that is assumed to hold, or not to",
        "A controller or service decides it, or the inventory does not have what it needs.",
        "Add what the inventory lacks, or choose with --assume fit or --assume unfit.",
    ),
    Rule(
        "HOT846",
        E,
        "No solution",
        "No assignment of candidates to demands satisfies all constraints.",
        "hot2tf home --explain shows what each constraint removes.",
    ),
    Rule(
        "HOT847",
        W,
        "Solution that may not be the best",
        "The search reached its limit before it had looked at everything.",
        "Raise --time-limit, or the limit: --limit placements=NUMBER.",
    ),
    Rule(
        "HOT848",
        E,
        "Problem that cannot be stated",
        "The objective needs something that no inventory has, or nothing says where a location is.",
    ),
    Rule(
        "HOT849",
        W,
        "Plain value of an attribute",
        "The texts leave its meaning to the inventory provider, and HAS does not compare it.",
        "Write {eq: …} or {any: […]} to compare it.",
    ),
)
