"""Codes 2xx: names and what they refer to."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT201", E, "An unknown parameter", "get_param and Ref name a parameter of the template or a pseudo parameter."
    ),
    Rule("HOT202", E, "An unknown resource", "References and depends_on name a resource of the same template."),
    Rule("HOT203", E, "An unknown condition", "Conditions are referred to by their names in the section conditions."),
    Rule("HOT204", E, "Dependencies in a circle", "Nothing in the circle could be created first."),
    Rule(
        "HOT205",
        E,
        "An unknown mapping or key of one",
        "Fn::FindInMap names a mapping, a key in it and a key below that.",
    ),
    Rule(
        "HOT206",
        E,
        "A file that is not there",
        "get_file names a file relative to the template; Heat's client refuses the template without it.",
    ),
    Rule("HOT207", E, "One name for two things", "A resource and a parameter may not have the same name."),
    Rule("HOT208", E, "A name that Heat refuses", "Names of resources may not contain a slash."),
    Rule(
        "HOT209",
        E,
        "A value for a parameter that the template has not got",
        "Heat refuses unknown parameters given on the command line or in the first environment.",
    ),
    Rule(
        "HOT210",
        E,
        "A nested template",
        "This resource is a template of its own, and the target takes none.",
        "Convert the nested template by itself.",
    ),
    Rule(
        "HOT211",
        I,
        "A value for a parameter that the template has not got, ignored",
        "Heat ignores unknown parameters in all environments but the first.",
    ),
    Rule(
        "HOT212",
        E,
        "An unknown attribute",
        "Heat checks attributes of its own resource types when it validates a template.",
    ),
    Rule(
        "HOT213",
        E,
        "A parameter group that Heat refuses",
        "Each name in a group is a parameter of the template, and each parameter stands in one group at most.",
    ),
    Rule(
        "HOT218",
        E,
        "A reference to a resource that is not there",
        "Heat leaves a resource out when its condition does not hold, and refuses what refers to it then.",
        "Guard the reference by the same condition.",
    ),
    Rule(
        "HOT219",
        E,
        "A value that is needed to validate the template",
        "Heat evaluates conditions, and paths of get_attr, when it validates a template, and refuses it where a "
        "parameter that they ask for has no value.",
        "Give the value with --parameter or -e.",
    ),
    Rule(
        "HOT220",
        W,
        "A template that cannot stand for a type of Heat's",
        "Where a template is put in the place of a type of Heat's own, Heat compares parameters with properties, and "
        "outputs with attributes, when it creates the stack.",
    ),
)
