"""Running stacks read from a cloud: by openstacksdk, from a server of this test that answers as OpenStack does.

Proves: what is read is what `openstack stack export` writes, also where Heat refuses the export; nothing but reading
requests is sent, whatever calls for another one; each thing that can go wrong is a diagnostic with its code and no word
of the password.
"""

from __future__ import annotations

import http.server
import json
import pathlib
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner

from transpile.adoption import online
from transpile.adoption.kinds import API_KINDS
from transpile.adoption.lookups import Answers, CloudLookup, NoAnswer
from transpile.cli.application import make_application
from transpile.diagnostics.model import Stopped
from transpile.model.budget import Budget

PASSWORD = "do-not-tell"
WEB, INNER = "6f0a", "77aa"
TEMPLATE = {
    "heat_template_version": "2018-08-31",
    "resources": {"net": {"type": "OS::Neutron::Net"}, "word": {"type": "OS::Heat::RandomString"}},
}
NESTED = {"heat_template_version": "2018-08-31", "resources": {"port": {"type": "OS::Neutron::Port"}}}
WHOLE = {"heat_template_version": "2018-08-31", "resources": {**TEMPLATE["resources"], "inner": {"type": "inner.yaml"}}}  # type: ignore[dict-item]
FILES = {"inner.yaml": json.dumps(NESTED)}
ENVIRONMENT: dict[str, Any] = {"parameters": {}, "resource_registry": {"resources": {}}}


def make_resource(name: str, kind: str, physical: str, **data: str) -> dict[str, Any]:
    return {
        "name": name, "resource_id": physical, "type": kind, "action": "CREATE", "status": "COMPLETE",
        "metadata": {}, "resource_data": data,
    }  # fmt: skip


def exported(name: str, id_: str, template: object, resources: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name, "id": id_, "action": "CREATE", "status": "COMPLETE", "template": template,
        "environment": ENVIRONMENT, "files": FILES, "resources": dict(resources), "project_id": "9d1c",
        "stack_user_project_id": "", "tags": [],
    }  # fmt: skip


EXPORT = exported(
    "web", WEB, WHOLE,
    {
        "net": make_resource("net", "OS::Neutron::Net", "3354"),
        "word": make_resource("word", "OS::Heat::RandomString", "web-word-x7", value="xyzzy"),
        "inner": exported("web-inner-q3", INNER, NESTED, {"port": make_resource("port", "OS::Neutron::Port", "p1")}),
    },
)  # fmt: skip


class Server(http.server.ThreadingHTTPServer):
    """A cloud. `seen`: methods and paths of all requests. `answers`: by path, in place of what it would answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str]] = []
        self.answers: dict[str, tuple[int, Any]] = {}
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def stack(self, name: str, id_: str, parent: str | None = None) -> dict[str, Any]:
        return {"stack_name": name, "id": id_, "stack_status": "CREATE_COMPLETE", "parent": parent}

    def row(self, stack: str, resource: Mapping[str, Any]) -> dict[str, Any]:
        """A resource as a list has it, with a link to its nested stack."""
        nested = "resources" in resource
        link = {"rel": "nested", "href": f"{self.url}/heat/v1/9d1c/stacks/{resource['name']}/{resource.get('id')}"}
        return {
            "resource_name": stack if nested else resource["name"],
            "physical_resource_id": resource.get("id") or resource["resource_id"],
            "resource_type": "inner.yaml" if nested else resource["type"],
            "resource_status": "CREATE_COMPLETE",
            "links": [link] if nested else [],
        }

    def reply(self, path: str, query: Mapping[str, list[str]]) -> tuple[int, Any]:
        if path in self.answers:
            return self.answers[path]
        heat = "/heat/v1/9d1c"
        fixed: dict[str, Any] = {
            "/v3": {
                "version": {"id": "v3.14", "status": "stable", "links": [{"rel": "self", "href": f"{self.url}/v3"}]}
            },
            f"{heat}/stacks": {"stacks": [self.stack("web", WEB), self.stack("db", "1")]},
            f"{heat}/stacks/web": {"stack": self.stack("web", WEB)},
            f"{heat}/stacks/{WEB}": {"stack": self.stack("web", WEB)},
            f"{heat}/stacks/inner": {"stack": self.stack("web-inner-q3", INNER, WEB)},
            f"{heat}/stacks/web/{WEB}/export": EXPORT,
            f"{heat}/stacks/web-inner-q3/{INNER}/export": EXPORT["resources"]["inner"],
            f"{heat}/stacks/web-inner-q3/{INNER}": {"stack": self.stack("web-inner-q3", INNER, WEB)},
            f"{heat}/stacks/web/{WEB}/resources/word": {"resource": {"attributes": {"value": "xyzzy"}}},
        }
        for name, id_, body in (("web", WEB, EXPORT), ("web-inner-q3", INNER, EXPORT["resources"]["inner"])):
            at = f"{heat}/stacks/{name}/{id_}"
            fixed[f"{at}/template"], fixed[f"{at}/files"] = body["template"], FILES
            fixed[f"{at}/environment"] = ENVIRONMENT | {"encrypted_param_names": []}
            fixed[f"{at}/resources"] = {
                "resources": [self.row(key, resource) for key, resource in body["resources"].items()]
            }
            for key in body["resources"]:
                fixed[f"{at}/resources/{key}/metadata"] = {"metadata": {}}
        fixed["/neutron/v2.0/networks/3354"] = {"network": {"id": "3354", "name": "web-net-x7"}}
        fixed["/neutron/v2.0/ports"] = {"ports": [{"id": "p1", "device_id": "r1"}, {"id": "p2", "device_id": "r2"}]}
        first = "marker" not in query
        page = [{"id": "v1", "name": "a"}] if first else [{"id": "v2", "name": "b"}]
        following = {"volumes_links": [{"rel": "next", "href": f"{self.url}/x?marker=v1"}]} if first else {}
        fixed["/cinder/v3/volumes/detail"] = {"volumes": page} | following
        fixed["/octavia/v2.0/lbaas/pools/p/members"] = {"members": [{"id": "m1", "address": "10.0.0.4"}]}
        return (200, fixed[path]) if path in fixed else (404, {"error": {"message": "not found"}})


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        self.server.seen.append(("GET", self.path))
        self.answer(*self.server.reply(url.path.rstrip("/"), parse_qs(url.query)))

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(("POST", self.path))
        if sent["auth"]["identity"]["password"]["user"]["password"] != PASSWORD:
            self.answer(401, {"error": {"message": "The request requires authentication.", "code": 401}})
            return
        paths = {"orchestration": "/heat/v1/9d1c", "network": "/neutron/v2.0", "block-storage": "/cinder/v3",
                 "load-balancer": "/octavia"}  # fmt: skip
        catalog = [
            {"type": kind, "name": kind, "id": kind, "endpoints": [
                {"id": kind, "interface": "public", "region": "R", "region_id": "R", "url": self.server.url + path}]}
            for kind, path in paths.items()
        ]  # fmt: skip
        token = {
            "methods": ["password"], "expires_at": "2099-01-01T00:00:00.000000Z", "catalog": catalog, "roles": [],
            "issued_at": "2020-01-01T00:00:00.000000Z", "user": {"id": "u", "name": "u", "domain": {"id": "d"}},
            "project": {"id": "9d1c", "name": "p", "domain": {"id": "d", "name": "d"}},
        }  # fmt: skip
        self.answer(201, {"token": token}, {"X-Subject-Token": "t0ken"})

    def answer(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for key, value in {
            **(headers or {}),
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
        }.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Iterator[Server]:
    pytest.importorskip("openstack", reason="openstacksdk is not installed: pip install 'hot2tf[openstack]'")
    served = Server()
    auth = {"auth_url": f"{served.url}/v3", "username": "u", "password": PASSWORD, "project_name": "p",
            "user_domain_name": "d", "project_domain_name": "d"}  # fmt: skip
    clouds = {"here": {"auth": auth, "region_name": "R"}, "wrong": {"auth": auth | {"password": "other"}},
              "dead": {"auth": auth | {"auth_url": "http://127.0.0.1:9/v3"}}}  # fmt: skip
    (tmp_path / "clouds.yaml").write_text(json.dumps({"clouds": clouds}))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "clouds.yaml"))
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()


@pytest.fixture
def project(server: Server) -> online.CloudProject:
    return online.connect_project("here")


def problem(exception_info: pytest.ExceptionInfo[Stopped]) -> tuple[str, str]:
    (only,) = exception_info.value.diagnostics
    assert PASSWORD not in only.message
    return only.code, only.severity


def test_a_stack_is_read_as_its_export(project: online.CloudProject) -> None:
    live, diagnostics = project.read_stack("web")
    assert diagnostics == []
    assert json.loads(project.exports["web"]) == EXPORT
    assert live is not None
    assert live.resources["net"].physical_id == "3354"
    inner = live.resources["inner"].stack
    assert inner is not None
    assert inner.resources["port"].physical_id == "p1"
    assert project.list_stacks() == ["db", "web"]


def test_all_stacks_of_a_project_but_those_of_services(server: Server, tmp_path: pathlib.Path) -> None:
    """A cluster's stack is left out with a warning. An earlier directory of it stays, and the others are adopted."""
    word = {"heat_template_version": "2018-08-31", "resources": {"word": {"type": "OS::Heat::RandomString"}}}
    adopted = exported("web", WEB, word, {"word": EXPORT["resources"]["word"]})
    magnum = {"cluster_uuid": "c1", "magnum_url": "http://m/v1"}
    cluster = exported("db", "1", word, {"word": EXPORT["resources"]["word"]})
    cluster |= {"environment": {"parameters": magnum}}
    server.answers |= {
        f"/heat/v1/9d1c/stacks/web/{WEB}/export": (200, adopted),
        "/heat/v1/9d1c/stacks/db": (200, {"stack": server.stack("db", "1")}),
        "/heat/v1/9d1c/stacks/db/1/export": (200, cluster),
    }
    out, report = tmp_path / "out", tmp_path / "report.json"
    out.joinpath("db").mkdir(parents=True)
    (out / "db" / "notes.txt").write_text("of a person")
    command = ["adopt", "--os-cloud", "here", "--all", "-o", str(out), "--report", str(report)]
    done = CliRunner().invoke(make_application(), command)
    assert done.exit_code == 0, done.stderr
    assert "warning HOT747: The stack db belongs to Magnum, which would go on changing it." in done.stderr
    assert [path.name for path in (out / "db").iterdir()] == ["notes.txt"]
    assert (out / "web" / "imports.tf").is_file()
    left, _ = json.loads(report.read_text())["stacks"]
    assert [(d["code"], d["severity"]) for d in left["diagnostics"]] == [("HOT747", "warning")]
    together = [*command[:-3], str(tmp_path / "together"), "--environments", "files", "--report", str(report)]
    done = CliRunner().invoke(make_application(), together)
    assert (done.exit_code, done.stderr.count("warning HOT747")) == (0, 1), done.stderr
    environments = tmp_path / "together" / "environments"
    assert {path.name.partition(".")[0] for path in environments.iterdir()} == {"web"}
    left, kept = json.loads(report.read_text())["stacks"]
    assert ([d["code"] for d in left["diagnostics"]], kept["environment"]) == (["HOT747"], "web")
    named = CliRunner().invoke(make_application(), ["adopt", "--os-cloud", "here", "db", "-o", str(out / "db")])
    assert (named.exit_code, "error HOT747" in named.stderr) == (1, True)


def test_without_the_right_to_export_the_same_is_put_together(server: Server, project: online.CloudProject) -> None:
    server.answers[f"/heat/v1/9d1c/stacks/web/{WEB}/export"] = (403, {"error": {"message": "no"}})
    live, diagnostics = project.read_stack("web")
    assert [d.code for d in diagnostics] == ["HOT759"]
    assert [d.severity for d in diagnostics] == ["warning"]
    assert json.loads(project.exports["web"]) == EXPORT
    assert live is not None
    assert live.resources["word"].data == {"value": "xyzzy"}


def test_stacks_that_contain_each_other_stop_at_a_limit(server: Server) -> None:
    """Without the right to export, nested stacks are read by their links; here each leads back to the first."""
    here = f"/heat/v1/9d1c/stacks/web/{WEB}"
    server.answers[f"{here}/export"] = (403, {"error": {"message": "no"}})
    server.answers[here] = (200, {"stack": server.stack("web", WEB)})
    link = {"rel": "nested", "href": f"{server.url}{here}"}
    row = {"resource_type": "T", "resource_status": "CREATE_COMPLETE", "physical_resource_id": WEB, "links": [link]}
    rows = [row | {"resource_name": f"r{n}"} for n in range(10)]
    server.answers[f"{here}/resources"] = (200, {"resources": rows})
    before = len(server.seen)
    with pytest.raises(Stopped) as stopped:
        online.connect_project("here", Budget({"requests": 50})).read_stack("web")
    assert problem(stopped) == ("HOT118", "error")
    assert "--limit requests=500" in stopped.value.diagnostics[0].hint
    asked = [path for method, path in server.seen[before:] if method == "GET" and "/stacks/" in path]
    assert len(asked) == 50


def test_a_nested_stack_says_what_it_is_part_of(project: online.CloudProject) -> None:
    project.read_stack("inner")
    assert json.loads(project.exports["web-inner-q3"])["parent"] == WEB


def test_objects_are_found_by_what_is_known_of_them(server: Server, project: online.CloudProject) -> None:
    answers = Answers({}, project)
    assert [row["name"] for row in answers.ask(CloudLookup("network", (("id", "3354"),), "name"))] == ["web-net-x7"]
    assert answers.ask(CloudLookup("network", (("id", "none"),))) == []
    assert [row["id"] for row in answers.ask(CloudLookup("port", (("device_id", "r2"),)))] == ["p2"]
    assert ("GET", "/neutron/v2.0/ports?device_id=r2") in server.seen
    assert [row["id"] for row in answers.ask(CloudLookup("volume", (("name", "b"),)))] == ["v2"]  # on the second page
    member = CloudLookup("loadbalancer member", (("pool_id", "p"), ("address", "10.0.0.4")))
    assert [row["id"] for row in answers.ask(member)] == ["m1"]


def test_an_object_of_a_service_that_is_not_there_has_no_answer(project: online.CloudProject) -> None:
    with pytest.raises(NoAnswer, match="openstack share list"):
        project.ask(CloudLookup("share", (("name", "x"),)))
    with pytest.raises(NoAnswer, match="openstack loadbalancer member show"):
        project.ask(CloudLookup("loadbalancer member", (("id", "x"),)))


def test_nothing_but_reading_is_sent(server: Server, project: online.CloudProject) -> None:
    project.list_stacks()
    project.read_stack("web")
    for kind in API_KINDS:
        try:
            project.ask(CloudLookup(kind, (("name", "x"),)))
        except NoAnswer:
            continue
    posts = {path for method, path in server.seen if method != "GET"}
    assert posts == {"/v3/auth/tokens"}
    for send in ("post", "put", "patch", "delete"):
        with pytest.raises(online.WriteAttempted):
            getattr(project.connection.orchestration, send)("/stacks/web/6f0a", json={})
    with pytest.raises(online.WriteAttempted):
        project.connection.orchestration.delete(f"/stacks/web/{WEB}/abandon")
    assert {path for method, path in server.seen if method != "GET"} == posts


@pytest.mark.parametrize(
    ("cloud", "code"), [("none", "HOT755"), ("wrong", "HOT756"), ("dead", "HOT757")], ids=lambda case_id: case_id
)
def test_a_cloud_that_cannot_be_used(server: Server, cloud: str, code: str) -> None:
    with pytest.raises(Stopped) as exception_info:
        online.connect_project(cloud).list_stacks()
    assert problem(exception_info) == (code, "error")


@pytest.mark.parametrize(
    ("path", "answer", "code"),
    [
        ("/stacks/web", (404, {}), "HOT758"),
        ("/stacks/web", (200, {"stack": {"stack_name": "web", "stack_status": "DELETE_COMPLETE"}}), "HOT758"),
        (f"/stacks/web/{WEB}/export", (404, {}), "HOT758"),
        ("/stacks/web", (403, {}), "HOT759"),
        ("/stacks/web", (500, {}), "HOT760"),
        ("/stacks/web", (200, b"<html>"), "HOT760"),
        ("/stacks/web", (200, []), "HOT760"),
        ("/stacks/web", (200, {"stack": {"stack_name": "../web", "stack_status": "CREATE_COMPLETE"}}), "HOT760"),
        ("/stacks/web", (200, {"stack": {"id": "1", "stack_status": "CREATE_COMPLETE"}}), "HOT760"),
        ("/stacks/web", (200, {"stack": {"id": ["1"], "stack_name": "web"}}), "HOT760"),
        ("/stacks/web", (200, {"stack": {"id": 1, "stack_name": "web"}}), "HOT760"),
        ("/stacks/web", (200, {"stack": {"id": "\ud800", "stack_name": "web"}}), "HOT760"),
        ("/stacks/web", (200, b"[" * 200_000), "HOT760"),
        ("/stacks/web", (200, b'{"a":' * 200_000), "HOT760"),
        ("/stacks/web", (200, b'{"stack": ' + b"9" * 5000 + b"}"), "HOT760"),
        (f"/stacks/web/{WEB}/export", (200, {"name": "x\ud800y"}), "HOT760"),
        (f"/stacks/web/{WEB}/export", (200, b'{"a": ' + b"[" * 200_000), "HOT760"),
    ],
)
def test_a_stack_that_cannot_be_read(
    server: Server, project: online.CloudProject, path: str, answer: tuple[int, Any], code: str
) -> None:
    server.answers[f"/heat/v1/9d1c{path}"] = answer
    with pytest.raises(Stopped) as exception_info:
        project.read_stack("web")
    assert problem(exception_info) == (code, "error")


@pytest.mark.parametrize(
    "answer", [(200, {"stacks": [{"stack_name": "a/b"}]}), (200, {"stacks": ["web"]}), (200, {}), (502, b"")]
)
def test_a_list_that_no_api_gives(server: Server, project: online.CloudProject, answer: tuple[int, Any]) -> None:
    server.answers["/heat/v1/9d1c/stacks"] = answer
    with pytest.raises(Stopped) as exception_info:
        project.list_stacks()
    assert problem(exception_info) == ("HOT760", "error")


BROKEN_ROWS: list[dict[str, Any]] = [
    {"links": [{"rel": "nested", "href": "http://[::1/stacks/a/b"}]},
    {"links": [{"rel": "nested", "href": 5}]},
    {"links": [{"rel": "nested"}]},
    {"links": [5]},
    {"links": 5},
    {"resource_name": 5},
    {"resource_name": None},
    {"resource_name": "\ud800"},
    {"resource_type": ["a"]},
]


@pytest.mark.parametrize("row", BROKEN_ROWS)
def test_a_resource_in_a_form_that_no_api_gives(
    server: Server, project: online.CloudProject, row: dict[str, Any]
) -> None:
    at = f"/heat/v1/9d1c/stacks/web/{WEB}"
    server.answers[f"{at}/export"] = (403, {})
    server.answers[f"{at}/resources"] = (200, {"resources": [server.row("net", EXPORT["resources"]["net"]) | row]})
    with pytest.raises(Stopped) as exception_info:
        project.read_stack("web")
    assert problem(exception_info) == ("HOT760", "error")


@pytest.mark.parametrize(
    "answer",
    [
        {"volumes": [5]},
        {"volumes": {"a": 1}},
        {"volumes": [{"volume": 5}]},
        {"volumes": [{"id": "v"}], "volumes_links": [5]},
        {"volumes": [{"id": "v"}], "volumes_links": [{"rel": "next", "href": "http://[::1/x?a=b"}]},
        {"volumes": [{"id": "v"}], "next": "http://[::1/x?a=b"},
    ],
)
def test_objects_in_a_form_that_no_api_gives(server: Server, project: online.CloudProject, answer: Any) -> None:
    server.answers["/cinder/v3/volumes/detail"] = (200, answer)
    with pytest.raises(Stopped) as exception_info:
        project.ask(CloudLookup("volume", (("name", "b"),)))
    assert problem(exception_info) == ("HOT760", "error")


def test_a_stack_told_by_halves(server: Server, project: online.CloudProject) -> None:
    server.answers[f"/heat/v1/9d1c/stacks/web/{WEB}/export"] = (403, {})
    server.answers[f"/heat/v1/9d1c/stacks/web/{WEB}/resources"] = (200, {"resources": [{"resource_name": "net"}]})
    with pytest.raises(Stopped) as exception_info:
        project.read_stack("web")
    assert problem(exception_info) == ("HOT760", "error")


class Plain:
    """A session of keystoneauth, as far as this matters."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def request(self, url: str, method: str, **options: object) -> None:
        self.sent.append(method)


def test_the_session_refuses_to_write_and_lets_a_user_log_in() -> None:
    session = online.make_reading_session(Plain)()
    session.request("/", "GET")
    session.request("/auth/tokens", "POST", authenticated=False)
    for method in ("POST", "PUT", "PATCH", "DELETE", "delete"):
        with pytest.raises(online.WriteAttempted):
            session.request("/", method)
        with pytest.raises(online.WriteAttempted):
            session.request("/", method, authenticated=True)
    assert session.sent == ["GET", "POST"]
