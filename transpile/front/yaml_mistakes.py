"""Describes a mistake in the YAML of a text in plainer words than the parser's.

Invariant: a mistake that is not in the table keeps the parser's own words.
"""

from __future__ import annotations

from typing import NamedTuple

import yaml


class YamlMistake(NamedTuple):
    """A mistake as a clause, a hint, and the mark of its place: the beginning of the mistake if that is known."""

    what: str
    hint: str
    mark: yaml.Mark | None


QUOTE = "Put the text in quotes."
MISTAKES = (  # in the context, in the problem: the clause, the hint, whether the place is where the context begins
    ("", "found a tab character", "a tab is in the indentation", "Indent YAML with spaces, not tabs.", False),
    (
        "block mapping",
        "did not find expected key",
        "this line is indented differently from the keys above it",
        "Give the keys of one map the same indentation.",
        False,
    ),
    (
        "block collection",
        "expected '-' indicator",
        "this line stands among the items of a list and is none",
        "Begin it with -, or indent it as the key of the list.",
        False,
    ),
    (
        "simple key",
        "could not find expected ':'",
        "this line has no colon, so it is no key",
        "Write KEY: VALUE, or indent the line as part of the text above it.",
        True,
    ),
    (
        "",
        "mapping values are not allowed",
        "a colon stands in a value, or the key above has no colon or another indentation",
        'Put a value with a colon in quotes, as in name: "a: b", or give the keys of one map the same indentation.',
        False,
    ),
    (
        "",
        "block sequence entries are not allowed",
        "a list begins behind a key on its line",
        "Begin the list on a line of its own.",
        False,
    ),
    ("quoted scalar", "unexpected end of stream", "the quotation mark is never closed", "Close it.", True),
    (
        "flow sequence",
        "expected ',' or ']'",
        "the list that begins here is not closed",
        "Write a comma between items, and ] at the end.",
        True,
    ),
    (
        "flow mapping",
        "expected ',' or '}'",
        "the map that begins here is not closed",
        "Write a comma between entries, and } at the end.",
        True,
    ),
    ("", "cannot start any token", "a value cannot begin with this character", QUOTE, False),
    ("", "did not find expected node content", "a value is missing, or cannot begin with this character", QUOTE, False),
    (
        "",
        "unknown escape character",
        "a text in double quotes has an unknown escape",
        "Use single quotes, or two backslashes.",
        False,
    ),
    ("", "expected <document start>", "text follows the end of the document", "Remove it, or its indentation.", False),
)


def describe_yaml_mistake(error: yaml.MarkedYAMLError, text: str) -> YamlMistake:
    """The mistake in a text that made the parser stop."""
    context, problem = error.context or "", error.problem or ""
    mark = error.problem_mark or error.context_mark
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        return YamlMistake(*MISTAKES[0][2:4], mark)
    for in_context, in_problem, what, hint, at_context in MISTAKES:
        if in_context in context and in_problem in problem:
            return YamlMistake(what, hint, (error.context_mark if at_context else None) or mark)
    return YamlMistake(", ".join(part for part in (context, problem) if part) or "it cannot be parsed", "", mark)
