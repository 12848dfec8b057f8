"""Codes 3xx: values and types that Heat refuses."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, Rule, W

TABLE = (
    Rule(
        codes.UNKNOWN_RESOURCE_TYPE,
        E,
        "Unknown resource type",
        "Heat rejects a type that neither Heat, nor an environment, nor a plug-in of the cloud defines.",
        message="Unknown resource type {kind}.",
    ),
    Rule(
        codes.UNREADABLE_NESTED_TEMPLATE,
        E,
        "Nested template cannot be read",
        "Heat's client uploads every template that the template or an environment uses as a type, and fails if "
        "one cannot be read.",
        message="The template {name} cannot be read: {reason}.",
    ),
    Rule(
        codes.TEMPLATES_NESTED_TOO_DEEPLY,
        E,
        "Infinitely or too deeply nested templates",
        "A template cannot contain itself, and Heat allows five levels of nested stacks.",
    ),
    Rule(
        codes.NESTED_TEMPLATE_NOT_READ,
        W,
        "Nested template was not read",
        "hot2tf reads URLs, and files outside the template's repository or directory, only if you allow it.",
        "Allow it with --root or --allow.",
    ),
    Rule(
        codes.UNKNOWN_PROPERTY,
        E,
        "Unknown property",
        "Heat checks the properties of its own resource types against their schemas.",
    ),
    Rule(
        codes.INVALID_PARAMETER_VALUE,
        E,
        "Invalid default or value of a parameter",
        "Heat checks the default against the type and the constraints, even if a value is given.",
    ),
    Rule(
        codes.CONSTRAINT_NOT_ALLOWED_FOR_TYPE,
        E,
        "Constraint not allowed for this type",
        "length applies to strings, lists and maps, range and modulo to numbers, and allowed_pattern to "
        "strings. json parameters cannot have allowed_values.",
    ),
    Rule(
        codes.CONDITION_ALWAYS_FALSE,
        W,
        "Condition is always false",
        "The resource is never created, so the output does not contain it.",
    ),
    Rule(
        codes.NOT_A_TERRAFORM_NUMBER,
        W,
        "Value that Terraform cannot represent as a number",
        "The value has no decimal form, or its decimal form differs.",
    ),
    Rule(
        codes.WRONG_PROPERTY_TYPE,
        W,
        "Value of the wrong type for the property",
        "Heat accepts the template, but rejects the value when it creates the resource. A resource that stays "
        "with Heat fails at that point.",
        "Write a value of the property's type.",
    ),
    Rule(
        codes.UNKNOWN_PROPERTY_KEY,
        W,
        "Unknown key inside a property",
        "When Heat creates the stack, it rejects keys that the schema of the property does not have.",
    ),
    Rule(
        codes.UNSUPPORTED_PROPERTY,
        E,
        "Unsupported property",
        "The type has this property only for compatibility with other clouds. Heat rejects it.",
        "Remove the property.",
    ),
    Rule(codes.MISSING_PROPERTY, W, "Missing property", "Heat accepts the template, but refuses to create the stack."),
    Rule(
        codes.CONDITION_CANNOT_BE_EVALUATED,
        E,
        "Condition cannot be evaluated",
        "When Heat validates a template, it evaluates the conditions that are used. Each must result in a boolean.",
    ),
    Rule(
        codes.HEAT_LIMIT_EXCEEDED,
        W,
        "Template exceeds Heat's limits",
        "By default, Heat allows 1,000 resources in a stack and 512 KiB in a template. A cloud can have other limits.",
    ),
    Rule(
        codes.PROPERTY_CONSTRAINT_VIOLATED,
        W,
        "Value violates a constraint of the property",
        "Heat accepts the template, but rejects the value when it creates the stack.",
    ),
    Rule(
        codes.PROPERTY_SET_UNDER_TWO_NAMES,
        W,
        "Property set under two names",
        "Heat keeps the deprecated names of properties. It refuses to create a stack that sets both the old "
        "and the new name.",
        "Keep the newer one.",
    ),
    Rule(
        codes.FUNCTION_FAILS,
        W,
        "Function fails with these values",
        "Heat accepts the template, but fails when it evaluates the function.",
    ),
    Rule(
        codes.UNKNOWN_CUSTOM_CONSTRAINT,
        W,
        "Unknown custom constraint",
        "Heat looks the constraint up in its plug-ins when it creates the stack, and fails if none provides it.",
    ),
    Rule(
        codes.TYPE_REFUSED_BY_HEAT,
        E,
        "Type that Heat refuses",
        "A plug-in defines the type in a way that Heat does not accept, or that only older releases accept. The type "
        "stays with Heat.",
        "Correct the plug-in, or bring it up to date.",
    ),
    Rule(
        codes.KNOWN_ONLY_TO_PLUGIN,
        W,
        "Known only to the plug-in",
        "The plug-in computes a part of the type's schema when it runs, so hot2tf cannot check the value.",
    ),
)
