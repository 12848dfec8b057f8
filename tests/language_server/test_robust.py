"""No text makes a feature fail, and all places in answers are inside of the text: beginnings of documents, broken
ones.
"""

from __future__ import annotations

import collections
import contextlib
import pathlib
import random

from tests.language_server.test_hover import TEXT
from tests.language_server.writing import HEAD
from transpile.language_server import completion, findings, fixes, formatting, hover, outline, renaming, symbols
from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace
from transpile.model.span import Located, Span

CFN = """AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Image: {Type: String, Default: 🎉}
Conditions:
  Big: {"Fn::Equals": [{Ref: Image}, x]}
Resources:
  Server:
    Type: AWS::EC2::Instance
    Condition: Big
    Properties: {ImageId: {Ref: Image}, InstanceType: {"Fn::If": [Big, a, b]}}
Outputs:
  Address: {Value: {"Fn::GetAtt": [Server, PublicIp]}}
"""
JSON = """{"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string"}},
 "outputs": {"b": {"value": {"get_param": "a"}}}}
"""
ENVIRONMENT = """parameters: {image: x}
parameter_defaults: &a {size: 3}
resource_registry:
  My::Type: inner.yaml
  resources: {server: {My::Type: OS::Heat::None}}
encrypted_param_names: [image]
"""
TEXTS = (HEAD + TEXT, CFN, JSON, ENVIRONMENT)
PIECES = (
    "{",
    "[",
    "'",
    '"',
    "\n",
    "  ",
    ": ",
    "- ",
    "🎉",
    "|",
    "&a ",
    "*a",
    "\t",
    "#",
    "\r\n",
    "\u2028",
    "}",
    "]",
    "<<: ",
)


def asked(document: TextDocument, workspace: Workspace, at: int) -> collections.Counter[str]:
    """Asks for everything at an offset; how many answers there are. The offset is one that a client can name: not the
    one between the two characters of a line's end.
    """
    at = document.positions.offset_at(*document.positions.position_at(at))
    counts: collections.Counter[str] = collections.Counter()

    def inside(kind: str, part: Located, where: TextDocument = document) -> None:
        last = part.end
        assert 0 <= part.at <= last <= len(where.text), kind
        line, column = where.positions.position_at(last)
        assert where.positions.offset_at(line, column) == last or where.text[last - 1 : last + 1] == "\r\n", kind
        counts[kind] += 1

    if (about := hover.describe_at(document, workspace, at)) is not None:
        inside("hover", about)
    for item in completion.list_completions(document, workspace, at):
        inside("completion", item)
        assert item.at <= at <= item.end
    for definition in symbols.find_definitions(document, workspace, at):
        inside("definition", definition, definition.document)
    for reference in symbols.find_references(document, workspace, at):
        inside("references", reference, reference.document)
    with contextlib.suppress(renaming.RenameRefused):
        for change in renaming.rename_symbol(document, workspace, at, "new_name"):
            inside("rename", change, change.document)
    for entry in outline.outline_document(document):
        inside("outline", Span(entry.at, entry.stop))
        assert entry.at <= entry.end <= entry.stop
    return counts


def whole(document: TextDocument, workspace: Workspace) -> collections.Counter[str]:
    """Counts the answers to requests about a whole document: formatting, diagnostics, fixes and others."""
    counts: collections.Counter[str] = collections.Counter()
    if (change := formatting.format_document(document)[0]) is not None:
        assert 0 <= change.at <= change.end <= len(document.text)
        counts["formatting"] += 1
    diagnostics = findings.diagnose_document(document, workspace)
    counts.update(["diagnostics"] * len(diagnostics))
    for action in fixes.list_quick_fixes(document, diagnostics, Span(0, len(document.text))):
        assert all(0 <= edit.at <= edit.end <= len(document.text) for edit in action.edits)
        counts["fixes"] += 1
    return counts


def test_every_beginning_of_a_document(tmp_path: pathlib.Path) -> None:
    """The cursor is at its end, as if somebody had typed it so far, and then somewhere before."""
    counts: collections.Counter[str] = collections.Counter()
    rng = random.Random(1)
    workspace = Workspace([tmp_path])
    for text in TEXTS:
        for end in range(len(text) + 1):
            document = TextDocument((tmp_path / "a.yaml").as_uri(), tmp_path / "a.yaml", text[:end], end)
            document.edited = document.positions.line_at(end)
            counts += asked(document, workspace, end) + asked(document, workspace, rng.randint(0, end))
            if end % 7 == 0:
                counts += whole(document, workspace)
    assert all(counts[kind] > 50 for kind in ("hover", "completion", "definition", "references", "outline"))
    assert counts["rename"]


def test_broken_documents(tmp_path: pathlib.Path) -> None:
    """Pieces are taken out and put in at random places, always the same ones."""
    counts: collections.Counter[str] = collections.Counter()
    rng = random.Random(1)
    workspace = Workspace([tmp_path])
    for number in range(600):
        text = rng.choice(TEXTS)
        at = 0
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randint(0, len(text))
            gone = rng.choice((0, 1, 1, 5, 60))
            text = text[:at] + rng.choice(("", *PIECES)) + text[at + gone :]
        at = rng.choice((min(at, len(text)), rng.randint(0, len(text))))
        document = TextDocument((tmp_path / "a.yaml").as_uri(), tmp_path / "a.yaml", text, number)
        document.edited = document.positions.line_at(at)
        counts += asked(document, workspace, at) + asked(document, workspace, rng.randint(0, len(text)))
        counts += whole(document, workspace)
    assert all(counts[kind] > 10 for kind in ("hover", "completion", "definition", "outline", "diagnostics", "fixes"))


def test_a_text_that_is_too_large_is_left_alone(tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}resources:\n" + "  a:\n" * 300_000
    document = TextDocument("file:///a.yaml", None, text, 1)
    assert not asked(document, Workspace(), len(text))
    assert not whole(document, Workspace())
