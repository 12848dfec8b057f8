"""Codes 2xx: names and what they refer to."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT201",
        E,
        "Unknown parameter",
        "get_param and Ref refer to a parameter of the template or a pseudo parameter.",
    ),
    Rule("HOT202", E, "Unknown resource", "References and depends_on must name a resource in the same template."),
    Rule("HOT203", E, "Unknown condition", "A condition must be defined in the conditions section."),
    Rule("HOT204", E, "Circular dependency", "None of the resources or conditions in a cycle can come first."),
    Rule(
        "HOT205",
        E,
        "Unknown mapping or mapping key",
        "Fn::FindInMap takes the name of a mapping, a key in it, and a second-level key.",
    ),
    Rule(
        "HOT206",
        E,
        "File not found",
        "get_file takes a path relative to the template. Heat's client rejects the template if the file is missing.",
    ),
    Rule(
        "HOT207", E, "Same name for a resource and a parameter", "A resource and a parameter cannot have the same name."
    ),
    Rule("HOT208", E, "Invalid resource name", "The name of a resource cannot contain a slash."),
    Rule(
        "HOT209",
        E,
        "Value for an unknown parameter",
        "Heat rejects unknown parameters on the command line and in the first environment.",
    ),
    Rule(
        "HOT210",
        E,
        "Nested template not supported",
        "The resource is a nested template, and the target does not support these.",
        "Convert the nested template separately.",
    ),
    Rule(
        "HOT211",
        I,
        "Ignored value for an unknown parameter",
        "Heat ignores unknown parameters in all environments except the first.",
    ),
    Rule(
        "HOT212",
        E,
        "Unknown attribute",
        "Heat checks the attributes of its own resource types when it validates a template.",
    ),
    Rule(
        "HOT213",
        E,
        "Invalid parameter group",
        "A parameter group lists parameters of the template, and each parameter can be in one group only.",
    ),
    Rule(
        "HOT218",
        E,
        "Reference to a resource that is not created",
        "Heat omits a resource if its condition is false, and then rejects references to it.",
        "RunGuard the reference with the same condition.",
    ),
    Rule(
        "HOT219",
        E,
        "Missing value that validation needs",
        "When Heat validates a template, it evaluates conditions and the paths of get_attr. It rejects the "
        "template if a parameter in them has no value. A warning if a condition only compares the value, "
        "because then the template is right for any value.",
        "Set the value with --parameter or -e.",
    ),
    Rule(
        "HOT220",
        W,
        "Template does not match the type that it replaces",
        "If an environment replaces one of Heat's own types with a template, Heat compares parameters with "
        "properties and outputs with attributes when it creates the stack.",
    ),
)
