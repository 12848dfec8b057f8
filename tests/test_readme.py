"""The README shows what the program does.

The tests read the blocks from the README; nothing is repeated here.
"""

from __future__ import annotations

import pathlib
import re

import transpile
from tests.support import oracles
from transpile.format import canonical
from transpile.text.source import load

ROOT = pathlib.Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def test_the_example_converts_to_what_is_shown() -> None:
    """The HOT at the beginning becomes the HCL below it, to the byte, after the line that begins each file."""
    template, _ = blocks("yaml")  # the second is a pre-commit hook
    done = transpile.convert(template)
    assert list(done.diagnostics) == []
    first = "# Made by hot2tf: hot2tf convert template -o DIR\n\n"
    assert [first + block for block in blocks("hcl")] == [done.files["main.tf"], done.files["outputs.tf"]]


@oracles.needs_providers
def test_the_shipped_example_is_valid(tmp_path: pathlib.Path) -> None:
    """Terraform accepts the conversion of the example that the first command uses."""
    done = transpile.convert(ROOT / "docs" / "example" / "stack.yaml")
    for name, content in done.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []


def test_commands_name_what_is_there() -> None:
    """There are two commands for a fresh machine, and each file that they name exists."""
    commands = [c for c in blocks("sh") if "python3 -m venv" in c]
    assert len(commands) == 2
    assert all((ROOT / name).exists() for name in re.findall(r"docs/\S+\.yaml", "".join(commands)))


def test_links_lead_somewhere() -> None:
    """The pages that the README links to exist."""
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_example_is_formatted() -> None:
    """The example that we ship is in canonical style."""
    source = load(ROOT / "docs" / "example" / "stack.yaml")
    assert canonical.format_text(source).text == source.text
