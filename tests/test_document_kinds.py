"""Kinds of documents: one from outside, installed and used, unusable ones, and ours, registered in the same way.

Invariant: the package is docs/example-documents, unchanged.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tomllib
from typing import Any

import pytest

from tests.support.installed import Installed, install_package
from tests.test_imports import WINGS
from transpile import document_kinds, registrations
from transpile.document_kinds import DocumentReading
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.registrations import RegisteredEntry

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE = ROOT / "docs" / "example-documents"
PLAN = "address_plan: 1\nnetworks:\n  web: 10.0.1.0/24\n  db: 10.0.2.0/24\n"
STACK = "heat_template_version: 2021-04-16\nresources:\n  net: {type: OS::Neutron::Net}\n"


# from outside


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory that the package is installed in."""
    where = tmp_path_factory.mktemp("site")
    install_package(PACKAGE, "hot2tf_addresses.py", where)
    return where


@pytest.fixture
def installed(site: pathlib.Path, tmp_path: pathlib.Path) -> Installed:
    (tmp_path / "plan.yaml").write_text(PLAN)
    return Installed(site, tmp_path)


def test_check_knows_its_documents(installed: Installed) -> None:
    ended = installed("check", ".")
    assert (ended.status, ended.err) == (0, "1 file checked: 0 errors, 0 warnings.\n")
    (installed.where / "plan.yaml").write_text(PLAN.replace("10.0.2.0/24", "10.0.2.1/24"))
    ended = installed("check", "plan.yaml")
    assert ended.status == 1
    assert ended.out.startswith("plan.yaml:4:7: error ADR001: db: 10.0.2.1/24 has host bits set.")
    assert "Source: the document kind address_plan.\n" in installed("explain", "ADR001").out


def test_fmt_formats_them(installed: Installed) -> None:
    assert installed("fmt", ".").err == "formatted plan.yaml\n1 file formatted.\n"
    text = (installed.where / "plan.yaml").read_text()
    assert text == "address_plan: 1\nnetworks:\n  db: 10.0.2.0/24\n  web: 10.0.1.0/24\n"
    (installed.where / "plan.yaml").write_text(f"# ours\n{PLAN}")
    assert "info HOT904: A plan with comments is not formatted." in installed("fmt", "plan.yaml").err
    (installed.where / "x.yaml").write_text("a: 1\n")
    ended = installed("fmt", "x.yaml")
    assert "x.yaml is no HOT template, environment, homing template or address plan; skipped\n" in ended.err


def test_convert_asks_the_converter_of_the_target(installed: Installed) -> None:
    ended = installed("convert", "plan.yaml", "--to", "hot", "--option", "dhcp=false", "-o", "stack.yaml")
    assert (ended.status, ended.err) == (0, "1 address plan; written to stack.yaml.\n")
    assert "enable_dhcp: false\n" in (installed.where / "stack.yaml").read_text()
    ended = installed("convert", "stack.yaml", "-o", "out")
    assert (ended.status, "4 resources: 4 native;" in ended.err) == (0, True), ended.err
    ended = installed("convert", "plan.yaml", "--to", "tosca")
    message = "plan.yaml:1:1: error HOT894: This is an address plan, of which the target tosca makes nothing."
    assert (ended.status, ended.err.startswith(message), "Targets that do: hot." in ended.err) == (1, True, True)


def test_its_options_are_for_its_documents_only(installed: Installed) -> None:
    (installed.where / "stack.yaml").write_text(STACK)
    ended = installed("convert", "stack.yaml", "--to", "hot", "--option", "dhcp=true")
    message = "warning HOT859: The option dhcp is for address plans only, so it has no effect here."
    assert (ended.status, message in ended.err) == (0, True), ended.err
    assert "  --option dhcp=true or false (default: true): Whether subnets have DHCP.\n" in installed("targets").out


def test_its_command_is_one_of_ours(installed: Installed) -> None:
    assert installed("addresses", "plan.yaml").out == "2\n"
    assert "Count the networks of an address plan." in installed("--help").out


def test_migrate_says_what_it_leaves_out(installed: Installed) -> None:
    (installed.where / "src").mkdir()
    (installed.where / "plan.yaml").rename(installed.where / "src" / "plan.yaml")
    (installed.where / "src" / "stack.yaml").write_text(STACK)
    ended = installed("migrate", "src", "dest", "--plan")
    assert "an address plan: it makes no stack" in ended.out + ended.err


# unusable kinds


def registered(monkeypatch: pytest.MonkeyPatch, loaded: Any) -> None:
    """Registers a kind for documents with the key `odd`, which leads to something."""

    def load(self: RegisteredEntry) -> Any:
        if isinstance(loaded, BaseException):
            raise loaded
        return loaded

    entry = RegisteredEntry(registrations.DOCUMENTS, "odd", "odd:KIND")
    monkeypatch.setattr(registrations, "outside", lambda group: [entry] if group == registrations.DOCUMENTS else [])
    monkeypatch.setattr(RegisteredEntry, "load", load)


@pytest.mark.parametrize(
    ("loaded", "why"),
    [
        (ImportError("no module named odd"), "ImportError: no module named odd"),
        (SystemExit(3), "SystemExit: 3"),
        ({"read": None}, "odd:KIND is not a transpile.document_kinds.DocumentKind"),
    ],
    ids=["import", "exit", "type"],
)
def test_a_kind_that_cannot_be_used_is_an_error_of_its_documents(
    loaded: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(monkeypatch, loaded)
    source = Source("x.yaml", "odd: 1\n", budget=Budget())
    assert document_kinds.claiming_key(source) == "odd"
    document_kinds.find_kind.cache_clear()
    (diagnostic,) = document_kinds.check_document("odd", source, DocumentReading())
    document_kinds.find_kind.cache_clear()
    assert (diagnostic.code, diagnostic.severity, why in diagnostic.message) == ("HOT825", "error", True)


# ours


def test_ours_are_registered_as_those_of_a_package() -> None:
    """pyproject.toml says the same as the table that is read where nothing is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"] == {group: dict(own) for group, own in registrations.OWN.items()}
    for group, own in registrations.OWN.items():
        for name in own:
            assert registrations.registered(group)[name].load() is not None


def test_installed_kinds_do_not_replace_ours(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed kind does not replace ours with another value, nor as a foreign kind when hot2tf itself is
    installed.
    """
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    lines = ["[console_scripts]", "hcl = other:main", "[hot2tf.emitters]", "# a comment", "hcl = other:TARGET"]
    lines += ["hot = emitters.hot.emitter:TARGET", "mine=other.mine : TARGET"]
    (info / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    registrations.installed.cache_clear()
    try:
        outside = {entry.name: entry.value for entry in registrations.outside(registrations.TARGETS)}
        targets_by_name = registrations.registered(registrations.TARGETS)
    finally:
        registrations.installed.cache_clear()
    assert outside == {"hcl": "other:TARGET", "mine": "other.mine : TARGET"}
    assert targets_by_name["hcl"].value == "emitters.hcl.emitter:TARGET"
    assert [*targets_by_name] == [*registrations.OWN[registrations.TARGETS], "mine"]


@pytest.mark.parametrize(
    "statement",
    [
        "transpile.convert(text, options={'verify': 'off'})",
        "canonical.format_text(Source('a.yaml', text, budget=Budget()))",
    ],
)
def test_heat_templates_import_no_wing(statement: str) -> None:
    """Neither the registration of another kind of documents nor a slow module is imported. Only `--verify` needs a
    proof.
    """
    wings = ("importlib.metadata", *(package for packages in WINGS.values() for package in packages))
    program = (
        "import sys, transpile\nfrom transpile.format import canonical\n"
        "from transpile.model.budget import Budget\nfrom transpile.model.source import Source\n"
        f"text = {STACK!r}\n{statement}\n"
        f"assert not [name for name in sys.modules if name.startswith({wings!r})]\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
