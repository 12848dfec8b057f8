"""A type behind an alias of an environment converts as the type itself.

Each golden case runs twice with an environment that has an alias for every type that it uses: once with the templates
as they are, once with each type by its alias. An alias is as long as its type and sorts like it, so the results are
equal when the aliases in them are read as the types: places, columns and order do not change. A text that names a type
as the template does (comments, reports, messages) has the alias, and is compared like this, too. Only the fate of the
aliases themselves differs: without them in the template, nothing has such a type.

TOSCA is not compared: there an alias is a node type of its own, which is derived from that of the type.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

import transpile
from tests.support.cases import Case, template_cases
from tests.support.examples import sampled
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve.groups import member_types
from transpile.schema.catalog import HEAT

ALIASES = {"OS::": "OT::", "AWS::": "AWT::"}
FATE = re.compile(r'   "resource_registry\.(?:OT|AWT)::[^{}]*\{[^{}]*\},?\n')  # in a report
CASES = [case for case in template_cases() if "hcl" in case.targets]


@dataclasses.dataclass(frozen=True)
class Aliased(Case):
    """A case with one more environment, before its own."""

    @property
    def environments(self) -> list[pathlib.Path]:
        return [self.folder / "aliases.yaml", *super().environments]

    def convert(self, target: str = "hcl", **more: Any) -> transpile.Conversion:
        return self.convert_again(target, **more)  # nobody asks for it again

    def files(self) -> dict[str, str]:
        """The files, the report and the diagnostics, with the types in place of their aliases."""
        return {name: resolved(FATE.sub("", content)) for name, content in self.snapshot().items()}


def resolved(text: str) -> str:
    return re.sub(r"\b(OT|AWT)::", lambda match: {"OT": "OS::", "AWT": "AWS::"}[match[1]], text)


def alias(kind: str) -> str:
    """The alias of a type of Heat's; any other word as it is."""
    prefix = next((prefix for prefix in ALIASES if kind.startswith(prefix)), "")
    return ALIASES[prefix] + kind.removeprefix(prefix) if prefix and HEAT.find_type(kind) is not None else kind


def types_in(text: str, name: str) -> Iterator[tuple[int, str]]:
    """The types of the resources in a template, and those of groups' members, with their places."""
    template, sink = templates.read_template(Source(name, text, budget=Budget()))
    if template is None or any(d.severity == "error" for d in sink.diagnostics):
        return
    for resource in template.resources.values():
        yield resource.type_at, resource.type
        yield from ((at, kind) for kind, at, _ in member_types(resource, resource.type))


def put_behind_aliases(path: pathlib.Path) -> set[str]:
    """Writes the aliases in place of the types in a template, and returns the types."""
    text = path.read_text(encoding="utf-8")
    places = set(types_in(text, path.name))
    for at, kind in sorted(places, reverse=True):
        start = text.index(kind, at)  # behind a quotation mark
        text = text[:start] + alias(kind) + text[start + len(kind) :]
    path.write_text(text, encoding="utf-8")
    return {kind for _, kind in places if alias(kind) != kind}


@pytest.mark.parametrize("case", sampled(CASES, 6), ids=lambda case: case.name)
def test_an_alias_is_as_good_as_the_type(case: Case, tmp_path: pathlib.Path) -> None:
    plain, aliased = Aliased(tmp_path / "plain" / case.name), Aliased(tmp_path / "aliased" / case.name)
    for copy in (plain, aliased):
        shutil.copytree(case.folder, copy.folder, ignore=shutil.ignore_patterns("hcl", "tosca"))
    kinds = {
        kind
        for path in sorted(aliased.folder.rglob("*.*"))
        if path.suffix in (".yaml", ".template", ".json", ".yml")
        for kind in put_behind_aliases(path)
    }
    environment = {alias(kind): kind for kind in sorted(kinds)}
    for copy in (plain, aliased):
        text = f"resource_registry: {environment}\n"
        (copy.folder / "aliases.yaml").write_text(text, encoding="utf-8")
    assert aliased.files() == plain.files()
