"""Decides whether a value is taken as a name or as an ID where Heat accepts both and no known value tells.

Invariant: a form is decided here only if known values leave it open. Values of both forms are handled both ways.
"""

from __future__ import annotations

import re
from typing import Final

from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily

AUTO, NAMES, IDS, BOTH = "auto", "names", "ids", "both"
CHOICES: Final = (AUTO, NAMES, IDS, BOTH)
NAME, ID = "name", "id"
ID_WORD = compile_lazily(r"\b(?:uu)?ids?\b", re.IGNORECASE)  # in the label or the description of a parameter
NAME_WORD = compile_lazily(r"\bnames?\b", re.IGNORECASE)
ID_NAME = compile_lazily(r"(?:_|\b)(?:uu)?id$|[a-z](?:Uu)?Id$|[a-z]U?U?ID$")  # at the end of its name
NAME_NAME = compile_lazily(r"(?:_|\b)name$|[a-z]Name$")


def choose_forms(choice: str, *, exact: bool) -> str:
    """The meaning of `--option ids`: NAMES, IDS or BOTH. exact: BOTH if the user has not chosen."""
    if choice != AUTO:
        return choice
    return BOTH if exact else NAMES


def promises_id(param: ir.Param) -> bool:
    """Whether the label, the description or the name of a parameter speaks of an ID, as "Network name or ID" does: who
    sets the variable may give one.
    """
    return bool(ID_WORD.search(words_of(param))) or bool(ID_NAME.search(param.name))


def words_of(param: ir.Param) -> str:
    """The label and the description of a parameter, in one text."""
    return " ".join(text for text in (param.label, param.description) if text)


def form_of_open_parameter(forms: str, param: ir.Param) -> str:
    """The form of a parameter whose values are not known: NAME, ID, or "" for both. Its own words decide if they name
    one form only: `image_id`, "ID of the network". forms: NAMES, IDS or BOTH.
    """
    if forms == BOTH:
        return ""
    singular = param.name.removesuffix("s")
    for says_id, says_name in (
        (ID_NAME.search(singular), NAME_NAME.search(singular)),
        (ID_WORD.search(words_of(param)), NAME_WORD.search(words_of(param))),
    ):
        if bool(says_id) is not bool(says_name):
            return ID if says_id else NAME
    return NAME if forms == NAMES else ID


def form_of_open_value(forms: str, template: ir.Template, expr: ir.Expr) -> str:
    """Like `form_of_open_parameter`, for any value that is known before apply. A text that is computed is no ID, even
    if IDs are preferred.
    """
    if forms == BOTH:
        return ""
    if isinstance(expr, ir.ParamRef):
        param = template.parameters.get(expr.name)
        if param is not None and not expr.path:
            return form_of_open_parameter(forms, param)
        return NAME if forms == NAMES else ID
    return NAME if forms == NAMES else ""
