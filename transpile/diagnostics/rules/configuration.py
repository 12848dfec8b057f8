"""Codes 92x: configurations, and comments that ignore findings."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.MALFORMED_CONFIGURATION,
        E,
        "Malformed configuration",
        "hot2tf does not use a configuration with a mistake, not even its correct part.",
        "docs/configuration.md lists the options.",
    ),
    Rule(
        codes.UNKNOWN_OPTION, E, "Unknown option in a configuration", "A misspelled option would otherwise be ignored."
    ),
    Rule(
        codes.UNKNOWN_CODE,
        E,
        "Unknown code in a configuration",
        "A code that does not exist selects and ignores nothing.",
    ),
    Rule(
        codes.CONFIGURATION_REACHES_TOO_FAR,
        E,
        "Configuration reaches too far",
        "A configuration that hot2tf finds by itself may come from a stranger, with a pull request. It can only name "
        "files in its repository, and it cannot raise limits, allow URLs, or have Jinja2 sources rendered.",
        "Use the command line, or name the configuration with --config if you trust it.",
    ),
    Rule(
        codes.COMMENT_IGNORES_NOTHING,
        W,
        "Comment that ignores nothing",
        "A comment that ignores a code stands where no finding has this code. It would hide one that comes later.",
    ),
    Rule(
        codes.MALFORMED_COMMENT,
        W,
        "Comment that cannot be understood",
        "A comment that begins with hot2tf: ignores findings, and must name their codes.",
    ),
    Rule(
        codes.ERROR_CANNOT_BE_IGNORED,
        I,
        "Error that cannot be ignored",
        "A comment or a configuration ignores a code that is an error here. A command that writes something stops at "
        "an error, because its output would be wrong. hot2tf check does ignore it.",
    ),
    Rule(
        codes.CONFIGURATION_OF_ANOTHER_USER,
        W,
        "Configuration of another user",
        "A configuration that belongs neither to you nor to the owner of the directory may have been put there by "
        "anybody.",
    ),
    Rule(
        codes.MALFORMED_BASELINE,
        E,
        "Malformed baseline",
        "The file that `baseline` names is not in the form that hot2tf writes. Without it, all findings would be new.",
        "Write it again: hot2tf check --write-baseline FILE.",
    ),
)
