"""Codes 84x: inventories, and where the parts of a service may run."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, Rule, W

TABLE = (
    Rule(
        codes.NOT_AN_INVENTORY,
        E,
        "Not an inventory",
        "An inventory is a list of candidates, or a map with the list `candidates` and other sections.",
    ),
    Rule(
        codes.INVALID_INVENTORY_CANDIDATE,
        E,
        "Invalid candidate of an inventory",
        "A candidate has an id and an inventory type, numbers are finite, and coordinates are on the globe.",
    ),
    Rule(
        codes.DUPLICATE_INVENTORY_CANDIDATE, E, "Candidate twice", "The id of a candidate is unique in its inventory."
    ),
    Rule(
        codes.UNKNOWN_INVENTORY_COLUMN,
        W,
        "Unknown column or section of an inventory",
        "The name looks like one of the candidate schema. As an attribute, only a template that names it reads it.",
    ),
    Rule(
        codes.MISSING_INVENTORY_VALUE,
        W,
        "Value that an inventory lacks",
        "The template needs a value that the inventory does not have, for some candidates or for all.",
    ),
    Rule(
        codes.CONSTRAINT_ASSUMED,
        W,
        "Constraint that is assumed to hold, or not to",
        "A controller or service decides it, or the inventory lacks the data for it.",
        "Add the data to the inventory, or choose with --assume fit or --assume unfit.",
    ),
    Rule(
        codes.NO_SOLUTION,
        E,
        "No solution",
        "No assignment of candidates to demands satisfies all constraints.",
        "hot2tf home --explain shows the candidates that each constraint removes.",
    ),
    Rule(
        codes.SOLUTION_MAY_NOT_BE_BEST,
        W,
        "Solution that may not be the best",
        "The search reached its limit before it had tried all assignments.",
        "Raise --time-limit, or the limit: --limit placements=NUMBER.",
    ),
    Rule(
        codes.PROBLEM_CANNOT_BE_STATED,
        E,
        "Placement that cannot be computed",
        "The objective needs data that no inventory has, or a location has no coordinates.",
    ),
    Rule(
        codes.PLAIN_ATTRIBUTE_VALUE,
        W,
        "Plain value that nothing is compared with",
        "A plain value means eq, and no candidate of the inventory has the attribute.",
        "Add the column to the inventory.",
    ),
)
