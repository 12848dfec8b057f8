"""Terraform reads printed HCL back as the same values, and terraform fmt does not change it.

Real terraform decides. Strings come back in NFC form, because Terraform normalises all strings.
"""

from __future__ import annotations

import pathlib
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emitters.hcl.tree import printer, strings
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    Index,
    Not,
    Object,
    Op,
    StringTemplate,
    Traversal,
    Tuple,
    prepend_line,
)
from tests.support import oracles
from tests.support.trees import Drawn, data

STRINGS, VALUES, TREES = 10_000, 3_000, 1_200


def nfc(value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [nfc(v) for v in value]
    if isinstance(value, dict):
        return {nfc(k): nfc(v) for k, v in value.items()}
    return value


def write(where: pathlib.Path, items: list[Block]) -> None:
    (where / "main.tf").write_text(printer.print_hcl(items), encoding="utf-8", newline="")


@oracles.needs_terraform
def test_strings_are_read_back(tmp_path: pathlib.Path) -> None:
    """10,000 strings, each as a separate value: quoted or a heredoc, as the printer chooses."""
    drawn = Drawn(1)
    texts = sorted({drawn.text(12) for _ in range(2 * STRINGS)})[:STRINGS]
    assert len(texts) == STRINGS
    parts = [texts[i::20] for i in range(20)]
    write(tmp_path, [Block("output", (f"o{i}",), [Argument("value", Tuple(tuple(p)))]) for i, p in enumerate(parts)])
    outputs = oracles.outputs(tmp_path)
    for i, part in enumerate(parts):
        assert outputs[f"o{i}"] == nfc(part)


@pytest.mark.long
@oracles.needs_terraform
def test_arguments_are_read_back(tmp_path: pathlib.Path) -> None:
    """Strings as arguments, where heredocs are allowed, also split into parts with interpolations between them."""
    drawn = Drawn(2)
    texts = [drawn.text(16) for _ in range(1000)]
    body: list[Block] = []
    middles = []
    for i, text in enumerate(texts):
        first, last = sorted((drawn.random.randint(0, len(text)), drawn.random.randint(0, len(text))))
        middle: Expr = Traversal(("local", f"s{i}"))
        cut = StringTemplate(tuple(p for p in (text[:first], middle, text[last:]) if p != ""))
        middles.append(Argument(f"s{i}", text[first:last]))
        body += [
            Block("output", (f"a{i}",), [Argument("value", text)]),
            Block("output", (f"b{i}",), [Argument("value", cut)]),
        ]
    write(tmp_path, [*body, Block("locals", (), [*middles])])
    outputs = oracles.outputs(tmp_path)
    for i, text in enumerate(texts):
        assert outputs[f"a{i}"] == nfc(text)
        assert unicodedata.normalize("NFC", outputs[f"b{i}"]) == nfc(text)


@oracles.needs_terraform
def test_nested_values_are_read_back(tmp_path: pathlib.Path) -> None:
    """Nested lists, maps, numbers, booleans and null."""
    drawn = Drawn(3)
    values = [drawn.value() for _ in range(VALUES)]
    write(tmp_path, [Block("output", ("o",), [Argument("value", Tuple(tuple(map(data, values))))])])
    output_values = oracles.outputs(tmp_path)["o"]
    for value, back in zip(values, output_values, strict=True):
        assert back == nfc(value)


@pytest.mark.long
@oracles.needs_terraform
def test_trees_are_fixed_points_of_fmt(tmp_path: pathlib.Path) -> None:
    """1,200 files of random blocks, arguments, expressions and comments: terraform fmt changes none."""
    for seed in range(TREES):
        text = printer.print_hcl(Drawn(seed).file())
        (tmp_path / f"t{seed}.tf").write_text(text, encoding="utf-8", newline="")
    assert oracles.unformatted(tmp_path) == ""


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        ("${x}", '"$${x}"'),
        ("$${x}", '"$$${x}"'),
        ("%{ if x }", '"%%{ if x }"'),
        ('say "hi"\\', '"say \\"hi\\"\\\\"'),
        ("\x00\x1b\u0085", '"\\u0000\\u001b\\u0085"'),
        ("\u0301x\n\u0301e\u0301", '"\\u0301x\\n\\u0301e\u0301"'),  # at the start, Terraform would join it to the quote
        (StringTemplate(("a", Traversal(("var", "x")), "${")), '"a${var.x}$${"'),
        (StringTemplate((Traversal(("var", "x")),)), "tostring(var.x)"),
        (None, "null"),
        (True, "true"),
        (1.0, "1"),
        (-1, "-1"),
        (Not(Op("==", 1, 2)), "!(1 == 2)"),
        (Op("-", 1, Op("-", 2, 3)), "1 - (2 - 3)"),
        (Op("&&", Op("||", True, False), True), "(true || false) && true"),
        (Cond(Cond(True, 1, 2), 3, 4), "(true ? 1 : 2) ? 3 : 4"),
        (Attr(Index(Traversal(("x",)), 0), "id"), "x[0].id"),
        (Index(Op("+", 1, 2), "a"), '(1 + 2)["a"]'),
        (Fn("f", (Tuple(()),), expand=True), "f([]...)"),
    ],
)
def test_expressions(expr: Expr, text: str) -> None:
    """Escapes and parentheses, one by one."""
    assert printer.print_inline(expr) == text


@given(st.text())
def test_no_quoted_string_opens_a_template(text: str) -> None:
    """In any string, `${` and `%{` are doubled, and quotes and line ends are escaped."""
    quoted = strings.quote_text(text)
    assert (quoted[0], quoted[-1]) == ('"', '"')
    inside = quoted[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in inside
    assert not any(c in inside for c in "\n\r")
    assert "${" not in inside.replace("$${", "")
    assert "%{" not in inside.replace("%%{", "")


USERS = Tuple((Object((("name", "a"), ("shell", "/bin/sh"))),))
SETTINGS = Fn("yamlencode", (Object((("users", USERS), ("x", 1))),))


@pytest.mark.parametrize("call", [SETTINGS, Fn("jsonencode", (Tuple(tuple(f"a long item {i}" for i in range(20))),))])
def test_no_call_on_several_lines_is_in_quotes(call: Fn) -> None:
    """A line and then a call are one text in quotes only if they are on one line: checkov cannot parse it otherwise.
    join() takes its place.
    """
    text = printer.print_hcl([Block("locals", (), [Argument("config", StringTemplate(("#cloud-config\n", call)))])])
    assert " ".join(text.split()).startswith('locals { config = join("\\n", [')
    assert len(text.splitlines()) >= 8
    assert "${" not in text


def test_a_short_call_stays_in_quotes() -> None:
    """A line and then a call that fit on one line, which every parser accepts."""
    short = StringTemplate(("#!/bin/sh\n", Fn("join", ("\n", Traversal(("var", "commands"))))))
    assert printer.print_expression(short, 0, 0) == '"#!/bin/sh\\n${join("\\n", var.commands)}"'


@oracles.needs_terraform
def test_the_join_is_the_same_text_and_formatted(tmp_path: pathlib.Path) -> None:
    """Terraform computes the same text from join() as from the template in quotes, and fmt changes nothing."""
    quoted = Argument("quoted", StringTemplate(("#cloud-config\n", Fn("yamlencode", (Traversal(("local", "data")),)))))
    settings = Argument("data", SETTINGS.args[0])
    joined = Argument("joined", prepend_line("#cloud-config", SETTINGS))
    same = Argument("value", Op("==", Traversal(("local", "quoted")), Traversal(("local", "joined"))))
    write(tmp_path, [Block("locals", (), [settings, quoted, joined]), Block("output", ("same",), [same])])
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.outputs(tmp_path) == {"same": True}
