"""The vocabulary of the code: words that say nothing are rare, and no two classes have one name."""

from __future__ import annotations

import ast
import collections
import pathlib
import re
import tokenize

CODE = pathlib.Path(__file__).parents[1]
ROOMS = ("transpile", "emitters", "grammars")
VAGUE = {"found", "one", "given", "known", "said", "told", "held", "wanted", "beside"}
QUESTION = re.compile(r"Wh(at|ere|o|om|ose)(e?ver)?\b")
PUBLIC = {"Output"}  # of a template in `ir`, and of a target: targets of others use both
ALLOWED = 160  # uses of these words in all, where a sentence in code reads best with them


def modules() -> list[pathlib.Path]:
    return sorted(path for room in ROOMS for path in (CODE / room).rglob("*.py"))


def test_identifiers_say_what_they_hold() -> None:
    uses = collections.Counter[str]()
    for path in modules():
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.NAME and token.string in VAGUE:
                    uses[f"{token.string} in {path.relative_to(CODE)}"] += 1
    assert uses.total() <= ALLOWED, f"{uses.total()} uses of vague words, most of them: {uses.most_common(20)}"


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    """A docstring names a thing or says what a function does: "The outcome of a run", and not "What came of it"."""
    assert not [
        f"{path.relative_to(CODE)}:{node.body[0].lineno}"
        for room in (*ROOMS, "tests", "benchmarks")
        for path in sorted((CODE / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if QUESTION.match(ast.get_docstring(node) or "")
    ]


def test_class_names_are_unique() -> None:
    places = collections.defaultdict[str, list[str]](list)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(CODE)}:{node.lineno}")
    assert not {name: where for name, where in places.items() if len(where) > 1 and name not in PUBLIC}
