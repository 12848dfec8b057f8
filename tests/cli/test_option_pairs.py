"""Every command with all pairs of its options: it ends, it keeps secrets, and a failed run writes nothing.

The options come from the command tree, their values from tests/support/option_values.py. `PairSearch` makes the lines;
each runs on three inputs, twice in an empty directory and once more over its own output.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import typer.main
import yaml

from tests.support import running
from tests.support.option_pairs import NONE, Line, PairSearch
from tests.support.option_values import (
    FILES,
    LEFT_OUT,
    LINKS,
    NO_PLACES,
    SECRET,
    find_values,
    options_of,
    read_commands,
    words_of,
)
from transpile.cli.application import make_application

MEMORY = "/dev/shm"  # where files cost least, if the system has it
# Options whose files may be written although the status is 1: reports on the run.
REPORTS = ("--report", "--html", "--sarif", "--summary", "--output-file", "--write-baseline", "--patch")
CHANGES_INPUT = ("fmt", "check")
STATE = ".hot2tf/"  # of a migration: the state has the times of files
AGAIN = 3  # of so many lines one runs twice in an empty directory

PLAIN = """\
heat_template_version: 2021-04-16
capabilities: {type: web}
parameters:
  size: {type: number, default: 1, constraints: [{range: {min: 1, max: 9}}]}
  token: {type: string, hidden: true, default: ''}
  public: {type: boolean, default: true}
conditions:
  is_public: {get_param: public}
resources:
  net: {type: OS::Neutron::Net, properties: {name: web}}
  router: {type: OS::Neutron::Router, condition: is_public, properties: {name: {if: [is_public, open, closed]}}}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: {list_join: ['-', [a, b]]}}}
  server:
    type: OS::Nova::Server
    depends_on: disk
    properties:
      image: cirros
      flavor: small
      admin_pass: {get_param: token}
      networks: [{network: {get_resource: net}}]
      user_data_format: RAW
      user_data: {str_replace: {template: "echo $t", params: {$t: {get_param: token}}}}
outputs:
  net: {value: {get_resource: net}}
  address: {value: {get_attr: [server, first_address]}}
"""
NESTED = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1}
  token: {type: string, hidden: true, default: ''}
resources:
  net: {type: OS::Neutron::Net}
  part: {type: part.yaml, properties: {net: {get_resource: net}, token: {get_param: token}}}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: part.yaml, properties: {net: {get_resource: net}}}}
  till: {type: Shop::Till, properties: {size: {get_param: size}}}
  scaling:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 3, resource: {type: OS::Cinder::Volume, properties: {size: 1}}}
outputs:
  ports: {value: {get_attr: [group, port]}}
"""
PART = """\
heat_template_version: 2018-08-31
parameters:
  net: {type: string}
  token: {type: string, hidden: true, default: x}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  key: {type: OS::Heat::Value, properties: {value: {get_param: token}}}
outputs:
  port: {value: {get_resource: port}}
"""
BROKEN = """\
heat_template_version: 2021-04-16
parameters:
  size: {type: number, default: x}
  token: {type: string, hidden: true}
  unused: {type: string}
resources:
  net: {type: OS::Neutron::Nett, properties: {name: {get_param: nothing}}}
  disk: {type: OS::Cinder::Volume, properties: {sizes: 1, name: {get_param: token}}}
"""
HOMING = """\
homing_template_version: 2017-10-10
parameters: {w: 2}
locations: {customer: {latitude: 41.88, longitude: -87.63}}
demands:
  gateway: [{inventory_provider: aai, inventory_type: cloud}]
constraints:
  near: {type: distance_to_location, demands: [gateway], properties: {distance: < 900 km, location: customer}}
optimization: {minimize: {product: [{get_param: w}, {distance_between: [customer, gateway]}]}}
"""
FIT = HOMING.replace(
    "  near:", "  fit: {type: vim_fit, demands: gateway, properties: {controller: m, request: {vCPU: 2}}}\n  near:"
)
NO_PLACE = HOMING.replace("optimization:", "optimisation:").replace("customer}}", "elsewhere}}")
INVENTORY = """\
- {candidate_id: chicago, inventory_type: cloud, latitude: 41.88, longitude: -87.63, country: USA, cost: 40}
- {candidate_id: dallas, inventory_type: cloud, latitude: 32.78, longitude: -96.8, country: USA, cost: 2}
"""


def in_source(files: Mapping[str, str]) -> dict[str, str]:
    return {f"src/{name}": text for name, text in files.items()}


def export(template: str) -> str:
    """A running stack of a template, whose environment has the secret."""
    environment = {"parameters": {"token": SECRET}, "resource_registry": {"resources": {}}}
    loaded = yaml.load(template, yaml.BaseLoader)
    return json.dumps(running.stack(loaded, environment=environment, files={"file:///part.yaml": PART}))


Input = dict[str, str]
TEMPLATES: tuple[Input, ...] = (
    {"stack.yaml": PLAIN},
    {"stack.yaml": NESTED, "part.yaml": PART},
    {"stack.yaml": BROKEN},
)
PLACEMENTS = tuple({"stack.yaml": text, "inventory.yaml": INVENTORY} for text in (HOMING, FIT, NO_PLACE))
EXPORTS = tuple({"export.json": text} for text in (export(PLAIN), export(NESTED), export(BROKEN)[:-9]))
# For each command the files of its inputs, and its arguments.
INPUTS: dict[str, tuple[tuple[Input, ...], tuple[str, ...]]] = {
    "convert": (TEMPLATES, ("stack.yaml",)),
    "check": (TEMPLATES, ("stack.yaml",)),
    "fmt": (TEMPLATES, ("stack.yaml", "env.yaml")),
    "graph": (TEMPLATES, ("stack.yaml",)),
    "migrate": (tuple({**files, **in_source(files)} for files in TEMPLATES), ("src", "out")),
    "init": (TEMPLATES, ()),
    "adopt": (EXPORTS, ("export.json",)),
    "home": (PLACEMENTS, ("stack.yaml",)),
    "capabilities find": (TEMPLATES, ("stack.yaml", "attic")),
    "capabilities summary": (TEMPLATES, ("stack.yaml", "attic")),
    "types": (TEMPLATES, ("OS::Nova::Server",)),
    "config": (TEMPLATES, ("stack.yaml",)),
    "targets": (({},), ()),
    "explain": (({},), ("HOT404",)),
    "completion": (({},), ("fish",)),
    "lsp": (({},), ()),
}
REQUIRED = {"home": ("--inventory",), "capabilities find": ("--capability",)}  # which are on every line
NAMES_INPUT = {"--template": ("convert", "check", "graph")}  # in place of an argument


@dataclasses.dataclass
class Ended:
    """The outcome of a run: its status, its two streams, and the content of each path afterwards."""

    status: int
    out: str
    err: str
    files: dict[str, bytes]


class Workplace:
    """A directory in which commands run in this process."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top, self.work = top, top / "work"
        self.command: Any = typer.main.get_command(make_application())

    def prepare(self, files: Mapping[str, str]) -> dict[str, bytes]:
        """Makes the directory anew. Returns its contents."""
        os.chdir(self.top)
        shutil.rmtree(self.work, ignore_errors=True)
        for name, text in {**FILES, **files}.items():
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for name, target in LINKS.items():
            os.symlink(target, os.path.join(self.work, name))
        os.chdir(self.work)
        return self.contents()

    def contents(self) -> dict[str, bytes]:
        """The content of each path: the bytes of a file, the target of a link, nothing for a directory."""
        contents = {}
        for folder, folders, names in os.walk(self.work):
            for name in (*folders, *names):
                path = os.path.join(folder, name)
                below = os.path.relpath(path, self.work)
                if os.path.islink(path):
                    contents[below] = os.readlink(path).encode()
                elif os.path.isdir(path):
                    contents[f"{below}/"] = b""
                elif f"/{STATE}" not in f"/{below}":
                    with open(path, "rb") as file:
                        contents[below] = file.read()
        return contents

    def run(self, words: list[str]) -> Ended:
        """Runs a command line. An exception that the command lets through ends the test."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n") for _ in range(2))
        before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO()), out, err
        status = 0
        try:
            self.command.main(args=words, prog_name="hot2tf")
        except SystemExit as e:
            status = e.code if isinstance(e.code, int) else 1 if e.code else 0
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
        texts = []
        for stream in (out, err):
            stream.flush()
            stream.seek(0)
            texts.append(stream.read())
        return Ended(status, texts[0], texts[1], self.contents())


@pytest.fixture
def workplace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workplace]:
    before = os.getcwd()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        monkeypatch.setenv("XDG_CACHE_HOME", os.path.join(folder, "cache"))
        try:
            yield Workplace(pathlib.Path(folder))
        finally:
            os.chdir(before)


@dataclasses.dataclass
class Trial:
    """A command with one of its inputs, and the lines that are tried."""

    workplace: Workplace
    command: str
    files: Mapping[str, str]
    arguments: tuple[str, ...]

    def words(self, line: Line) -> list[str]:
        """The words of a command line. Options that the command requires have a value that is right."""
        options = options_of(self.command)
        words = self.command.split()
        chosen = {name: value for name, value in line.items() if value != NONE}
        for name in REQUIRED.get(self.command, ()):
            chosen.setdefault(name, find_values(self.command, options[name]).good[0])
        for name, value in chosen.items():
            words += words_of(options[name], "" if value == EMPTY else value)
        instead = any(self.command in NAMES_INPUT.get(name, ()) for name in chosen)
        return words if instead else [*words, *self.arguments]

    @functools.cached_property
    def known(self) -> dict[tuple[str, ...], Ended]:
        return {}

    def first(self, line: Line) -> Ended:
        """The outcome of a command line in a new directory."""
        words = self.words(line)
        if tuple(words) not in self.known:
            before = self.workplace.prepare(self.files)
            ended = self.workplace.run(words)
            self.check_end(words, line, before, ended)
            self.known[tuple(words)] = ended
        return self.known[tuple(words)]

    def check_end(self, words: list[str], line: Line, before: Mapping[str, bytes], ended: Ended) -> None:
        shown = " ".join(words)
        details = f"hot2tf {shown}: status {ended.status}\n{ended.out[-300:]}\n{ended.err[-1500:]}"
        assert ended.status in (0, 1, 2), details
        assert "HOT900" not in ended.out + ended.err, details
        assert "Traceback" not in ended.out + ended.err, details
        written = {name for name, content in ended.files.items() if before.get(name) != content}
        gone = before.keys() - ended.files.keys()
        assert not gone, f"{details}\ngone: {sorted(gone)}"
        if ended.status == 2:
            assert not written, f"{details}\nwritten: {sorted(written)}"
        elif ended.status == 1:
            allowed = {value for name, value in line.items() if name in REPORTS}
            failed = {name for name in written if name not in allowed and not self.may_write(name, line)}
            assert not failed, f"{details}\nwritten: {sorted(failed)}"
        for name in written:
            assert SECRET.encode() not in ended.files[name], f"{details}\n{name} has the secret"
        assert SECRET not in ended.out + ended.err, details

    def may_write(self, name: str, line: Line) -> bool:
        """Whether a file may change although something failed: other stacks, other files, do not fail."""
        if self.command == "migrate":
            return name.startswith("out/")
        return name in before_names(self.files) and (self.command == "fmt" or line.get("--fix", NONE) != NONE)

    def check_line(self, line: Line, *, twice: bool) -> None:
        """Runs a line again, over its own output and in an empty directory."""
        first = self.first(line)
        words = self.words(line)
        details = f"hot2tf {' '.join(words)}"
        if twice:
            self.workplace.prepare(self.files)
            again = self.workplace.run(words)
            assert (again.status, again.out, again.err) == (first.status, first.out, first.err), details
            assert again.files == first.files, details
            over = self.workplace.run(words)
            if self.command not in CHANGES_INPUT:
                counts = {line.get("--summary", NONE)}  # the summary says that the stacks are unchanged now
                written, rewritten = ({n: f for n, f in e.files.items() if n not in counts} for e in (first, over))
                assert (over.status, rewritten) == (first.status, written), f"{details}: over its output\n{over.err}"


def before_names(files: Mapping[str, str]) -> set[str]:
    return {*FILES, *files}


EMPTY = "(empty)"  # an empty word as a value: NONE means that the option is not there


def make_search(trial: Trial) -> PairSearch:
    """The search for the lines of a command."""
    domains = {
        name: (NONE, *find_values(trial.command, option).good) for name, option in options_of(trial.command).items()
    }
    for name in REQUIRED.get(trial.command, ()):
        domains[name] = domains[name][1:]
    return PairSearch(domains, lambda line: trial.first(line).status == 2)


CASES = [
    pytest.param(command, number, marks=[pytest.mark.long] if number else [])
    for command, (inputs, _) in INPUTS.items()
    for number in range(len(inputs))
]


def trial_of(workplace: Workplace, command: str, number: int) -> Trial:
    inputs, arguments = INPUTS[command]
    return Trial(workplace, command, inputs[number], arguments)


@pytest.mark.parametrize(("command", "number"), CASES)
def test_all_pairs_of_options(command: str, number: int, workplace: Workplace) -> None:
    trial = trial_of(workplace, command, number)
    search = make_search(trial)
    lines = list(search.find_lines())
    for count, line in enumerate(lines):
        trial.check_line(line, twice=count % AGAIN == 0)
    useless = search.useless - USELESS.keys()
    assert not useless, f"{sorted(useless)}: the command refuses them in every line; give values that it takes"


@pytest.mark.parametrize("command", INPUTS)
def test_wrong_values_beside_all_others(command: str, workplace: Workplace) -> None:
    """A value that is wrong, or a result that cannot be written: a run that ends with 1 or 2 writes nothing, and no
    command ends with 0 without its result.
    """
    trial = trial_of(workplace, command, 0)
    search = make_search(trial)
    list(search.find_lines())  # which learns the options that fit together
    accepted = []
    for name, option in options_of(command).items():
        for value in find_values(command, option).bad:
            for line in search.lines_with((name, value or EMPTY)):
                ended = trial.first(line)
                if (
                    value in NO_PLACES
                    and ended.status == 0
                    and not any(line.get(other, NONE) != NONE for other in SHOWS_ONLY)
                ):
                    accepted.append(" ".join(trial.words(line)))
    assert not accepted, "\n".join(accepted[:20])


USELESS = {
    ("--all", "--all"): "it needs a cloud",
    ("--all-projects", "--all-projects"): "it needs a cloud",
    ("--save", "saved"): "it needs a cloud",
}
SHOWS_ONLY = ("--plan", "--schema", "--exit-zero")  # options with which others are not used


def test_every_command_and_option_takes_part() -> None:
    assert set(INPUTS) == set(read_commands()), "add the command to INPUTS"
    for command in read_commands():
        for option in options_of(command).values():
            assert find_values(command, option)
    names = {name for command in read_commands().values() for option in command.options for name in option.names}
    assert LEFT_OUT.keys() <= names | {"--version"}
