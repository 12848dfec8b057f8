"""Codes 2xx: names and references."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.UNKNOWN_PARAMETER,
        E,
        "Unknown parameter",
        "get_param and Ref refer to a parameter of the template or a pseudo parameter.",
    ),
    Rule(
        codes.UNKNOWN_RESOURCE,
        E,
        "Unknown resource",
        "References and depends_on must name a resource in the same template.",
    ),
    Rule(codes.UNKNOWN_CONDITION, E, "Unknown condition", "A condition must be defined in the conditions section."),
    Rule(
        codes.CIRCULAR_DEPENDENCY,
        E,
        "Circular dependency",
        "None of the resources or conditions in a cycle can come first.",
    ),
    Rule(
        codes.UNKNOWN_MAPPING_KEY,
        E,
        "Unknown mapping or mapping key",
        "Fn::FindInMap takes the name of a mapping, a key in it, and a second-level key.",
    ),
    Rule(
        codes.FILE_NOT_FOUND,
        E,
        "File not found",
        "get_file takes a path relative to the template. Heat's client rejects the template if the file is missing.",
    ),
    Rule(
        codes.RESOURCE_NAMED_LIKE_PARAMETER,
        E,
        "Same name for a resource and a parameter",
        "A resource and a parameter cannot have the same name.",
    ),
    Rule(codes.INVALID_RESOURCE_NAME, E, "Invalid resource name", "The name of a resource cannot contain a slash."),
    Rule(
        codes.VALUE_FOR_UNKNOWN_PARAMETER,
        E,
        "Value for an unknown parameter",
        "Heat rejects unknown parameters on the command line and in the first environment.",
    ),
    Rule(
        codes.NESTED_TEMPLATE_UNSUPPORTED,
        E,
        "Nested template not supported",
        "The resource is a nested template, and the target does not support these.",
        "Convert the nested template separately.",
    ),
    Rule(
        codes.IGNORED_VALUE_FOR_UNKNOWN_PARAMETER,
        I,
        "Ignored value for an unknown parameter",
        "Heat ignores unknown parameters in all environments except the first.",
    ),
    Rule(
        codes.UNKNOWN_ATTRIBUTE,
        E,
        "Unknown attribute",
        "Heat checks the attributes of its own resource types when it validates a template.",
    ),
    Rule(
        codes.INVALID_PARAMETER_GROUP,
        E,
        "Invalid parameter group",
        "A parameter group lists parameters of the template, and each parameter can be in one group only.",
    ),
    Rule(
        codes.REFERENCE_TO_ABSENT_RESOURCE,
        E,
        "Reference to a resource that is not created",
        "Heat omits a resource if its condition is false, and then rejects references to it.",
        "Guard the reference with the same condition.",
    ),
    Rule(
        codes.MISSING_VALUE_FOR_VALIDATION,
        E,
        "Missing value that validation needs",
        "When Heat validates a template, it evaluates conditions and the paths of get_attr. It rejects the "
        "template if a parameter in them has no value. A warning if a condition only compares the value, "
        "because then the template is right for any value.",
        "Set the value with --parameter or -e.",
    ),
    Rule(
        codes.TEMPLATE_DOES_NOT_MATCH_TYPE,
        W,
        "Template does not match the type that it replaces",
        "If an environment replaces one of Heat's own types with a template, Heat compares parameters with "
        "properties and outputs with attributes when it creates the stack.",
    ),
)
