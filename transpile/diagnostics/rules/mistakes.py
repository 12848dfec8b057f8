"""Codes 6xx: likely mistakes."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import I, Rule, W

TABLE = (
    Rule(codes.UNUSED_PARAMETER, W, "Unused parameter", "Nothing in the template uses its value."),
    Rule(codes.UNUSED_CONDITION, W, "Unused condition", "No resource, output or function uses it."),
    Rule(codes.UNUSED_MAPPING, W, "Unused mapping", "No Fn::FindInMap uses it."),
    Rule(
        codes.UNUSED_INDEX_VAR,
        W,
        "Unused index_var",
        "Without the placeholder, all members of the group are identical.",
    ),
    Rule(
        codes.UNUSED_STR_REPLACE_PLACEHOLDER,
        W,
        "Unused str_replace placeholder",
        "The text does not contain the placeholder, so its value is not used.",
    ),
    Rule(
        codes.UNUSED_REPEAT_PLACEHOLDER,
        W,
        "Unused repeat placeholder",
        "The template of repeat does not contain the placeholder, so all items are equal.",
    ),
    Rule(
        codes.OUTDATED_RESOURCE_TYPE,
        I,
        "Outdated resource type",
        "Heat keeps the type for old stacks, and it may no longer do anything.",
        "Use the type that replaces it, if there is one: `hot2tf types` lists Heat's types.",
    ),
    Rule(
        codes.IDENTICAL_BRANCHES,
        W,
        "Identical branches",
        "Both branches of the if are the same, so the condition has no effect.",
    ),
    Rule(codes.DUPLICATE_DEPENDENCY, W, "Duplicate dependency", "The second mention has no effect."),
    Rule(
        codes.ACTION_NEVER_RUN,
        W,
        "Action that Heat never runs",
        "Heat runs the configurations of a component on CREATE, UPDATE, DELETE, SUSPEND and RESUME, in capital letters."
        " It accepts any other word and never runs that configuration.",
        "Write one of the five actions.",
    ),
    Rule(
        codes.DEPRECATED_PROPERTY,
        I,
        "Deprecated property",
        "Heat still accepts the property, but advises against it, and a later release may not have it.",
    ),
    Rule(
        codes.NEVER_EQUAL,
        W,
        "Values that are never equal",
        "Heat compares as Python does: a string equals no number and no boolean. YAML reads yes, no, on and off as "
        "booleans, and digits as a number.",
    ),
    Rule(
        codes.PLACEHOLDER_VALUE,
        W,
        "Placeholder in place of a value",
        "Heat takes a text such as CHANGEME, `<name>` or PUT THE ID HERE as the value. hot2tf treats it as a missing "
        "value: the variable stands in terraform.tfvars.example, and Terraform asks for it.",
        "Write the value. If the text is meant, say `--placeholders keep`, or `# hot2tf: ignore HOT613` in its line.",
        task="asked",
    ),
    Rule(
        codes.WITHOUT_EFFECT,
        W,
        "Sections below the description",
        "Heat accepts a map as a description, too, and ignores the sections in it. The stack is often empty.",
        "Begin each section in the first column.",
    ),
)
