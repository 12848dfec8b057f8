"""Boots user data with the real cloud-init of this machine, in a server that is its copy without a network.

The server's root is an overlay of `/` in namespaces of its own, so nothing that user data does reaches the machine, and
everything that it wrote can be read afterwards. It needs cloud-init, `unshare`, and the right to mount an overlay.
"""

from __future__ import annotations

import functools
import io
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from typing import NamedTuple

import pytest

SECONDS = 120  # time limit for one boot
INSTANCE = "6f1c0a52-0c51-4a34-9a0e-0d6c7c5b7d10"
STUB = '#!/bin/sh\necho "{name} $*" >> /booted/log\n'
STUBBED = (
    *("apt-get", "yum", "dnf", "zypper", "rpm", "gem", "easy_install", "groupadd", "useradd", "crontab", "systemctl"),
    "cfn-create-aws-symlinks",  # in each image of heat-cfntools
)
CONFIGURATION = """\
datasource_list: [NoCloud]
network: {config: disabled}
disable_root: false
ssh_deletekeys: false
cloud_init_modules: [bootcmd, write-files]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-vendor, scripts-per-once, scripts-per-boot, scripts-per-instance, scripts-user]
"""
# $1: a directory of the machine with `seed`, `stubs` and `cloud.cfg`, which gets the server's files as `written.tar`.
SERVER = """\
set -eu
mount -t tmpfs tmpfs "$1/layers"
mkdir "$1/layers/upper" "$1/layers/work" "$1/layers/root"
root=$1/layers/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/layers/upper,workdir=$1/layers/work" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root/var/lib/cloud/seed" "$root/etc/cloud" "$root/booted"
rm -rf "$root/etc/cloud/cloud.cfg.d"
cp -r "$1/seed" "$root/var/lib/cloud/seed/nocloud"
cp "$1/cloud.cfg" "$root/etc/cloud/cloud.cfg"
cp -r "$1/stubs/." "$root/"
cat > "$root/booted/run" <<'END'
cd /
for stage in "init --local" "init" "modules --mode config" "modules --mode final"; do
  cloud-init $stage >> /booted/output 2>&1 || true
done
cloud-init status --long > /booted/status || true
END
chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /bin/sh /booted/run
tar -C "$1/layers/upper" -cf "$1/written.tar" --exclude=__pycache__ .
"""
BESIDES = ("var/lib/cloud", "var/lib/heat-cfntools", "var/log", "var/cache", "etc/cloud", "etc/hostname", "booted")
PROBLEM = re.compile(r"\[(WARNING|ERROR)\]|^\w*Error")


class Booted(NamedTuple):
    """A server after a boot. status: `done` or `error`; problems: the warnings and errors of all stages; files: the
    texts that user data wrote, by path; modes: of these files; log: the calls of stubs; messages: the text that
    programs of the test wrote to `/booted/messages`.
    """

    status: str
    problems: list[str]
    files: dict[str, str]
    modes: dict[str, str]
    log: list[str]
    messages: str


def boot(user_data: str | bytes, where: pathlib.Path, files: Mapping[str, str] | None = None) -> Booted:
    """Boots a server with user data. where: a directory for this boot. files: programs that the server has besides, by
    path; programs that would change a machine are stubs, which write down their arguments.
    """
    data = user_data.encode() if isinstance(user_data, str) else user_data
    (where / "seed").mkdir(parents=True)
    (where / "layers").mkdir()
    (where / "seed/user-data").write_bytes(data)
    (where / "seed/meta-data").write_text(f"instance-id: {INSTANCE}\nlocal-hostname: server\n")
    (where / "cloud.cfg").write_text(CONFIGURATION)
    stubs = {f"/usr/local/bin/{name}": STUB.format(name=name) for name in STUBBED}
    for path, text in {**stubs, **(files or {})}.items():
        program = where / "stubs" / path.lstrip("/")
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    run_isolated(SERVER, where)
    return read_server(where / "written.tar", set(files or ()))


def run_isolated(script: str, where: pathlib.Path) -> None:
    """Runs a script as root of namespaces of its own: of mounts, processes, names, and a network that has nothing."""
    rights = [] if os.geteuid() == 0 else ["--map-root-user"]
    command = ["unshare", *rights, "--mount", "--net", "--pid", "--fork", "--uts", "sh", "-c", script, "sh", str(where)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr


def read_server(archive: pathlib.Path, given: set[str]) -> Booted:
    texts, modes, links = dict[str, str](), dict[str, str](), dict[str, str]()
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                path = member.name.removeprefix("./")
                texts[path] = io.TextIOWrapper(content, encoding="utf-8", errors="replace", newline="").read()
                modes[path] = f"{member.mode & 0o7777:o}"
            elif member.issym():
                links[member.name.removeprefix("./")] = member.linkname.lstrip("/")
    for path, target in links.items():
        if target in texts:
            texts[path], modes[path] = texts[target], modes[target]
    stubs = given | {f"/usr/local/bin/{name}" for name in STUBBED}
    own = [path for path in texts if not path.startswith(BESIDES) and f"/{path}" not in stubs]
    status = texts["booted/status"].partition("\n")[0].removeprefix("status: ")
    return Booted(
        status,
        [line for line in texts["booted/output"].splitlines() if PROBLEM.search(line) is not None],
        {f"/{path}": texts[path] for path in sorted(own)},
        {f"/{path}": modes[path] for path in sorted(own)},
        texts.get("booted/log", "").splitlines(),
        texts.get("booted/messages", ""),
    )


@functools.cache
def why_not() -> str:
    """Why this machine cannot boot user data; empty if it can."""
    for program in ("cloud-init", "unshare"):
        if shutil.which(program) is None:
            return f"there is no {program} on PATH"
    with tempfile.TemporaryDirectory(prefix="hot2tf-overlay-") as name:
        layers = 'mkdir "$1/u" "$1/w" "$1/r"'
        overlay = 'mount -t overlay overlay -o "lowerdir=/,upperdir=$1/u,workdir=$1/w" "$1/r"'
        try:
            run_isolated(f'set -e; mount -t tmpfs tmpfs "$1"; {layers}; {overlay}', pathlib.Path(name))
        except AssertionError as error:
            return f"an overlay cannot be mounted here: {str(error).strip().splitlines()[0]}"
    return ""


needs_cloud_init = pytest.mark.skipif(bool(why_not()), reason=f"real cloud-init cannot run: {why_not()}")


class Part(NamedTuple):
    """A part of a MIME message: its type, content, and the name of its file, if it has one."""

    kind: str
    content: str
    filename: str = ""


def compose_message(parts: list[Part], boundary: str = "MIMEBOUNDARY") -> str:
    """A message as the provider of `cloudinit_config` writes it: headers in alphabetical order."""
    head = f'Content-Type: multipart/mixed; boundary="{boundary}"\nMIME-Version: 1.0\r\n\r\n'
    body = "\r\n".join(
        f"--{boundary}\r\n"
        + (f'Content-Disposition: attachment; filename="{part.filename}"\r\n' if part.filename else "")
        + f"Content-Transfer-Encoding: 7bit\r\nContent-Type: {part.kind}\r\nMime-Version: 1.0\r\n\r\n{part.content}"
        for part in parts
    )
    return f"{head}{body}\r\n--{boundary}--\r\n"
