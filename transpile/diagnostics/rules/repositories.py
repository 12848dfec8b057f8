"""Codes 93x and 94x: source trees, plan files of `hot2tf migrate`, and problems that `hot2tf check --fix` corrects."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.UNREADABLE_DIRECTORY,
        E,
        "Directory cannot be read",
        "Templates in the directory would be missing from the migration.",
        "Allow hot2tf to read it, or leave it out with --exclude.",
    ),
    Rule(
        codes.FILE_NAME_NOT_UTF8,
        E,
        "File name that is not UTF-8",
        "Plans, reports and Terraform code are UTF-8 and cannot contain the name.",
        "Rename the file or the directory, or leave it out with --exclude.",
    ),
    Rule(
        codes.UNREADABLE_SOURCE_FILE,
        E,
        "File of the source tree cannot be read",
        "If the file is a template or an environment, it would be missing from the migration.",
        "Allow hot2tf to read it, or leave it out with --exclude.",
    ),
    Rule(
        codes.NAMES_DIFFER_ONLY_IN_CASE,
        W,
        "Names that differ only in case",
        "On some systems only one of the two files can exist. Their directories in the result get different names.",
        "Rename one of them.",
    ),
    Rule(
        codes.PATTERN_NOT_USED,
        W,
        "Pattern was not used",
        "A pattern with many stars takes too long to compare, or it is not a valid pattern.",
        "Use fewer stars, or --exclude.",
    ),
    Rule(
        codes.SCRIPTS_NOT_SEARCHED,
        I,
        "Not all scripts were searched",
        "Command lines in scripts and documents say which environments a template has, and where Heat is called. Only "
        "a limited number of files is searched, and none that cannot be read or is very large.",
        "Write the environments of the stacks into the plan file.",
    ),
    Rule(
        codes.TYPE_OF_OTHER_ENVIRONMENT,
        I,
        "Type of an environment that was not given",
        "A type must be Heat's own, or an environment must define it. One near the template does, but the template was "
        "checked without it.",
        "Check it with -e, or check the whole directory, which finds the environments of each template.",
    ),
    Rule(
        codes.FILE_NOT_FORMATTED,
        E,
        "File is not formatted",
        "hot2tf fmt would change the file. Its meaning stays the same.",
        "Run hot2tf fmt on it.",
    ),
    Rule(
        codes.OLD_PROPERTY_NAME,
        I,
        "Property under an old name",
        "Heat keeps the old name for old templates and translates it to the new one.",
        "Use the new name; hot2tf check --fix does it.",
    ),
    Rule(
        codes.MISSPELT_FUNCTION,
        W,
        "Misspelt function",
        "A map with one key is a call if the key is the name of a function, and data otherwise. This key is nearly the "
        "name of a function.",
    ),
    Rule(
        codes.MALFORMED_PLAN,
        E,
        "Malformed plan file",
        "A plan file is YAML: a map with the stacks, and with the files that are left out. docs/migrate.md describes "
        "it.",
    ),
    Rule(codes.UNKNOWN_PLAN_KEY, E, "Unknown key in a plan file", "A misspelled key would otherwise be ignored."),
    Rule(
        codes.PLANNED_FILE_NOT_FOUND,
        E,
        "File of a plan does not exist",
        "The plan file names a template or an environment that the source tree does not have.",
    ),
    Rule(
        codes.INVALID_STACK_DIRECTORY,
        E,
        "Directory that a stack cannot have",
        "Each stack has a directory of its own in the destination, outside of modules and .hot2tf, and none is inside "
        "another.",
    ),
    Rule(
        codes.DUPLICATE_STACK,
        E,
        "Stack listed twice",
        "Two stacks of the plan file are the same, or have the same name.",
    ),
    Rule(
        codes.ENVIRONMENTS_NOT_MOVED,
        E,
        "Environments have other places now",
        "An earlier run wrote the environments of a template to other places than this one would, and a state of"
        " Terraform or an edit is there. Nothing of this template is written, so that nothing is lost.",
    ),
    Rule(
        codes.ABANDONED_ENVIRONMENT,
        W,
        "State of an environment that is gone",
        "The source no longer has an environment whose state is still there, so its files stay. Destroy its resources, "
        "and remove the state.",
    ),
    Rule(
        codes.STATE_NOT_IN_BACKEND,
        W,
        "State that is not in the backend",
        "A backend was chosen for environments that have states on this machine. terraform init -reconfigure begins "
        "with an empty state there, and the next plan would create every resource again.",
    ),
    Rule(
        codes.CALL_OF_HEAT,
        I,
        "Call of Heat",
        "A script, job, playbook, program or document of the repository creates, updates, deletes or reads a stack, or "
        "lists stacks. After the migration it has to call Terraform.",
        "migrate SRC DEST --patch FILE writes a patch for those that can be rewritten safely.",
    ),
)
