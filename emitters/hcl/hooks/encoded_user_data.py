"""Encodes user data that the provider would take for Base64.

The provider sends a text that is valid Base64 as it is, and Nova decodes it: `text` becomes three bytes. Heat encodes
every text.
"""

from __future__ import annotations

import base64
import binascii

from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op
from emitters.hcl.tree.types import TypedValue
from emitters.hcl.unit import Unit
from transpile.model import ir

ENCODED = "as base64encode(), because the provider would send valid Base64 as it is"


def encode_user_data(unit: Unit, text: ir.Expr, value: TypedValue) -> Expr | None:
    """The encoded user data; None if it is known not to be valid Base64, or is a text that the template writes.

    text: the user data in the template. value: the same, lowered.
    """
    while isinstance(text, ir.Call) and text.fn == "Fn::Base64":
        text = text.arg
    if isinstance(text, ir.Lit):
        texts = [text.value]
    elif isinstance(text, ir.ParamRef):
        texts = [] if text.path else unit.values_of_parameter(text.name)
    else:
        return None
    if texts and not any(map(is_base64, texts)):
        return None
    encoded = Fn("base64encode", (value.expr,))
    return Cond(Op("==", value.expr, None), None, encoded) if value.null else encoded


def is_base64(text: object) -> bool:
    """Whether Go's decoder, which skips line ends, accepts a text."""
    if not isinstance(text, str) or not text:
        return False
    try:
        base64.b64decode(text.replace("\r", "").replace("\n", ""), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
