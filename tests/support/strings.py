"""Strings that could break a printer or a reader, and their fate in every output.

Invariant: an answer comes from a reader of its own, PyYAML, ruamel.yaml or Terraform, never from the code that wrote.
"""

from __future__ import annotations

import io
import json
import pathlib
import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import yaml
from ruamel.yaml import YAML

import transpile
from emitters.hcl.tree import printer
from emitters.hcl.tree.nodes import Argument, Block, Fn, Object
from tests.support import oracles
from tests.support.trees import PIECES

AT_ONCE = 2000  # strings in one template
VERSION = "2021-04-16"
LINE_ENDS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
DIRECTIONS = tuple("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
CLINGING = tuple("\u0301\u0600\u0897\u0e33\u0eb3\u200c\u200d\uff9e\U00010d69\U0001193f\U0001f3fd\U000e0041\U000e007f")
UNUSUAL = (*"\x00\x07\x1b\x7f\x9b\xad\u0378\u180e\u200b\ufdd0\ufeff\ufff9\ufffe\uffff\U0001ffff\U0010ffff", "\x1b[31m")
YAML_WORDS = (
    *(
        *("---", "...", "- ", "-", "? ", ": ", ":", " #", "#", "&a", "*a", "!t", "|", ">", "|+", "%YAML", "@", "`"),
        *("<<", "="),
    ),
    *("null", "~", "yes", "on", "True", "0o7", "0x1f", "1_0", "1:30", "1e3", ".inf", "2021-04-16", "[a, b]", "{a: b}"),
    *("resources:", "  evil:", "\n  - x", "\n\n\n", " \n", "\t\n", "${jsonencode(p)}", "inserted", "inserted_0_"),
)
POOL = (*PIECES, *LINE_ENDS, *DIRECTIONS, *CLINGING, *UNUSUAL, *YAML_WORDS)


def strings(count: int, seed: int = 1) -> list[str]:
    """Different strings, also after Terraform has made them NFC; the same for the same seed."""
    drawn = random.Random(seed)
    texts: dict[str, str] = {}
    while len(texts) < count:
        length = min(int(drawn.expovariate(0.25)), 40)
        text = "".join(drawn.choice(POOL) if drawn.random() < 0.85 else character(drawn) for _ in range(length))
        if not misread(text):
            texts.setdefault(nfc(text), text)
    return list(texts.values())


def character(drawn: random.Random) -> str:
    """Any character, each plane as likely as the others up to the third."""
    code = drawn.choice((drawn.randrange(0x300), drawn.randrange(0x10000), drawn.randrange(0x30000), 0xE0000))
    code += drawn.randrange(0x200) if code == 0xE0000 else 0
    return chr(code) if not 0xD800 <= code < 0xE000 else "x"


def misread(text: str) -> bool:
    """Whether Terraform composes a character with a mark as if it had only its last four hexadecimal digits: U+E0072
    and an accent become an r with the accent, a mistake of its library that no way of writing the text avoids.
    """
    pairs = zip(nfc(text), nfc(text)[1:], strict=False)
    return any(
        character > "\uffff" and len(nfc(chr(ord(character) & 0xFFFF) + other)) == 1 for character, other in pairs
    )


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def pieces(texts: Sequence[str], size: int = AT_ONCE) -> Iterator[Sequence[str]]:
    for at in range(0, len(texts), size):
        yield texts[at : at + size]


def numbered(texts: Sequence[str]) -> dict[str, str]:
    return {f"k{i}": text for i, text in enumerate(texts)}


def keyed(texts: Sequence[str]) -> dict[str, int]:
    """The strings as keys. yamldecode() merges a map below `<<` even if that is quoted; YAML says otherwise."""
    return {text: i for i, text in enumerate(texts) if text != "<<"}


# the readers of YAML


def pyyaml(text: str) -> Any:
    """YAML 1.1."""
    return yaml.load(text, yaml.CSafeLoader)


def ruamel(text: str) -> Any:
    """YAML 1.2, read by other code."""
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    return reader.load(io.StringIO(text))


READERS: dict[str, Callable[[str], Any]] = {"PyYAML": pyyaml, "ruamel.yaml": ruamel}


# the ways out


def kept(texts: Sequence[str], *, inserts: bool) -> str:
    """A template whose resource stays with Heat, with the strings as values and as keys. `inserts`: Terraform inserts
    a value into the embedded template.
    """
    own: dict[str, Any] = {"values": numbered(texts), "keys": keyed(texts)}
    if inserts:
        own["given"] = {"get_param": "p"}
    resource = {"type": "Own::Unknown::Type", "properties": own, "metadata": {"more": list(texts)}}
    return template(parameters={"p": {"type": "json", "default": {}}}, resources={"own": resource})


def template(**sections: Any) -> str:
    return json.dumps({"heat_template_version": VERSION, **sections})


def converted(source: str, to: str) -> dict[str, str]:
    done = transpile.convert(source, to=to)
    assert done.files, [str(d.message) for d in done.diagnostics]
    return {name: content for name, content in done.files.items() if isinstance(content, str)}


def embedded(texts: Sequence[str], *, inserts: bool = False) -> str:
    """The embedded template with the strings."""
    files = converted(kept(texts, inserts=inserts), "hcl")
    (template,) = (content for name, content in files.items() if name.startswith("templates/"))
    return template


def of_embedded(read: Any) -> tuple[Any, Any, Any]:
    """The values, the keys and the list that a reader found in an embedded template."""
    own = read["resources"]["own"]
    return own["properties"]["values"], own["properties"]["keys"], own["metadata"]["more"]


def outputs(texts: Sequence[str]) -> str:
    return template(outputs={name: {"value": text, "description": "d"} for name, text in numbered(texts).items()})


def of_tosca(read: Any) -> dict[str, Any]:
    return {name: output["value"] for name, output in read["topology_template"]["outputs"].items()}


def of_hot(read: Any) -> dict[str, Any]:
    return {name: output["value"] for name, output in read["outputs"].items()}


# compared values


def through_yaml(texts: Sequence[str], reader: Callable[[str], Any]) -> Iterator[str]:
    """The strings that a reader of YAML finds changed in embedded templates, TOSCA and HOT."""
    meant = numbered(texts), keyed(texts), list(texts)
    for role, actual, other in zip(("value", "key", "item"), of_embedded(reader(embedded(texts))), meant, strict=True):
        yield from differences(f"embedded {role}", actual, other)
    source = outputs(texts)
    yield from differences("TOSCA", of_tosca(reader(converted(source, "tosca")["main.yaml"])), meant[0])
    yield from differences("HOT", of_hot(reader(converted(source, "hot")["template.yaml"])), meant[0])


def through_terraform(texts: Sequence[str], where: pathlib.Path) -> Iterator[str]:
    """The strings that Terraform finds changed in HCL, and in the embedded templates that it reads, in NFC form."""
    blocks = []
    for i, part in enumerate(pieces(texts)):
        plain = Object(tuple(numbered(part).items()))
        # keys are printed bare or quoted, and values as heredocs or in quotes
        blocks += [output(f"values_{i}", plain), output(f"keys_{i}", Object(tuple(keyed(part).items())))]
        for kind, inserts in (("file", False), ("templatefile", True)):
            name = f"{kind}_{i}.yaml"
            (where / name).write_text(embedded(part, inserts=inserts), encoding="utf-8", newline="")
            more = (Object((("p", Object((("a", "b"),))),)),) if inserts else ()
            blocks.append(output(f"{kind}_{i}", Fn("yamldecode", (Fn(kind, (f"./{name}", *more)),))))
    (where / "main.tf").write_text(printer.print_hcl(blocks), encoding="utf-8", newline="")
    terraform_outputs = oracles.outputs(where)
    for i, part in enumerate(pieces(texts)):
        normal = [nfc(text) for text in part]
        meant = numbered(normal), keyed(normal), normal
        yield from differences("HCL value", terraform_outputs[f"values_{i}"], meant[0])
        yield from differences("HCL key", terraform_outputs[f"keys_{i}"], meant[1])
        for kind in ("file", "templatefile"):
            for role, actual, other in zip(
                ("value", "key", "item"), of_embedded(terraform_outputs[f"{kind}_{i}"]), meant, strict=True
            ):
                yield from differences(f"{kind} {role}", actual, other)


def output(name: str, value: Any) -> Block:
    return Block("output", (name,), [Argument("value", value)])


def differences(part: str, actual: Any, meant: Any) -> Iterator[str]:
    if actual == meant:
        return
    if isinstance(meant, list):
        actual, meant = dict(enumerate(actual)), dict(enumerate(meant))
    for key in [*meant, *(key for key in actual if key not in meant)]:
        if key not in actual or key not in meant:
            yield f"{part}: {key!r} is {'lost' if key in meant else 'new'}"
        elif actual[key] != meant[key]:
            yield f"{part}: {meant[key]!a} became {actual[key]!a}"
