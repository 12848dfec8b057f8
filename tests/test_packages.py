"""Packages of resource types: the example from docs/example-resources, installed and used, and unusable packages.

Invariant: the package is docs/example-resources, unchanged.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.installed import Entry, Installed, install_package
from transpile import packages, registrations
from transpile.packages import Resources

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE = ROOT / "docs" / "example-resources"
STACK = """\
heat_template_version: 2021-04-16
resources:
  books: { type: Shop::Shelf, properties: { name: books, levels: LEVELS } }
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory that the package is installed in."""
    where = tmp_path_factory.mktemp("site")
    install_package(PACKAGE, "hot2tf_shop", where)
    return where


@pytest.fixture
def installed(site: pathlib.Path, tmp_path: pathlib.Path) -> Installed:
    return Installed(site, tmp_path)


def test_the_example_is_short() -> None:
    """A type with a hook, its mapping and its golden case."""
    files = [PACKAGE / name for name in ("hot2tf_shop/__init__.py", "hot2tf_shop/mappings/shop.yaml", "test_golden.py")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 60


def test_its_golden_case_holds(installed: Installed) -> None:
    ended = installed.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(PACKAGE / "test_golden.py"))
    assert (ended.status, "100%" in ended.out) == (0, True), ended.out


def test_its_types_are_checked_shown_and_converted(installed: Installed) -> None:
    (installed.where / "stack.yaml").write_text(STACK.replace("LEVELS", "3"))
    assert installed("check", "stack.yaml").status == 0
    assert "name    name, the text ${aisle}-${name}\n" in installed("types", "Shop::Shelf").out
    ended = installed("convert", "stack.yaml", "-o", "out", "--report", "report.json")
    report = json.loads((installed.where / "report.json").read_text())
    assert report["plugins"] == {"Shop::Shelf": "hot2tf_shop:RESOURCES"}
    assert (ended.status, ended.err.startswith("1 resource: 1 native; 0 properties dropped")) == (0, True), ended.err
    assert "size = 30\n" in (installed.where / "out" / "main.tf").read_text()
    (installed.where / "stack.yaml").write_text(STACK.replace("LEVELS", "many"))
    ended = installed("check", "stack.yaml")
    assert "warning HOT306: books.levels: 'many' is not an integer." in ended.out


def test_a_mapping_of_the_user_wins_over_a_package(installed: Installed) -> None:
    (installed.where / "stack.yaml").write_text(STACK.replace("LEVELS", "3"))
    (installed.where / "mine.yaml").write_text("Shop::Shelf: { treatment: embedded, why: mine }\n")
    ended = installed("convert", "stack.yaml", "-o", "out", "--mapping", "mine.yaml", "--report", "report.json", "-v")
    assert ended.status == 0
    report = json.loads((installed.where / "report.json").read_text())
    assert report["resources"]["books"]["kept"]["why"] == "mine"
    assert "info HOT822: This replaces the mapping of " in ended.err


def test_workers_have_its_hooks(installed: Installed) -> None:
    source = installed.where / "src"
    source.mkdir()
    for name in "ab":
        (source / f"{name}.yaml").write_text(STACK.replace("LEVELS", "2"))
    ended = installed("migrate", "src", "dest", "--jobs", "2")
    assert ended.status == 0, ended.err
    assert "size = 20\n" in (installed.where / "dest" / "a" / "main.tf").read_text()


# unusable packages


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes `installed` find one entry point."""

    def ask(offered: Any) -> packages.Installed:
        monkeypatch.setattr(registrations, "outside", lambda group: [Entry(offered, "odd:RESOURCES")])
        packages.installed_packages.cache_clear()
        return packages.installed_packages()

    yield ask
    packages.installed_packages.cache_clear()


BROKEN = {
    "import": (ImportError("no module named odd"), "ImportError: no module named odd"),
    "exit": (SystemExit(3), "SystemExit: 3"),
    "type": ({"mappings": "x"}, "odd:RESOURCES is not a transpile.packages.Resources"),
    "no file": (Resources(types="/nowhere.json"), "FileNotFoundError"),
    "control characters": (RuntimeError("\x1b[31mred"), "RuntimeError"),
}


@pytest.mark.parametrize(("offered", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_package_is_a_warning(offered: Any, why: str, asked: Any) -> None:
    installed = asked(offered)
    (diagnostic,) = installed.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("HOT825", "warning")
    assert diagnostic.message.startswith("The package of resource types odd cannot be used: ")
    assert why in diagnostic.message
    assert diagnostic.message.isprintable()
    assert (installed.mappings, dict(installed.types)) == ((), {})


@pytest.mark.parametrize("text", ["{", "[]", '{"A::B": []}', '{"A::B": {"properties": {}}}'])
def test_facts_have_a_form(text: str, tmp_path: pathlib.Path, asked: Any) -> None:
    (tmp_path / "types.json").write_text(text)
    (diagnostic,) = asked(Resources(types=str(tmp_path / "types.json"))).diagnostics
    assert diagnostic.code == "HOT825"


def test_without_packages_nothing_slow_is_imported() -> None:
    """importlib.metadata takes longer than a small conversion."""
    program = (
        "import sys, transpile\n"
        "stack = 'heat_template_version: 2021-04-16\\nresources: {n: {type: OS::Neutron::Net}}\\n'\n"
        "assert transpile.convert(stack).ok\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    if importlib.util.find_spec("hot2tf_shop") is None:
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
