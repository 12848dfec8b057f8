"""The README shows what the program does.

The tests read the blocks from the README; nothing is repeated here.
"""

from __future__ import annotations

import pathlib
import re

import transpile
from emitters.hcl.tables.tables import load_built_in_tables
from tests.support import oracles
from tests.support.files import write_files
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.schema.catalog import read_openstack_catalog
from transpile.text.source import load_source

ROOT = pathlib.Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def test_the_example_converts_to_the_shown_output() -> None:
    """The HOT at the beginning becomes the HCL below it, to the byte, after the line that says how it was made."""
    (template,), (main,) = blocks("yaml"), blocks("hcl")
    done = transpile.convert(template)
    assert list(done.diagnostics) == []
    assert str(done.files["main.tf"]).partition("\n\n")[2] == main


def test_each_figure_of_a_reason_is_from_the_page_that_it_links_to() -> None:
    """The numbers of a reason stand in one of its sources."""
    section = re.search(r"^## Why\n(.*?)^## ", README, re.S | re.M)
    assert section is not None
    reasons = re.split(r"^- ", section[1], flags=re.M)[1:]
    assert len(reasons) == 5
    figures = 0
    for reason in reasons:
        words = re.sub(r"\[[^]]*\]\([^)]*\)", "", reason)
        sources = [(ROOT / target).read_text(encoding="utf-8") for target in re.findall(r"\]\(([^)#]+)", reason)]
        numbers = re.findall(r"\d[\d,]*", words)
        figures += len(numbers)
        assert [n for n in numbers if not any(re.search(rf"(?<![\d,]){n}(?![\d,])", s) for s in sources)] == [], reason
    assert figures >= 5


def test_how_many_types_stay_with_heat() -> None:
    """The figure in docs/embedding.md, from which the README has it."""
    page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    embedded = [
        name
        for name in read_openstack_catalog().type_names()
        if load_built_in_tables().find_mapping(name).treatment == "embedded"
    ]
    assert f"{len(embedded)} of Heat's {len(read_openstack_catalog().type_names())} types" in page


@oracles.needs_providers
def test_the_shipped_example_is_valid(tmp_path: pathlib.Path) -> None:
    """Terraform accepts the conversion of the example that the first command uses."""
    done = transpile.convert(ROOT / "docs" / "example" / "stack.yaml")
    write_files(tmp_path, done.files)
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []


def test_commands_name_existing_files() -> None:
    """There are two commands for a fresh machine, and each file that they name exists."""
    commands = [c for c in blocks("sh") if "python3 -m venv" in c]
    assert len(commands) == 2
    assert all((ROOT / name).exists() for name in re.findall(r"docs/\S+\.yaml", "".join(commands)))


def test_links_lead_somewhere() -> None:
    """The pages that the README links to exist."""
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target.partition("#")[0]).exists(), target


def test_the_example_is_formatted() -> None:
    """The example that we ship is in canonical style."""
    source = load_source(ROOT / "docs" / "example" / "stack.yaml", None, Budget())
    assert canonical.format_text(source).text == source.text
