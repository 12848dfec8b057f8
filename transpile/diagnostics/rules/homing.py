"""Codes 85x and 860-899: homing templates, and their conversion to Terraform and TOSCA.

docs/homing-reference.md describes the language, and how its engine, HAS, behaves.
"""

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
    Rule(codes.NOT_A_HOMING_TEMPLATE, E, "Not a homing template", "It needs a version, demands, and maps as sections."),
    Rule(
        codes.VERSION_REFUSED_BY_HAS,
        W,
        "Version or form that HAS refuses",
        "The specifications allow it. HAS knows four versions.",
    ),
    Rule(
        codes.UNKNOWN_HOMING_SECTION,
        W,
        "Section that homing templates do not have",
        "HAS ignores it, so nothing in it has an effect.",
    ),
    Rule(
        codes.EMPTY_HOMING_SECTION,
        W,
        "Empty section",
        "A section without a value counts as absent here. HAS refuses it.",
    ),
    Rule(
        codes.UNKNOWN_HOMING_PARAMETER,
        E,
        "Undefined homing parameter",
        "get_param takes a parameter of the template or of --parameter.",
    ),
    Rule(
        codes.MALFORMED_HOMING_CALL,
        E,
        "Malformed call",
        "get_param takes a name, or a name and a path; get_file takes a name.",
    ),
    Rule(
        codes.PARAMETER_NOT_REPLACED_BY_HAS,
        W,
        "Parameter where HAS does not replace it",
        "The specifications allow parameters in place of any value.",
    ),
    Rule(
        codes.FILE_IN_HOMING_TEMPLATE,
        W,
        "File in a homing template",
        "HAS has no get_file: the call stays as data, and so does a URI.",
    ),
    Rule(codes.INVALID_LOCATION, E, "Invalid location", "A location has coordinates, a host_name or a clli_code."),
    Rule(codes.LOCATION_REFUSED_BY_HAS, W, "Location that HAS refuses", "The specifications allow it."),
    Rule(codes.COORDINATES_DO_NOT_EXIST, W, "Coordinates that do not exist", "HAS does not check them."),
    Rule(
        codes.INVALID_DEMAND,
        E,
        "Invalid demand",
        "A demand is a list of requirements, with a provider and an inventory type.",
    ),
    Rule(codes.DEMAND_DIFFERS_IN_HAS, W, "Demand that HAS reads differently", "The specifications allow it."),
    Rule(codes.KEY_NOT_READ_BY_HAS, W, "Key that HAS never reads", "It has no effect there."),
    Rule(codes.INVALID_CANDIDATE, E, "Invalid candidate", "A candidate has a candidate_id."),
    Rule(codes.CANDIDATE_DIFFERS_IN_HAS, W, "Candidate that HAS reads differently", "The specifications allow it."),
    Rule(
        codes.INVALID_CONSTRAINT,
        E,
        "Invalid constraint",
        "The type of a constraint decides which properties it has, and which values they take.",
    ),
    Rule(
        codes.UNKNOWN_DEMAND_OR_LOCATION,
        E,
        "Undefined demand or location",
        "Constraints and objectives name only demands and locations that the template declares.",
    ),
    Rule(
        codes.DEFERRED_CONSTRAINT_TYPE,
        W,
        "Deferred constraint type",
        "The specifications describe it, and HAS never had it.",
    ),
    Rule(
        codes.INVALID_THRESHOLD,
        E,
        "Invalid threshold",
        "A threshold is a number or a range, with an operator and a unit.",
    ),
    Rule(
        codes.THRESHOLD_DIFFERS_IN_HAS,
        W,
        "Threshold that HAS reads differently",
        "HAS wants a text with a blank between all parts.",
    ),
    Rule(
        codes.UNSATISFIABLE_THRESHOLD,
        W,
        "Threshold that nothing satisfies",
        "A distance is never exact, and HAS cannot compare a range.",
    ),
    Rule(codes.TEST_IGNORED_BY_HAS, W, "Test that HAS ignores", "HAS evaluates any and all of a few attributes."),
    Rule(
        codes.CONSTRAINT_DIFFERS_IN_HAS,
        W,
        "Constraint that HAS evaluates differently",
        "The specifications say something else.",
    ),
    Rule(codes.INVALID_OBJECTIVE, E, "Invalid objective", "An objective is a goal, operators, numbers and functions."),
    Rule(
        codes.OBJECTIVE_DIFFERS_IN_HAS,
        W,
        "Objective that HAS reads differently",
        "The solver of HAS expects one arrangement, and adds the cost of a candidate to its distance.",
    ),
    Rule(
        codes.RESERVATION_IGNORED_BY_HAS,
        W,
        "Reservation that HAS ignores",
        "HAS reads the section reservation, in a form of its own.",
    ),
    Rule(codes.INVALID_RESERVATION, E, "Invalid reservation", "A reservation names demands."),
    Rule(codes.UNCONSTRAINED_DEMAND, I, "Demand that nothing constrains", "Any of its candidates is as good."),
    Rule(codes.UNUSED_LOCATION, I, "Unused location", "No constraint and no objective names it."),
    Rule(codes.UNUSED_HOMING_PARAMETER, I, "Unused homing parameter", "No get_param names it."),
    Rule(codes.CONTRADICTORY_CONSTRAINTS, W, "Contradictory constraints", "No candidate can satisfy them together."),
    Rule(
        codes.DEMAND_NAMED_LIKE_LOCATION,
        W,
        "Name of a demand and of a location",
        "HAS takes one for the other in constraints.",
    ),
    Rule(
        codes.ARRANGEMENT_TAKES_ONLY_VALUE,
        W,
        "Parameter that became its value",
        "The other arrangement has a place for the value only.",
    ),
    Rule(
        codes.NO_CONVERSION_BETWEEN_KINDS,
        E,
        "No conversion between HOT and homing templates",
        "A target may take one kind, or both.",
    ),
    Rule(
        codes.OBJECTIVE_WITHOUT_COUNTERPART,
        E,
        "Objective that the other arrangement cannot express",
        "Nothing of an objective is left out.",
    ),
    Rule(codes.INVALID_REQUEST, E, "Invalid request", "A request has a name, a template, and a few other members."),
    Rule(codes.UNQUOTED_THRESHOLD, W, "Unquoted threshold", "A > without quotes begins a folded text in YAML."),
    Rule(codes.INVALID_VALUES_FILE, E, "Invalid file of values", "It is a map from names of parameters to values."),
    Rule(
        codes.MISSING_FROM_INVENTORY,
        E,
        "No such candidate in the inventory",
        "HAS refuses a demand without candidates.",
    ),
)
