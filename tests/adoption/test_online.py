"""Running stacks read from a cloud: by openstacksdk, from a server of this test that answers as OpenStack does.

Proves: the data that is read equals the output of `openstack stack export`, also where Heat refuses the export; nothing
but reading requests is sent, also if an answer calls for another one; each thing that can go wrong is a diagnostic with
its code and no word of the password.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.fake_cloud import EXPORT, PASSWORD, WEB, Server, serve_cloud
from transpile.adoption import online
from transpile.adoption.kinds import API_KINDS
from transpile.adoption.lookups import Answers, CloudLookup, NoAnswer
from transpile.diagnostics.model import Stopped
from transpile.model.budget import Budget


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Iterator[Server]:
    with serve_cloud(monkeypatch, tmp_path) as served:
        yield served


@pytest.fixture
def project(server: Server) -> online.CloudProject:
    return online.connect_project("here", budget=Budget())


def problem(read: Callable[[], object]) -> tuple[str, str]:
    """The code and the severity of the one diagnostic that stops a reading."""
    with pytest.raises(Stopped) as stopped:
        read()
    (only,) = stopped.value.diagnostics
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
    (only,) = stopped.value.diagnostics
    assert (only.code, only.severity, PASSWORD in only.message) == ("HOT118", "error", False)
    assert "--limit requests=500" in only.hint
    asked = [path for method, path in server.seen[before:] if method == "GET" and "/stacks/" in path]
    assert len(asked) == 50


def test_a_nested_stack_names_its_parent(project: online.CloudProject) -> None:
    project.read_stack("inner")
    assert json.loads(project.exports["web-inner-q3"])["parent"] == WEB


def test_objects_are_found_by_their_known_values(server: Server, project: online.CloudProject) -> None:
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
    assert problem(lambda: online.connect_project(cloud, budget=Budget()).list_stacks()) == (code, "error")


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
    assert problem(lambda: project.read_stack("web")) == (code, "error")


@pytest.mark.parametrize(
    "answer", [(200, {"stacks": [{"stack_name": "a/b"}]}), (200, {"stacks": ["web"]}), (200, {}), (502, b"")]
)
def test_a_list_that_no_api_gives(server: Server, project: online.CloudProject, answer: tuple[int, Any]) -> None:
    server.answers["/heat/v1/9d1c/stacks"] = answer
    assert problem(lambda: project.list_stacks()) == ("HOT760", "error")


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
    assert problem(lambda: project.read_stack("web")) == ("HOT760", "error")


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
    assert problem(lambda: project.ask(CloudLookup("volume", (("name", "b"),)))) == ("HOT760", "error")


def test_a_stack_told_by_halves(server: Server, project: online.CloudProject) -> None:
    server.answers[f"/heat/v1/9d1c/stacks/web/{WEB}/export"] = (403, {})
    server.answers[f"/heat/v1/9d1c/stacks/web/{WEB}/resources"] = (200, {"resources": [{"resource_name": "net"}]})
    assert problem(lambda: project.read_stack("web")) == ("HOT760", "error")


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
