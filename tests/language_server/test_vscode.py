"""The extension for VS Code: it is compiled and packed as its README says, and its client starts our server."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT
from transpile.version import __version__

EXTENSION = ROOT / "docs" / "vscode"
HAS_MODULES = shutil.which("node") is not None and (EXTENSION / "node_modules" / "typescript").is_dir()
needs_modules = pytest.mark.skipif(not HAS_MODULES, reason="no node, or no `npm ci` was run in docs/vscode")


def test_what_its_manifest_says() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__.partition(".dev")[0]
    assert manifest["activationEvents"] == ["onLanguage:yaml", "onLanguage:json"]
    # a repository that is not trusted must not choose the program that runs
    assert manifest["capabilities"]["untrustedWorkspaces"]["supported"] is False
    assert 'args: ["lsp"]' in (EXTENSION / "src" / "server.ts").read_text(encoding="utf-8")
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@needs_modules
def test_its_types_are_right_and_it_finds_a_mistake() -> None:
    """It is compiled strictly; started as the extension starts it, the server says that a property is misspelt."""
    pytest.importorskip("pygls", reason="the extra lsp is not installed")
    program = shutil.which("hot2tf", path=str(ROOT / sys.prefix / "bin"))
    assert program is not None
    for command in (["node_modules/.bin/tsc", "-p", "."], ["node", "test/server.mjs", program]):
        done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "HOT301\n"
