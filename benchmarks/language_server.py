"""Measures the time of the language server's answers, over standard input and output, right after an edit.

`python -m benchmarks.language_server [--lines 50,500,5000] [--times 20]` prints the median and the longest time of each
kind of request for each size, and how the sizes compare. Every request follows a change of the text, so nothing that
was read before can be used. The last column says how long it takes until the diagnostics of an edit arrive, without the
time that the server waits for another edit.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from transpile.language_server.server import DELAY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

GOAL = 100  # milliseconds
PAIR = """  port_{n}:
    type: OS::Neutron::Port
    properties:
      network: private
      name: {{list_join: ['-', [{{get_param: image}}, port, {n}]]}}
  server_{n}:
    type: OS::Nova::Server
    depends_on: port_{n}
    condition: big
    properties:
      name: server-{n}
      image: {{get_param: image}}
      flavor: m1.small
      networks:
        - port: {{get_resource: port_{n}}}
      user_data:
        str_replace:
          template: |
            #!/bin/sh
            echo $ip
          params:
            $ip: {{get_attr: [port_{n}, fixed_ips, 0, ip_address]}}
"""
HEAD = """heat_template_version: 2018-08-31
parameters:
  image: {type: string, default: cirros}
  size: {type: number, default: 3}
conditions:
  big: {equals: [{get_param: size}, 3]}
resources:
"""
TAIL = """outputs:
  address:
    value: {get_attr: [server_0, first_address]}
"""


def template(lines: int) -> str:
    """A template of about that many lines."""
    count = max((lines - len((HEAD + TAIL).splitlines())) // len(PAIR.splitlines()), 1)
    return HEAD + "".join(PAIR.format(n=n) for n in range(count)) + TAIL


class Session:
    """A client with one open document, which it edits before each request."""

    def __init__(self, client: LanguageClient, folder: pathlib.Path, text: str) -> None:
        self.client, self.text, self.number = client, text, 1
        self.uri = (folder / "stack.yaml").as_uri()
        self.document = types.TextDocumentIdentifier(self.uri)
        self.arrived = asyncio.Event()
        self.latest = 0

        def published(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.uri:
                self.latest = params.version or 0
                self.arrived.set()

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

    def open(self) -> None:
        item = types.TextDocumentItem(self.uri, "yaml", 1, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def position(self, word: str) -> types.Position:
        """The place of the last occurrence of a word."""
        at = self.text.rindex(word)
        return types.Position(self.text.count("\n", 0, at), at - self.text.rfind("\n", 0, at) - 1)

    def edit(self) -> None:
        """Types a character into the name of the last server, or takes it away again."""
        self.number += 1
        where = self.position("name: server-")
        start = types.Position(where.line, where.character + len("name: server-"))
        added = self.number % 2 == 0
        end = start if added else types.Position(start.line, start.character + 1)
        change = types.TextDocumentContentChangePartial(types.Range(start, end), "x" if added else "")
        number = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.number)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(number, [change]))

    def requests(self) -> dict[str, Callable[[], Awaitable[Any]]]:
        client, document = self.client, self.document
        named = self.position("port_")
        in_type, in_value = self.position("OS::Nova"), self.position("get_param: image")
        value = types.Position(in_value.line, in_value.character + 11)
        whole = types.Range(types.Position(0, 0), types.Position(5, 0))
        return {
            "hover": lambda: client.text_document_hover_async(types.HoverParams(document, in_type)),
            "hover on a value": lambda: client.text_document_hover_async(types.HoverParams(document, value)),
            "completion": lambda: client.text_document_completion_async(types.CompletionParams(document, in_type)),
            "completion of names": lambda: client.text_document_completion_async(
                types.CompletionParams(document, value)
            ),
            "definition": lambda: client.text_document_definition_async(types.DefinitionParams(document, named)),
            "references": lambda: client.text_document_references_async(
                types.ReferenceParams(types.ReferenceContext(True), document, value)
            ),
            "rename": lambda: client.text_document_rename_async(types.RenameParams(document, value, "picture")),
            "outline": lambda: client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
            "quick fixes": lambda: client.text_document_code_action_async(
                types.CodeActionParams(document, whole, types.CodeActionContext([]))
            ),
            "formatting": lambda: client.text_document_formatting_async(
                types.DocumentFormattingParams(document, types.FormattingOptions(2, True))
            ),
        }


async def measured(lines: int, times: int) -> dict[str, tuple[float, float]]:
    """The median and the longest time of each kind of request, in milliseconds."""
    timings: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        client = LanguageClient("benchmark", "1")
        folder = pathlib.Path(name)
        session = Session(client, folder, template(lines))
        await client.start_io(sys.executable, "-m", "transpile.cli.process", "lsp")
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri()))
        client.initialized(types.InitializedParams())
        session.open()
        await asyncio.wait_for(session.arrived.wait(), 60)
        await asyncio.sleep(1)  # the mapping tables are read
        for kind, ask in session.requests().items():
            spent = []
            for _ in range(times):
                session.edit()
                begin = time.perf_counter()
                if await ask() is None:
                    raise SystemExit(f"{kind} has no answer")
                spent.append(1000 * (time.perf_counter() - begin))
            timings[kind] = statistics.median(spent), max(spent)
        spent = []
        for _ in range(max(times // 4, 1)):
            session.edit()
            begin = time.perf_counter()
            while session.latest < session.number:
                session.arrived.clear()
                await asyncio.wait_for(session.arrived.wait(), 60)
            spent.append(1000 * (time.perf_counter() - begin - DELAY))
        timings["diagnostics"] = statistics.median(spent), max(spent)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]
    return timings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", default="50,500,5000")
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.lines.split(",")]
    results = {lines: asyncio.run(measured(lines, arguments.times)) for lines in sizes}
    kinds = list(results[sizes[0]])
    print(
        f"{'milliseconds: median (longest)':32}" + "".join(f"{lines:>9} lines" for lines in sizes) + "   last : first"
    )
    for kind in kinds:
        cells = "".join("{:8.1f} ({:4.0f})".format(*results[lines][kind]) for lines in sizes)
        ratio = results[sizes[-1]][kind][0] / max(results[sizes[0]][kind][0], 0.001)
        late = "" if results[sizes[-1]][kind][0] < GOAL else f"   over {GOAL} ms"
        print(f"{kind:32}{cells}{ratio:12.1f}{late}")


if __name__ == "__main__":
    main()
