"""The bounds that accept a large text unread are never less than PyYAML's counts for it."""

from __future__ import annotations

import pytest
import yaml

from transpile.front import yaml_reader
from transpile.front.yaml_reader import MAX_STACK

TEXTS = {
    "a map": "a: 1\n",
    "a list below its key": "a:\n- 1\n- - 2\n  -\n    3\n",
    "pairs within lists": "[a: [b: [c: {d, e: f}]], : , ?]\n",
    "questions": "? a\n? b\n: c\n?\n  - d\n:\n  e\n",
    "other ends of lines": "a:\r- 1\r-\t2\r-\u20283\u2029- 4\x85- 5",
    "no values": "-\n-\n-",
    "documents": "--- a\n--- b\n---\nc\n",
    "aliases": "a: &a [1]\nb: *a\nc: [*a, *a]\n",
    "deep": "".join(" " * i + "a:\n" for i in range(40)) + " " * 40 + "- - - - 1\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_bounds_hold(name: str) -> None:
    """After a comment that has many dashes, columns bound the depth in place of opened collections."""
    text = "#- \n" * MAX_STACK + TEXTS[name]
    depth = deepest = count = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            deepest = max(deepest, depth)
            count += isinstance(event, yaml.NodeEvent)
    except yaml.YAMLError:
        pass  # the part that was read up to there is bounded, too
    assert count > 1
    assert deepest <= 2 * yaml_reader._most_nested(text) + 1
    assert count <= yaml_reader._most_nodes(text)
