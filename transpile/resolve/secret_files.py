"""The files of a conversion that hold hidden values, found in their text.

Invariant: no file with a hidden value is missed, however its target escapes, indents or wraps texts: the search is for
the longest run of letters and digits of each value, which no target changes. A file that has the same word by chance is
treated as secret, too, which does no harm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.ir import Template, to_data
from transpile.model.lazy_patterns import compile_lazily
from transpile.resolve.masks import scalar_texts

RUN = compile_lazily(r"[A-Za-z0-9]+")
NUMBER = compile_lazily(r"\s*[-+]?(?:\d{1,300}\.?\d{0,300}|\.\d{1,300})(?:[eE][-+]?\d{1,2})?\s*", re.ASCII)
BOOLEANS = frozenset(("t", "true", "on", "y", "yes", "f", "false", "off", "n", "no"))
DIGITS = compile_lazily(r"[0-9]+")  # of a number, whose exponent has several forms
MOST = 200  # values that are looked for one by one
LONGEST = 64  # characters that are looked for; some forms wrap lines
WORD = 4  # characters up to which a run counts only as a word of its own; it may follow an escape
HEX = "[0-9A-Fa-f]"
BEFORE = rf"(?:(?<![A-Za-z0-9])|(?<=\\[abefnrtv0])|(?<=\\x{HEX}{{2}})|(?<=\\u{HEX}{{4}})|(?<=\\U{HEX}{{8}}))"


def find_files_with_values(files: Mapping[str, str | bytes], values: Iterable[Any]) -> frozenset[str]:
    """The names of the files with one of these values; of all files, if there are too many to look for."""
    runs = longest_runs(values)
    if len(runs) > MOST:
        return frozenset(files)
    return frozenset(name for name, content in files.items() if contains_any_run(content, runs))


def contains_any_run(content: str | bytes, runs: Iterable[str]) -> bool:
    """Whether a content has one of these runs. A binary content, such as an archive, may hide any of them: True."""
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError:
            return any(True for _ in runs)
    return any(contains_run(run, content) for run in runs)


def contains_run(run: str, text: str) -> bool:
    if len(run) >= WORD or not run:
        return run in text
    return re.search(f"{BEFORE}{run}(?![A-Za-z0-9])", text) is not None


def longest_runs(values: Iterable[Any]) -> list[str]:
    """The texts to search for: the longest run of letters and digits of each spelling of each value. A value without
    letters or digits gives the empty run, which is in every text.
    """
    forms: dict[str, None] = {}
    for value in values:
        for text in value_spellings(value):
            pattern = DIGITS if NUMBER.fullmatch(text) else RUN
            run = max((part[:LONGEST] for part in pattern.findall(text)), key=len, default="")
            forms[run] = None
    return sorted(forms)


def value_spellings(value: Any) -> Iterator[str]:
    """The strings in a value, and the other spellings under which a target may write them, because Heat takes them for
    a number, a boolean or JSON: "yes" -> "yes", "true", "false".
    """
    for text in scalar_texts(value):
        yield text
        if NUMBER.fullmatch(text):
            yield from scalar_texts(float(text))
        elif text.strip().lower() in BOOLEANS:
            yield from ("true", "false")
        elif text.lstrip().startswith(("{", "[")):
            try:
                parsed = json.loads(text)
            except (ValueError, RecursionError):
                continue
            yield from (inner for inner in scalar_texts(parsed) if inner != text)


def diagnose_written_defaults(templates: Iterable[Template], files: Mapping[str, str | bytes]) -> Iterator[Diagnostic]:
    """A warning for each default of a hidden parameter that was written."""
    hidden = [(t.source, p, p.default) for t in templates for p in t.parameters.values() if p.hidden and p.default]
    for source, param, default in hidden if files else ():
        value = to_data(default)
        if value not in ("", [], {}) and (len(hidden) > MOST or find_files_with_values(files, [value])):
            message = f"The default of {param.name} is hidden, but it is written to the output."
            yield Diagnostic(codes.HIDDEN_DEFAULT_IN_OUTPUT, message, source, default.span.in_text)
