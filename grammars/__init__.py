"""Lark grammars of the small languages embedded in templates.

Grammars are loaded on first use, not at import: importing Lark alone takes longer than most conversions.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

HERE = pathlib.Path(__file__).parent


class NotParsed(ValueError):
    """The text is not in the language. `at` is the offset of the first unexpected character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@functools.cache
def _parser(name: str) -> Any:
    import lark

    return lark.Lark((HERE / f"{name}.lark").read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=True)


def parse(name: str, text: str) -> Any:
    """Returns the parse tree of a text (`lark.Tree`). Raises NotParsed."""
    import lark

    try:
        return _parser(name).parse(text)
    except lark.exceptions.UnexpectedInput as e:
        raise NotParsed(f"unexpected at character {e.pos_in_stream}", e.pos_in_stream or 0) from None
