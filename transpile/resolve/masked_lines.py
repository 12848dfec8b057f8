"""The lines of one file without hidden values, for the logs of pipelines.

Invariant: no line shows the default of a hidden parameter, wherever the file repeats it. An environment does not say
which of its parameters are hidden, so none of their values is shown. Of a text that cannot be read, nothing below
`default` is shown.
"""

from __future__ import annotations

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import MASK
from transpile.front.environment import read_environment_text
from transpile.front.template import read_template
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import to_data
from transpile.model.source import Source
from transpile.resolve.masks import conceal_ranges, scalar_texts
from transpile.resolve.secret_files import WORD, contains_any_run, longest_runs
from transpile.resolve.secrets import ANY, DEFAULT, HIDDEN, conceal_after_keys, conceal_literals


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
