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
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, final

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from transpile.diagnostics.model import Diagnostic
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
from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace
from transpile.model.span import Span
from transpile.version import __version__

T = TypeVar("T")
log = logging.getLogger("hot2tf.lsp")
DELAY = 0.25  # seconds without a change before diagnostics are made
LATER = 1.0  # before the directories are looked through again
TRIGGERS = [":", " ", "[", "{", ",", '"', "'", "/"]
WATCHED = "**/*.{yaml,yml,template,env,json,toml,sh}"
REQUEST_FAILED = -32803


class RequestFailed(JsonRpcException):
    """The answer to a request that fails with a message for the user."""

    CODE = REQUEST_FAILED


def path_of_uri(uri: str) -> pathlib.Path | None:
    """The path of a document; None if it is no file."""
    if not uri.startswith("file:"):
        return None
    path = uris.to_fs_path(uri)
    return pathlib.Path(path) if path and "\0" not in path else None


@final
class Protocol(LanguageServerProtocol):
    """The messages of a client. pygls answers nothing to a request whose parameters it cannot read, so a client that
    waits for the answer would wait for ever.
    """

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if not isinstance(data.get("id"), (str, int)) or "method" not in data:
                raise
            self._send_response(data["id"], None, error.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        if message is not None:  # else it is answered already
            super().handle_message(message)


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
        self.client = Client("hot2tf", __version__, max_workers=2, protocol_cls=Protocol)
        self.workspace = Workspace()
        self.checked_documents: dict[str, tuple[TextDocument, list[Diagnostic]]] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.stopped = False

    @property
    def encoding(self) -> str:
        return str(getattr(self.client.workspace.position_encoding, "value", self.client.workspace.position_encoding))

    def offset_at(self, document: TextDocument, position: types.Position) -> int:
        return document.positions.offset_at(position.line, position.character)

    def find_open_document(self, uri: str) -> TextDocument | None:
        return self.workspace.open.get(uri)

    # the life of the server and of its documents

    def initialize(self, params: types.InitializeParams) -> None:
        folder_uris = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        self.workspace = Workspace(path for uri in folder_uris if (path := path_of_uri(uri)) is not None)

    def initialized(self, params: types.InitializedParams) -> None:
        self.schedule_work("", LATER / 10, self.survey_workspace)
        self.schedule_work(describe.COMMON, 0, self.load_mapping_tables)
        capabilities = self.client.client_capabilities.workspace
        watching = capabilities.did_change_watched_files if capabilities is not None else None
        if watching is not None and watching.dynamic_registration:
            self.schedule_work(WATCHED, 0, self.watch_files)

    async def load_mapping_tables(self) -> None:
        """Reads the mapping tables early, so that the first hover does not wait for them."""
        await asyncio.to_thread(describe.find_fate, describe.COMMON)

    async def watch_files(self) -> None:
        """Asks the client to report changes of files."""
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
        registration = types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await self.client.client_register_capability_async(types.RegistrationParams([registration]))

    def shutdown(self, *_: Any) -> None:
        self.stopped = True
        for task in self.waiting.values():
            task.cancel()

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        text_document = params.text_document
        document = TextDocument(
            text_document.uri, path_of_uri(text_document.uri), text_document.text, text_document.version, self.encoding
        )
        self.workspace.open[text_document.uri] = document
        self.schedule_work(text_document.uri, 0, functools.partial(self.publish_diagnostics, text_document.uri))

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        old = self.find_open_document(params.text_document.uri)
        if old is None:
            return
        text, positions, line = old.text, old.positions, old.edited
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                at = positions.offset_at(start.line, start.character)
                stop = max(at, positions.offset_at(end.line, end.character))
                text = text[:at] + change.text + text[stop:]
                line = positions.line_at(at) + change.text.count("\n")
            else:
                text, line = change.text, None
            positions = type(positions)(text, self.encoding)
        number = params.text_document.version
        document = TextDocument(old.uri, old.path, text, number, self.encoding, line)
        self.workspace.open[old.uri] = document
        self.schedule_work(old.uri, DELAY, functools.partial(self.publish_diagnostics, old.uri))

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self.workspace.open.pop(uri, None)
        self.checked_documents.pop(uri, None)
        if (task := self.waiting.pop(uri, None)) is not None:
            task.cancel()
        self.client.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def files_changed(self, params: Any) -> None:
        """Forgets cached configurations and plug-ins after a file has changed, and surveys the directories again."""
        workspace.clear_caches()
        self.schedule_work("", LATER, self.survey_workspace)

    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        folders = [path for uri in self.client.workspace.folders if (path := path_of_uri(uri)) is not None]
        opened = self.workspace.open
        self.workspace = Workspace(folders)
        self.workspace.open.update(opened)
        self.files_changed(params)

    # work in the background

    def schedule_work(self, name: str, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Runs `work` after a while. It replaces unfinished work that was scheduled under the same name."""

        async def run_work() -> None:
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
            self.waiting[name] = asyncio.get_running_loop().create_task(run_work())

    async def publish_diagnostics(self, uri: str) -> None:
        """Makes the diagnostics of a document, and sends them if the document has not changed meanwhile."""
        document = self.find_open_document(uri)
        if document is None:
            return
        diagnostics = await asyncio.to_thread(findings.diagnose_document, document, self.workspace)
        if self.find_open_document(uri) is document:
            self.checked_documents[uri] = document, diagnostics
            self.client.text_document_publish_diagnostics(protocol.to_lsp_diagnostics(document, diagnostics))

    async def survey_workspace(self) -> None:
        """Surveys the directories again, and then checks all open documents."""
        await asyncio.to_thread(self.workspace.survey_folders)
        for uri in list(self.workspace.open):
            self.schedule_work(uri, 0, functools.partial(self.publish_diagnostics, uri))

    # features

    def answer_hover(self, document: TextDocument, params: types.HoverParams) -> types.Hover | None:
        result = hover.describe_at(document, self.workspace, self.offset_at(document, params.position))
        return protocol.to_lsp_hover(document, result) if result is not None else None

    def answer_completion(self, document: TextDocument, params: types.CompletionParams) -> types.CompletionList | None:
        items = completion.list_completions(document, self.workspace, self.offset_at(document, params.position))
        return types.CompletionList(False, [protocol.to_lsp_item(document, item) for item in items])

    def resolve_completion(self, item: types.CompletionItem) -> types.CompletionItem:
        """Adds the documentation of a type to an item, when the user looks at it."""
        data = item.data if isinstance(item.data, dict) else {}
        document = self.find_open_document(str(data.get("uri")))
        if document is not None and isinstance(kind := data.get("about"), str):
            text = describe.describe_type(kind, self.workspace.resolve_type(document, kind))
            item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
        return item

    def answer_definition(self, document: TextDocument, params: types.DefinitionParams) -> list[types.Location] | None:
        locations = symbols.find_definitions(document, self.workspace, self.offset_at(document, params.position))
        return [protocol.to_lsp_location(location) for location in locations]

    def answer_references(self, document: TextDocument, params: types.ReferenceParams) -> list[types.Location] | None:
        declaration = params.context.include_declaration
        at = self.offset_at(document, params.position)
        locations = symbols.find_references(document, self.workspace, at, declaration=declaration)
        return [protocol.to_lsp_location(location) for location in locations]

    def answer_highlight(
        self, document: TextDocument, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight] | None:
        locations = symbols.find_references(
            document, self.workspace, self.offset_at(document, params.position), elsewhere=False
        )
        return [types.DocumentHighlight(protocol.to_lsp_range(document, location)) for location in locations]

    def answer_prepare_rename(
        self, document: TextDocument, params: types.PrepareRenameParams
    ) -> types.PrepareRenameResult | None:
        try:
            span, text = renaming.find_renamable_name(
                document, self.workspace, self.offset_at(document, params.position)
            )
        except renaming.RenameRefused as e:
            raise RequestFailed(str(e)) from None
        return types.PrepareRenamePlaceholder(protocol.to_lsp_range(document, span), text)

    def answer_rename(self, document: TextDocument, params: types.RenameParams) -> types.WorkspaceEdit | None:
        at = self.offset_at(document, params.position)
        try:
            return protocol.to_lsp_changes(renaming.rename_symbol(document, self.workspace, at, params.new_name))
        except renaming.RenameRefused as e:
            raise RequestFailed(str(e)) from None

    def answer_symbols(
        self, document: TextDocument, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | None:
        return [protocol.to_lsp_symbol(document, entry) for entry in outline.outline_document(document)]

    def answer_formatting(
        self, document: TextDocument, params: types.DocumentFormattingParams
    ) -> list[types.TextEdit] | None:
        change, why = formatting.format_document(document)
        if change is None and why:
            self.client.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"Not formatted: {why}"))
        return [protocol.to_lsp_edit(document, change)] if change is not None else []

    def answer_actions(self, document: TextDocument, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        checked_document, diagnostics = self.checked_documents.get(document.uri, (None, []))
        if checked_document is not document:
            diagnostics = findings.diagnose_document(document, self.workspace)
            self.checked_documents[document.uri] = document, diagnostics
        span = Span(self.offset_at(document, params.range.start), self.offset_at(document, params.range.end))
        return [
            protocol.to_lsp_action(document, action) for action in fixes.list_quick_fixes(document, diagnostics, span)
        ]


def guard_feature(server: Server, feature: Callable[[TextDocument, Any], T | None]) -> Callable[[Any], T | None]:
    """A handler that calls a feature with the open document of a request. It returns None if the document is not open,
    or if the feature fails.
    """

    @functools.wraps(feature)
    def answer_request(params: Any) -> T | None:
        document = server.find_open_document(params.text_document.uri)
        return feature(document, params) if document is not None else None

    return log_errors(answer_request)


def log_errors(work: Callable[..., T]) -> Callable[..., T | None]:
    """A handler that logs errors instead of raising them. RequestFailed is an answer."""

    def handle_message(*params: Any) -> T | None:
        try:
            return work(*params)
        except RequestFailed:
            raise
        except Exception:
            log.exception("%s failed", work.__name__)
            return None

    return handle_message


def make_server() -> Server:
    """A server with all features registered."""
    server = Server()
    feature = server.client.feature
    feature(types.INITIALIZE)(log_errors(server.initialize))
    feature(types.INITIALIZED)(log_errors(server.initialized))
    feature(types.SHUTDOWN)(log_errors(server.shutdown))
    feature(types.TEXT_DOCUMENT_DID_OPEN)(log_errors(server.did_open))
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(log_errors(server.did_change))
    feature(types.TEXT_DOCUMENT_DID_CLOSE)(log_errors(server.did_close))
    feature(types.TEXT_DOCUMENT_DID_SAVE)(log_errors(server.files_changed))
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(log_errors(server.files_changed))
    feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(log_errors(server.folders_changed))
    feature(types.TEXT_DOCUMENT_HOVER)(guard_feature(server, server.answer_hover))
    options = types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)
    feature(types.TEXT_DOCUMENT_COMPLETION, options)(guard_feature(server, server.answer_completion))
    feature(types.COMPLETION_ITEM_RESOLVE)(log_errors(server.resolve_completion))
    feature(types.TEXT_DOCUMENT_DEFINITION)(guard_feature(server, server.answer_definition))
    feature(types.TEXT_DOCUMENT_REFERENCES)(guard_feature(server, server.answer_references))
    feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(guard_feature(server, server.answer_highlight))
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(guard_feature(server, server.answer_prepare_rename))
    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(
        guard_feature(server, server.answer_rename)
    )
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(guard_feature(server, server.answer_symbols))
    feature(types.TEXT_DOCUMENT_FORMATTING)(guard_feature(server, server.answer_formatting))
    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(guard_feature(server, server.answer_actions))
    return server


def serve_client() -> int:
    """Serves the client on standard input and output until it ends; the exit status."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="hot2tf lsp: %(levelname)s: %(message)s")
    server = make_server()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # a copy, because pygls closes it at the end
    usual, sys.stdout = sys.stdout, sys.stderr  # anything else that is printed must not reach the client
    try:
        server.client.start_io(sys.stdin.buffer, output)
    finally:
        sys.stdout = usual
    return 0 if server.stopped else 1
