"""The changes that a command would make to a file, for people to read.

Invariant: control characters are made visible, so that each line shows what it contains. Hidden values are masked
unless the user asks for them. An output file with hidden values is not shown at all: a difference often stands in the
log of a pipeline.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import MASK
from transpile.front.environment import read_environment_text
from transpile.front.template import read_template
from transpile.model import printable
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import to_data
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.resolve.masks import conceal_ranges, scalar_texts
from transpile.resolve.secret_files import WORD, contains_any_run, longest_runs
from transpile.resolve.secrets import ANY, DEFAULT, HIDDEN, conceal_after_keys, conceal_literals

HUNK = compile_lazily(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def unified_difference(name: str, before: str, after: str, *, show_secrets: bool = False) -> str:
    """A unified diff between two texts of a file. Lines that differ only in a hidden value are shown, too."""
    import difflib  # rarely needed

    old, new = io.StringIO(before).readlines(), io.StringIO(after).readlines()
    masked_lines = {} if show_secrets or before == after else {"-": mask_lines(before), "+": mask_lines(after)}
    numbers = {"-": 0, "+": 0}  # of the next line of each text, from 0
    out = []
    for number, line in enumerate(difflib.unified_diff(old, new, name, name)):
        words = line.removesuffix("\n")
        if number > 1 and (match := HUNK.match(line)) is not None:
            numbers = {"-": max(int(match[1]) - 1, 0), "+": max(int(match[2]) - 1, 0)}
        elif number > 1:
            side = "-" if line.startswith("-") else "+"
            if masked_lines:
                words = line[0] + masked_lines[side][numbers[side]]
            for other in "-+" if line.startswith(" ") else side:
                numbers[other] += 1
        out.append(printable.make_log_line(words))
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)


SECRET_WORDS = "passw|secret|token|private_?key|credential"


def mask_file_difference(
    name: str,
    before: bytes,
    after: bytes,
    *,
    private: bool,
    hidden_names: Collection[str] = (),
    conceal: Callable[[str], str] = str,
) -> str:
    """A unified diff between two contents of a file, without hidden values. `private`: the file holds some.
    `hidden_names`: of variables with hidden values. `conceal`: masks the known values in a text.
    """
    try:
        texts = before.decode("utf-8"), after.decode("utf-8")
    except UnicodeDecodeError:
        return f"{name}: its content changes, and is no text.\n"
    words = "|".join([SECRET_WORDS, *(rf"\b{re.escape(hidden)}\b" for hidden in sorted(hidden_names))])
    assignment = re.compile(rf"(?im)^([ +-]?[^\S\n]*[\"']?[\w.-]*(?:{words})[\w.-]*[\"']?[^\S\n]*[:=][^\S\n]*)(\S.*)$")
    spread = any(match[2][0] in "<[{(|>" for text in texts for match in assignment.finditer(text))
    if private or (spread and name.endswith("tfvars")):
        counts = [len(text.splitlines()) for text in texts]
        return (
            f"{name}: changes. It holds hidden values, so its lines are not shown ({counts[0]} → {counts[1]} lines).\n"
        )
    difference = unified_difference(name, *map(conceal, texts), show_secrets=True)  # masked here
    return "".join(mask_values(assignment, difference.splitlines(keepends=True)))


def mask_values(assignment: re.Pattern[str], lines: Iterable[str]) -> Iterable[str]:
    """The lines of a diff. Values with a name that speaks of a secret are masked where they are literals."""
    for line in lines:
        match = assignment.match(line.rstrip("\n"))
        literal = match is not None and (match[2][0] in "\"'0123456789" or ":" in match[1])
        yield f"{match[1]}{MASK}\n" if match is not None and literal else line


def mask_lines(text: str) -> list[str]:
    """The lines of a template, an environment or another text, without line ends."""
    source = Source("", text, budget=Budget())
    values: list[object] = []
    if any(key in text for key in VERSION_KEYS):
        if any(word in text for word in HIDDEN):
            values = conceal_hidden_defaults(source)
    elif "parameter" in text:
        conceal_values_of_parameters(source)
    lines, offset = [], 0
    for line in text.split("\n"):
        lines.append(conceal_ranges(line, columns_within(source, offset, len(line))))
        offset += len(line) + 1
    words = [line for value in values for scalar in scalar_texts(value) for line in scalar.splitlines()]
    runs = [run for run in longest_runs(words) if len(run) > WORD]
    return [mask_line(line) if contains_any_run(line, runs) else line for line in lines]


def columns_within(source: Source, offset: int, length: int) -> list[tuple[int, int]]:
    """The secret parts of a line as columns, in order and without overlaps."""
    columns: list[tuple[int, int]] = []
    for at, end in sorted(source.secret_ranges):
        first, last = max(at - offset, columns[-1][1] if columns else 0), min(end - offset, length)
        if first < last:
            columns.append((first, last))
    return columns


def conceal_hidden_defaults(source: Source) -> list[object]:
    """Conceals the places of the defaults of hidden parameters, and returns the defaults."""
    template = None
    with RunGuard([], source):  # it ends where there are too many errors
        template, _ = read_template(source)
    if template is None:
        conceal_after_keys(source, DEFAULT)
        return []
    defaults = [p.default for p in template.parameters.values() if p.hidden and p.default is not None]
    for default in defaults:
        source.mark_secret(default)
    return [to_data(default) for default in defaults]


def conceal_values_of_parameters(source: Source) -> None:
    """Conceals the places of all values that an environment gives to parameters."""
    environment = None
    with RunGuard([], source):
        environment, _ = read_environment_text(source)
    if environment is None:
        conceal_after_keys(source, ANY)
        return
    for section in (environment.parameters, environment.parameter_defaults):
        for entry in section.values():
            for _ in conceal_literals(source, entry.value):
                pass


def mask_line(line: str) -> str:
    return line[: len(line) - len(line.lstrip())] + MASK
