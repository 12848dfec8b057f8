"""The extension for VS Code: it is compiled and packed as its README says, and its client starts our server."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT
from transpile.front import kinds
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.version import __version__

EXTENSION = ROOT / "docs" / "vscode"
HAS_MODULES = shutil.which("node") is not None and (EXTENSION / "node_modules" / "esbuild").is_dir()
needs_modules = pytest.mark.skipif(not HAS_MODULES, reason="no node, or no `npm ci` was run in docs/vscode")


def test_its_manifest() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__.partition(".dev")[0]
    assert manifest["activationEvents"] == ["onLanguage:yaml", "onLanguage:json"]
    # a repository that is not trusted must not choose the program that runs
    assert manifest["capabilities"]["untrustedWorkspaces"]["supported"] is False
    assert 'args: ["lsp"]' in (EXTENSION / "src" / "server.ts").read_text(encoding="utf-8")
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@needs_modules
def test_the_packed_extension_finds_a_mistake_and_leaves_nothing_behind() -> None:
    """Nothing is said of a workspace without files of Heat, even if hot2tf is not installed. With one, the server says
    that a property is misspelt; a restart keeps one watcher of files, and the end none.
    """
    pytest.importorskip("pygls", reason="the extra lsp is not installed")
    program = shutil.which("hot2tf", path=str(ROOT / sys.prefix / "bin"))
    assert program is not None
    for command in (["npm", "run", "compile"], ["node", "test/extension.mjs", program]):
        done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert [tuple(json.loads(line).values()) for line in done.stdout.splitlines()] == [
        ("no file of Heat", False, 0, []),
        ("not installed", True, 0, []),
        ("restarted", False, 1, ["HOT301"]),
        ("restarted again", False, 1, ["HOT301"]),
        ("stopped", False, 0, ["HOT301"]),
    ]


FOREIGN = (
    "",
    "services:\n  web: {image: nginx}\n",
    "apiVersion: v1\nkind: ConfigMap\ndata:\n  heat_template_version: no\n",
    "parameters:\n  - name: image\nsteps:\n  - script: make\n",
    '{"$schema": "x", "parameters": {"a": {"value": 1}}}',
    '{"name": "package", "dependencies": {"a": "1"}',
)


@needs_modules
def test_the_server_is_started_for_the_files_that_it_reads(tmp_path: pathlib.Path) -> None:
    """All templates and environments of the golden cases and documents of examples, and none of other files."""
    paths = sorted(path for folder in ("golden", "docs") for path in (ROOT / folder).rglob("*.yaml"))
    texts = [path.read_text(encoding="utf-8") for path in paths if "node_modules" not in path.parts]
    texts = [text for text in texts if "{%" not in text and "{{" not in text]
    meant = [kinds.kind_of_text(Source("a.yaml", text, budget=Budget())) != kinds.FOREIGN for text in texts]
    assert meant.count(True) > 200
    (tmp_path / "texts.json").write_text(json.dumps([*texts, *FOREIGN]), encoding="utf-8")
    compiled = str(tmp_path / "server.cjs")
    compile_it = ["node_modules/.bin/esbuild", "src/server.ts", "--format=cjs", f"--outfile={compiled}"]
    subprocess.run(compile_it, cwd=EXTENSION, check=True, capture_output=True, timeout=60)
    ask = (
        "const [, server, texts] = process.argv;"
        "console.log(JSON.stringify(require(texts).map(require(server).mayBeHeat)))"
    )
    done = subprocess.run(
        ["node", "-e", ask, compiled, str(tmp_path / "texts.json")],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = json.loads(done.stdout)
    assert [text[:200] for text, heat, started in zip(texts, meant, answers, strict=False) if heat != started] == []
    assert answers[len(texts) :] == [False] * len(FOREIGN)
