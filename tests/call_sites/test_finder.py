"""The finder finds calls in scripts and pipelines, and takes no other text for a call."""

from __future__ import annotations

import pathlib
import time

import pytest

from tests.call_sites.repository import listed, search
from transpile.call_sites.finder import FileCalls, kind_of_file

SECONDS = 30.0  # far more than any of these takes


def find(path: str, text: str) -> list[tuple[int, str, str]]:
    data = text.encode()
    calls = FileCalls(path, text, kind_of_file(path, data), data).calls
    return [(text.count("\n", 0, call.start) + 1, call.action, call.name) for call in calls]


@pytest.mark.parametrize(
    ("command", "action", "name"),
    [
        ("openstack stack create -t a b", "create", "b"),
        ("openstack --os-cloud x --insecure stack update -t a b", "update", "b"),
        ("openstack --os-cloud=x stack delete -y b", "delete", "b"),
        ("/usr/bin/openstack stack show b", "show", "b"),
        ("python-openstackclient stack list", "list", ""),
        ("openstack3 stack list", "list", ""),
        ("openstack-3 stack list", "list", ""),
        ("sudo -E openstack stack output list b", "outputs", "b"),
        ("openstack stack update -t a --rollback enabled b", "update", "b"),
        ("openstack $OPTIONS stack show b", "show", "b"),
        ("openstack {{ options }} --debug stack show b", "show", "b"),
        ("A=b openstack stack output show b c", "output", "b"),
        ("time openstack stack resource list b", "resources", "b"),
        ("openstack stack resource show b c", "resource", "b"),
        ("openstack stack event list b", "events", "b"),
        ("openstack stack failures list b", "events", "b"),
        ("openstack stack abandon b", "abandon", "b"),
        ("openstack stack suspend b", "other", "b"),
        ("heat stack-create b -f a", "create", "b"),
        ("heat --os-username u stack-delete b", "delete", "b"),
        ("heat stack-preview b -f a", "preview", "b"),
        ("heat output-show b c", "output", "b"),
        ("heat resource-list b", "resources", "b"),
        ("heat event-list b", "events", "b"),
        ("$OPENSTACK stack create -t a b", "create", "b"),
        ("${HEAT_BIN} stack-create b -f a", "create", "b"),
        ("docker run image openstack stack list", "list", ""),
        ("ssh host openstack stack delete b", "delete", "b"),
        ("if openstack stack show b; then c; fi", "show", "b"),
        ("a && openstack stack show b || c", "show", "b"),
        ("a=$(openstack stack show b | grep c)", "show", "b"),
        ('a="`openstack stack show b`"', "show", "b"),
        ("for a in $(openstack stack list -f value); do b; done", "list", ""),
        ("case $1 in x) openstack stack show b;; esac", "show", "b"),
        ("f() { openstack stack show b; }", "show", "b"),
        ("while read a; do b; done < <(openstack stack list)", "list", ""),
        ("bash -c 'openstack stack show b'", "show", "b"),
        ("CMD='openstack stack show b'", "show", "b"),
        ("openstack \\\n  stack \\\n  create -t a \\\n  b", "create", "b"),
        ("openstack stack create -t a --parameter \"x=y;z=$(date)\" 'b'", "create", "b"),
    ],
)
def test_commands_of_the_shell(command: str, action: str, name: str) -> None:
    assert find("run.sh", f"#!/bin/sh\n{command}\n") == [(2, action, name)]


@pytest.mark.parametrize(
    "text",
    [
        "# openstack stack create -t a b",
        "x # openstack stack create -t a b",
        "echo openstack stack create -t a b",
        'echo "openstack stack create failed"',
        "printf 'openstack stack create\\n'",
        "cat <<E\nopenstack stack create -t a b\nE",
        "usage 'openstack stack create -t a b'",
        "openstack server create b",
        "aws cloudformation create-stack --stack-name b",
        "docker stack deploy b",
        "heat water",
        "source openstack-stack-create.sh",
        "grep 'openstack stack create' log",
        "$DOCKER stack create b",
    ],
)
def test_texts_that_are_no_calls(text: str) -> None:
    """Comments are none, nor are texts that are only printed."""
    assert find("run.sh", text + "\n") == []


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("Makefile", "make"),
        ("a/GNUmakefile", "make"),
        ("deploy.mk", "make"),
        ("admin_makefile", "make"),
        ("x.bash", "shell"),
        ("Jenkinsfile", "jenkins"),
        ("a.Jenkinsfile", "jenkins"),
        (".gitlab-ci.yml", "yaml"),
        ("a.py", "python"),
        ("README", "document"),
        ("a.adoc", "document"),
        ("tox.ini", "lines"),
        ("Dockerfile", "lines"),
        ("a.tf", ""),
        ("script", ""),
    ],
)
def test_kinds_of_files(path: str, kind: str) -> None:
    assert kind_of_file(path, b"") == kind


def test_a_script_without_an_ending_is_known_by_its_first_line() -> None:
    assert kind_of_file("bin/deploy", b"#!/usr/bin/env bash\n") == "shell"
    assert kind_of_file("bin/deploy", b"#! /bin/sh -e\n") == "shell"
    assert kind_of_file("bin/deploy", b"#!/usr/bin/python3\n") == "python"
    assert kind_of_file("bin/deploy", b"deploy\n") == ""


def test_makefiles() -> None:
    text = (
        "A := $(shell openstack stack list)\nb: c\n\t@-openstack stack show d\n\tx \\\n\t  && heat stack-list\n"
        "# openstack stack show e\nf: ; openstack stack show g\n\t# openstack stack show h\n"
    )
    assert find("Makefile", text) == [(1, "list", ""), (3, "show", "d"), (5, "list", ""), (7, "show", "g")]


def test_jenkinsfiles() -> None:
    text = (
        "// sh 'openstack stack list'\nsh 'openstack stack show a'\nsh(\"openstack stack show b\")\n"
        "x = sh(script: '''\n  openstack stack show c\n  heat stack-list\n''', returnStdout: true)\n"
        "echo 'openstack stack list'\n"
    )
    assert find("Jenkinsfile", text) == [(2, "show", "a"), (3, "show", "b"), (5, "show", "c"), (6, "list", "")]


def test_yaml_of_every_tool() -> None:
    """GitLab, GitHub, Travis, Zuul and Ansible: commands that run are calls; descriptions and comments are not."""
    gitlab = (
        "a:\n  # openstack stack list\n  script: [x, openstack stack show b]\n  after_script:\n    - heat stack-list\n"
    )
    assert find(".gitlab-ci.yml", gitlab) == [(3, "show", "b"), (5, "list", "")]
    github = (
        "jobs:\n  a:\n    steps:\n      - name: openstack stack list\n        run: |\n          openstack stack list\n"
    )
    assert find(".github/workflows/a.yaml", github) == [(6, "list", "")]
    assert find(".travis.yml", "script: openstack stack list\ninstall:\n- heat stack-list\n") == [
        (1, "list", ""),
        (2 + 1, "list", ""),
    ]
    deep = "".join(f"{' ' * depth}a:\n" for depth in range(70)) + f"{' ' * 70}script: openstack stack list\n"
    assert find(".travis.yml", deep) == [(71, "list", "")]
    ansible = (
        "- hosts: a\n  tasks:\n    - name: openstack stack list\n      shell: >\n"
        "        openstack stack\n        show b\n"
        "    - command: heat stack-list\n    - os_stack: {name: c, template: d}\n    - openstack.cloud.stack:\n"
        "        name: e\n        state: absent\n    - debug: {msg: openstack stack list}\n"
    )
    assert find("play.yml", ansible) == [(5, "show", "b"), (7, "list", ""), (8, "create", "c"), (9, "delete", "e")]


def test_python() -> None:
    text = '''\
"""openstack stack create -t a b"""
import heatclient, openstack
# heat.stacks.create()
heat.stacks.create(stack_name="a")
conn.create_stack("b", template_file="c")
conn.orchestration.create_stack(name="b")
cloud.delete_stack("b")
self.create_stack("b")
def create_stack(x): pass
subprocess.run(["openstack", "--os-cloud", cloud, "stack", "delete", name])
os.system("openstack stack show d")
os.popen(client + " stack list")
print("openstack stack create -t a b")
log.info("heat stack-list")
'''
    assert [(line, action) for line, action, _ in find("a.py", text)] == [
        (4, "create"),
        (5, "create"),
        (6, "create"),
        (7, "delete"),
        (10, "delete"),
        (11, "show"),
        (12, "list"),
    ]


def test_stacks_of_another_cloud_are_no_calls() -> None:
    assert find("a.py", 'import boto3\n# openstack\ncf = boto3.client("cloudformation")\ncf.create_stack(x)\n') == []


def test_documents() -> None:
    """Code is a call, in blocks, behind a prompt, or in a sentence; words about a command are none."""
    text = """\
With heat stack-list you see all. `openstack stack create` creates one.

```sh
openstack stack show a
# openstack stack show b
```

    $ heat stack-delete c

> Note: `openstack stack create` creates one.

Run `openstack stack delete d` now, or ```openstack stack show e```.

```yaml
x: openstack stack show f
```
"""
    assert find("README.md", text) == [(4, "show", "a"), (8, "delete", "c"), (12, "delete", "d"), (12, "show", "e")]
    rst = "Run::\n\n  (venv) $ openstack stack create -t a <name>\n  [root@x ~]# heat stack-list\n"
    assert find("a.rst", rst) == [(3, "create", "_name_"), (4, "list", "")]


def test_ignored_and_hidden_files(tmp_path: pathlib.Path) -> None:
    """Files that git ignores, and the result itself, are not searched; hidden directories of CI systems are."""
    call = "openstack stack list\n"
    files = {
        ".gitignore": "out/\n",
        "out/a.sh": call,
        "terraform/a.sh": call,
        ".git/hooks/a.sh": call,
        ".github/workflows/a.yml": f"jobs: {{a: {{steps: [{{run: {call.strip()}}}]}}}}\n",
        "bin/deploy": f"#!/bin/sh\n{call}",
        "bin/data": call,
    }
    result = search(tmp_path, files)
    assert [(site.path, site.line) for site in result.sites] == [(".github/workflows/a.yml", 1), ("bin/deploy", 2)]


@pytest.mark.parametrize(
    ("limit", "path", "message"),
    [
        ("MOST_FILES", "b.sh", "Only 1 files were searched for calls of Heat."),
        ("TEXT_LIMIT", "a.sh", "The file was not searched for calls of Heat: a.sh has more than 0 MiB."),
    ],
)
def test_files_that_are_not_searched(
    limit: str, path: str, message: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"transpile.call_sites.search.{limit}", 1)
    result = search(tmp_path, {"a.sh": "openstack stack list\n", "b.sh": ""})
    (diagnostic,) = result.diagnostics
    assert diagnostic.source is not None
    assert (diagnostic.code, diagnostic.source.name, diagnostic.message) == ("HOT935", path, message)


@pytest.mark.parametrize("path", ["a.sh", "Makefile", "Jenkinsfile", "a.yml", "a.py", "README.md", "tox.ini"])
@pytest.mark.parametrize(
    "text",
    [
        "openstack stack list;" * 5000,
        "\topenstack stack list " + "x" * 100_000 + "\n",
        "\n".join(["\topenstack stack list \\"] * 4000),
        "a: " + "[" * 50_000 + " # openstack stack list",
        "- shell: |\n    " + "openstack stack list\n    " * 4000,
        "`openstack stack list " * 5000,
        "(" * 20_000 + '"openstack stack list" ' * 2000,
        "sh '''" * 10_000 + "openstack stack list",
        "<a" * 50_000 + " openstack stack list",
        "openstack stack create " + "--parameter=" * 20_000,
        "```\n" * 20_000 + "openstack stack list",
        "x @" * 30_000 + "openstack stack list",
        "openstack " * 20_000 + "stack list",
        "$X " * 20_000 + "stack list",
    ],
    ids=range(14),
)
def test_hostile_files_end(path: str, text: str) -> None:
    began = time.monotonic()
    data = text.encode()
    FileCalls(path, text, kind_of_file(path, data), data)
    assert time.monotonic() - began < SECONDS


def test_the_list_is_in_the_order_of_files_and_lines(tmp_path: pathlib.Path) -> None:
    files = {"b.sh": "openstack stack list\nopenstack stack show x\n", "a/c.sh": "heat stack-list\n"}
    sites = search(tmp_path, files).sites
    assert [site.path for site in sites] == ["b.sh", "b.sh", "a/c.sh"]
    assert listed(sites) == [(1, "list", ""), (2, "show", "x"), (1, "list", "")]
