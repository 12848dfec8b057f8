"""The documentation site: it is built strictly, every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT
from tests.docs.links import problems
from transpile.cli.application import make_application
from transpile.diagnostics.rules import RULES
from transpile.schema.catalog import read_openstack_catalog


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    for name in ("material", "mkdocstrings"):
        pytest.importorskip(name, reason="the extra docs is not installed")
    where = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", ".mkdocs.yml", "-d", str(where)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return where


def test_every_link_leads_somewhere(site: pathlib.Path) -> None:
    assert list(problems(site)) == []


def test_every_diagnostic_has_a_page(site: pathlib.Path) -> None:
    """SARIF files link to diagnostics/CODE/."""
    for code in sorted(RULES):
        assert f">{code}: " in (site / "diagnostics" / code / "index.html").read_text(encoding="utf-8")


def test_every_type_has_a_page(site: pathlib.Path) -> None:
    missing = [
        name
        for name in read_openstack_catalog().type_names()
        if not (site / "types" / name.replace("::", "-") / "index.html").is_file()
    ]
    assert missing == []


def test_every_command_has_a_page_in_the_navigation(site: pathlib.Path) -> None:
    names = [
        command.name or command.callback.__name__
        for command in make_application().registered_commands
        if command.callback and not command.hidden
    ]
    names += [str(group.name) for group in make_application().registered_groups]
    text = (site / "commands" / "index.html").read_text(encoding="utf-8")
    navigation, _, page = text.partition("<article")
    assert [name for name in names if f'href="{name}/"' not in navigation] == []
    assert [name for name in names if f'href="{name}/"' not in page] == []


def test_the_type_pages(site: pathlib.Path) -> None:
    """A property with its fate, an attribute, the import ID; and the reason why a type stays with Heat."""
    text = (site / "types" / "OS-Neutron-Port" / "index.html").read_text(encoding="utf-8")
    plain = html.unescape(re.sub(r"<[^>]+>", "", text))
    assert "openstack_networking_port_v2" in plain
    assert re.search(r"mac_address\s+mac_address\s+string", plain)
    assert "Import ID" in plain
    queue = (site / "types" / "OS-Zaqar-Queue" / "index.html").read_text(encoding="utf-8")
    assert "The provider has no message queues." in queue


def test_a_search_ranks_guides_above_generated_pages(site: pathlib.Path) -> None:
    """A page for each code, type and command counts less than a guide, which counts as much as it is."""
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    boosts = {entry["location"]: entry.get("boost", 1) for entry in entries if "#" not in entry["location"]}
    assert all(boosts[page] == 1 for page in ("pipelines/", "migrate/"))
    assert all(
        boosts[page] < 0.5 for page in ("diagnostics/HOT848/", "types/OS-Sahara-JobBinary/", "commands/migrate/")
    )


def test_links_that_lead_nowhere_are_found(tmp_path: pathlib.Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a href="a/">x</a><a href="a/#b">x</a><a href="a/#no">x</a><a href="no/">x</a>'
        '<script src="https://example.org/x.js"></script><a href="https://example.org/">x</a>'
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<p id="b"></p><a href="../">x</a>')
    assert list(problems(tmp_path)) == [
        "index.html: a/#no has no such anchor",
        "index.html: no/ leads nowhere",
        "index.html: script loads https://example.org/x.js",
    ]
