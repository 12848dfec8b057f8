"""The reader of YAML that all others here use: libyaml's, or where PyYAML was built without it, PyYAML's own.

A browser and `hot2tf.pyz` have no extensions in C. PyYAML's own reader makes the same nodes at the same places, but
accepts a few texts that libyaml refuses, and words its errors in another way. Both would change what hot2tf says.

Invariant: `PureLoader` refuses what libyaml refuses, in the words of libyaml (`tests/text/test_yaml_loader.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from yaml.scanner import ScannerError

# What PyYAML says of an error, and what libyaml says of the same.
WORDS: tuple[tuple[str, str, str], ...] = (  # in the context, a pattern for the problem, its words in libyaml
    ("while parsing a block mapping", "expected <block end>, but found .*", "did not find expected key"),
    ("while parsing a block collection", "expected <block end>, but found .*", "did not find expected '-' indicator"),
    ("while parsing a flow sequence", r"expected ',' or '\]', but got .*", "did not find expected ',' or ']'"),
    ("while parsing a flow mapping", "expected ',' or '}', but got .*", "did not find expected ',' or '}'"),
    ("while parsing a (block|flow) node", "expected the node content, .*", "did not find expected node content"),
    ("", "expected '<document start>', but found .*", "did not find expected <document start>"),
    ("", "mapping values are not allowed here", "mapping values are not allowed in this context"),
    ("", "sequence entries are not allowed here", "block sequence entries are not allowed in this context"),
    ("", "mapping keys are not allowed here", "mapping keys are not allowed in this context"),
    ("", "found character .* that cannot start any token", "found character that cannot start any token"),
    ("while scanning a double-quoted scalar", "found unknown escape character .*", "found unknown escape character"),
    ("", "found undefined tag handle .*", "found undefined tag handle"),
    ("", "found undefined alias .*", "found undefined alias"),
    ("", "found unexpected document separator", "found unexpected document indicator"),
)
QUOTED = "while scanning a (single|double)-quoted scalar|while scanning a quoted scalar"
INDICATORS = ",?[]{}"


class PureLoader(yaml.SafeLoader):
    """PyYAML's own reader, which refuses what libyaml refuses."""

    def scan_plain(self) -> Any:
        token = super().scan_plain()  # type: ignore[no-untyped-call]
        character = self.peek()
        if character == ":" and self.flow_level and self.peek(1) in INDICATORS:
            self.refuse_plain_scalar(token.start_mark, "found unexpected ':'")
        if character == "\t" and self.line > token.start_mark.line and self.column <= self.indent:
            self.refuse_plain_scalar(token.start_mark, "found a tab character that violates indentation")
        return token

    def refuse_plain_scalar(self, start: yaml.Mark, problem: str) -> None:
        raise ScannerError("while scanning a plain scalar", start, problem, self.get_mark())

    def get_single_node(self) -> Any:
        try:
            return super().get_single_node()
        except yaml.MarkedYAMLError as e:
            reword_as_libyaml(e)
            raise


def reword_as_libyaml(error: yaml.MarkedYAMLError) -> None:
    """Gives an error of PyYAML's own reader the words of libyaml."""
    context, problem = error.context or "", error.problem or ""
    if re.fullmatch(QUOTED, context):
        error.context = "while scanning a quoted scalar"
    for where, pattern, words in WORDS:
        if re.match(where, context) and re.fullmatch(pattern, problem, re.S):
            error.problem = words
            if context.startswith("while parsing a block node") or context.startswith("while parsing a flow node"):
                error.context = f"while parsing a {context.split()[3]} node"
            return


if TYPE_CHECKING:
    FastLoader = yaml.CSafeLoader
else:
    FastLoader = getattr(yaml, "CSafeLoader", PureLoader)
