"""The reader of YAML that all others here use: libyaml's, or where PyYAML was built without it, PyYAML's own.

A browser and `hot2tf.pyz` have no extensions in C. PyYAML's own reader makes the same nodes at the same places, but
accepts a few texts that libyaml refuses, and words its errors in another way. Both would change hot2tf's messages.

Invariant: `PureLoader` refuses the same texts as libyaml, in the words of libyaml (`tests/text/test_yaml_loader.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from yaml.scanner import ScannerError
from yaml.tokens import FlowEntryToken, FlowMappingEndToken, FlowSequenceEndToken, ScalarToken, ValueToken

# PyYAML's words for an error, and libyaml's words for it.
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
    ("", "found unknown escape character .*", "found unknown escape character"),
    ("while scanning a block scalar", "expected .*, but found [^0].*", "did not find expected comment or line break"),
    ("while scanning a block scalar", "expected .*, but found 0", "found an indentation indicator equal to 0"),
    ("while scanning an? (anchor|alias)", "expected .*", "did not find expected alphabetic or numeric character"),
    ("while (scanning|parsing) a tag", "expected .*", "did not find expected whitespace or line break"),
    ("", "found undefined tag handle .*", "found undefined tag handle"),
    ("", "found undefined alias .*", "found undefined alias"),
    ("", "found unexpected document separator", "found unexpected document indicator"),
)
QUOTED = "while scanning a (single|double)-quoted scalar|while scanning a quoted scalar"
BREAKS = "\r\n\x85\u2028\u2029"
BLANKS = f" \t{BREAKS}\0"
IN_FLOW = ",[]{}"


class PureLoader(yaml.SafeLoader):
    """PyYAML's own reader, which takes tabs, question marks and colons as libyaml does."""

    def scan_to_next_token(self) -> None:
        """Skips blanks and comments. A tab may stand wherever no indentation can."""
        if self.index == 0 and self.peek() == "\ufeff":
            self.forward()
        while True:
            while self.peek() == " " or (self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in f"\0{BREAKS}":
                    self.forward()
            if not self.scan_line_break():  # type: ignore[no-untyped-call]
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain(self) -> ScalarToken:
        """A scalar without quotes. Inside brackets a question mark is a part of it, and a colon before one is wrong."""
        chunks: list[str] = []
        blanks: list[str] = []
        start = end = self.get_mark()
        indent, ends_in_break = self.indent + 1, False
        while self.peek() != "#" and not self.is_at_document_mark():
            if length := self.measure_plain_chunk(start):
                self.allow_simple_key = ends_in_break = False
                chunks += [*blanks, self.prefix(length)]
                self.forward(length)
                end, blanks = self.get_mark(), []
            if self.peek() == "\0" or self.peek() not in BLANKS:
                break
            ends_in_break, blanks = self.scan_blanks(start, indent)
            if not self.flow_level and self.column < indent:
                break
        if ends_in_break:
            self.allow_simple_key = True
        return ScalarToken("".join(chunks), True, start, end)

    def is_at_document_mark(self) -> bool:
        return self.column == 0 and self.prefix(3) in ("---", "...") and self.peek(3) in BLANKS

    def measure_plain_chunk(self, start: yaml.Mark) -> int:
        """The number of characters up to a blank, or to another end of a scalar."""
        length = 0
        while (character := self.peek(length)) not in BLANKS:
            following = self.peek(length + 1) if character == ":" else ""
            if following and self.flow_level and following in f"{IN_FLOW}?":
                self.forward(length)
                self.refuse_plain_scalar(start, "found unexpected ':'")
            if (following and following in BLANKS) or (self.flow_level and character in IN_FLOW):
                break
            length += 1
        return length

    def scan_blanks(self, start: yaml.Mark, indent: int) -> tuple[bool, list[str]]:
        """Whether there are line breaks here, and the text for blanks and line breaks if the scalar goes on."""
        blanks: list[str] = []
        breaks: list[str] = []
        while (character := self.peek()) in BLANKS and character != "\0":
            if character not in BREAKS:
                if character == "\t" and breaks and self.column < indent:
                    self.refuse_plain_scalar(start, "found a tab character that violates indentation")
                blanks.append(character)
                self.forward()
            else:
                breaks.append(self.scan_line_break())  # type: ignore[no-untyped-call]
        if not breaks:
            return False, blanks
        first, *others = breaks
        return True, [first, *others] if first != "\n" else others or [" "]

    def refuse_plain_scalar(self, start: yaml.Mark, problem: str) -> None:
        raise ScannerError("while scanning a plain scalar", start, problem, self.get_mark())

    def parse_flow_mapping_value(self) -> Any:
        return self.parse_value_in_flow(FlowMappingEndToken, self.parse_flow_mapping_key)

    def parse_flow_sequence_entry_mapping_value(self) -> Any:
        return self.parse_value_in_flow(FlowSequenceEndToken, self.parse_flow_sequence_entry_mapping_end)

    def parse_value_in_flow(self, end: type, then: Any) -> Any:
        """The value of a pair inside brackets. A value that is not written stands where the next sign does."""
        if self.check_token(ValueToken):
            self.get_token()  # type: ignore[no-untyped-call]
            if not self.check_token(FlowEntryToken, end):
                self.states.append(then)
                return self.parse_flow_node()  # type: ignore[no-untyped-call]
        self.state = then
        return self.process_empty_scalar(self.peek_token().start_mark)  # type: ignore[no-untyped-call]

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
        error.context = f"while {'parsing' if 'escape' in problem else 'scanning'} a quoted scalar"
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
