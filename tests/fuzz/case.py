"""An input of the fuzzer: a command line and the files that it reads.

Invariant: an input can be written as JSON and read again, so a failure can be kept.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import re
from typing import Any

LIBRARY = "library"  # the command line of a call of `transpile.convert` with a text begins with it
EDITOR = "editor"  # and with this one, what an editor asks the language server
# Characters that JSON may contain, but YAML may not, or takes for the end of a line.
NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
WORDS = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")  # which YAML takes for other values
ENDLESS = re.compile(r"(?<=[:\[ ])(-?)(?:Infinity|(NaN))(?=[,\]}]|$)", re.M)


@dataclasses.dataclass
class File:
    """The content of a file: a tree of values in some spelling (see `spelled`), a text, or bytes."""

    tree: Any = None
    spelling: str = ""  # empty: not a tree
    text: str = ""
    data: bytes | None = None

    def content(self) -> str:
        """The text of the file. Bytes that are not UTF-8 are spelled with surrogates."""
        if self.data is not None:
            return self.data.decode("utf-8", "surrogateescape")
        return spelled(self.tree, self.spelling) if self.spelling else self.text

    def bytes(self) -> bytes:
        return self.data if self.data is not None else self.content().encode("utf-8", "surrogatepass")

    def as_json(self) -> dict[str, Any]:
        if self.data is not None:
            return {"base64": base64.b64encode(self.data).decode()}
        return {"tree": self.tree, "spelling": self.spelling} if self.spelling else {"text": self.text}

    @staticmethod
    def from_json(data: dict[str, Any]) -> File:
        if "base64" in data:
            return File(data=base64.b64decode(data["base64"]))
        return File(data.get("tree"), data.get("spelling", ""), data.get("text", ""))


@dataclasses.dataclass
class Case:
    """A command line and its files. `stdin`: the name of the file that stands on standard input."""

    argv: list[str]
    files: dict[str, File]
    stdin: str = ""

    def as_json(self) -> dict[str, Any]:
        files = {name: file.as_json() for name, file in self.files.items()}
        return {"argv": self.argv, "stdin": self.stdin, "files": files}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Case:
        files = {name: File.from_json(file) for name, file in data["files"].items()}
        return Case(list(data["argv"]), files, data.get("stdin", ""))

    def to_text(self) -> str:
        return json.dumps(self.as_json(), indent=1)


def spelled(tree: Any, spelling: str) -> str:
    """A tree of values as text. `json`: JSON; `lines`: YAML in which each entry of each section has its own line;
    `flow`: YAML, each section on one line.
    """
    if spelling == "json" or not isinstance(tree, dict) or not tree:
        return json.dumps(tree, ensure_ascii=spelling == "json")
    out = []
    for key, value in tree.items():
        if spelling == "lines" and isinstance(value, dict) and value:
            out.append(f"{in_yaml(key)}:\n")
            out += [f"  {in_yaml(name)}: {in_yaml(item)}\n" for name, item in value.items()]
        else:
            out.append(f"{in_yaml(key)}: {in_yaml(value)}\n")
    return "".join(out)


def in_yaml(value: Any) -> str:
    """A value as JSON that YAML reads, too."""
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z_0-9]*", value) and value.lower() not in WORDS:
        return value
    text = json.dumps(value, ensure_ascii=False)
    if not text.isascii() or "\x7f" in text:
        text = NOT_IN_YAML.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
    if "N" in text or "I" in text:
        text = ENDLESS.sub(lambda m: ".nan" if m[2] else f"{m[1]}.inf", text)
    return text
