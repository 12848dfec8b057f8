"""Whether a text is a homing template: cheap, because every text that a command reads is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transpile.model.intrinsics import HOMING

AT_TOP = re.compile(rf"^[\"']?{HOMING}[\"']?[ \t]*:", re.MULTILINE)

if TYPE_CHECKING:
    from transpile.model.source import Source


def claimed(source: Source) -> bool:
    """Whether a text has the version key of homing templates at its top, or is a request around one."""
    if HOMING not in source.text:
        return False
    if AT_TOP.search(source.text) is not None:
        return True
    from transpile.homing.document import inside  # only for what is written otherwise, and rarely

    return inside(source)
