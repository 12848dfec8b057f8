"""Canonical HOT on real templates, if a machine has them.

Independent tools read the comments and the data of both texts for the comparison.
"""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from typing import Any

import pytest

from tests.support import oracles
from tests.support.examples import thinned
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.intrinsics import HOT
from transpile.model.source import Source
from transpile.text.source import UnreadableFile, load_source

LEFT_ALONE = {"HOT101", "HOT102", "HOT104", "HOT107", "HOT108", "HOT109", "HOT110", "HOT111", "HOT904"}


def corpus() -> list[pathlib.Path]:
    """All texts of the corpus that mention HOT."""
    root = oracles.SHARED / "corpus"
    listed = [json.loads(line)["path"] for line in (root / "MANIFEST.jsonl").read_text().splitlines()]
    return [path for name in listed if (path := root / name).is_file() and HOT.encode() in path.read_bytes()]


@pytest.mark.long
@oracles.needs_corpus
def test_all_are_formatted_and_lose_nothing() -> None:
    """Each template is formatted, or left alone for an accepted reason. All comments and all data are preserved."""
    reader = oracles.tool("template_read")
    reasons: Counter[str] = Counter()
    wrong: list[Any] = []
    for path in thinned(corpus(), 3):
        try:
            source = load_source(path, None, Budget())
        except UnreadableFile:
            continue
        done = canonical.format_text(source)
        if done.diagnostics:
            reasons[done.diagnostics[0].code] += 1
            continue
        reasons[done.kind] += 1
        if lost := reader.missing_comments(reader.comments(source.text), reader.comments(done.text)):
            wrong.append((path, "comments", lost))
        before, after = (reader.normal(reader.load(text.rstrip())) for text in (source.text, done.text))
        if done.kind == canonical.TEMPLATE and (difference := reader.difference(before, after)):
            wrong.append((path, "data", difference))
        if canonical.format_text(Source("again.yaml", done.text, budget=Budget())).text != done.text:
            wrong.append((path, "changes again", ""))
    assert wrong == []
    assert set(reasons) - LEFT_ALONE <= {"template", "environment", ""}, reasons
    assert reasons["template"] > 0.95 * sum(reasons.values())
