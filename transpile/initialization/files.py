"""The files of `hot2tf init`: their places, which of them exist, the content of `hot2tf.toml`, and how they are
written.

Invariant: a file that exists stays, unless the user forces it; a file that also has jobs of the user always stays. All
reasons against writing are known before the first file is written. The configuration that is printed was read again,
and has the same values.
"""

from __future__ import annotations

import json
import os
import pathlib
import textwrap
from collections.abc import Mapping
from typing import final

from transpile.diagnostics.model import Diagnostic
from transpile.initialization import pipelines
from transpile.initialization.decisions import look_up_option
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.repository.plan_file import PLAN_FILE
from transpile.settings import Finder, reading
from transpile.settings.finder import OWN
from transpile.text import output
from transpile.text.source import USER, find_repository

HEAD = """\
# How hot2tf reads, checks and converts these templates. Made by hot2tf init; change it as you like.
# `hot2tf config FILE` shows the options for a file. `hot2tf config --schema` has every key.
"""
BASELINE = """\
# An old repository is green from the first day with a baseline: write its findings to a file, and name it here.
#   hot2tf check . --level create --write-baseline hot2tf-baseline.json
# baseline = "hot2tf-baseline.json"
"""
WIDTH = 100
OptionValue = str | bool | tuple[str, ...] | Mapping[str, str]  # of printable texts
OptionValues = Mapping[str, OptionValue]  # by the keys of a configuration


@final
class InitialFiles:
    """The files for a directory, as it is before anything is written. `force`: whether existing ones are replaced.
    `holding`: the configuration that holds now; empty if there is none.
    """

    def __init__(self, directory: str, finder: Finder, *, force: bool) -> None:
        self.directory, self.force = directory, force
        self.repository = find_repository(directory) or os.path.realpath(directory)
        self.configuration = str(pathlib.Path(directory, OWN))
        self.plan = str(pathlib.Path(directory, PLAN_FILE))
        self.holding = finder.configuration_around(str(pathlib.Path(directory).absolute())).path
        if os.path.lexists(self.configuration):
            self.holding = self.configuration
        self.writes_configuration = force or not self.holding
        self.writes_plan = force or not os.path.lexists(self.plan)

    @property
    def templates_path(self) -> str:
        """The path of the directory in its repository: `.`, `templates`."""
        return os.path.relpath(os.path.realpath(self.directory), self.repository).replace(os.sep, "/")

    def pipeline_path(self, name: str) -> str:
        """The path of the file of a pipeline, from the working directory."""
        return os.path.relpath(pathlib.Path(self.repository, pipelines.FORMS[name].file))

    def writes_pipeline(self, name: str) -> bool:
        """Whether the file of a pipeline is written: it does not exist, or it is made here and may be replaced."""
        path = self.pipeline_path(name)
        if not os.path.lexists(path):
            return True
        return self.force and (not pipelines.FORMS[name].shared or pipelines.is_made_by_init(path))

    def needs_lines(self, name: str) -> bool:
        """Whether the user has to add the job to a file with other jobs."""
        path = self.pipeline_path(name)
        return pipelines.FORMS[name].shared and not self.writes_pipeline(name) and not pipelines.mentions_hot2tf(path)


def write_files(texts: Mapping[str, str]) -> Diagnostic | None:
    """Writes all files, or returns why not. Problems are found before the first file is written, where possible."""
    for path in texts:
        if (problem := output.find_user_file_problem(path)) is not None:
            return problem
    for path, text in texts.items():
        if (problem := output.write_user_file(path, text.encode())) is not None:
            return problem
    return None


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
    if read.diagnostics or {key: setting.value for key, setting in read.values.items()} != values:
        raise RuntimeError(f"the configuration is not read as it was meant: {read.diagnostics}")
