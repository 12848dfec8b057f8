"""Runs user data with the metadata of cfn-init in a directory that stands for a server: the tree below is its root.

Package managers and all that would change the machine are stubs that write down their arguments. With heat-cfntools
(`HOT2TF_CFNTOOLS` names its source) the original cfn-init runs on the same metadata in another directory.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
import yaml

import transpile
from emitters.hcl.hooks import cfn_init
from emitters.hcl.tree.nodes import Expr, Fn, Object, StringTemplate, Traversal, Tuple
from emitters.hcl.tree.types import TypedValue

CFNTOOLS = pathlib.Path(os.environ.get("HOT2TF_CFNTOOLS") or "/nowhere")
PLACES = re.compile(r"(?<![\w.}/$*-])/(?=(?:opt|var|etc|tmp|srv|home|root|usr/local)(?![\w-]))")
STUBS = ("yum", "dnf", "zypper", "apt-get", "dpkg", "gem", "easy_install", "groupadd", "useradd", "crontab")
STUB = '#!/bin/sh\necho "NAME $*" >> "$LOG"\n'
SYSTEMCTL = """\
#!/bin/sh
echo "systemctl $*" >> "$LOG"
case "$*" in "status exim4"*) ;; status*) exit 3 ;; esac
"""
CURL = """\
#!/bin/sh
out=/dev/stdout
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift ;; -*) ;; *) url=$1 ;; esac
  shift
done
echo "curl $url" >> "$LOG"
[ -e "$SERVED/$(basename "$url")" ] || exit 6
cat "$SERVED/$(basename "$url")" > "$out"
"""
RPM = """\
#!/bin/sh
if [ "$1" = -q ]; then
  case "INSTALLED" in *" $2 "*) exit 0 ;; *) exit 1 ;; esac
fi
echo "rpm $*" >> "$LOG"
"""
OWNER = '#!/bin/sh\ncase $1 in root|app) echo "{} $1 $2" >> "$LOG" ;; *) exit 1 ;; esac\n'
PROGRAMS = """
bash basename bunzip2 cat chmod cp cut date dirname echo env false grep gunzip bzip2 gzip head id install ln ls mkdir
mktemp mv printf readlink rm sed sh sort tail tar tee test touch tr true uniq wc which
"""


class Server(NamedTuple):
    """A server after a run. files: contents by path; modes: by path; log: the calls of stubs."""

    status: int
    files: dict[str, str]
    modes: dict[str, str]
    log: list[str]
    stderr: str


def value_of(expr: Expr, variables: Mapping[str, Any]) -> Any:
    """The value of an expression, where functions and variables are those that cfn-init needs."""
    if isinstance(expr, StringTemplate):
        return "".join(str(value_of(part, variables)) for part in expr.parts)
    if isinstance(expr, Fn):
        args = [value_of(arg, variables) for arg in expr.args]
        if expr.name == "replace":
            return args[0].replace(args[1], args[2])
        if expr.name == "trimsuffix":
            return args[0].removesuffix(args[1])
        if expr.name == "join":
            return args[0].join(args[1])
        if expr.name == "split":
            return args[1].split(args[0])
        if expr.name == "chomp":
            return args[0].rstrip("\r\n")
        if expr.name == "yamlencode":
            return yaml.safe_dump(args[0])
        assert expr.name == "jsonencode", expr
        return json.dumps(args[0], separators=(",", ":"), sort_keys=True)
    if isinstance(expr, Tuple):
        return [value_of(item, variables) for item in expr.items]
    if isinstance(expr, Object):
        return {str(key): value_of(item, variables) for key, item in expr.entries}
    if isinstance(expr, Traversal):
        assert expr.parts[0] == "var", expr
        return variables[expr.parts[1]]
    assert expr is None or isinstance(expr, (str, int, float)), expr
    return expr


def user_data(text: str, variables: Mapping[str, Any] | None = None, option: str = "cloud-config") -> str:
    """The user data of the server in a template, as Terraform would compute it."""
    made = cfn_init.extend_user_data
    extended: list[TypedValue] = []

    def caught(*args: Any) -> Any:
        value = made(*args)
        extended.extend([value] if value is not None else [])
        return value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cfn_init, "extend_user_data", caught)
        done = transpile.convert(text, prefer="native", options={"cfn_init": option})
    assert done.ok, done.diagnostics
    assert "orchestration" not in "".join(str(file) for file in done.files.values())
    result = value_of(extended[-1].expr, {"stack_name": "stack", **(variables or {})})
    assert isinstance(result, str)
    return result


def parts(archive: str) -> tuple[str, dict[str, Any]]:
    """The script of the user, and the cloud-config."""
    assert archive.startswith("#cloud-config-archive\n")
    script, config = yaml.safe_load(archive)
    assert config["type"] == "text/cloud-config"
    return script["content"], yaml.safe_load(config["content"])


def stubbed_programs(installed: str) -> dict[str, str]:
    """The programs that would change a machine, as scripts that write their arguments to $LOG, by name."""
    return {
        **{name: STUB.replace("NAME", name) for name in STUBS},
        "rpm": RPM.replace("INSTALLED", f" {installed} "),
        "systemctl": SYSTEMCTL + ("exit 1\n" if "exit 1" in STUB else ""),
        "curl": CURL,
        "chown": OWNER.format("chown"),
        "chgrp": OWNER.format("chgrp"),
        "unzip": f'#!/bin/sh\nexec {sys.executable} -m zipfile -e "$2" .\n',
    }


def machine(where: pathlib.Path, served: pathlib.Path, installed: str = "") -> dict[str, str]:
    """The programs of a server. Returns its environment."""
    programs = where / "bin"
    programs.mkdir(parents=True)
    (where / "root" / "tmp").mkdir(parents=True)
    for name, text in stubbed_programs(installed).items():
        put(programs / name, text)
    for name in PROGRAMS.split():
        (programs / name).symlink_to(shutil.which(name) or "/bin/false")
    return {
        "PATH": str(programs),
        "HOME": str(where / "root" / "root"),
        "LOG": str(where / "log"),
        "SERVED": str(served),
    }


def put(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def here(text: str, where: pathlib.Path) -> str:
    """A text with the paths of a server, as paths below a directory."""
    return PLACES.sub(f"{where}/root/", text).replace("$staged$1", f"$staged${{1#{where}/root}}")


def boot(archive: str, where: pathlib.Path, served: pathlib.Path, installed: str = "") -> Server:
    """Handles an archive as cloud-init does: writes the files, then runs the script."""
    env = machine(where, served, installed)
    script, config = parts(archive)
    for file in config["write_files"]:
        path = pathlib.Path(f"{where}/root{file['path']}")
        content = file["content"]
        if file.get("encoding") == "b64":
            content = base64.b64decode(content).decode()
        put(path, here(content, where))
        path.chmod(int(file["permissions"], 8))
    put(where / "script", here(script, where))
    env["PATH"] = f"{env['PATH']}:{where}/root/usr/local/bin"
    return finished(["bash", str(where / "script")], where, env)


def finished(command: list[str], where: pathlib.Path, env: dict[str, str]) -> Server:
    home = where / "root" / "root"
    home.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        command, cwd=home, env=env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False
    )
    root = where / "root"
    paths = [
        path
        for path in sorted(root.rglob("*"))
        if (path.is_file() or path.is_symlink())
        and not str(path.relative_to(root)).startswith(("var/", "opt/aws", "usr/local/bin"))
    ]
    log = (where / "log").read_text(encoding="utf-8") if (where / "log").exists() else ""
    return Server(
        done.returncode,
        {f"/{p.relative_to(root)}": there(p.read_text(encoding="utf-8"), where) for p in paths if p.is_file()},
        {f"/{p.relative_to(root)}": oct(p.stat().st_mode & 0o7777)[2:] for p in paths if p.is_file()},
        [there(line, where) for line in log.splitlines()],
        there(done.stderr, where),
    )


def there(text: str, where: pathlib.Path) -> str:
    return text.replace(f"{where}/root/", "/")


def asked(log: list[str]) -> list[str]:
    """The calls of stubs, in the same words for cfn-init and for the script: one line for each package, without
    queries, and without flags that change nothing.
    """
    requests: list[str] = []
    for line in log:
        tool, *words = line.split()
        plain = [word for word in words if word not in ("-y", "-b", "-n", "--best")]
        if tool in ("yum", "dnf", "zypper", "apt-get") and "install" in plain:
            requests += [f"{tool} install {package}" for package in plain[plain.index("install") + 1 :]]
        elif tool in ("rpm", "gem", "groupadd", "useradd", "chown", "chgrp", "crontab", "easy_install", "curl") or (
            tool == "systemctl" and plain[0] != "status"
        ):
            requests.append(" ".join((tool, *plain)))
    return requests


DRIVER = """\
import os, pwd, grp, subprocess, sys, types
root = sys.argv[1]
def module(name, **given):
    sys.modules[name] = found = types.ModuleType(name)
    found.__dict__.update(given)
    return found
import configparser
six = module("six", string_types=(str,), text_type=str)
six.moves = module("six.moves", configparser=configparser)
sys.modules["six.moves.configparser"] = configparser
boto = module("boto", cloudformation=module("boto.cloudformation"))
sys.path.insert(0, sys.argv[2])
from heat_cfntools.cfntools import cfn_helper
import contextlib, logging
logging.basicConfig(stream=sys.stderr, level=logging.INFO)
cfn_helper.controlled_privileges = lambda user: contextlib.nullcontext()
ids = {"root": 0, "app": 500}
names = {number: name for name, number in ids.items()}
cfn_helper.pwd = types.SimpleNamespace(getpwnam=lambda name: (name, "x", ids[name]))
cfn_helper.grp = types.SimpleNamespace(getgrnam=lambda name: (name, "x", ids[name]))
def chown(path, uid, gid):
    path = os.fsdecode(path)
    os.stat(path)
    with open(os.environ["LOG"], "a") as log:
        for word, number in (("chown", uid), ("chgrp", gid)):
            if number != -1:
                log.write(f"{word} {names[number]} {path}\\n")
real, exists = subprocess.Popen, os.path.exists
def popen(cmd, env=None, **given):
    if isinstance(cmd, list):
        cmd = [one.removeprefix("/bin/") if one == "/bin/systemctl" else os.fsdecode(one) for one in cmd]
    if env is not None:  # with an environment of their own, commands would find the programs of this machine
        env = {"PATH": os.environ["PATH"], "LOG": os.environ["LOG"], **env}
    return real(cmd, env=env, **given)
cfn_helper.os = types.SimpleNamespace(**{name: getattr(os, name) for name in dir(os)})
cfn_helper.os.chown = chown
cfn_helper.os.path = types.SimpleNamespace(**{name: getattr(os.path, name) for name in dir(os.path)})
cfn_helper.os.path.exists = lambda path: path == "/bin/systemctl" or exists(path)
cfn_helper.subprocess = types.SimpleNamespace(Popen=popen, PIPE=subprocess.PIPE)
metadata = cfn_helper.Metadata("stack", None, configsets=sys.argv[3] or None)
metadata.retrieve(default_path=root + "/var/lib/heat-cfntools/cfn-init-data", last_path=root + "/var/cache/last")
metadata.cfn_init()
"""


def original(
    metadata: str, where: pathlib.Path, served: pathlib.Path, installed: str = "", configsets: str = ""
) -> Server:
    """Runs cfn-init of heat-cfntools on metadata, given as JSON."""
    env = machine(where, served, installed)
    put(where / "root/var/lib/heat-cfntools/cfn-init-data", here(metadata, where))
    (where / "root/var/cache").mkdir()
    arguments = [str(where / "root"), str(CFNTOOLS), configsets]
    return finished([sys.executable, "-c", DRIVER, *arguments], where, env)
