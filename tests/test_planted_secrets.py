"""A secret that is planted where users keep secrets leaves the process nowhere, or only in files that nobody but their
owner may read: all that commands print and write, the answers to an editor, and those of the playground.
"""

from __future__ import annotations

import base64
import json
import pathlib
import stat
from collections.abc import Iterator

import pytest
import yaml

from tests.conftest import Run
from tests.support import running
from tests.support.files import write_files
from transpile.language_server import completion, findings, fixes, hover, outline
from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace
from transpile.model.span import Span
from transpile.playground.session import PlaygroundSession

# Where a secret is, and the secret.
SECRETS = {
    place: f"s3cr3t-of-{place}-0123"
    for place in ("default", "item", "literal", "inside", "environment", "parameter", "running", "resource", "metadata")
}
# Values that the output must have, because the template or the running stack has them: a default, an import ID.
WRITTEN = frozenset({"default", "item", "literal", "inside", "resource"})
STACK = f"""\
heat_template_version: 2021-04-16
parameters:
  token: {{type: string, hidden: true, default: {SECRETS["default"]}, description: of the service}}
  list: {{type: comma_delimited_list, hidden: true, default: 'x,{SECRETS["item"]}'}}
  kept: {{type: string, hidden: true}}
  asked: {{type: string, hidden: true}}
  plain: {{type: string, default: web}}
conditions:
  same: {{equals: [{{get_param: plain}}, web]}}
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: small
      admin_pass: {{get_param: token}}
      networks: [{{network: n}}]
      metadata: {{c: {{get_param: [list, 1]}}}}
      user_data_format: RAW
      user_data:
        str_replace: {{template: "echo $t $u", params: {{$t: {{get_param: kept}}, $u: {{get_param: asked}}}}}}
  part: {{type: part.yaml, condition: same, properties: {{token: {SECRETS["literal"]}}}}}
  value: {{type: OS::Heat::Value, properties: {{value: {{list_join: ['', [a, {{get_param: token}}]]}}}}}}
  user: {{type: OS::Keystone::User, properties: {{name: u, password: {{get_attr: [value, value]}}}}}}
  random: {{type: OS::Heat::RandomString}}
  config: {{type: OS::Heat::SoftwareConfig, properties: {{config: {{list_join: [' ', [a, {{get_param: token}}]]}}}}}}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties:
      config: {{get_resource: config}}
      server: {{get_resource: server}}
      input_values: {{p: {{get_param: token}}}}
outputs:
  value: {{value: {{get_attr: [value, value]}}}}
  key: {{value: {{get_attr: [part, key]}}}}
"""
PART = f"""\
heat_template_version: 2018-08-31
parameters: {{token: {{type: string, hidden: true, default: {SECRETS["inside"]}}}}}
resources:
  key: {{type: OS::Heat::Value, properties: {{value: {{get_param: token}}}}}}
  net: {{type: OS::Neutron::Net, properties: {{name: n, tags: [{{get_param: token}}]}}}}
outputs: {{key: {{value: {{get_attr: [key, value]}}}}}}
"""
WRONG = STACK.replace("OS::Neutron", "OS::Neutrn").replace("image: cirros", "image: {get_param: token, x: 1}")
ENVIRONMENT = f"parameters:\n  kept: {SECRETS['environment']}\n"
SCRIPT = f"openstack stack create -t stack.yaml -e env.yaml --parameter asked={SECRETS['parameter']} web\n"


def export() -> str:
    parameters = dict.fromkeys(("kept", "asked"), SECRETS["running"])
    exported = running.stack(
        yaml.load(STACK, yaml.BaseLoader),
        environment={"parameters": parameters, "resource_registry": {"resources": {}}},
        files={"part.yaml": PART},
        nested={"part": {**running.stack(PART, name="part"), "type": "part.yaml"}},
    )
    resources = exported["resources"]
    resources["random"]["resource_data"] = {"value": SECRETS["resource"]}
    deployments = [{"inputs": [{"name": "p", "value": SECRETS["metadata"]}]}]
    resources["server"]["metadata"] = {"deployments": deployments}
    return json.dumps(exported)


STACK_FILES = {"stack.yaml": STACK, "part.yaml": PART, "env.yaml": ENVIRONMENT}
FILES = {
    **STACK_FILES,
    **{f"src/{name}": text for name, text in STACK_FILES.items()},
    "src/deploy.sh": SCRIPT,
    "wrong.yaml": WRONG,
    "export.json": export(),
}
VALUES = ("-e", "env.yaml", "--parameter", f"asked={SECRETS['parameter']}")
CONVERT = ("convert", "stack.yaml", *VALUES, "-v", "-o", "out", "--report", "report.json")
MIGRATE = ("migrate", "src", "out")
ADOPT = ("adopt", "export.json", "-v", "-o", "out")
FORMS = ("text", "concise", "grouped", "json", "sarif", "github", "gitlab", "junit")
LINES: tuple[tuple[str, ...], ...] = (
    (*CONVERT, "--html", "page.html"),
    (*CONVERT, "--tests", "--option", "test_runs=all"),
    (*CONVERT, "--prefer", "native"),
    (*CONVERT, "--prefer", "provisioners"),
    *((*CONVERT, "--to", target) for target in ("tosca", "hot", "graph")),
    *((*CONVERT[:1], "wrong.yaml", *CONVERT[2:], "--diagnostics", form) for form in FORMS),
    ("graph", "stack.yaml", *VALUES, "-o", "graph.dot"),
    *(("check", "stack.yaml", *VALUES, "-v", "--diagnostics", form) for form in FORMS),
    ("check", "src", "--diff"),
    ("check", ".", "--write-baseline", "baseline.json"),
    ("fmt", "--diff", "stack.yaml", "part.yaml", "env.yaml"),
    (*MIGRATE, "--html", "page.html", "--report", "report.json", "--summary", "summary.txt", "--sarif", "log.sarif"),
    *((*MIGRATE, "--environments", kind) for kind in ("files", "directories", "workspaces")),
    (*MIGRATE, "--calls", "--ci", "github"),
    ("migrate", "src", "--plan", "--write", "plan.yaml"),
    ("init", "--ci", "gitlab"),
    (*ADOPT, "--report", "report.json", "--tests"),
    (*ADOPT, "--prefer", "native"),
    (*ADOPT, "--drift", "--diagnostics", "json"),
    (*ADOPT, "--diff"),
    ("capabilities", "summary", "."),
    ("config", "stack.yaml"),
)


def spellings(secret: str) -> Iterator[bytes]:
    """A secret as it is, and as it is in base64 at each of three offsets."""
    yield secret.encode()
    for before in range(3):
        yield base64.b64encode(b"-" * before + secret.encode())[4:-4]


def planted_places(content: bytes) -> set[str]:
    """The places whose secrets a content has."""
    return {place for place, secret in SECRETS.items() if any(spelling in content for spelling in spellings(secret))}


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(word for word in line if "s3cr3t" not in word))
def test_commands_keep_secrets(line: tuple[str, ...], command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, FILES)
    done = command(*line)
    assert done.status < 2, done.err
    assert planted_places((done.out + done.err).encode()) == set()
    for path in tmp_path.rglob("*"):
        name = path.relative_to(tmp_path).as_posix()
        if path.is_file() and name not in FILES and (places := planted_places(path.read_bytes())):
            assert places <= WRITTEN, name
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, name
            assert "HOT525" in done.err + done.out or line[0] == "migrate"


def test_a_patch_of_calls_is_for_its_owner(command: Run, tmp_path: pathlib.Path) -> None:
    """The patch has the unchanged lines of the repository, which are needed to apply it."""
    write_files(tmp_path, FILES)
    command(*MIGRATE, "--patch", "calls.diff")
    assert planted_places((tmp_path / "calls.diff").read_bytes()) == {"parameter"}
    assert stat.S_IMODE((tmp_path / "calls.diff").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [*STACK_FILES, "wrong.yaml"])
def test_an_editor_is_told_no_secret(name: str, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, FILES)
    workspace = Workspace([tmp_path])
    document = TextDocument((tmp_path / name).as_uri(), tmp_path / name, FILES[name], 1)
    diagnostics = findings.diagnose_document(document, workspace)
    whole = Span(0, len(document.text))
    answers = [repr((d.message, d.hint)) for d in diagnostics]
    answers += map(repr, (*fixes.list_quick_fixes(document, diagnostics, whole), *outline.outline_document(document)))
    for at in range(len(document.text) + 1):
        answers += [
            repr(hover.describe_at(document, workspace, at)),
            *map(repr, completion.list_completions(document, workspace, at)),
        ]
    assert len(set(answers)) > 10
    assert planted_places("\n".join(answers).encode()) == set()


@pytest.mark.parametrize("template", ["stack.yaml", "wrong.yaml"])
def test_the_playground_says_that_its_link_has_secrets(template: str, tmp_path: pathlib.Path) -> None:
    """The link has all of the input. The rest of the answer, besides the files, has no secret."""
    session = PlaygroundSession(tmp_path / "session")
    parameters = {"asked": SECRETS["parameter"]}
    request = {"files": FILES, "template": template, "environments": ["env.yaml"], "parameters": parameters}
    answer = json.loads(session.answer(json.dumps(request)))
    assert answer.pop("has_secrets")
    assert set().union(*(planted_places(str(text).encode()) for text in answer.pop("files").values())) <= WRITTEN
    assert SECRETS["parameter"] in answer.pop("command")  # which is shown to the one who typed it
    assert planted_places(json.dumps(answer).encode()) == set()
    plain = {"files": {"a.yaml": "heat_template_version: 2018-08-31\nparameters: {a: {type: string, hidden: true}}\n"}}
    assert not json.loads(session.answer(json.dumps({**plain, "template": "a.yaml"})))["has_secrets"]
