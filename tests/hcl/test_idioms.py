"""Functions that a Terraform user would write: replace() and chomp(), if they compute the same."""

from __future__ import annotations

import pytest

import transpile
from emitters.hcl.lowering.rewrites import join_pieces
from emitters.hcl.tree.nodes import Fn, Traversal
from emitters.hcl.tree.printer import print_inline

TEXT = Traversal(("var", "x"))


@pytest.mark.parametrize(
    ("sign", "printed"),
    [
        (".", 'replace(var.x, ".", "-")'),
        ("/", 'replace(var.x, "/", "-")'),
        ("/a/", 'join("-", split("/a/", var.x))'),  # a regular expression, for replace()
        ("", 'join("-", split("", var.x))'),  # replace() would put the sign at both ends, too
    ],
)
def test_a_text_that_is_split_and_joined_is_replaced(sign: str, printed: str) -> None:
    assert print_inline(join_pieces("-", Fn("split", (sign, TEXT)))) == printed


def test_list_join_of_str_split() -> None:
    template = """\
heat_template_version: 2018-08-31
parameters: {x: {type: string}}
outputs: {y: {value: {list_join: ["-", {str_split: [".", {get_param: x}]}]}}}
"""
    assert 'replace(var.x, ".", "-")' in str(transpile.convert(template).files["outputs.tf"])


@pytest.mark.parametrize(("end", "function"), [("end", "chomp"), ("{get_param}", "trimsuffix")])
def test_chomp_only_behind_a_literal(end: str, function: str) -> None:
    """The value of a parameter may end in a newline, which chomp() would remove, too."""
    template = f"""\
heat_template_version: 2018-08-31
parameters: {{x: {{type: string}}}}
outputs:
  y:
    value:
      str_replace:
        template: |-
          first
          second {end}
        params: {{"{{get_param}}": {{get_param: x}}, first: {{get_param: x}}}}
"""
    assert f"{function}(<<-EOT" in str(transpile.convert(template).files["outputs.tf"])
