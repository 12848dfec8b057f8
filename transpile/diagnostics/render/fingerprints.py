"""Fingerprints, by which other tools recognise a diagnostic in the next run.

Invariant: a fingerprint depends on the file, the code and the message, and on the number of equal ones before it. It
stays when lines above are added or removed, and no two diagnostics of a run have the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, final


@final
class Fingerprints:
    """Makes the fingerprints of one run. Diagnostics must come in their order."""

    def __init__(self) -> None:
        self.seen: dict[bytes, int] = {}

    def make_fingerprint(self, diagnostic: Mapping[str, Any], path: str) -> str:
        """The fingerprint of a diagnostic in the form of the report. `path`: the path of its file, as the format writes
        it.
        """
        key = hashlib.sha256(
            "\0".join((path, diagnostic["code"], diagnostic["message"])).encode("utf-8", "surrogatepass")
        )
        number = self.seen[key.digest()] = self.seen.get(key.digest(), 0) + 1
        key.update(b"\0%d" % number)
        return key.hexdigest()[:32]
