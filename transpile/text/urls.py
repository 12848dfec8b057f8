"""Which URLs a template may have fetched: those that begin with a URL that the user allows.

Invariant: a URL is allowed only if every server and client reads the same path in it. What some resolve and others do
not, such as `%2e%2e`, is refused.
"""

from __future__ import annotations

import re
import urllib.parse
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

URL = r"[A-Za-z][A-Za-z0-9+.-]*://"
PORTS = {"http": 80, "https": 443}
STRANGE = r"[\x00-\x20\x7f\\]"  # characters that no URL has, and that readers drop or take for others
DECODED = 3  # how often something may be encoded


class Place(NamedTuple):
    """Where a URL leads: to a server, as somebody, and there to a path."""

    scheme: str
    user: str
    host: str
    port: int | None
    path: str


def is_url(name: str) -> bool:
    """Whether a name is a URL of any scheme."""
    return "://" in name and re.match(URL, name) is not None


def allowed(url: str, prefixes: Iterable[str]) -> bool:
    """Whether a URL is one of the prefixes, or is below one of them."""
    place = place_of(url)
    for prefix in prefixes:
        if url == prefix:
            return True
        above = place_of(prefix) if is_url(prefix) else None
        if place is None or above is None or place[:-1] != above[:-1]:
            continue
        if place.path == above.path or place.path.startswith(above.path.rstrip("/") + "/"):
            return True
    return False


def place_of(url: str) -> Place | None:
    """Where a URL leads; None if that is not certain."""
    if re.search(STRANGE, url):
        return None
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    user = parts.netloc.rpartition("@")[0]
    scheme = parts.scheme.lower()
    if not host or moves(parts.path):
        return None
    return Place(scheme, user, host, port or PORTS.get(scheme), parts.path)


def moves(path: str) -> bool:
    """Whether a path may lead elsewhere than it says, once somebody has decoded it."""
    for _ in range(DECODED):
        if re.search(STRANGE, path.replace(" ", "")):
            return True
        # What follows a semicolon is a parameter of the part to some servers.
        if any(part.partition(";")[0] in (".", "..") for part in path.split("/")):
            return True
        decoded = urllib.parse.unquote(path)
        if decoded == path:
            return False
        if decoded.count("/") != path.count("/"):
            return True
        path = decoded
    return True
