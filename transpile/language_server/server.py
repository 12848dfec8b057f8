"""The server: it answers each request of a client by a feature, and sends diagnostics after changes.

Invariant: if a feature fails, the error is logged, the answer is empty and the server goes on. Diagnostics are made in
another thread, some time after the last change, and never sent for an older text.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any, TypeVar, final

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from transpile.language_server import (
    completion,
    describe,
    findings,
    fixes,
    formatting,
    hover,
    outline,
    protocol,
    renaming,
    symbols,
    workspace,
)
from transpile.language_server.documents import Document
from transpile.language_server.workspace import Workspace
from transpile.model.span import Span
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from transpile.diagnostics.model import Diagnostic

T = TypeVar("T")
log = logging.getLogger("hot2tf.lsp")
DELAY = 0.25  # seconds without a change before diagnostics are made
LATER = 1.0  # before the directories are looked through again
TRIGGERS = [":", " ", "[", "{", ",", '"', "'", "/"]
WATCHED = "**/*.{yaml,yml,template,env,json,toml}"
REQUEST_FAILED = -32803


class Failed(JsonRpcException):
    """The answer to a request that fails with a message for the user."""

    CODE = REQUEST_FAILED


def path_of(uri: str) -> pathlib.Path | None:
    """The path of a document; None if it is no file."""
    if not uri.startswith("file:"):
        return None
    found = uris.to_fs_path(uri)
    return pathlib.Path(found) if found and "\0" not in found else None


@final
class Client(LanguageServer):
    """The connection to the client."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error. It is not sent to the client: if the connection is broken, that would be the next error."""
        log.error("%s: %s", type(error).__name__, error)


@final
class Server:
    """The server of one client."""

    def __init__(self) -> None:
        self.client = Client("hot2tf", __version__, max_workers=2)
        self.workspace = Workspace()
        self.found: dict[str, tuple[Document, list[Diagnostic]]] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.stopped = False

    @property
    def encoding(self) -> str:
        return str(getattr(self.client.workspace.position_encoding, "value", self.client.workspace.position_encoding))

    def offset(self, document: Document, position: types.Position) -> int:
        return document.positions.offset(position.line, position.character)

    def document(self, uri: str) -> Document | None:
        return self.workspace.open.get(uri)

    # the life of the server and of its documents

    def initialize(self, params: types.InitializeParams) -> None:
        given = [one.uri for one in params.workspace_folders or ()] or [params.root_uri or ""]
        self.workspace = Workspace(path for uri in given if (path := path_of(uri)) is not None)

    def initialized(self, params: types.InitializedParams) -> None:
        self.later("", LATER / 10, self.survey)
        self.later(describe.COMMON, 0, self.prepare)
        capabilities = self.client.client_capabilities.workspace
        watching = capabilities.did_change_watched_files if capabilities is not None else None
        if watching is not None and watching.dynamic_registration:
            self.later(WATCHED, 0, self.watch)

    async def prepare(self) -> None:
        """Reads the mapping tables early, so that the first hover does not wait for them."""
        await asyncio.to_thread(describe.fate, describe.COMMON)

    async def watch(self) -> None:
        """Asks the client to report changes of files."""
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
        one = types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await self.client.client_register_capability_async(types.RegistrationParams([one]))

    def shutdown(self, *_: Any) -> None:
        self.stopped = True
        for task in self.waiting.values():
            task.cancel()

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        given = params.text_document
        document = Document(given.uri, path_of(given.uri), given.text, given.version, self.encoding)
        self.workspace.open[given.uri] = document
        self.later(given.uri, 0, functools.partial(self.check, given.uri))

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        old = self.document(params.text_document.uri)
        if old is None:
            return
        text, positions, line = old.text, old.positions, old.edited
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                at = positions.offset(start.line, start.character)
                stop = max(at, positions.offset(end.line, end.character))
                text = text[:at] + change.text + text[stop:]
                line = positions.line_at(at) + change.text.count("\n")
            else:
                text, line = change.text, None
            positions = type(positions)(text, self.encoding)
        number = params.text_document.version
        document = Document(old.uri, old.path, text, number, self.encoding, line)
        self.workspace.open[old.uri] = document
        self.later(old.uri, DELAY, functools.partial(self.check, old.uri))

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self.workspace.open.pop(uri, None)
        self.found.pop(uri, None)
        if (task := self.waiting.pop(uri, None)) is not None:
            task.cancel()
        self.client.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def files_changed(self, params: Any) -> None:
        """Forgets cached configurations and plug-ins after a file has changed, and surveys the directories again."""
        workspace.forget()
        self.later("", LATER, self.survey)

    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        folders = [path for uri in self.client.workspace.folders if (path := path_of(uri)) is not None]
        opened = self.workspace.open
        self.workspace = Workspace(folders)
        self.workspace.open.update(opened)
        self.files_changed(params)

    # work in the background

    def later(self, name: str, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Runs `work` after a while. It replaces unfinished work that was scheduled under the same name."""

        async def wait() -> None:
            try:
                await asyncio.sleep(seconds)
                await work()
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("work in the background failed")

        if (before := self.waiting.get(name)) is not None:
            before.cancel()
        if not self.stopped:
            self.waiting[name] = asyncio.get_running_loop().create_task(wait())

    async def check(self, uri: str) -> None:
        """Makes the diagnostics of a document, and sends them if the document has not changed meanwhile."""
        document = self.document(uri)
        if document is None:
            return
        found = await asyncio.to_thread(findings.findings, document, self.workspace)
        if self.document(uri) is document:
            self.found[uri] = document, found
            self.client.text_document_publish_diagnostics(protocol.diagnostics(document, found))

    async def survey(self) -> None:
        """Surveys the directories again, and then checks all open documents."""
        await asyncio.to_thread(self.workspace.survey)
        for uri in list(self.workspace.open):
            self.later(uri, 0, functools.partial(self.check, uri))

    # features

    def hover(self, document: Document, params: types.HoverParams) -> types.Hover | None:
        found = hover.hover(document, self.workspace, self.offset(document, params.position))
        return protocol.hover(document, found) if found is not None else None

    def completion(self, document: Document, params: types.CompletionParams) -> types.CompletionList | None:
        found = completion.completion(document, self.workspace, self.offset(document, params.position))
        return types.CompletionList(False, [protocol.item(document, one) for one in found])

    def resolve(self, item: types.CompletionItem) -> types.CompletionItem:
        """Adds the documentation of a type to an item, when the user looks at it."""
        data = item.data if isinstance(item.data, dict) else {}
        document = self.document(str(data.get("uri")))
        if document is not None and isinstance(kind := data.get("about"), str):
            text = describe.of_type(kind, self.workspace.meaning(document, kind))
            item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
        return item

    def definition(self, document: Document, params: types.DefinitionParams) -> list[types.Location] | None:
        found = symbols.definitions(document, self.workspace, self.offset(document, params.position))
        return [protocol.location(one) for one in found]

    def references(self, document: Document, params: types.ReferenceParams) -> list[types.Location] | None:
        with_it = params.context.include_declaration
        at = self.offset(document, params.position)
        found = symbols.references(document, self.workspace, at, declaration=with_it)
        return [protocol.location(one) for one in found]

    def highlight(
        self, document: Document, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight] | None:
        found = symbols.references(document, self.workspace, self.offset(document, params.position), elsewhere=False)
        return [types.DocumentHighlight(protocol.range_of(document, one)) for one in found]

    def prepare_rename(self, document: Document, params: types.PrepareRenameParams) -> types.PrepareRenameResult | None:
        try:
            span, text = renaming.prepare(document, self.workspace, self.offset(document, params.position))
        except renaming.Refused as e:
            raise Failed(str(e)) from None
        return types.PrepareRenamePlaceholder(protocol.range_of(document, span), text)

    def rename(self, document: Document, params: types.RenameParams) -> types.WorkspaceEdit | None:
        at = self.offset(document, params.position)
        try:
            return protocol.changes(renaming.rename(document, self.workspace, at, params.new_name))
        except renaming.Refused as e:
            raise Failed(str(e)) from None

    def symbols(self, document: Document, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        return [protocol.symbol(document, one) for one in outline.outline(document)]

    def formatting(self, document: Document, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        change, why = formatting.formatting(document)
        if change is None and why:
            self.client.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"Not formatted: {why}"))
        return [protocol.edit(document, change)] if change is not None else []

    def actions(self, document: Document, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        known, found = self.found.get(document.uri, (None, []))
        if known is not document:
            found = findings.findings(document, self.workspace)
            self.found[document.uri] = document, found
        span = Span(self.offset(document, params.range.start), self.offset(document, params.range.end))
        return [protocol.action(document, one) for one in fixes.actions(document, found, span)]


def guarded(server: Server, feature: Callable[[Document, Any], T | None]) -> Callable[[Any], T | None]:
    """A handler that calls a feature with the open document of a request. It returns None if the document is not open,
    or if the feature fails.
    """

    def answer(params: Any) -> T | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        try:
            return feature(document, params)
        except Failed:
            raise
        except Exception:
            log.exception("%s failed", feature.__name__)
            return None

    return answer


def surviving(work: Callable[..., T]) -> Callable[..., T | None]:
    """A handler that logs errors instead of raising them."""

    def handle(*params: Any) -> T | None:
        try:
            return work(*params)
        except Exception:
            log.exception("%s failed", work.__name__)
            return None

    return handle


def made() -> Server:
    """A server with all features registered."""
    server = Server()
    feature = server.client.feature
    feature(types.INITIALIZE)(surviving(server.initialize))
    feature(types.INITIALIZED)(surviving(server.initialized))
    feature(types.SHUTDOWN)(surviving(server.shutdown))
    feature(types.TEXT_DOCUMENT_DID_OPEN)(surviving(server.did_open))
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(surviving(server.did_change))
    feature(types.TEXT_DOCUMENT_DID_CLOSE)(surviving(server.did_close))
    feature(types.TEXT_DOCUMENT_DID_SAVE)(surviving(server.files_changed))
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(surviving(server.files_changed))
    feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(surviving(server.folders_changed))
    feature(types.TEXT_DOCUMENT_HOVER)(guarded(server, server.hover))
    options = types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)
    feature(types.TEXT_DOCUMENT_COMPLETION, options)(guarded(server, server.completion))
    feature(types.COMPLETION_ITEM_RESOLVE)(surviving(server.resolve))
    feature(types.TEXT_DOCUMENT_DEFINITION)(guarded(server, server.definition))
    feature(types.TEXT_DOCUMENT_REFERENCES)(guarded(server, server.references))
    feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(guarded(server, server.highlight))
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(guarded(server, server.prepare_rename))
    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(guarded(server, server.rename))
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(guarded(server, server.symbols))
    feature(types.TEXT_DOCUMENT_FORMATTING)(guarded(server, server.formatting))
    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(guarded(server, server.actions))
    return server


def serve() -> int:
    """Serves the client on standard input and output until it ends; the exit status."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="hot2tf lsp: %(levelname)s: %(message)s")
    server = made()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # a copy, because pygls closes it at the end
    usual, sys.stdout = sys.stdout, sys.stderr  # anything else that is printed must not reach the client
    try:
        server.client.start_io(sys.stdin.buffer, output)
    finally:
        sys.stdout = usual
    return 0 if server.stopped else 1
