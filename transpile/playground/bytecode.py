"""A cache of the bytecode that Python compiled in one visit, for the next one.

Invariant: bytecode is valid for a source of the same time and size. All sources in the browser have one time; the cache
is found by the digest of all archives, so it belongs to these sources.
"""

from __future__ import annotations

import io
import os
import pathlib
import zipfile

TIME = 0  # of every source


def settle_times(directory: str) -> None:
    """Gives all sources one time, whenever they were unpacked."""
    for path in pathlib.Path(directory).rglob("*.py"):
        os.utime(path, (TIME, TIME))


def collect(directory: str) -> bytes:
    """All bytecode as an archive of the same layout."""
    root = pathlib.Path(directory)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(root.rglob("__pycache__/*.pyc")):
            archive.writestr(zipfile.ZipInfo(path.relative_to(root).as_posix()), path.read_bytes())
    return stream.getvalue()
