"""A cloud that answers as OpenStack does, for tests that read running stacks."""

from __future__ import annotations

import contextlib
import http.server
import json
import pathlib
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

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
    """A cloud. `seen`: methods and paths of all requests. `answers`: by path, in place of its own answers.
    `projects`: the IDs of projects by name; stacks of others than p are only in `answers`.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str]] = []
        self.answers: dict[str, tuple[int, Any]] = {}
        self.projects = {"p": "9d1c"}
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
        scope = sent["auth"]["scope"]["project"]
        known = self.server.projects
        name = scope.get("name") or next((n for n, i in known.items() if i == scope.get("id")), "")
        if name not in known:
            self.answer(401, {"error": {"message": "The request requires authentication.", "code": 401}})
            return
        paths = {"orchestration": f"/heat/v1/{known[name]}", "network": "/neutron/v2.0", "block-storage": "/cinder/v3",
                 "load-balancer": "/octavia"}  # fmt: skip
        catalog = [
            {"type": kind, "name": kind, "id": kind, "endpoints": [
                {"id": kind, "interface": "public", "region": "R", "region_id": "R", "url": self.server.url + path}]}
            for kind, path in paths.items()
        ]  # fmt: skip
        token = {
            "methods": ["password"], "expires_at": "2099-01-01T00:00:00.000000Z", "catalog": catalog, "roles": [],
            "issued_at": "2020-01-01T00:00:00.000000Z", "user": {"id": "u", "name": "u", "domain": {"id": "d"}},
            "project": {"id": known[name], "name": name, "domain": {"id": "d", "name": "d"}},
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


@contextlib.contextmanager
def serve_cloud(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> Iterator[Server]:
    """A server that runs in the block, and the entries of clouds.yaml for it in a folder."""
    pytest.importorskip("openstack", reason="openstacksdk is not installed: pip install 'hot2tf[openstack]'")
    served = Server()
    auth = {"auth_url": f"{served.url}/v3", "username": "u", "password": PASSWORD, "project_name": "p",
            "user_domain_name": "d", "project_domain_name": "d"}  # fmt: skip
    clouds = {"here": {"auth": auth, "region_name": "R"}, "wrong": {"auth": auth | {"password": "other"}},
              "dead": {"auth": auth | {"auth_url": "http://127.0.0.1:9/v3"}}}  # fmt: skip
    (folder / "clouds.yaml").write_text(json.dumps({"clouds": clouds}))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(folder / "clouds.yaml"))
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()
