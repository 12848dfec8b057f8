"""Measures the search for calls of Heat in repositories: `python -m benchmarks.calls REPOSITORY...`

Prints each line that speaks of a command about stacks and is in no call that was found, for a person to read, and then
how many calls there are in each kind of file. With `--found` it prints the calls, too.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
from collections import Counter
from collections.abc import Iterator

from transpile.call_sites.finder import FileCalls, kind_of_file
from transpile.text.source import UnreadableFile, read_bytes

MENTION = re.compile(
    r"\bstack[\s\"',-]{1,6}(?:create|update|delete|show|list|adopt|preview|abandon|output|resource|event|failures)\b|"
    r"\bheat[ -](?:output|resource|event|action|stack)|os_stack\b|cloud\.stack|orchestration\.stacks|"
    r"\.stacks\.(?:create|update|delete|get|list|preview)|\b(?:create|update|delete|get|list|search|find)_stacks?\(",
    re.IGNORECASE,
)
LIMIT = 1 << 20
NEAR = 80  # characters between the name of a client and the command


def walk_texts(root: str) -> Iterator[tuple[str, bytes]]:
    """The texts of a repository, by their paths."""
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in sorted(inner) if name != ".git"]
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            try:
                data = read_bytes(path, LIMIT)
            except UnreadableFile:
                continue
            if not path.is_symlink() and b"\0" not in data:
                yield path.relative_to(root).as_posix(), data


def main() -> None:
    """Prints the calls that were found, and those that were not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="REPOSITORY")
    parser.add_argument("--found", action="store_true", help="print the calls, too")
    words = parser.parse_args()
    kinds: Counter[str] = Counter()
    mentions = covered = 0
    for root in words.repositories:
        for path, data in walk_texts(root):
            text = data.decode("utf-8", "surrogateescape")
            kind = kind_of_file(path, data)
            calls = FileCalls(path, text, kind, data).calls if kind and MENTION.search(text) else []
            kinds.update(call.kind for call in calls)
            for call in calls if words.found else ():
                line = text.count("\n", 0, call.start) + 1
                print(f"call    {path}:{line}: {call.action} {call.name} {call.reason}")
            for mention in MENTION.finditer(text):
                mentions += 1
                if any(call.start - NEAR <= mention.start() <= call.end + NEAR for call in calls):
                    covered += 1
                    continue
                begin, end = text.rfind("\n", 0, mention.start()) + 1, text.find("\n", mention.end())
                line = text.count("\n", 0, mention.start()) + 1
                print(f"mention {path}:{line}: {text[begin:end].strip()[:160]}")
    print(f"{mentions} mentions, {covered} of them in calls; calls: {dict(kinds.most_common())}")


if __name__ == "__main__":
    main()
