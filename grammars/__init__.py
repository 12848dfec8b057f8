"""Grammars of the small languages that templates contain, in Lark's notation.

The easy rule to break: a grammar is read when a text of its language first occurs, never at import; Lark alone takes
longer to start than most conversions.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

HERE = pathlib.Path(__file__).parent


class NotParsed(ValueError):
    """The text is not in the language; `at` is the offset of what was not expected."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@functools.cache
def _parser(name: str) -> Any:
    import lark

    return lark.Lark((HERE / f"{name}.lark").read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=True)


def parse(name: str, text: str) -> Any:
    """The parse tree of a text (`lark.Tree`); raises NotParsed."""
    import lark

    try:
        return _parser(name).parse(text)
    except lark.exceptions.UnexpectedInput as e:
        raise NotParsed(f"unexpected at character {e.pos_in_stream}", e.pos_in_stream or 0) from None
