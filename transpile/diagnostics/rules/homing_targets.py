"""Codes 85x: what targets make of homing templates."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT850", I, "Parameter that became its value", "An expression has a place for the value only, not a variable."
    ),
    Rule(
        "HOT851",
        W,
        "Constraint that HCL cannot say",
        "The variable `fitting` lists the candidates that meet it. With an inventory, hot2tf computes the list.",
    ),
    Rule("HOT852", W, "Candidate declared twice", "Two demands declare the same id with different data."),
    Rule(
        "HOT853",
        W,
        "Selection that the inventory does not decide",
        "No candidate says it, so the module does not ask for it. `hot2tf home` assumes the same.",
    ),
    Rule(
        "HOT854",
        E,
        "Objective that HCL cannot say",
        "It measures something that no inventory has, such as a latency.",
    ),
    Rule(
        "HOT855",
        W,
        "More assignments than Terraform can list",
        "With an inventory hot2tf computes the choice, and the module checks it.",
    ),
    Rule("HOT856", W, "Reservation that the target does not have", "A module or a policy reserves nothing."),
    Rule(
        "HOT857",
        W,
        "Choice that is left open",
        "There are too many assignments for Terraform to list, and hot2tf found none.",
        "hot2tf home says why.",
    ),
    Rule("HOT858", I, "Demand that is no resource", "With a stack, a demand is the resource of its name."),
    Rule("HOT859", W, "Option for homing templates only", "A Heat template says what there is, and not where."),
)
