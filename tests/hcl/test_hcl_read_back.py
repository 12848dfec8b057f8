"""An independent parser, python-hcl2, reads the printer's output back, and the result is compared with the tree.

Blocks, labels and arguments are compared in order, and literals by value. Other expressions need only be there.
test_hcl_printer.py covers texts that this parser reads differently from terraform (`readable`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import hcl2
import pytest

from emitters.hcl.tree import nodes, printer
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Note, Object, StringTemplate, Tuple
from tests.support.cases import Case, all_cases
from tests.support.examples import sampled
from tests.support.trees import Drawn

COMPUTED = "<computed>"
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|([$%])\2\{", re.S)
HEREDOC = re.compile(r"<<(-?)(\w+)\n(.*\n)?\s*\2\n", re.S)


# printed values


def describe_items(items: Iterable[Argument | Block | Note]) -> Iterator[Any]:
    """The shape of a body, without its comments."""
    for item in items:
        if isinstance(item, Argument):
            yield item.name, value(item.value)
        elif isinstance(item, Block):
            yield item.type, item.labels, list(describe_items(item.body))


def value(expr: Expr) -> Any:
    match expr:
        case None | bool() | int() | float() | str():
            return expr
        case StringTemplate(parts) if all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
        case StringTemplate(parts) if len(parts) == 1:
            return "tostring()"
        case Tuple(items):
            return [value(item) for item in items]
        case Object(entries):
            return [(value(key), value(entry_value)) for key, entry_value in entries]
        case Fn(name, _):
            return f"{name}()"
    return COMPUTED


# read values


def read(text: str) -> list[Any]:
    """The shape of a text."""
    return list(body(hcl2.parses_to_tree(text).children[0]))


def body(tree: Any) -> Iterator[Any]:
    for part in trees(tree):
        if part.data == "attribute":
            name, expr = trees(part)
            yield source(name), expression(expr)
        elif part.data == "block":
            kind, *labels, inside = trees(part)
            yield (
                source(kind),
                tuple(string(label) if label.data == "string" else source(label) for label in labels),
                list(body(inside)),
            )


def expression(tree: Any) -> Any:
    parts = trees(tree)
    if tree.data == "expr_term":
        if str(tree.children[0]) == "(":
            return COMPUTED if (parsed := expression(parts[0])) is not None else None
        return expression(parts[0])
    match tree.data:
        case "string":
            return string(tree)
        case "int_lit":
            return int(source(tree))
        case "float_lit":
            return float(source(tree))
        case "literal_value":
            return {"true": True, "false": False, "null": None}[source(tree)]
        case "tuple":
            return [expression(part) for part in parts]
        case "object":
            return [(key(key_tree), expression(other)) for key_tree, other in map(trees, parts)]
        case "heredoc_template" | "heredoc_template_trim":
            return heredoc(source(tree))
        case "unary_op" if source(tree)[0] == "-":
            parsed = expression(parts[0])
            return -parsed if isinstance(parsed, (int, float)) else COMPUTED
        case "function_call":
            name = source(parts[0])
            if source(tree).startswith(("trimsuffix(<<", "chomp(<<")):
                parsed = expression(trees(parts[1])[0])
                return parsed[:-1] if parsed != COMPUTED else COMPUTED
            return f"{name}()"
    return COMPUTED


def key(tree: Any) -> Any:
    """The key of an object: a name is a text."""
    (inside,) = trees(tree)
    (term,) = trees(inside) if inside.data == "expr_term" and source(inside)[0] != "(" else (inside,)
    return source(term) if term.data in ("identifier", "keyword", "literal_value", "int_lit") else expression(inside)


def string(tree: Any) -> Any:
    parts = [part.children[0] for part in trees(tree)]
    if any(hasattr(part, "data") for part in parts):
        return COMPUTED
    return "".join(ESCAPE.sub(plain, str(part)) for part in parts)


def plain(match: re.Match[str]) -> str:
    if match[1] is None:
        return f"{match[2]}{{"
    return ESCAPES.get(match[1]) or chr(int(match[1][1:], 16))


def heredoc(text: str) -> Any:
    match = HEREDOC.fullmatch(text)
    assert match is not None, text
    inside = match[3] or ""
    if re.search(r"(?<![$%])(?:[$%]{2})*[$%]\{", inside):
        return COMPUTED
    inside = re.sub(r"([$%])\1\{", r"\1{", inside)
    return dedented(inside) if match[1] else inside


def dedented(text: str) -> str:
    lines = text.splitlines(keepends=True)
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return "".join(line[margin:] if line.strip() else line for line in lines)


def trees(tree: Any) -> list[Any]:
    """The parts of a tree that mean something."""
    return [part for part in tree.children if hasattr(part, "data") and part.data != "new_line_or_comment"]


def source(tree: Any) -> str:
    return "".join(str(token) for token in tree.scan_values(lambda _: True))


# the tests


def printed(case: Case, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[Any]]]:
    """Each file that a case's conversion prints, and the tree that it was printed from."""
    trees: dict[str, list[Any]] = {}
    lines_of = printer.print_body

    def body(items: Any, indent: int, *more: Any, **named: Any) -> list[str]:
        lines = lines_of(items, indent, *more, **named)
        if indent == 0:
            trees["\n".join(lines) + "\n"] = list(items)
        return lines

    monkeypatch.setattr(printer, "print_body", body)
    for name, text in case.convert_again("hcl").files.items():
        if name.endswith((".tf", ".tfvars")):
            assert isinstance(text, str)
            yield text, trees[text]


def readable(items: Iterable[Any]) -> bool:
    """Whether the parser reads it as terraform does, as far as is known: names in ASCII, and no escaped marker without
    its brace, after which it looks for one beyond the end of the text.
    """
    for item in items:
        if isinstance(item, Block):
            if not all(map(str.isascii, item.labels)) or not readable(item.body):
                return False
        elif isinstance(item, Argument) and not (
            item.name.isascii() and all(map(is_readable_expression, nodes.walk_expression(item.value)))
        ):
            return False
    return True


def is_readable_expression(expr: Expr) -> bool:
    match expr:
        case str():
            return re.search(r"[$%]\{[^}]*$", expr) is None
        case StringTemplate(parts):
            return all(is_readable_expression(part) for part in parts if isinstance(part, str))
        case nodes.Traversal(parts):
            return all(part.isascii() for part in parts)
        case Object(entries):
            return all(not isinstance(key, str) or key.isascii() for key, _ in entries)
    return True


@pytest.mark.parametrize("case", sampled([c for c in all_cases() if "hcl" in c.targets], 20), ids=lambda c: c.name)
def test_goldens_are_read_back(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, tree in printed(case, monkeypatch):
        assert not readable(tree) or read(text) == list(describe_items(tree)), text


class Tame(Drawn):
    """Trees whose texts are of characters that mean nothing in HCL, for the parser takes some of the others amiss."""

    def text(self, most: int = 8) -> str:
        return "".join(self.random.choice(PIECES) for _ in range(self.random.randint(0, most)))


PIECES = ("a", "B", " ", "  x", "1", "#", "//", "=", "'", "\n", "\t", "é")


def test_random_trees_are_read_back() -> None:
    """200 files of random blocks, arguments and expressions, each comment and line break where the printer puts it."""
    trees = [tree for seed in range(1200) if readable(tree := Tame(seed).file())]
    assert len(trees) > 200
    for tree in trees:
        text = printer.print_hcl(tree)
        assert read(text) == list(describe_items(tree)), text
