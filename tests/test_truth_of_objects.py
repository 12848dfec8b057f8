"""An optional part of ours is asked for by its truth, `if output.condition:`. So our objects are always true."""

from __future__ import annotations

import ast
import pathlib

ROOT = pathlib.Path(__file__).parent.parent
DECIDE = ("__bool__", "__len__")
# Classes whose objects may be false; mypy knows them, and nobody asks for an optional one by its truth.
MAY_BE_FALSE = {"Facade", "Guess", "ParameterValues", "ResourceRegistry", "SurveyMemory"}


def test_only_these_classes_have_objects_that_may_be_false() -> None:
    named = {
        node.name
        for package in ("transpile", "emitters", "grammars")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(method, ast.FunctionDef) and method.name in DECIDE for method in node.body)
    }
    assert named == MAY_BE_FALSE
