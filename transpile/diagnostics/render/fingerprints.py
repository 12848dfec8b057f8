"""Names by which other tools know a finding again.

Invariant: a fingerprint depends on the file, the code and the message, and on how many such findings stand before it.
It stays when lines above are added or removed, and no two findings of a run have the same.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Mapping


@final
class Fingerprints:
    """The fingerprints of one run. Findings come in their order."""

    def __init__(self) -> None:
        self.seen: dict[bytes, int] = {}

    def of(self, said: Mapping[str, Any], path: str) -> str:
        """The fingerprint of a diagnostic in the form of the report. `path`: what the format calls its file."""
        key = hashlib.sha256("\0".join((path, said["code"], said["message"])).encode("utf-8", "surrogatepass"))
        number = self.seen[key.digest()] = self.seen.get(key.digest(), 0) + 1
        key.update(b"\0%d" % number)
        return key.hexdigest()[:32]
