"""The golden cases: one folder each below `golden/`, with an input, options for the conversion, and a tree for each
target.

Invariant: we wrote every input ourselves, and Heat accepts it. If Heat does not, or is not asked, `case.toml` gives the
reason.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import tomllib
from typing import Any

import transpile
from transpile.diagnostics.render import text
from transpile.text.manifest import MANIFEST

GOLDEN = pathlib.Path(__file__).parents[2] / "golden"
OF_HCL = ("keep", "cfn_init", "tests", "roll_up", "provider")  # options of one target
TARGETS = ("hcl", "tosca")  # for cases that name no targets
TOSCA_2 = "tosca_2"  # the tree of cases that also have TOSCA 2.0


@dataclasses.dataclass(frozen=True)
class Case:
    """One folder. `heat`: why real Heat is not asked about it, else empty."""

    folder: pathlib.Path

    @property
    def name(self) -> str:
        return self.folder.name

    @functools.cached_property
    def options(self) -> dict[str, Any]:
        path = self.folder / "case.toml"
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @functools.cached_property
    def input(self) -> pathlib.Path:
        (input_file,) = self.folder.glob("input.*")
        return input_file

    @property
    def environments(self) -> list[pathlib.Path]:
        return [self.folder / name for name in self.options.get("environments", ())]

    @property
    def plugin_dirs(self) -> list[pathlib.Path]:
        return [self.folder / name for name in self.options.get("plugin_dirs", ())]

    @property
    def parameters(self) -> dict[str, str]:
        return dict(self.options.get("parameters", {}))

    @property
    def differs(self) -> dict[str, str]:
        """Known differences between Heat and terraform: the reason, and the code if a diagnostic reports it."""
        return dict(self.options.get("differs", {}))

    @property
    def heat(self) -> str:
        return str(self.options.get("heat", ""))

    @property
    def mappings(self) -> list[pathlib.Path]:
        return [self.folder / name for name in self.options.get("mappings", ())]

    @property
    def targets(self) -> list[str]:
        """The targets of the case."""
        return list(self.options.get("targets", TARGETS))

    @property
    def trees(self) -> list[str]:
        """The trees of the case: its targets, and TOSCA 2.0 if `case.toml` asks for it."""
        return [*self.targets, TOSCA_2] if self.options.get(TOSCA_2) else self.targets

    def convert(self, target: str = "hcl", **more: Any) -> transpile.Conversion:
        """The conversion, which all tests of a process share and none changes. more: further options of the target."""
        return shared_conversion(self, target, tuple(sorted(more.items())))

    def convert_again(self, target: str = "hcl", **more: Any) -> transpile.Conversion:
        """A conversion of its own."""
        return transpile.convert(
            self.input,
            to=target,
            environments=self.environments,
            parameters=self.parameters,
            render=self.options.get("render"),
            plugin_dirs=self.plugin_dirs,
            mappings=self.mappings,
            prefer=self.options.get("prefer", "faithful"),
            options={name: self.options[name] for name in OF_HCL if target == "hcl" and name in self.options} | more,
        )

    def snapshot(self, tree_name: str = "hcl") -> dict[str, str]:
        """The expected files of the case for one tree: the output, the report and the diagnostics, by path."""
        is_tosca_2 = tree_name == TOSCA_2
        done = self.convert("tosca", tosca_version="2.0") if is_tosca_2 else self.convert(tree_name)
        tree = {
            f"{tree_name}/{name}": content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")
            for name, content in done.files.items()
            if name != MANIFEST  # hashes of the other files, and our version
        }
        report = {k: v for k, v in done.report.items() if k != "generator"}
        tree[f"{tree_name}.report.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
        if rendered := text.render(done.diagnostics):
            tree[f"{tree_name}.diagnostics.txt"] = rendered
        here = f"{self.folder}/"  # plug-ins are shown by the paths that they were read from
        return (
            {name: content.replace(here, "") for name, content in tree.items()}
            if self.plugin_dirs or self.mappings
            else tree
        )


def template_cases() -> list[Case]:
    """The cases whose input is a plain template, not a Jinja2 source."""
    return [case for case in all_cases() if "render" not in case.options]


@functools.cache
def shared_conversion(case: Case, target: str, more: tuple[tuple[str, Any], ...]) -> transpile.Conversion:
    return case.convert_again(target, **dict(more))


def all_cases() -> list[Case]:
    return list(read_cases())


@functools.cache
def read_cases() -> tuple[Case, ...]:
    folders = sorted(folder for folder in GOLDEN.iterdir() if folder.is_dir())
    return tuple(
        Case(folder) for folder in folders if folder.name not in ("homing", "adopt")
    )  # these have a runner of their own
