"""Codes 1xx: reading a template or an environment."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.NOT_YAML_OR_JSON,
        E,
        "Neither YAML nor JSON",
        "Heat reads YAML 1.1, or strict JSON if the text begins with a brace.",
    ),
    Rule(
        codes.INVALID_CHARACTER,
        E,
        "Unreadable bytes or characters",
        "Templates must be UTF-8 without control characters.",
        "Save the file as UTF-8.",
    ),
    Rule(
        codes.NOT_A_TEMPLATE,
        E,
        "Not a template",
        "A template is a map with the key heat_template_version, AWSTemplateFormatVersion or "
        "HeatTemplateFormatVersion.",
        "Begin it with heat_template_version: 2021-04-16.",
    ),
    Rule(
        codes.UNKNOWN_TEMPLATE_VERSION,
        E,
        "Unknown template version",
        "The version determines which functions and sections exist. Heat rejects unknown versions.",
    ),
    Rule(
        codes.TWO_VERSION_KEYS,
        E,
        "Two version keys",
        "Heat rejects a template with two version keys as ambiguous.",
        "Keep one of them.",
    ),
    Rule(
        codes.SEVERAL_YAML_DOCUMENTS,
        E,
        "Several YAML documents",
        "Heat reads one document per file.",
        "Split the file.",
    ),
    Rule(
        codes.DOCUMENT_TOO_LARGE,
        E,
        "Document too large",
        "Aliases that refer to other aliases can turn a small text into a huge document.",
        "Write the values out, or use fewer aliases.",
    ),
    Rule(
        codes.NESTED_TOO_DEEPLY,
        E,
        "Nested too deeply",
        "No real template needs collections this deep, and reading on could exhaust the memory.",
        message="Collections are nested more than {limit} levels deep.",
    ),
    Rule(
        codes.RECURSIVE_ALIAS,
        E,
        "Recursive alias",
        "An alias inside the collection that it refers to has no finite value.",
    ),
    Rule(
        codes.INVALID_VALUE_OR_KEY,
        E,
        "Invalid value or key",
        "Heat rejects YAML tags other than the standard ones. Keys must be scalars.",
    ),
    Rule(
        codes.JINJA_NOT_RENDERED,
        E,
        "Source that was not rendered",
        "The file is a source of Jinja2 or of another template engine. It only becomes a template when it is rendered "
        "with values. hot2tf renders Jinja2.",
        "Use --render KEY=VALUE or --render FILE to render sources named *.j2, *.yaml.j2 or *.j2.yaml.",
        "This is a Jinja2 source, not a template.",
    ),
    Rule(
        codes.DUPLICATE_KEY,
        W,
        "Duplicate key",
        "YAML forbids duplicate keys. Heat silently uses the last value.",
        "Remove the duplicate.",
    ),
    Rule(
        codes.UNREADABLE_FILE, E, "File cannot be read", "The file does not exist, is a directory, or cannot be opened."
    ),
    Rule(
        codes.ENVIRONMENT_NOT_TEMPLATE,
        E,
        "Environment instead of a template",
        "An environment provides values for a template's parameters and cannot be converted by itself.",
    ),
    Rule(
        codes.FILE_TOO_LARGE,
        E,
        "File too large",
        "By default, Heat rejects templates of more than 512 KiB. The limit of hot2tf is 8 MiB.",
    ),
    Rule(codes.TOO_MANY_ERRORS, E, "Too many errors", "hot2tf stops after a hundred errors.", "Fix these first."),
    Rule(
        codes.JINJA_CANNOT_BE_RENDERED,
        E,
        "Jinja2 source cannot be rendered",
        "Jinja2 sources are rendered in a sandbox with limited time and memory. Undefined names are errors. There are "
        "the filters of Jinja2 and those of Ansible that only compute. A template of an Ansible role has the defaults "
        "and vars of the role.",
        "Use --render NAME=VALUE to define a name.",
    ),
    Rule(
        codes.UNKNOWN_SECTION, E, "Unknown section", "Heat rejects sections that the template's version does not have."
    ),
    Rule(
        codes.LIMIT_EXCEEDED,
        E,
        "Limit exceeded",
        "The cost of a template is limited, so that no template can exhaust time or memory. The limits count steps and "
        "not seconds, so they are the same on every machine.",
        "Write it smaller, or raise the limit that the message names with --limit.",
    ),
    Rule(
        codes.LEFT_OUT_AT_LIMIT,
        W,
        "Work was left out at a limit",
        "This part of the work reached its limit, and hot2tf goes on without the rest of it.",
        "Raise the limit that the message names with --limit.",
    ),
    Rule(
        codes.WRONG_DECLARATION_TYPE,
        E,
        "Section or declaration has the wrong type",
        "Sections and declarations must be maps, except for parameter_groups and the lists in it.",
    ),
    Rule(
        codes.UNKNOWN_KEY, E, "Unknown key", "HOT rejects unknown keys in resources, parameters and other declarations."
    ),
    Rule(codes.MISSING_KEY, E, "Missing key", "A resource needs a type, an output a value, and a parameter a type."),
    Rule(codes.INVALID_KEY_VALUE, E, "Invalid value for a key", "Heat rejects the template because of this value."),
    Rule(
        codes.UNKNOWN_PARAMETER_TYPE,
        E,
        "Unknown parameter type",
        "The parameter types are string, number, boolean, comma_delimited_list and json. CFN templates spell "
        "them differently.",
    ),
    Rule(
        codes.MALFORMED_CONSTRAINT,
        E,
        "Malformed constraint",
        "A constraint is a map with one kind of check and an optional description.",
    ),
    Rule(codes.MALFORMED_FUNCTION_CALL, E, "Malformed function call", "The function does not accept this argument."),
    Rule(
        codes.REMOVED_FUNCTION,
        E,
        "Removed function",
        "The function was removed before the template's version, and Heat rejects it.",
        "Use its replacement: get_param, get_resource, list_join, str_replace, str_split, or a path.",
    ),
    Rule(
        codes.FUNCTION_NOT_ALLOWED_IN_CONDITION,
        E,
        "Function not allowed in a condition",
        "Heat evaluates conditions before it creates resources, so they can only depend on parameters.",
    ),
    Rule(
        codes.NOT_A_CONDITION,
        E,
        "Not a condition",
        "A condition is a boolean, the name of a condition, or a function that returns a boolean. The "
        "definition of a condition cannot be just a name.",
    ),
    Rule(
        codes.MAP_LOOKS_LIKE_CALL,
        I,
        "Map that looks like a function call",
        "Other versions of HOT have a function of this name. In the template's version, it is an ordinary map.",
        "If you mean the function, raise heat_template_version. hot2tf keeps the map, as Heat does.",
    ),
    Rule(
        codes.IGNORED_FUNCTION_KEY,
        W,
        "Ignored key in a function call",
        "Heat ignores unknown keys in the arguments of str_replace and repeat. Such a key is probably a mistake.",
    ),
    Rule(
        codes.FORM_OF_LATER_VERSION,
        E,
        "Form of a call that only later versions have",
        "The version has the function, but not with such an argument, and Heat refuses it. A conversion takes the "
        "argument as the first version that has the form does, and warns.",
    ),
    Rule(
        codes.MALFORMED_ENVIRONMENT,
        E,
        "Malformed environment",
        "An environment is a map with parameters, parameter_defaults, resource_registry and a few other sections.",
    ),
    Rule(
        codes.ENVIRONMENT_WITHOUT_COUNTERPART,
        I,
        "Part of the environment without a counterpart",
        "Hooks, event sinks, restricted actions and similar settings control Heat's engine, and have no "
        "counterpart in the output.",
    ),
    Rule(
        codes.VALUES_CANNOT_BE_MERGED,
        E,
        "Values cannot be merged",
        "All environments must use the same merge strategy for a parameter, and only strings, lists and maps "
        "can be merged.",
    ),
    Rule(
        codes.UNKNOWN_HOOK_OR_EVENT_SINK,
        E,
        "Unknown hook, restricted action or event sink",
        "Hooks are pre- or post-create, -update and -delete. Restricted actions are update and replace.",
    ),
    Rule(
        codes.CAPABILITIES_UNSUPPORTED_BY_HEAT,
        W,
        "Capabilities, which Heat does not support",
        "Template capabilities were specified for Heat, but never implemented. hot2tf resolves them, but Heat "
        "rejects the section.",
        "Convert the template with hot2tf. To use it with Heat directly, remove the capabilities and name one "
        "template.",
    ),
    Rule(
        codes.MALFORMED_CAPABILITIES,
        E,
        "Malformed capabilities",
        "Capabilities and requirements are maps of strings, numbers, booleans or lists of these. The "
        "candidates for a type are a list of names.",
    ),
    Rule(
        codes.NO_CANDIDATE_FOR_TYPE,
        E,
        "No candidate for a type",
        "Exactly one of the candidates for a type must have the capabilities that the environments require, "
        "but none has.",
        "Change the requirements, or correct the capabilities of a candidate.",
    ),
    Rule(
        codes.SEVERAL_CANDIDATES_FOR_TYPE,
        E,
        "Several candidates for a type",
        "Exactly one of the candidates for a type must have the capabilities that the environments require, "
        "but several have.",
        "Require a capability that distinguishes them.",
    ),
    Rule(
        codes.TEMPLATE_LACKS_CAPABILITIES,
        W,
        "Template without the required capabilities",
        "A type's only template is always used, but its capabilities contradict the type or the requirements.",
        "Name another template, or correct the capabilities or the requirements.",
    ),
)
