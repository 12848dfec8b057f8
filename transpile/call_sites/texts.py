"""Finds the shell text in files that are no YAML: scripts, makefiles, Jenkinsfiles, documents.

Invariant: comments of a file are in no fragment, except those that the shell itself skips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.call_sites.model import DOCUMENT, HERE, TOP, UNKNOWN_PLACE, Fragment
from transpile.repository.shell_words import MAKE

MARK = re.compile(r"stack|heat", re.I)
CONTINUED = re.compile(r"\\\r?$")
RULE = re.compile(r"^(?!\t)([^\s#:=][^#:=]*?)\s*::?(?!=)")
RECIPE = re.compile(r"\t[ \t]*(?:[@+-][ \t]*)*")
SHELL_FUNCTION = re.compile(r"\$[({]shell\s+")
ONESHELL = re.compile(r"(?m)^\.(?:ONESHELL|RECIPEPREFIX)\b")
JINJA = re.compile(r"\{%|\{\{")
FENCE = re.compile(r"\s*(?:>\s*)?(```+|~~~+)\s*([\w+-]*)(?!.*`)")
BLOCK_LINE = re.compile(r"(?:-{4,}|\.{4,})\s*$")
PROMPT = re.compile(
    r"\s*(?:>\s+)?(?:\$\s+)?(?:(?:\([^()\n]{1,60}\)|\[[^\]\n]{1,60}\]|[\w.-]{1,40}@[\w.:~/-]{1,60})\s*){0,3}"
    r"(?:[$%#]|[\w~/-]{0,40}[$%>])\s+"
)
CLIENT_LINE = re.compile(
    r"\s*(?:(?:sudo|time|export\s+\w+=\S*|\w+=\S*)\s+)*[\"'$({`]*(?:openstack|heat|python-openstackclient|\w+=.?\$\()\b"
)
INLINE = re.compile(r"(?<!`)(```|``|`)(?!`)([^`\n]{5,400})\1(?!`)")
GROOVY = re.compile(r"\bsh(?:\s*\(?\s*|\s*\(\s*(?:\w+\s*:\s*[^,\n]{1,80},\s*)?script\s*:\s*)(\"\"\"|'''|\"|')")
BULLET = re.compile(r"\s*(?:(?:\d{1,2}[.)]|[-*+])\s+)?(?:openstack|heat)\s[^`]*\s--?\w")
OTHER_LANGUAGES = (
    "yaml",
    "yml",
    "json",
    "python",
    "py",
    "ini",
    "hcl",
    "tf",
    "terraform",
    "xml",
    "html",
    "toml",
    "diff",
)


def script_fragments(text: str, *, jinja: bool) -> Iterator[Fragment]:
    """The one fragment of a shell script."""
    reason = "the file is a template of Jinja2" if jinja and JINJA.search(text) else ""
    yield Fragment(0, len(text), "", reason=reason)


def make_fragments(text: str) -> Iterator[Fragment]:
    """The lines of recipes, each with those that continue it, and `$(shell …)`."""
    reason = "the makefile has its own rules for recipes" if ONESHELL.search(text) else ""
    unit, defines = "", False
    for start, end in logical_lines(text):
        line = text[start:end]
        if line.startswith("define "):
            defines, unit = True, line.split("\n")[0]
        elif line.startswith("endef"):
            defines = False
        if (recipe := RECIPE.match(line)) is not None:
            if MARK.search(line):
                why = reason or ("a canned recipe has no target of its own" if defines else "")
                yield Fragment(start + recipe.end(), end, unit, runs_in=HERE, dialect=MAKE, reason=why)
        elif (rule := RULE.match(line)) is not None and not line.startswith("#"):
            unit = rule[1]
            semicolon = line.find(";", rule.end())
            if semicolon >= 0 and MARK.search(line, semicolon):
                yield Fragment(
                    start + semicolon + 1,
                    end,
                    unit,
                    runs_in=HERE,
                    dialect=MAKE,
                    reason="it is in the line of its target",
                )
        if not line.lstrip().startswith("#"):
            for match in SHELL_FUNCTION.finditer(line):
                if MARK.search(line, match.end()):
                    yield Fragment(
                        start + match.end(),
                        end,
                        unit,
                        runs_in=HERE,
                        dialect=MAKE,
                        reason="make itself reads its output",
                    )


def logical_lines(text: str) -> Iterator[tuple[int, int]]:
    """Each line with those that continue it by a backslash, without the last line break."""
    start = at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line_end = end - (text[end - 1 : end] == "\r")
        if text[line_end - 1 : line_end] == "\\" and end < len(text):
            at = end + 1
            continue
        yield start, end
        start = at = end + 1
    if start < len(text):
        yield start, len(text)


def groovy_fragments(text: str) -> Iterator[Fragment]:
    """The strings that steps of `sh` in a Jenkinsfile run."""
    at = 0
    while (match := GROOVY.search(text, at)) is not None:
        quote = match[1]
        begin = match.end()
        line_start = text.rfind("\n", 0, match.start()) + 1
        end = text.find(quote, begin)
        at = begin if end < 0 else end + len(quote)
        if end < 0 or text[line_start : match.start()].lstrip().startswith(("//", "*")):
            continue
        if len(quote) == 1 and "\n" in text[begin:end]:
            continue
        inside = text[begin:end]
        if MARK.search(inside):
            reason = (
                "the string has escapes or values of Groovy"
                if "\\" in inside or ('"' in quote and "$" in inside)
                else ""
            )
            yield Fragment(
                begin, end, "", runs_in=TOP, lines=len(quote) == 3, forbidden=quote[0] + "\\$", reason=reason
            )


def line_fragments(text: str, reason: str, *, comments: tuple[str, ...] = ("#", ";", "//")) -> Iterator[Fragment]:
    """Each line with a mark, for files of other tools, which are not rewritten."""
    for start, end in logical_lines(text):
        if MARK.search(text, start, end) and not text[start:end].lstrip().startswith(comments):
            yield Fragment(start, end, "", runs_in=UNKNOWN_PLACE, reason=reason)


def document_fragments(path: str, text: str) -> Iterator[Fragment]:
    """The commands in the code of a document: lines of code blocks, lines with a prompt, and code within sentences."""
    is_markdown = path.endswith((".md", ".markdown"))
    fenced, language, block, number = "", "", False, 0
    for start, end in logical_lines(text):
        line = text[start:end]
        if (fence := FENCE.match(line)) is not None:
            if fenced and fence[1].startswith(fenced):
                fenced = ""
            elif not fenced:
                fenced, language = fence[1], fence[2].lower()
                number += 1
            continue
        if not is_markdown and BLOCK_LINE.match(line):
            block = not block
            number += block
            continue
        if not MARK.search(line):
            number += not (fenced or block) and not line.strip()
            continue
        if fenced and language in OTHER_LANGUAGES:
            continue
        unit = f"block {number}"
        in_code = bool(fenced or block)
        prompt = PROMPT.match(line)
        if prompt is not None and MARK.search(line, prompt.end()):
            is_comment = in_code and line.lstrip().startswith("# ") and language not in ("console", "")
            is_sure = "$" in prompt[0] or CLIENT_LINE.match(line, prompt.end()) is not None  # `>` may quote a sentence
            if is_sure and not is_comment:
                yield Fragment(start + prompt.end(), end, unit, DOCUMENT)
                continue
        indented = line.startswith(("    ", "\t")) if is_markdown else line.startswith(("  ", "\t"))
        if not line.lstrip().startswith("#") and (
            in_code or (indented and CLIENT_LINE.match(line)) or (path.endswith(".txt") and CLIENT_LINE.match(line))
        ):
            yield Fragment(start, end, unit, DOCUMENT)
            continue
        if BULLET.match(line) and "\n" not in line:  # alone on a line, with options
            yield Fragment(start, end, unit, DOCUMENT, reason="it is in a sentence")
            continue
        if CLIENT_LINE.match(line) and "\n" in line:  # with continuation lines: no sentence
            yield Fragment(start, end, unit, DOCUMENT)
            continue
        for match in INLINE.finditer(line):
            if MARK.search(match[2]):
                begin = start + match.start(2)
                yield Fragment(begin, begin + len(match[2]), unit, DOCUMENT, reason="it is in a sentence")
