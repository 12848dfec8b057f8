"""Codes 3xx: values and types that Heat refuses."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, Rule, W

TABLE = (
    Rule(
        "HOT214",
        E,
        "A resource type that Heat does not have",
        "Heat refuses types that neither it, nor an environment, nor a plug-in of the cloud knows.",
    ),
    Rule(
        "HOT215",
        E,
        "A nested template that cannot be read",
        "Heat's client sends all templates along that are named as types, by the template or by an environment.",
    ),
    Rule(
        "HOT216",
        E,
        "Templates nested without end",
        "A template that leads to itself has no finite stack, and Heat takes five stacks inside one another at most.",
    ),
    Rule(
        "HOT217",
        W,
        "A nested template that was not looked at",
        "Files outside the template's directory, and URLs, are read only if they are allowed.",
        "Allow it with --root or --allow.",
    ),
    Rule(
        "HOT301",
        E,
        "An unknown property",
        "Heat checks the properties of its own resource types against their schemas.",
    ),
    Rule(
        "HOT302",
        E,
        "A default or value that its own parameter refuses",
        "Heat checks defaults against type and constraints, even if a value is given.",
    ),
    Rule(
        "HOT303",
        E,
        "A constraint that this type cannot have",
        "length is for texts, lists and maps, range and modulo for numbers, allowed_pattern for texts; json has no "
        "allowed_values.",
    ),
    Rule(
        "HOT304",
        W,
        "A condition that is always false",
        "The resource is never created, and stands nowhere in the output.",
    ),
    Rule(
        "HOT305", W, "A value that cannot be a number here", "The plain decimal form of it differs, or there is none."
    ),
    Rule(
        "HOT306",
        W,
        "A value that the property cannot have",
        "Heat accepts the template, and refuses the value when it creates the resource: kept in Heat, it fails there.",
        "Write a value of the property's type.",
    ),
    Rule(
        "HOT307",
        W,
        "An unknown key inside a property",
        "Heat checks maps that its own types describe when it creates the stack, and refuses keys that they have not "
        "got.",
    ),
    Rule(
        "HOT308",
        E,
        "A property that Heat does not implement",
        "Some types have properties only because those of other clouds have them; Heat refuses to be given one.",
        "Remove the property.",
    ),
    Rule(
        "HOT309",
        W,
        "A property that is missing",
        "Heat validates the template without it, and refuses to create the stack.",
    ),
    Rule(
        "HOT310",
        E,
        "A condition that cannot be evaluated",
        "Heat evaluates the conditions that something asks for when it validates a template; they come to a boolean.",
    ),
    Rule(
        "HOT311",
        W,
        "A limit of Heat's",
        "Heat takes 1,000 resources in a stack and 512 KiB of template, unless the cloud has other limits.",
    ),
    Rule(
        "HOT312",
        W,
        "A value against a constraint of its property",
        "Heat validates the template, and refuses the value when it creates the stack.",
    ),
    Rule(
        "HOT313",
        W,
        "One property under two names",
        "Heat keeps old names of properties, and refuses to create a stack where both have a value.",
        "Keep the newer one.",
    ),
    Rule(
        "HOT314",
        W,
        "A function that fails with these values",
        "Heat validates the template, and fails when it comes to need the value.",
    ),
    Rule(
        "HOT315",
        W,
        "A custom constraint that Heat does not have",
        "Heat asks its plug-ins for the constraint when it creates the stack, and fails where none has it.",
    ),
)
