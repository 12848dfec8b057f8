"""What the README shows is what the program does.

The easy rule to break: the blocks of the README are read from it, never repeated here.
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
    """The HOT at the beginning becomes the HCL below it, to the byte."""
    template, _ = blocks("yaml")  # the second is a hook of pre-commit
    done = transpile.convert(template)
    assert list(done.diagnostics) == []
    assert blocks("hcl") == [done.files["main.tf"], done.files["outputs.tf"]]


@oracles.needs_providers
def test_the_shipped_example_is_valid(tmp_path: pathlib.Path) -> None:
    """The template of the first command converts to what terraform accepts."""
    done = transpile.convert(ROOT / "docs" / "example" / "stack.yaml")
    for name, content in done.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []


def test_commands_name_what_is_there() -> None:
    """Two commands for a fresh machine; each file that they name exists."""
    commands = [c for c in blocks("sh") if "python3 -m venv" in c]
    assert len(commands) == 2
    assert all((ROOT / name).exists() for name in re.findall(r"docs/\S+\.yaml", "".join(commands)))


def test_links_lead_somewhere() -> None:
    """The pages that the README refers to are in the project."""
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_example_is_formatted() -> None:
    """What ships is in the style that hot2tf writes."""
    source = load(ROOT / "docs" / "example" / "stack.yaml")
    assert canonical.format_text(source).text == source.text
