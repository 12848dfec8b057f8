"""`--backend`: the declared place of the state, its settings, and that two runs at once are refused.

Real terraform talks to a server of S3 (moto), found by HOT2TF_S3_SERVER or as moto_server on PATH, and to a small one
that speaks GitLab's protocol of states.
"""

from __future__ import annotations

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import hcl2
import pytest

import transpile
from emitters.hcl import backends, neighbours
from tests.conftest import Run
from tests.support import oracles, running
from tests.support.repositories import ALONE, make, put, tree
from transpile import targets
from transpile.adopting.run import adopt
from transpile.model.budget import Budget
from transpile.model.source import Source

S3_SERVER = os.environ.get("HOT2TF_S3_SERVER") or shutil.which("moto_server") or ""
needs_s3 = pytest.mark.skipif(not S3_SERVER, reason="HOT2TF_S3_SERVER and PATH have no moto_server")
KEYS = ("net/web", "net-web", "net_web", "web", "web/", "WEB", "näh", "a" * 90, "a" * 90 + "/b", "x.y")
SECONDS = 60


def read_settings(kind: str, *lines: str, key: str = "net/web") -> dict[str, Any]:
    """The settings that are written."""
    text = backends.write_backend_settings(kind, key, backends.read_settings("\n".join(lines)))
    values: dict[str, Any] = hcl2.loads(text)
    values.pop("__comments__", None)
    return {name: value.strip('"') if isinstance(value, str) else value for name, value in values.items()}


@pytest.mark.parametrize("kind", [kind for kind in backends.KINDS if kind != backends.NONE])
def test_the_declaration_is_partial(kind: str) -> None:
    """backend.tf has no setting, so that the file of settings can be another one for each environment."""
    text = backends.declare_backend(kind)
    assert re.fullmatch(r'terraform \{\n  backend "(s3|http|pg|local)" \{\}\n\}\n', text)
    assert backends.BACKENDS[kind] in text


def test_s3_has_the_settings_for_ceph_and_swift() -> None:
    """A server that is not Amazon's has no accounts, regions and checksums, and no host name for each bucket."""
    values = read_settings("s3", "bucket=states", "endpoint=https://s3.example.org:8080", "prefix=shop")
    assert values["key"] == "shop/net/web.tfstate"
    assert (values["bucket"], values["region"]) == ("states", "us-east-1")
    assert values["endpoints"]["s3"].strip('"') == "https://s3.example.org:8080"
    flags = {name for name, value in values.items() if value is True}
    assert flags == {
        *("skip_credentials_validation", "skip_metadata_api_check", "skip_region_validation"),
        *("skip_requesting_account_id", "skip_s3_checksum", "use_lockfile", "use_path_style"),
    }


def test_unknown_settings_are_named_and_not_invented() -> None:
    """Without a bucket or an address, terraform init refuses, and a comment says how to set it."""
    s3 = backends.write_backend_settings("s3", "web")
    assert "bucket" not in hcl2.loads(s3)
    assert "# The bucket is not known: terraform init takes -backend-config=bucket=NAME." in s3
    assert read_settings("gitlab") == {"lock_method": "POST", "unlock_method": "DELETE"}
    gitlab = backends.write_backend_settings("gitlab", "web")
    assert "TF_HTTP_ADDRESS" in gitlab
    assert "the name of the state is web" in gitlab


def test_gitlab_has_an_address_for_each_state() -> None:
    """The address of the project's states is the user's; the name of the state and its lock come after it."""
    values = read_settings(
        "gitlab", "address=https://gitlab.example.org/api/v4/projects/42/terraform/state/", key="web"
    )
    assert values == {
        "address": "https://gitlab.example.org/api/v4/projects/42/terraform/state/web",
        "lock_address": "https://gitlab.example.org/api/v4/projects/42/terraform/state/web/lock",
        "unlock_address": "https://gitlab.example.org/api/v4/projects/42/terraform/state/web/lock",
        "lock_method": "POST",
        "unlock_method": "DELETE",
    }


@pytest.mark.parametrize("kind", ["s3", "gitlab", "http", "pg"])
def test_no_two_stacks_share_a_state(kind: str) -> None:
    """Different keys give different states, and a name has only characters that the place accepts."""
    names = [json.dumps(read_settings(kind, *ADDRESS.get(kind, ()), key=key), sort_keys=True) for key in KEYS]
    assert len(set(names)) == len(KEYS)
    for key in KEYS:
        assert re.fullmatch(r"[A-Za-z0-9_-]+", backends.name_state(key))
        assert len(backends.name_schema(key)) <= 63


ADDRESS = {"gitlab": ("address=https://g.example.org/s",), "http": ("address=https://h.example.org/s",)}


@pytest.mark.parametrize(
    "line",
    [
        *(f"{name}=s3cr3t-value" for name in backends.SECRET),
        "address=https://me:s3cr3t-value@example.org/state",
        "endpoint=https://s3.example.org/?key=s3cr3t-value",
    ],
)
def test_secrets_are_refused_and_not_repeated(line: str, command: Run) -> None:
    """A setting that is a secret is wrong usage. The message names the variable, and no text has the value."""
    pathlib.Path("stack.yaml").write_text(ALONE, encoding="utf-8")
    done = command("convert", "stack.yaml", "--backend", "s3", "--backend-config", line, "-o", "out")
    assert done.status == 2
    assert "s3cr3t" not in done.out + done.err
    assert not pathlib.Path("out").exists()
    name = line.partition("=")[0]
    assert backends.SECRET.get(name, name) in done.err


@pytest.mark.parametrize(
    "line", ["bucket", "bucket=", "nope=1", "use_lockfile=maybe", "retry_max=-1", "address=ftp://x", "bucket=a\tb"]
)
def test_wrong_settings_are_wrong_usage(line: str) -> None:
    with pytest.raises(targets.WrongOption, match="backend_config is wrong"):
        transpile.convert(ALONE, options={"backend": "s3", "backend_config": line})


@pytest.mark.parametrize(
    ("options", "version", "code"),
    [
        ({"backend": "s3"}, ">= 1.10", ""),
        ({"backend": "s3", "backend_config": "use_lockfile=false"}, ">= 1.7", "HOT460"),
        ({"backend": "s3", "backend_config": "use_lockfile=false\ndynamodb_table=locks"}, ">= 1.7", ""),
        ({"backend": "http"}, ">= 1.5", "HOT460"),
        ({"backend": "http", "backend_config": "lock_address=https://h.example.org/lock"}, ">= 1.5", ""),
        ({"backend": "pg", "backend_config": "bucket=b"}, ">= 1.5", "HOT461"),
        ({"backend": "local"}, ">= 1.5", ""),
        ({}, ">= 1.5", ""),
    ],
)
def test_the_version_of_terraform_is_stated(options: Mapping[str, str], version: str, code: str) -> None:
    """Only S3 needs a newer one. A state without a lock, and a setting of another backend, are warnings."""
    done = transpile.convert(ALONE, options=options)
    assert f'required_version = "{version}"' in str(done.files["versions.tf"])
    assert [d.code for d in done.diagnostics if d.severity == "warning"] == [code] * bool(code)
    assert ("backend.tf" in done.files) == ("backend.hcl" in done.files) == bool(options)


def test_readme_names_the_variables_with_the_credentials() -> None:
    done = transpile.convert(ALONE, options={"backend": "s3"})
    readme = str(done.files["README.md"])
    assert "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`" in readme
    assert "`terraform init -backend-config=backend.hcl`" in readme


def test_each_stack_of_a_migration_has_its_own_key(command: Run) -> None:
    """Equal stacks in two directories, too, of which only one is converted otherwise."""
    make(pathlib.Path("src"))
    done = command("migrate", "src", "out", "--backend", "s3", "--backend-config", "bucket=states")
    assert done.status == 0, done.err
    written = tree(pathlib.Path("out"))
    keys = {name: hcl2.loads(text)["key"] for name, text in written.items() if name.endswith("backend.hcl")}
    assert keys == {
        f"{name}/backend.hcl": f'"{name}.tfstate"' for name in ("copy/alone", "db/db", "net/alone", "waits", "web/web")
    }
    assert not [name for name in written if name.startswith("modules/") and "backend" in name]
    assert "terraform init -backend-config=backend.hcl" in written["README.md"]
    again = command("migrate", "src", "out", "--backend", "s3", "--backend-config", "bucket=states")
    assert (again.status, tree(pathlib.Path("out"))) == (0, written)
    gone = command("migrate", "src", "out")
    assert gone.status == 0
    assert not [name for name in tree(pathlib.Path("out")) if "backend" in name]


def test_an_own_backend_is_not_declared_twice(command: Run) -> None:
    """Terraform accepts one backend: an own file with another one is an error, and stays as it is."""
    pathlib.Path("stack.yaml").write_text(ALONE, encoding="utf-8")
    put(pathlib.Path("out"), "state.tf", 'terraform {\n  backend "azurerm" {}\n}\n')
    done = command("convert", "stack.yaml", "--backend", "s3", "-o", "out")
    assert done.status == 1
    assert "the backend is also declared in backend.tf" in done.err
    assert command("convert", "stack.yaml", "-o", "out").status == 0


def test_a_local_state_of_a_running_stack_is_a_warning(command: Run) -> None:
    """Except if a backend, even a local one, is declared: by hot2tf, or in a file of the directory."""
    export = json.dumps(running.stack(ALONE))
    pathlib.Path("export.json").write_text(export, encoding="utf-8")
    done = command("adopt", "export.json", "-o", "out")
    assert done.status == 0, done.err
    assert "HOT776" in done.err
    for kind in ("gitlab", "local"):
        assert "HOT776" not in command("adopt", "export.json", "--backend", kind, "-o", f"out-{kind}").err
    for number, text in enumerate(('terraform {\n  backend "s3" {}\n}\n', "terraform {\n  cloud {\n  }\n}\n")):
        put(pathlib.Path(f"own{number}"), "state.tf", text)
        assert "HOT776" not in command("adopt", "export.json", "-o", f"own{number}").err
    put(pathlib.Path("other"), "state.tf", "# This cloud has no backend.\n")
    assert "HOT776" in command("adopt", "export.json", "-o", "other").err


def test_a_json_backend_counts() -> None:
    files = {"imports.tf": "", "main.tf": 'resource "x" "backend" {}\n'}
    own = Source("state.tf.json", '{"terraform": {"backend": {"s3": {}}}}', budget=Budget())
    assert neighbours.warn_of_local_state(files, {"state.tf.json": own}) == []
    assert [d.code for d in neighbours.warn_of_local_state(files, {})] == ["HOT776"]


def test_an_adoption_has_a_backend() -> None:
    """The option is adopt's, too."""
    done = adopt(json.dumps(running.stack(ALONE)), options={"backend": "pg"})
    assert 'backend "pg" {}' in str(done.files["backend.tf"])
    assert 'schema_name = "web"' in str(done.files["backend.hcl"])
    assert "terraform init -backend-config=backend.hcl" in str(done.files["ADOPT.md"])


# real terraform

SLOW = """\
resource "terraform_data" "slow" {{
  provisioner "local-exec" {{
    command = "touch {started}; for i in $(seq {seconds}0); do [ -e {end} ] && exit 0; sleep 0.1; done; exit 1"
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def wait_for(event: str, test: Any) -> None:
    end = time.monotonic() + SECONDS
    while not test():
        assert time.monotonic() < end, event
        time.sleep(0.1)


def apply_twice(where: pathlib.Path, options: Mapping[str, str]) -> None:
    """Two people have the root. While the first one applies, the second one is refused; afterwards it is not, and it
    sees the objects of the first one.
    """
    done = transpile.convert(ALONE, options=options)
    assert done.ok
    roots = []
    for name in ("first", "second"):
        root = where / name
        root.mkdir()
        (root / "backend.tf").write_text(str(done.files["backend.tf"]), encoding="utf-8")
        (root / "backend.hcl").write_text(str(done.files["backend.hcl"]), encoding="utf-8")
        text = SLOW.format(started=where / "started", end=where / "end", seconds=SECONDS)
        (root / "main.tf").write_text(text, encoding="utf-8")
        oracles.run(root, "init", "-input=false", "-backend-config=backend.hcl")
        roots.append(root)
    first, second = roots
    apply = ("apply", "-auto-approve", "-input=false", "-lock-timeout=0s")
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1", "NO_COLOR": "1"}
    with subprocess.Popen(
        [oracles.TERRAFORM, *apply], cwd=first, env=environment, stdout=subprocess.DEVNULL
    ) as running_:
        try:
            wait_for("the first apply", (where / "started").exists)
            refused = oracles.terraform(second, *apply)
        finally:
            (where / "end").touch()
        assert running_.wait(SECONDS) == 0
    assert refused.returncode == 1
    assert "Error acquiring the state lock" in refused.stderr
    oracles.run(second, "plan", "-input=false", "-detailed-exitcode")  # nothing to do
    assert not [path for path in where.rglob("*.tfstate") if ".terraform" not in path.parts]


@contextlib.contextmanager
def s3_server(where: pathlib.Path) -> Iterator[int]:
    """A server of S3 with a bucket."""
    port = free_port()

    def answers() -> bool:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("PUT", "/states")
            return connection.getresponse().status == 200
        except OSError:
            return False

    with (where / "server.log").open("wb") as log:
        command = [S3_SERVER, "-H", "127.0.0.1", "-p", str(port)]
        with subprocess.Popen(command, stdout=log, stderr=log) as server:
            try:
                wait_for("the server of S3", answers)
                yield port
            finally:
                server.terminate()


@oracles.needs_terraform
@needs_s3
def test_s3_refuses_the_second_of_two_applies(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with s3_server(tmp_path) as port:
        lines = f"bucket=states\nendpoint=http://127.0.0.1:{port}"
        apply_twice(tmp_path, {"backend": "s3", "backend_config": lines, "state_key": "net/web"})


class StateServer(http.server.BaseHTTPRequestHandler):
    """States as GitLab keeps them: a lock is made by POST below the state, and removed by DELETE."""

    states: Mapping[str, bytes]
    locks: Mapping[str, bytes]

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def read_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self) -> None:
        state = self.server.states.get(self.path)  # type: ignore[attr-defined]
        self.answer(200 if state else 204, state or b"")

    def do_POST(self) -> None:
        body, path = self.read_body(), self.path.partition("?")[0]
        states, locks = self.server.states, self.server.locks  # type: ignore[attr-defined]
        if path.endswith("/lock"):
            taken = locks.get(path)
            locks.setdefault(path, body)
            self.answer(423 if taken else 200, taken or b"")
        else:
            states[path] = body
            self.answer(200)

    def do_DELETE(self) -> None:
        self.read_body()
        self.server.locks.pop(self.path, None)  # type: ignore[attr-defined]
        self.answer(200)

    def log_message(self, format: str, *args: Any) -> None: ...


@oracles.needs_terraform
def test_gitlab_refuses_the_second_of_two_applies(tmp_path: pathlib.Path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StateServer)
    server.states, server.locks = {}, {}  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/api/v4/projects/42/terraform/state"
        options = {"backend": "gitlab", "backend_config": f"address={address}", "state_key": "web"}
        apply_twice(tmp_path, options)
        assert list(server.states) == ["/api/v4/projects/42/terraform/state/web"]  # type: ignore[attr-defined]
        assert server.locks == {}  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()


@oracles.needs_terraform
@pytest.mark.parametrize("kind", ["s3", "http", "gitlab", "pg", "local"])
def test_terraform_knows_every_setting(kind: str, tmp_path: pathlib.Path) -> None:
    """A setting that Terraform does not know would be an error of the configuration, for every answer of the server."""
    lines = {
        "s3": "bucket=b\nendpoint=http://127.0.0.1:9\nprofile=p\nencrypt=true\nkms_key_id=k\nworkspace_key_prefix=w",
        "http": "address=http://127.0.0.1:9/s\nlock_address=http://127.0.0.1:9/l\nretry_max=0\nlock_method=PUT",
        "gitlab": "address=http://127.0.0.1:9/s\nretry_max=0\nskip_cert_verification=true",
        "pg": "skip_schema_creation=true\nskip_table_creation=true\nskip_index_creation=true",
    }
    done = transpile.convert(ALONE, options={"backend": kind, "backend_config": lines.get(kind, "")})
    for name in ("backend.tf", "backend.hcl"):
        (tmp_path / name).write_text(str(done.files[name]), encoding="utf-8")
    assert oracles.unformatted(tmp_path) == ""
    begun = oracles.terraform(tmp_path, "init", "-input=false", "-backend-config=backend.hcl")
    text = begun.stdout + begun.stderr
    assert "Invalid backend configuration argument" not in text
    assert "Unsupported argument" not in text
    assert "nitializing the backend" in text
