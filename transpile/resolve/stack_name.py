"""The name of the stack, which users set as the value of the pseudo parameter `OS::stack_name`.

Invariant: a name that is accepted here is one that Heat accepts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.lazy_patterns import compile_lazily

STACK_NAME = "OS::stack_name"
SPELLINGS = (STACK_NAME, "AWS::StackName")  # in HOT and in CFN
VALID = compile_lazily(r"[A-Za-z][A-Za-z0-9_.-]{0,254}")
MESSAGE = "Heat takes no stack of this name."
RULE = "A name is a letter, then up to 254 letters, digits, underscores, dots or hyphens."


def split_stack_name(parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any], list[Diagnostic]]:
    """The name of the stack among the values of parameters, empty if there is none; the other values; diagnostics."""
    others = {key: value for key, value in parameters.items() if key not in SPELLINGS}
    names = {key: str(value) for key, value in parameters.items() if key in SPELLINGS}
    wrong = [
        Diagnostic(codes.INVALID_PARAMETER_VALUE, f"Invalid value for {key}: {MESSAGE}", hint=RULE)
        for key, name in names.items()
        if not VALID.fullmatch(name)
    ]
    return ("" if wrong else next(iter(names.values()), "")), others, wrong


def make_stack_name(text: str) -> str:
    """A name that Heat accepts, close to a text: `1.web/prod` becomes `stack-1.web-prod`."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", text)[:200]
    return name if VALID.fullmatch(name) else f"stack-{name}".rstrip("-")
