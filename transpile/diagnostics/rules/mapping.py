"""Codes 4xx: the mapping of resource types."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT401",
        W,
        "A property without a counterpart",
        "The provider has no argument for it; what it did is lost.",
        "Where it matters, keep the resource in Heat, or see to it by other means.",
    ),
    Rule(
        "HOT402",
        W,
        "A property that Heat ignores",
        "Heat accepts it and does nothing with it in this place; so does the output.",
    ),
    Rule(
        "HOT403",
        W,
        "A value that the provider refuses",
        "The provider does not take this value, or never sends it to the cloud; Heat passes it on.",
        "The resource stays with Heat. Another value may do.",
    ),
    Rule(
        "HOT404",
        W,
        "A list of names that is known only at run time",
        "Each name would have to be looked up, and nobody knows yet which ones.",
        "The resource stays with Heat. IDs, or a list that is written out, need no look-up.",
    ),
    Rule(
        "HOT410",
        I,
        "A name that Heat would make up",
        "Heat names what has no name after stack, resource and a random tail; the provider requires a name.",
        "Give the resource a name of its own, if another one is wanted.",
    ),
    Rule(
        "HOT411",
        I,
        "Looked up by name only",
        "Heat takes a name or an ID here; the known values are names, so the output takes names.",
        "Give a name; where only an ID is known, put it in the place of the lookup.",
    ),
    Rule(
        "HOT412",
        W,
        "A value that the template leaves open",
        "Heat passes on a null for what is required, and the service refuses it: such a template is to be filled in.",
        "A variable without default asks for it. Give the value in the template, or to the variable.",
    ),
    Rule(
        "HOT420",
        W,
        "An attribute that stands for another",
        "The provider has no attribute that means exactly this; the one written means the same in the usual case.",
    ),
    Rule(
        "HOT421",
        W,
        "A resource that acts a little differently",
        "The provider's resource makes the same object, but does something else with it than Heat does.",
    ),
    Rule(
        "HOT450",
        W,
        "Kept as Heat",
        "Terraform has no resource that does the same, so Heat keeps it, inside an openstack_orchestration_stack_v1.",
        "Heat must run on the cloud. Everything around it is native.",
    ),
    Rule(
        "HOT451",
        W,
        "An unknown resource type",
        "Heat's own types do not include it; it is taken for a plug-in and stays with Heat.",
        "If it is a misspelling, correct it.",
    ),
    Rule(
        "HOT452", W, "The stack's ID is another one", "Inside what stays Heat, OS::stack_id means the embedded stack."
    ),
    Rule(
        "HOT453",
        W,
        "A hidden parameter of the embedded stack",
        "Heat answers ****** for it, so a new value does not reach the stack by itself.",
        'Apply a new value with "terraform apply -replace" of the stack.',
    ),
    Rule(
        "HOT454",
        I,
        "Heat does nothing for this type any more",
        "The type is kept as a placeholder since the release named; older clouds still act on it.",
    ),
    Rule(
        "HOT455",
        E,
        "Neither Terraform nor what stays with Heat can say it",
        "It needs Heat, and what it refers to is not in Heat, nor can it be passed there.",
        "Rewrite the expression; a value that a parameter could hold is always possible.",
    ),
    Rule(
        "HOT456",
        W,
        "A stack without its files",
        "A stack of its own that stays with Heat gets its template as a text; the files that this names are not sent.",
        "Write into the template what it names.",
    ),
    Rule(
        "HOT457",
        I,
        "Something that Heat reads",
        "The provider does not read this, so a stack that makes nothing does: an attribute of what Terraform makes, or "
        "the address of a floating IP that exists already and is named by its ID.",
        "Leave out what asks for it, and the stack goes; so does that for an attribute with --prefer native.",
    ),
)
