"""The playground of the site: which files it needs, where they come from, and what the page knows of this build.

`python docs/.hooks/playground.py --fetch` fetches the runtime (Pyodide and pure Python packages) into
`build/playground/`. All that is fetched has the hash that `docs/playground/runtime.lock` or `packages.lock` says.
Without these files, the site is built all the same, and the page says that it has no runtime.

Invariant: building the site fetches nothing. hot2tf itself comes from the checkout, as a wheel.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PLAYGROUND = DOCS / "playground"
FETCHED = ROOT / "build" / "playground"
PAGE = ROOT / "transpile" / "page" / "html"
SHARED = {"links.js": PAGE / "links.js", "page.css": PAGE / "style.css"}  # what the page of --html has, too
RUNTIME_LOCK, PACKAGES_LOCK = PLAYGROUND / "runtime.lock", PLAYGROUND / "packages.lock"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = "packages.zip"
CODE = ("transpile", "emitters", "grammars")
COMPILED = (".so", ".pyd", ".pyx", ".pyi", ".c", ".h")  # of packages: what Python in a browser cannot load
EXAMPLES = (  # title, folder, template, environments
    ("A server, its network and a script", "example", "stack.yaml", ()),
    ("The tutorial: a shop in production", "example-repository", "shop.yaml", ("environments/shop.production.yaml",)),
    ("The tutorial: a network", "example-repository", "network.yaml", ()),
)


class Differs(RuntimeError):
    """What was fetched is not what the lock file says."""


# fetching


def fetch() -> None:
    """Fetches the runtime and the packages, and checks both."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    package, integrity = RUNTIME_LOCK.read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory() as folder:  # npm and pip know which registry and index this machine uses
        subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (packed,) = pathlib.Path(folder).glob("*.tgz")
        content = packed.read_bytes()
    algorithm, _, digest = integrity.partition("-")
    if base64.b64encode(hashlib.new(algorithm, content).digest()).decode() != digest:
        raise Differs(f"{package} has another hash than {RUNTIME_LOCK.name} says")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in RUNTIME:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (FETCHED / name).write_bytes(member.read())
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--platform", "manylinux2014_x86_64", "--python-version", "3.14", "--implementation", "cp"]
        command += ["--require-hashes", "-r", str(PACKAGES_LOCK), "-d", folder]
        subprocess.run(command, check=True)
        (FETCHED / PACKAGES).write_bytes(join_wheels(sorted(pathlib.Path(folder).glob("*.whl"))))


def join_wheels(wheels: list[pathlib.Path]) -> bytes:
    """The pure Python of wheels as one archive. What is compiled is left out: each of the packages works without."""
    files = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith(("/", *COMPILED)) and ".data/" not in name and is_needed(name):
                    files[name] = archive.read(name)
    return make_archive(files)


def is_needed(name: str) -> bool:
    """Whether a file of a package is code, or a licence, which must go with it."""
    return ".dist-info/" not in name or "licen" in name.lower() or name.endswith("/METADATA")


def make_archive(files: dict[str, bytes]) -> bytes:
    """A ZIP archive whose bytes depend on nothing but the files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


# building


def is_fetched() -> bool:
    return all((FETCHED / name).is_file() for name in (*RUNTIME, PACKAGES))


def build_wheel() -> tuple[str, bytes]:
    """hot2tf of this checkout as a wheel: its name and content."""
    from transpile.version import __version__

    label = f"hot2tf-{__version__}"
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in CODE
        for path in sorted((ROOT / package).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    files[f"{label}.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: hot2tf\nVersion: {__version__}\n".encode()
    files[f"{label}.dist-info/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return f"{label}-py3-none-any.whl", make_archive(files)


def site_files() -> Iterator[tuple[str, bytes]]:
    """What the site has below `playground/` in addition to the files in docs/playground."""
    for name, path in SHARED.items():
        yield name, path.read_bytes()
    runtime: dict[str, Any] | None = None
    if is_fetched():
        wheel, content = build_wheel()
        yield f"runtime/{wheel}", content
        size, digest = len(content), hashlib.sha256(content)
        for name in (*RUNTIME, PACKAGES):
            data = (FETCHED / name).read_bytes()
            size += len(data)
            digest.update(data)
            yield f"runtime/{name}", data
        runtime = {"wheels": [PACKAGES, wheel], "megabytes": round(size / 1e6), "digest": digest.hexdigest()[:32]}
    yield "build.json", json.dumps(describe_build(runtime)).encode()


def describe_build(runtime: dict[str, Any] | None) -> dict[str, Any]:
    from transpile.playground.command import describe_switches
    from transpile.version import __version__

    return {
        "version": __version__,
        "runtime": runtime,
        "switches": describe_switches(),
        "examples": [describe_example(*example) for example in EXAMPLES],
    }


def describe_example(title: str, folder: str, template: str, environments: tuple[str, ...]) -> dict[str, Any]:
    paths = sorted(path for path in (DOCS / folder).rglob("*") if path.is_file() and path.suffix in (".yaml", ".sh"))
    files = {path.relative_to(DOCS / folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    files = {template: files.pop(template), **files}
    return {"title": title, "state": {"files": files, "template": template, "environments": list(environments)}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--fetch", action="store_true", help="fetch the runtime into build/playground")
    parser.add_argument("--clean", action="store_true", help="remove build/playground")
    arguments = parser.parse_args()
    if arguments.clean:
        shutil.rmtree(FETCHED, ignore_errors=True)
    if arguments.fetch:
        fetch()
        print(f"{FETCHED}: {sum(path.stat().st_size for path in FETCHED.iterdir()):,} bytes")


if __name__ == "__main__":
    main()
