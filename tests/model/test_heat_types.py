"""The names of Heat's types stand in one module."""

from __future__ import annotations

import ast
import pathlib

from transpile.model import heat_types
from transpile.schema.catalog import HEAT

ROOT = pathlib.Path(__file__).parents[2]
NAMES = {name: value for name, value in vars(heat_types).items() if name.isupper()}
INTERNAL = {"OS::Heat::ScaledResource"}  # only in the registry of instance groups' stacks


def literals(path: pathlib.Path) -> list[str]:
    """The texts of a module, except for its documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone]
    return [node.value for node in constants if isinstance(node.value, str)]


def test_every_name_is_of_a_type_that_heat_has() -> None:
    assert {value for value in NAMES.values() if not HEAT.find_type(value)} == INTERNAL
    assert len(set(NAMES.values())) == len(NAMES) > 100


def test_code_has_the_names_and_not_the_texts() -> None:
    own = pathlib.Path(heat_types.__file__)
    modules = [path for folder in ("transpile", "emitters") for path in (ROOT / folder).rglob("*.py") if path != own]
    kinds = {*HEAT.type_names(), *INTERNAL}
    assert [f"{path}: {text}" for path in modules for text in literals(path) if text in kinds] == []
