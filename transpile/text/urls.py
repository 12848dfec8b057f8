"""Decides which URLs may be fetched for a template: those below a URL that the user allows.

Invariant: a URL is allowed only if every server and client reads the same path in it. Parts that only some of them
resolve, such as `%2e%2e`, are refused.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import NamedTuple

URL = r"[A-Za-z][A-Za-z0-9+.-]*://"
PORTS = {"http": 80, "https": 443}
STRANGE = r"[\x00-\x20\x7f\\]"  # characters that no URL may have, and that some clients drop or replace
DECODED = 3  # how often a path may be encoded


class UrlTarget(NamedTuple):
    """The target of a URL: the server, the user, and the path there."""

    scheme: str
    user: str
    host: str
    port: int | None
    path: str


def is_url(name: str) -> bool:
    """Whether a name is a URL of any scheme."""
    return "://" in name and re.match(URL, name) is not None


def is_allowed_url(url: str, prefixes: Iterable[str]) -> bool:
    """Whether a URL is one of the prefixes, or is below one of them."""
    target = parse_url(url)
    for prefix in prefixes:
        if url == prefix:
            return True
        above = parse_url(prefix) if is_url(prefix) else None
        if target is None or above is None or target[:-1] != above[:-1]:
            continue
        if target.path == above.path or target.path.startswith(above.path.rstrip("/") + "/"):
            return True
    return False


def map_url(url: str, directories: Mapping[str, str]) -> tuple[str, str] | None:
    """The directory that stands for the beginning of a URL, the longest first, and the path from there; None if none
    does. `directories`: by the beginnings of URLs.
    """
    for prefix in sorted(directories, key=len, reverse=True):
        above, target = parse_url(prefix), parse_url(url)
        if above is not None and target is not None and target[:-1] == above[:-1]:
            path = above.path.rstrip("/") + "/"
            if target.path.startswith(path) and len(target.path) > len(path):
                return directories[prefix], urllib.parse.unquote(target.path[len(path) :])
    return None


def parse_url(url: str) -> UrlTarget | None:
    """The target of a URL; None if servers and clients may disagree about it."""
    if re.search(STRANGE, url):
        return None
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    user = parts.netloc.rpartition("@")[0]
    scheme = parts.scheme.lower()
    if not host or is_ambiguous_path(parts.path):
        return None
    return UrlTarget(scheme, user, host, port or PORTS.get(scheme), parts.path)


def is_ambiguous_path(path: str) -> bool:
    """Whether a path may mean another one after it is decoded: `a/%2e%2e/b`."""
    for _ in range(DECODED):
        if re.search(STRANGE, path.replace(" ", "")):
            return True
        # To some servers, text after a semicolon is a parameter of the part.
        if any(part.partition(";")[0] in (".", "..") for part in path.split("/")):
            return True
        decoded = urllib.parse.unquote(path)
        if decoded == path:
            return False
        if decoded.count("/") != path.count("/"):
            return True
        path = decoded
    return True
