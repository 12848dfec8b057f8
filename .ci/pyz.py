"""Makes `hot2tf.pyz`: hot2tf and all that it needs in one file, for every CPython from 3.11 on every system.

    python .ci/pyz.py -o dist/hot2tf.pyz

The packages are those of `.ci/requirements.lock`, whose hashes are checked. Only their Python goes in: an extension in
C serves one version of Python on one system. hot2tf reads YAML without libyaml (`transpile/text/yaml_loader.py`), and
MarkupSafe has a way in Python itself; regex has none, so a module stands for it (REGEX).

Invariant: equal checkouts give equal bytes. The file unpacks itself once, below the user's cache directory, into a
folder with its hash: hot2tf reads its tables as files.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOCK = ROOT / ".ci" / "requirements.lock"
CODE = ("transpile", "emitters", "grammars")
COMPILED = (".so", ".pyd", ".pyx", ".pyi", ".c", ".h")
WITHOUT = ("regex/", "_yaml/")  # packages that are nothing without their extensions
SHEBANG = b"#!/usr/bin/env python3\n"
REGEX = '''\
"""Stands for the package regex, which python-hcl2 imports. What hot2tf asks of python-hcl2 needs no pattern of it."""

import sys

regex = sys.modules[__name__]


def compile(pattern, flags=0):
    raise RuntimeError("hot2tf.pyz has no package regex")
'''
MAIN = '''\
"""Unpacks what this file holds, once, and runs hot2tf from there."""

import os
import pathlib
import shutil
import sys
import tempfile
import zipfile

CONTENT = "@CONTENT@"


def cache_directory():
    """HOT2TF_PYZ_CACHE, or hot2tf's part of the user's cache."""
    if chosen := os.environ.get("HOT2TF_PYZ_CACHE"):
        return pathlib.Path(chosen)
    general = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (pathlib.Path(general) if general else pathlib.Path.home() / ".cache") / "hot2tf"


def unpack(file, folder):
    """Unpacks into a folder of this user alone, and moves it to its place when all of it is there."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = pathlib.Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        with zipfile.ZipFile(file) as archive:
            archive.extractall(new, [name for name in archive.namelist() if name.startswith("site/")])
        try:
            new.rename(folder)
        except OSError:  # another run was faster
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def is_trusted(folder):
    """Whether a folder is there, and nobody but this user can have written it."""
    if not folder.is_dir():
        return False
    return not hasattr(os, "getuid") or folder.stat().st_uid in (os.getuid(), 0)


def main():
    if sys.version_info < (3, 11):
        sys.exit("hot2tf needs Python 3.11 or newer; this is " + sys.version.split()[0])
    file = pathlib.Path(__file__).parent
    try:
        folder = cache_directory() / CONTENT
        if not folder.is_dir():
            unpack(file, folder)
        if not is_trusted(folder):
            sys.exit(f"hot2tf: {folder} belongs to somebody else; name another with HOT2TF_PYZ_CACHE")
    except (OSError, RuntimeError):  # no home, or it cannot be written
        folder = pathlib.Path(tempfile.mkdtemp(prefix="hot2tf-")) / CONTENT
        unpack(file, folder)
        import atexit

        atexit.register(shutil.rmtree, folder.parent, True)
    sys.path[:] = [str(folder / "site"), *(path for path in sys.path if path != str(file))]
    from transpile.cli.process import command

    command()


if __name__ == "__main__":
    main()
'''


def fetch_packages() -> dict[str, bytes]:
    """The Python files of the packages that hot2tf needs, by path."""
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_28_x86_64"]
        command += ["--python-version", "3.13", "--implementation", "cp", "--require-hashes", "-r", str(LOCK)]
        subprocess.run([*command, "-d", folder], check=True)
        for wheel in sorted(pathlib.Path(folder).glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if not name.endswith(("/", *COMPILED)) and not name.startswith(WITHOUT) and ".data/" not in name:
                        files[name] = archive.read(name)
    return files


def own_files() -> dict[str, bytes]:
    """hot2tf of this checkout, by path."""
    paths = [path for package in CODE for path in (ROOT / package).rglob("*") if path.is_file()]
    files = {p.relative_to(ROOT).as_posix(): p.read_bytes() for p in paths if "__pycache__" not in p.parts}
    return {**files, "LICENSE": (ROOT / "LICENSE").read_bytes()}


def make_pyz(files: dict[str, bytes]) -> bytes:
    """The file that Python runs."""
    content = {f"site/{name}": data for name, data in {**files, "regex/__init__.py": REGEX.encode()}.items()}
    digest = hashlib.sha256()
    for name, data in sorted(content.items()):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    content["__main__.py"] = MAIN.replace("@CONTENT@", digest.hexdigest()[:32]).encode()
    stream = io.BytesIO(SHEBANG)
    stream.seek(len(SHEBANG))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(content.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes hot2tf.pyz.")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "dist" / "hot2tf.pyz")
    output: pathlib.Path = parser.parse_args().output
    made = make_pyz({**fetch_packages(), **own_files()})
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(made)
    output.chmod(0o755)
    print(f"{output}: {len(made):,} bytes, sha256 {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
