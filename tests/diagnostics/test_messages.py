"""The sentence of a diagnostic stands at one place: in its rule, or in the function that makes it.

Two places that say the same would be corrected separately, and then differ.
"""

from __future__ import annotations

import ast
import pathlib
from collections import Counter, defaultdict
from itertools import pairwise

ROOT = pathlib.Path(__file__).parents[2]
SHORTEST = 19  # characters; shorter messages, such as "a disk has no {}", are parts of a sentence


def message_text(expression: ast.expr | None) -> str:
    """The text of a message in source code, `{}` for each value in it; empty if it is made elsewhere."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return expression.value
    if isinstance(expression, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in expression.values)
    return ""


def messages_in(module: ast.Module) -> list[tuple[str, str]]:
    """The messages in a module, each after its code as it is written, e.g. `codes.KEPT_IN_HEAT`."""
    messages = []
    for call in [node for node in ast.walk(module) if isinstance(node, ast.Call)]:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        for code, message in pairwise(arguments):
            if isinstance(code, ast.Attribute) and isinstance(code.value, ast.Name) and code.value.id == "codes":
                messages.append((code.attr, message_text(message)))
    return messages


def test_messages_are_found() -> None:
    """The test below would pass if it saw no messages."""
    module = ast.parse('sink.add(codes.A, "one message")\nDiagnostic(codes.B, f"{name} is wrong.")\nf(codes.C)')
    assert messages_in(module) == [("A", "one message"), ("B", "{} is wrong.")]


def test_each_message_stands_at_one_place() -> None:
    places: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for folder in ("transpile", "emitters", "grammars"):
        for path in sorted(pathlib.Path(ROOT, folder).rglob("*.py")):
            for code, message in messages_in(ast.parse(path.read_text(encoding="utf-8"))):
                if len(message) >= SHORTEST:
                    places[code, message][str(path.relative_to(ROOT))] += 1
    assert len(places) > 400
    repeated = {message: dict(files) for message, files in places.items() if files.total() > 1}
    assert repeated == {}
