"""Prints `hot2tf.toml`, with the sentences of the table of options as comments.

Invariant: what is printed was read again by the reader of configurations, and has the same values.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping

from transpile.initialization.decisions import look_up_option
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings import reading
from transpile.text.source import USER

HEAD = """\
# How hot2tf reads, checks and converts these templates. Made by hot2tf init; change it as you like.
# `hot2tf config FILE` shows what holds for a file. `hot2tf config --schema` has every key.
"""
BASELINE = """\
# An old repository is green from the first day with a baseline: write its findings to a file, and name it here.
#   hot2tf check . --level create --write-baseline hot2tf-baseline.json
# baseline = "hot2tf-baseline.json"
"""
WIDTH = 100
OptionValue = str | bool | tuple[str, ...] | Mapping[str, str]  # of printable texts
OptionValues = Mapping[str, OptionValue]  # by the keys of a configuration


def print_configuration(values: OptionValues, directory: str) -> str:
    """The configuration of a directory with these options."""
    parts = [HEAD]
    for name, value in values.items():
        option = look_up_option(name)
        sentences = textwrap.wrap(option.doc.replace("`", ""), WIDTH - 2, break_on_hyphens=False)
        sentences += [f"One of {', '.join(option.choices)}."] if option.choices else []
        parts.append("".join(f"# {sentence}\n" for sentence in sentences) + f"{name} = {print_value(value)}\n")
    text = "\n".join([*parts, BASELINE])
    check_configuration(text, values, directory)
    return text


def print_value(value: OptionValue) -> str:
    """A value as TOML: JSON, in which only DEL and maps are written otherwise."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{print_value(key)} = {print_value(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def check_configuration(text: str, values: OptionValues, directory: str) -> None:
    """Reads a configuration as every command does. Raises RuntimeError if it does not have these values."""
    name = "hot2tf.toml"
    read = reading.read_configuration_file(
        Source(name, text, budget=Budget()), name, directory, (), trusted=False, owner=USER
    )
    if not read or read.diagnostics or {key: setting.value for key, setting in read.values.items()} != values:
        raise RuntimeError(f"the configuration is not read as it was meant: {read and read.diagnostics}")
