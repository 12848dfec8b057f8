"""`docs/resource-types.md` and `hot2tf types` agree with each other for every type, and with the conversions.

The page is generated. Regenerate it after changing a table; never edit it.
"""

from __future__ import annotations

import pathlib
import re

import pytest

from emitters.hcl.tables import listing, tables
from transpile.schema import catalog
from transpile.schema.catalog import read_openstack_catalog

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "resource-types.md"


def test_the_page_is_current() -> None:
    """After changing a table: python -m emitters.hcl.tables.listing > docs/resource-types.md"""
    assert PAGE.read_text(encoding="utf-8") == listing.print_types_page()


def test_the_page_has_every_type_once() -> None:
    rows = re.findall(
        r"^\| `([^`]+)`[^|]*\| (native|folded|embedded) \| ([^|]+)", listing.print_types_page(), re.MULTILINE
    )
    assert sorted(name for name, _, _ in rows) == read_openstack_catalog().type_names()
    assert len(rows) == 207
    for name, treatment, description in rows:
        kind = tables.load_built_in_tables().find_mapping(name)
        assert kind.treatment == treatment
        assert description.strip(), f"{name}: what becomes of it, or why it stays with Heat"


@pytest.mark.parametrize("name", sorted(catalog.read_aliases()))
def test_the_page_has_every_other_name(name: str) -> None:
    assert f"| `{name}` | `{catalog.read_aliases()[name]}` |" in listing.print_types_page()


@pytest.mark.parametrize("name", [n for s in tables.list_services() for n in tables.load_table(s)])
def test_notes_agree_with_the_command(name: str) -> None:
    """Each note on the page is in `hot2tf types NAME`, in the same words."""
    printed_notes = [
        re.split(r"\s{2,}", line.strip(), maxsplit=1)
        for line in listing.list_types(tables.load_built_in_tables(), name).splitlines()
    ]
    for path, words in listing.list_notes(tables.load_built_in_tables(), name):
        plain = re.sub(r"\\(.)", r"\1", words)
        assert [path.strip("`"), plain] in printed_notes
