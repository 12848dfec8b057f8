"""Codes 7xx: differences in TOSCA."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT701",
        I,
        "Functions that become nodes",
        "TOSCA 1.3 has no function for them: each is a node of type hot.nodes.Expression, with its text and its "
        "arguments, and its value is what the orchestrator makes of it.",
        "Give hot.nodes.Expression an operation that evaluates HOT's functions, or write version 2.0.",
    ),
    Rule(
        "HOT702",
        I,
        "A deployment without operations",
        "An operation runs a file; a configuration that is computed, or stands elsewhere, is none.",
        "Keep the script in a file of its own and name it with get_file.",
    ),
    Rule(
        "HOT703",
        I,
        "A file becomes an artifact",
        "get_artifact gives an orchestrator's place of a file, get_file what it holds; the file is in the archive.",
        "Orchestrators that want the content read it from there.",
    ),
    Rule(
        "HOT704",
        I,
        "A hidden value that stands in no file",
        "The values of environments become inputs.yaml; those of hidden parameters must not stand in a file.",
        "Give it to the orchestrator when you deploy.",
    ),
    Rule(
        "HOT705",
        W,
        "A value that the input's type does not take",
        "The value of a json parameter may be of another shape than its default, which the input's type follows.",
        "Give it to the orchestrator when you deploy, in the form that it wants.",
    ),
    Rule(
        "HOT706",
        E,
        "Conditions that grow too large",
        "TOSCA 2.0 has no named conditions: each is written out where it is used, and so are those that it names.",
        "Write version 1.3, which keeps conditions as nodes, or name fewer conditions in each other.",
    ),
)
