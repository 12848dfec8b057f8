"""The requests of the playground's page, and a site of one page: the playground with its runtime, served from here.

Invariant: the browser reaches everything through a proxy of ours, which has the page and records all other requests,
but those of Chromium itself.
"""

from __future__ import annotations

import base64
import http.server
import importlib.util
import mimetypes
import pathlib
import shutil
import sys
import threading
import types
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

from tests.docs.blocks import ROOT
from tests.support.cases import OF_HCL, Case
from tests.support.golden_tree import on_disk

# Chromium asks these for its own updates and for the time, on every page.
OF_CHROMIUM = (".google.com", ".googleapis.com", ".gvt1.com")
HOOKS = ROOT / "docs" / ".hooks"
# The golden cases of the normal test run; `--long` has all.
SAMPLE = ("yaql", "rendered", "strings", "module_chain", "conditions", "prefer_signals", "user_mapping", "empty")
MULTIPLE = ("keep",)  # options with several values


def load_hook() -> types.ModuleType:
    """The module docs/.hooks/playground.py, which is in no package."""
    if "playground_hook" not in sys.modules:
        spec = importlib.util.spec_from_file_location("playground_hook", HOOKS / "playground.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules["playground_hook"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["playground_hook"]


fetched = pytest.mark.skipif(
    not load_hook().is_fetched(), reason="the runtime is not fetched: python docs/.hooks/playground.py --fetch"
)


def content_of(path: pathlib.Path) -> Any:
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def request_of_case(case: Case, target: str) -> dict[str, Any]:
    """The request of the page for the folder of a golden case."""
    made = {name for each in case.trees for name in on_disk(case.folder, each)} | {"case.toml"}
    paths = [path for path in sorted(case.folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    names = {path.relative_to(case.folder).as_posix(): path for path in paths}
    options: dict[str, Any] = {"to": target}
    if target == "hcl":
        for name in ("prefer", *OF_HCL):
            if (value := case.options.get(name)) is None:
                continue
            if name == "cfn_init":
                options["options"] = {name: value}
            else:
                options[name] = [value] if name in MULTIPLE else value
    for name in ("plugin_dirs", "mappings"):
        if case.options.get(name):
            options[name] = case.options[name]
    return {
        "files": {name: content_of(path) for name, path in names.items() if name not in made},
        "template": case.input.name,
        "environments": case.options.get("environments", []),
        "options": options,
        "parameters": case.parameters,
        "render": case.options.get("render"),
    }


def request_of_file(path: pathlib.Path) -> dict[str, Any]:
    """The request of the page for a template and the files next to it."""
    beside = [file for file in sorted(path.parent.iterdir()) if file.is_file() and file.stat().st_size < 200_000]
    return {"files": {file.name: content_of(file) for file in beside}, "template": path.name}


class PlaygroundSite(http.server.ThreadingHTTPServer):
    """The playground behind a proxy. `address`: its URL for the browser; `others`: the browser's other requests."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.folder, self.others, self.own = folder, list[str](), list[str]()
        self.address = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def arguments(self) -> tuple[str, ...]:
        """Arguments with which Chromium asks only this server, and nothing else."""
        return (
            f"--proxy-server=http://127.0.0.1:{self.server_port}",
            "--proxy-bypass-list=<-loopback>",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-domain-reliability",
            "--disable-extensions",
            "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
            "--disable-sync",
            "--no-first-run",
        )


class ProxyHandler(http.server.BaseHTTPRequestHandler):
    """Answers for the site, and records requests to anybody else."""

    server: PlaygroundSite
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def refuse(self) -> None:
        host = urllib.parse.urlsplit(self.path if "://" in self.path else f"//{self.path}").hostname or ""
        if not f".{host}".endswith(OF_CHROMIUM):
            self.server.others.append(f"{self.command} {self.path}")
        self.send_error(403)

    def do_CONNECT(self) -> None:
        self.refuse()

    def do_POST(self) -> None:
        self.refuse()

    def do_GET(self) -> None:
        address = urllib.parse.urlsplit(self.path)
        if address.netloc not in ("", f"127.0.0.1:{self.server.server_port}"):
            self.refuse()
            return
        self.server.own.append(address.path)
        path = self.server.folder / address.path.lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", mimetypes.guess_type(path.name)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(content)


def write_site(folder: pathlib.Path) -> None:
    """The playground as it is in the site, without the other pages."""
    hook = load_hook()
    shutil.copytree(hook.PLAYGROUND, folder / "playground")
    shutil.copy(ROOT / "docs" / "favicon.svg", folder)
    for name, content in hook.site_files():
        path = folder / "playground" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlaygroundSite]:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    server = PlaygroundSite(folder)
    yield server
    server.shutdown()
    server.server_close()
