"""Codes 7xx: differences in TOSCA."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.FUNCTIONS_AS_NODES,
        I,
        "Functions converted to nodes",
        "TOSCA 1.3 has no equivalent of these functions. Each becomes a node of type hot.nodes.Expression with "
        "its text and its arguments, and the orchestrator must compute its value.",
        "Give hot.nodes.Expression an operation that evaluates HOT functions, or write version 2.0.",
    ),
    Rule(
        codes.DEPLOYMENT_WITHOUT_OPERATION,
        I,
        "Deployment without an operation",
        "An operation runs a file. This configuration is computed or defined elsewhere, so there is no file.",
        "Keep the script in its own file and include it with get_file.",
    ),
    Rule(
        codes.FILE_AS_ARTIFACT,
        I,
        "File converted to an artifact",
        "get_artifact returns the location of a file, get_file its content. The archive contains the file.",
        "If the orchestrator needs the content, it can read it from there.",
    ),
    Rule(
        codes.HIDDEN_INPUT_NOT_WRITTEN,
        I,
        "Hidden value was not written",
        "The values of environments go into inputs.yaml. The values of hidden parameters do not.",
        "Pass the value to the orchestrator when you deploy.",
    ),
    Rule(
        codes.VALUE_DOES_NOT_FIT_INPUT,
        W,
        "Value does not fit the input's type",
        "The input's type follows the default of the json parameter, and the value has a different structure.",
        "Pass the value to the orchestrator when you deploy, in the form that it expects.",
    ),
    Rule(
        codes.CONDITIONS_TOO_LARGE,
        E,
        "Conditions grow too large",
        "TOSCA 2.0 has no named conditions, so each is expanded where it is used, together with the conditions "
        "that it refers to.",
        "Write version 1.3, which keeps conditions as nodes, or use fewer references between conditions.",
    ),
)
