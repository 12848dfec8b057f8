"""Registrations: the parts that packages offer to hot2tf by entry points, and hot2tf's own parts.

hot2tf registers its own parts in the same groups and in the same form as an external package: `OWN` repeats the entry
points of pyproject.toml (a test compares them). They are repeated because a source tree on PYTHONPATH and a zip archive
have no metadata of an installed distribution, and because reading metadata takes time.

Invariant: an external package cannot replace a name of hot2tf. No registered part is imported before it is used.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from transpile.model.records import node

TARGETS = "hot2tf.emitters"  # by name: a transpile.targets.Target
DOCUMENTS = "hot2tf.documents"  # by the key at the top of such documents: a transpile.document_kinds.DocumentKind
CONVERTERS = "hot2tf.converters"  # by the key, a dot and the target's name: a transpile.targets.Converter
OPTIONS = "hot2tf.options"  # under any name: a function that declares options (transpile/settings/all_options.py)
COMMANDS = "hot2tf.commands"  # by name: a function that typer makes a command of, or a typer.Typer with commands
FUNCTIONS = "hot2tf.functions"  # by name: further attributes of `import transpile`
PARTS = "hot2tf.parts"  # by name: a function that a stage of the core calls only if a run needs it

HOMING = "homing_template_version"
OWN: Mapping[str, Mapping[str, str]] = {
    TARGETS: {
        "hcl": "emitters.hcl.emitter:TARGET",
        "hot": "emitters.hot.emitter:TARGET",
        "tosca": "emitters.tosca.emitter:TARGET",
        "homing": "emitters.homing.emitter:TARGET",
        "graph": "emitters.graph.emitter:TARGET",
    },
    DOCUMENTS: {HOMING: "transpile.homing.kind:KIND"},
    CONVERTERS: {
        f"{HOMING}.hcl": "emitters.hcl.homing.converter:CONVERTER",
        f"{HOMING}.tosca": "emitters.tosca.homing.converter:CONVERTER",
        f"{HOMING}.homing": "emitters.homing.emitter:CONVERTER",
    },
    OPTIONS: {"homing": "transpile.homing.options:declare_options"},
    COMMANDS: {  # in the order of `hot2tf --help`
        "convert": "transpile.cli.commands.convert:convert",
        "fmt": "transpile.cli.commands.fmt:fmt",
        "check": "transpile.cli.commands.check:check",
        "init": "transpile.initialization.command:init",
        "migrate": "transpile.migrate.command:migrate",
        "graph": "emitters.graph.command:graph",
        "adopt": "transpile.adopting.command:adopt",
        "types": "transpile.cli.commands.types:types",
        "targets": "transpile.cli.commands.targets:show_targets",
        "explain": "transpile.cli.commands.explain:explain",
        "completion": "transpile.cli.commands.completion:completion",
        "config": "transpile.cli.commands.config:config",
        "lsp": "transpile.language_server.command:lsp",
        "home": "transpile.homing.command:home",
        "capabilities": "transpile.cli.commands.capabilities:app",
    },
    FUNCTIONS: {
        "Placement": "transpile.homing.home:Placement",
        "adopt": "transpile.adopting.run:adopt",
        "home": "transpile.homing.home:home",
    },
    PARTS: {
        "add_plugin_types": "transpile.plugins.reader:add_plugin_types",
        "judge_conversion": "emitters.hcl.proof.judge:judge_conversion",
        "render_conversion": "transpile.page.page:render_conversion",
        "take_over_stack": "emitters.hcl.adoption.stack_takeover:StackTakeover",
        "write_test_files": "emitters.hcl.proof.suite:write_test_files",
    },
}

LARGEST = 1 << 20  # bytes of a list of entry points
RECORDS = (".dist-info", ".egg-info")  # directories that describe an installed package


@node
class RegisteredEntry:
    """An entry point. `value`: the module and the name in the module, `package.module:NAME`."""

    group: str
    name: str
    value: str

    def load(self) -> Any:
        """The object that the entry point leads to. Raises any exception of the module's import."""
        module, _, name = self.value.partition(":")
        return functools.reduce(getattr, name.split("."), importlib.import_module(module))


def registered(group: str) -> dict[str, RegisteredEntry]:
    """All registrations of a group by name, those of hot2tf first."""
    by_name = {name: RegisteredEntry(group, name, value) for name, value in OWN.get(group, {}).items()}
    for registration in outside(group):
        by_name.setdefault(registration.name, registration)
    return by_name


def outside(group: str) -> list[RegisteredEntry]:
    """The registrations of installed packages in a group, without those of hot2tf itself."""
    own = OWN.get(group, {})
    return [entry for entry in installed() if entry.group == group and own.get(entry.name) != entry.value]


@functools.cache
def installed() -> tuple[RegisteredEntry, ...]:
    """The entry points of all packages on the path that are for hot2tf, each once.

    importlib.metadata would find the same, but importing it takes longer than a small conversion.
    """
    return tuple(dict.fromkeys(entry for record in package_records() for entry in entry_points(record)))


def package_records() -> Iterator[str]:
    """The directories that describe the packages on the path."""
    for place in sys.path:
        try:
            with os.scandir(place or ".") as entries:
                yield from (entry.path for entry in entries if entry.name.endswith(RECORDS))
        except OSError:
            continue


def entry_points(record: str) -> Iterator[RegisteredEntry]:
    """The entry points for hot2tf that a package has: sections of lines `name = module:object`."""
    try:
        with open(f"{record}/entry_points.txt", "rb") as file:
            content = file.read(LARGEST)
    except OSError:
        return
    if b"[hot2tf." not in content:
        return
    group = ""
    for line in map(str.strip, content.decode("utf-8", "replace").splitlines()):
        if line.startswith("["):
            group = line.strip("[] ")
        elif group.startswith("hot2tf.") and "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield RegisteredEntry(group, name.strip(), value.strip())
