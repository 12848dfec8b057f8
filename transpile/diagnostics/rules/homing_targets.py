"""Codes 85x: homing templates that are written as Terraform or TOSCA."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.TARGET_TAKES_ONLY_VALUE,
        I,
        "Parameter that became its value",
        "An expression has a place for the value only, not a variable.",
    ),
    Rule(
        codes.CONSTRAINT_NOT_POSSIBLE_IN_HCL,
        W,
        "Constraint that HCL cannot express",
        "The variable `fitting` lists the candidates that meet it. With an inventory, hot2tf computes the list.",
    ),
    Rule(
        codes.DUPLICATE_CANDIDATE, W, "Candidate declared twice", "Two demands declare the same id with different data."
    ),
    Rule(
        codes.SELECTION_NOT_DECIDED_BY_INVENTORY,
        W,
        "Selection that the inventory does not decide",
        "No candidate has the data, so the module ignores the selection. `hot2tf home` assumes the same.",
    ),
    Rule(
        codes.OBJECTIVE_NOT_POSSIBLE_IN_HCL,
        E,
        "Objective that HCL cannot express",
        "The objective measures a value that no inventory has, such as a latency.",
    ),
    Rule(
        codes.TOO_MANY_ASSIGNMENTS_FOR_TERRAFORM,
        W,
        "More assignments than Terraform can list",
        "With an inventory hot2tf computes the choice, and the module checks it.",
    ),
    Rule(
        codes.RESERVATION_WITHOUT_COUNTERPART,
        W,
        "Reservation that the target does not have",
        "A module or a policy reserves nothing.",
    ),
    Rule(
        codes.CHOICE_LEFT_OPEN,
        W,
        "Choice that is left open",
        "There are too many assignments for Terraform to list, and hot2tf found none.",
        "hot2tf home says why.",
    ),
    Rule(
        codes.DEMAND_WITHOUT_RESOURCE,
        I,
        "Demand that is no resource",
        "With a stack, a demand is the resource of its name.",
    ),
    Rule(
        codes.OPTION_FOR_OTHER_DOCUMENTS,
        W,
        "Option for homing templates only",
        "A Heat template says which resources exist, and not where they run.",
    ),
)
