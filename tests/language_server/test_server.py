"""The server over standard input and output, with pygls' own client."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import pathlib
import sys
from collections.abc import Awaitable, Callable

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

import transpile
from tests.conftest import Run
from transpile.language_server import hover
from transpile.language_server.documents import TextDocument
from transpile.language_server.server import guard_feature, make_server

TEXT = """heat_template_version: 2018-08-31
parameters:
  image: {type: string, default: cirros}
resources:
  port: {type: OS::Neutron::Port, properties: {network: "🎉🎉", name: {get_param: image}}}
  server:
    type: OS::Nova::Server
    properties: {flavor: small, imag: {get_param: image}, networks: [{port: {get_resource: port}}]}
"""
SECONDS = 60  # for an answer, on a machine that has other things to do


class Talk:
    """A client with one document."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.client = LanguageClient("test", "1")
        self.folder, self.text, self.number = folder, TEXT, 1
        self.uri = (folder / "stack.yaml").as_uri()
        self.document = types.TextDocumentIdentifier(self.uri)
        self.published: list[types.PublishDiagnosticsParams] = []
        self.news = asyncio.Event()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.publish(params))

    def publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)
        self.news.set()

    async def begin(self) -> types.InitializeResult:
        await self.client.start_io(sys.executable, "-m", "transpile.cli.process", "lsp")
        parameters = types.InitializeParams(types.ClientCapabilities(), root_uri=self.folder.as_uri())
        result = await self.client.initialize_async(parameters)
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "yaml", 1, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return result

    async def end(self) -> int | None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        status = await asyncio.wait_for(server.wait(), SECONDS)
        await self.client.stop()  # type: ignore[no-untyped-call]
        return status

    def position(self, word: str, after: int = 0) -> types.Position:
        """The place of a word, in UTF-16 units."""
        at = self.text.index(word) + after
        line = self.text.rfind("\n", 0, at) + 1
        units = len(self.text[line:at].encode("utf-16-le")) // 2
        return types.Position(self.text.count("\n", 0, at), units)

    def part(self, word: str, length: int | None = None) -> types.Range:
        return types.Range(self.position(word), self.position(word, len(word) if length is None else length))

    def replace(self, word: str, new: str) -> None:
        """Changes a word, and only that."""
        self.number += 1
        change = types.TextDocumentContentChangePartial(self.part(word), new)
        number = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.number)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(number, [change]))
        self.text = self.text.replace(word, new, 1)

    async def diagnostics(self) -> list[types.Diagnostic]:
        """Those of the text as it is."""

        async def wait() -> list[types.Diagnostic]:
            while True:
                for publication in self.published:
                    if publication.version == self.number:
                        return list(publication.diagnostics)
                self.news.clear()
                await self.news.wait()

        return await asyncio.wait_for(wait(), SECONDS)


def talk(folder: pathlib.Path, about: Callable[[Talk], Awaitable[None]]) -> None:
    """A conversation from the beginning to the end; the server must end with status 0."""

    async def all_of_it() -> None:
        conversation = Talk(folder)
        await conversation.begin()
        await about(conversation)
        assert await conversation.end() == 0

    asyncio.run(asyncio.wait_for(all_of_it(), 3 * SECONDS))


def test_a_conversation(tmp_path: pathlib.Path) -> None:
    """Each kind of request once; the places behind the emoji are in UTF-16 units."""

    async def about(conversation: Talk) -> None:
        client, document = conversation.client, conversation.document
        (diagnostic,) = await conversation.diagnostics()
        assert (diagnostic.code, diagnostic.range) == ("HOT301", conversation.part("imag:", 4))
        about_type = await client.text_document_hover_async(
            types.HoverParams(document, conversation.position("OS::Nova", 1))
        )
        assert about_type is not None
        assert "In Terraform: openstack" in str(about_type.contents)
        after_emoji = conversation.position("get_param: image", 12)
        there = await client.text_document_definition_async(types.DefinitionParams(document, after_emoji))
        assert there == [types.Location(conversation.uri, conversation.part("image"))]
        uses = await client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), document, after_emoji)
        )
        assert uses is not None
        assert len(uses) == 3
        assert types.Range(
            conversation.position("get_param: image", 11), conversation.position("get_param: image", 16)
        ) in [use.range for use in uses]
        marks = await client.text_document_document_highlight_async(
            types.DocumentHighlightParams(document, after_emoji)
        )
        assert marks is not None
        assert len(marks) == 3
        place = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, after_emoji))
        assert isinstance(place, types.PrepareRenamePlaceholder)
        assert place.placeholder == "image"
        edit = await client.text_document_rename_async(types.RenameParams(document, after_emoji, "picture"))
        assert edit is not None
        assert edit.changes is not None
        assert [change.new_text for change in edit.changes[conversation.uri]] == ["picture"] * 3
        with pytest.raises(JsonRpcException, match="cannot be a name"):
            await client.text_document_rename_async(types.RenameParams(document, after_emoji, "a b"))
        outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert outline is not None
        assert [symbol.name for symbol in outline] == ["heat_template_version", "parameters", "resources"]
        assert isinstance(outline[2], types.DocumentSymbol)
        assert [(inner.name, inner.kind, inner.detail) for inner in outline[2].children or ()] == [
            ("port", types.SymbolKind.Class, "OS::Neutron::Port"),
            ("server", types.SymbolKind.Class, "OS::Nova::Server"),
        ]
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        parameters = types.CodeActionParams(document, whole, types.CodeActionContext([]))
        actions = await client.text_document_code_action_async(parameters)
        assert actions is not None
        titles = [(action.title, action.is_preferred) for action in actions if isinstance(action, types.CodeAction)]
        assert titles == [("Replace imag by image", True), ("Ignore HOT301 here", False)]
        edits = await client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(2, True))
        )
        assert edits

    talk(tmp_path, about)


def test_typed_text_counts_at_once(tmp_path: pathlib.Path) -> None:
    async def about(conversation: Talk) -> None:
        await conversation.diagnostics()
        conversation.replace("name: {get_param: image}", "name: {get_param: ")
        here = conversation.position("{get_param: ", 12)
        completions = await conversation.client.text_document_completion_async(
            types.CompletionParams(conversation.document, here)
        )
        assert isinstance(completions, types.CompletionList)
        assert "image" in [item.label for item in completions.items]
        assert [diagnostic.code for diagnostic in await conversation.diagnostics()] == ["HOT101"]
        conversation.replace("{get_param: ", "{get_param: image}")
        conversation.replace("imag:", "image:")
        assert await conversation.diagnostics() == []

    talk(tmp_path, about)


def test_types_are_documented_when_they_are_looked_at(tmp_path: pathlib.Path) -> None:
    async def about(conversation: Talk) -> None:
        here = conversation.position("OS::Nova", 4)
        completions = await conversation.client.text_document_completion_async(
            types.CompletionParams(conversation.document, here)
        )
        assert isinstance(completions, types.CompletionList)
        (item,) = [item for item in completions.items if item.label == "OS::Nova::Server"]
        assert item.documentation is None
        assert (item.kind, item.sort_text) == (types.CompletionItemKind.Class, "0OS::Nova::Server")
        item = await conversation.client.completion_item_resolve_async(item)
        assert "In Terraform: openstack" in str(item.documentation)

    talk(tmp_path, about)


def test_the_saved_directory_counts(tmp_path: pathlib.Path) -> None:
    """An environment that is saved gives the template its values."""

    async def about(conversation: Talk) -> None:
        await conversation.diagnostics()
        (tmp_path / "stack.yaml").write_text(conversation.text)
        (tmp_path / "stack.env.yaml").write_text("parameters: {image: ubuntu}\n")
        conversation.client.text_document_did_save(types.DidSaveTextDocumentParams(conversation.document))
        here = types.HoverParams(conversation.document, conversation.position("get_param: image", 12))
        for _ in range(SECONDS):
            await asyncio.sleep(1)
            hover = await conversation.client.text_document_hover_async(here)
            if "ubuntu" in str(hover):
                return
        raise AssertionError("the value does not arrive")

    talk(tmp_path, about)


def test_a_client_that_leaves_without_a_word(tmp_path: pathlib.Path) -> None:
    async def about() -> int | None:
        command = (sys.executable, "-m", "transpile.cli.process", "lsp")
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        server = await asyncio.create_subprocess_exec(*command, **pipes)  # type: ignore[arg-type]
        assert server.stdin is not None
        server.stdin.write(b"Content-Length: 2\r\n\r\n{}")
        server.stdin.close()
        return await asyncio.wait_for(server.wait(), SECONDS)

    assert asyncio.run(about()) == 1


INVALID_PARAMETERS: dict[str, object] = {
    "textDocument/hover": {"textDocument": 5},
    "textDocument/completion": {},
    "textDocument/rename": {"textDocument": {"uri": "file:///a"}, "position": {"line": "x"}, "newName": []},
    "textDocument/formatting": [1],
    "completionItem/resolve": {},
    "textDocument/codeAction": None,
    "no/such/method": {"a": 1},
}


def test_each_request_with_wrong_parameters_gets_an_error() -> None:
    async def talk_raw() -> None:
        command = [sys.executable, "-m", "transpile.cli.process", "lsp"]
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        server = await asyncio.create_subprocess_exec(*command, **pipes)  # type: ignore[arg-type]
        assert server.stdin is not None
        assert server.stdout is not None

        async def ask(id_: object, method: object, params: object) -> dict[str, object]:
            assert server.stdin is not None
            assert server.stdout is not None
            message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
            data = json.dumps(message).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
            await server.stdin.drain()
            while True:
                head = await asyncio.wait_for(server.stdout.readuntil(b"\r\n\r\n"), SECONDS)
                length = next(int(line[16:]) for line in head.splitlines() if line.startswith(b"Content-Length: "))
                answer: dict[str, object] = json.loads(await server.stdout.readexactly(length))
                if "method" not in answer:
                    return answer

        assert "result" in await ask(0, "initialize", {"capabilities": {}})
        for number, (method, params) in enumerate(INVALID_PARAMETERS.items(), 1):
            answer = await ask(number, method, params)
            assert answer["id"] == number
            assert isinstance(answer["error"], dict), method
            assert answer["error"]["code"] in (-32600, -32601, -32602, -32603)
        assert (await ask("text", ["no", "text"], {}))["id"] == "text"
        assert (await ask(99, "shutdown", None)).get("error") is None
        server.stdin.close()
        await asyncio.wait_for(server.wait(), SECONDS)

    asyncio.run(talk_raw())


def test_a_feature_that_fails_is_answered_with_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(hover, "describe_at", fail)
    server = make_server()
    server.workspace.open["file:///a"] = TextDocument("file:///a", None, TEXT)
    params = types.HoverParams(types.TextDocumentIdentifier("file:///a"), types.Position(0, 0))
    assert guard_feature(server, server.answer_hover)(params) is None
    assert "answer_hover failed" in caplog.text
    assert "broken" in caplog.text
    assert (
        guard_feature(server, server.answer_hover)(
            types.HoverParams(types.TextDocumentIdentifier("file:///b"), types.Position(0, 0))
        )
        is None
    )


def test_without_pygls_the_command_says_what_to_install(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pygls" else find_spec(name))
    ended = command("lsp")
    assert ended.status == 2
    assert "extra lsp" in ended.err


def test_only_the_server_imports_pygls() -> None:
    folder = pathlib.Path(transpile.__file__).parent
    users = {
        path.name
        for path in folder.rglob("*.py")
        if any(
            f"import {name}" in path.read_text() or f"from {name}" in path.read_text()
            for name in ("pygls", "lsprotocol")
        )
    }
    assert users == {"server.py", "protocol.py"}
