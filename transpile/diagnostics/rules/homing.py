"""Codes 860-899: homing templates. docs/homing.md has the language, and what HAS, its engine, does."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule("HOT860", E, "Not a homing template", "It needs a version, demands, and maps as sections."),
    Rule("HOT861", W, "Version or form that HAS refuses", "The texts allow it. HAS knows four versions."),
    Rule("HOT862", W, "Section that homing templates do not have", "HAS ignores it, so nothing in it has an effect."),
    Rule("HOT863", W, "Empty section", "A section without a value counts as absent here. HAS refuses it."),
    Rule("HOT864", E, "Undefined homing parameter", "get_param takes a parameter of the template or of --parameter."),
    Rule("HOT865", E, "Malformed call", "get_param takes a name, or a name and a path; get_file takes a name."),
    Rule("HOT866", W, "Parameter where HAS replaces none", "The texts allow parameters in place of any value."),
    Rule("HOT867", W, "File in a homing template", "HAS has no get_file: the call stays as data, and so does a URI."),
    Rule("HOT868", E, "Invalid location", "A location has coordinates, a host_name or a clli_code."),
    Rule("HOT869", W, "Location that HAS refuses", "The texts allow it."),
    Rule("HOT870", W, "Coordinates that do not exist", "HAS does not check them."),
    Rule("HOT871", E, "Invalid demand", "A demand is a list of requirements, with a provider and an inventory type."),
    Rule("HOT872", W, "Demand that HAS takes otherwise", "The texts allow it."),
    Rule("HOT873", W, "Key that HAS never reads", "It has no effect there."),
    Rule("HOT874", E, "Invalid candidate", "A candidate has a candidate_id."),
    Rule("HOT875", W, "Candidate that HAS takes otherwise", "The texts allow it."),
    Rule("HOT876", E, "Invalid constraint", "Its type decides which properties it has, and which values they take."),
    Rule("HOT877", E, "Undefined demand or location", "Constraints and objectives name what the template declares."),
    Rule("HOT878", W, "Deferred constraint type", "The texts describe it, and HAS never had it."),
    Rule("HOT879", E, "Invalid threshold", "A threshold is a number or a range, with an operator and a unit."),
    Rule("HOT880", W, "Threshold that HAS takes otherwise", "HAS wants a text with a blank between all parts."),
    Rule("HOT881", W, "Threshold that nothing satisfies", "A distance is never exact, and HAS cannot compare a range."),
    Rule("HOT882", W, "Test that HAS ignores", "HAS evaluates any and all of a few attributes."),
    Rule("HOT883", W, "Constraint that HAS evaluates otherwise", "The texts let one expect something else."),
    Rule("HOT884", E, "Invalid objective", "An objective is a goal, operators, numbers and functions."),
    Rule("HOT885", W, "Objective that HAS takes otherwise", "The solver of HAS expects one arrangement."),
    Rule("HOT886", W, "Reservation that HAS ignores", "HAS reads the section reservation, in a form of its own."),
    Rule("HOT887", E, "Invalid reservation", "A reservation names demands."),
    Rule("HOT888", I, "Demand that nothing constrains", "Any of its candidates is as good."),
    Rule("HOT889", I, "Unused location", "No constraint and no objective names it."),
    Rule("HOT890", I, "Unused homing parameter", "No get_param names it."),
    Rule("HOT891", W, "Contradictory constraints", "No candidate can satisfy them together."),
    Rule("HOT892", W, "Name of a demand and of a location", "HAS takes one for the other in constraints."),
    Rule("HOT896", E, "Invalid request", "A request has a name, a template, and a few other members."),
    Rule("HOT897", W, "Unquoted threshold", "A > without quotes begins a folded text in YAML."),
)
