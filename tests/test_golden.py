"""Each golden case converts to the tree in its folder, and the folders contain nothing else.

`pytest --snapshot-update` writes the trees. Always read the diff.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.support.cases import Case, all_cases
from tests.support.golden_tree import on_disk

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_tree(case: Case, tree: SnapshotAssertion) -> None:
    """The files, the report and the diagnostics equal the reviewed ones."""
    for name in case.trees:
        assert case.snapshot(name) == tree(name=name)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_case_converts(case: Case) -> None:
    """No golden case is refused: other tests cover refusals."""
    for target in case.targets:
        assert [d.message for d in case.convert(target).diagnostics if d.severity == "error"] == []


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_no_orphans(case: Case) -> None:
    """Each file of a folder is an input that the case names or reads, or belongs to the tree of a target."""
    expected_names = {
        "case.toml",
        case.input.name,
        *(e.name for e in case.environments),
        *(m.name for m in case.mappings),
    }
    plugins = [path for folder in case.plugin_dirs for path in folder.rglob("*.py")]
    expected_names |= {path.relative_to(case.folder).as_posix() for path in plugins}
    expected_names |= {name for each in case.trees for name in on_disk(case.folder, each)}
    left = {p.relative_to(case.folder).as_posix() for p in case.folder.rglob("*") if p.is_file()} - expected_names
    inputs = [case.input, *case.environments, *(case.folder / name for name in left if name.endswith(".yaml"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in inputs)  # nested templates read files, too
    assert [name for name in sorted(left) if name not in text and name.rpartition("/")[2] not in text] == []


def test_there_are_enough() -> None:
    """There are at least sixty small cases."""
    assert len(CASES) >= 60
