"""Without Heat, a server with metadata for cfn-init is set up as before.

Each pattern is converted, and a shell runs its user data to the end in a directory that stands for the server. Where
heat-cfntools is there, its cfn-init runs on the same metadata: both leave the same files and ask for the same packages,
users and services in the same order.
"""

from __future__ import annotations

import io
import json
import pathlib
import re
import shutil
import subprocess
import tarfile
import textwrap
import zipfile
from typing import Any, NamedTuple

import pytest
import yaml

import transpile
from tests.support import cfn, oracles

CALL = "#!/bin/bash -e\n/opt/aws/bin/cfn-init -s stack -r Web --region RegionOne\n"


class Pattern(NamedTuple):
    """metadata: of cfn-init, as YAML. asked: the expected calls of stubs. files: the expected contents, by path.
    beyond: heat-cfntools does not do it, or not so.
    """

    metadata: str
    asked: list[str]
    files: dict[str, str]
    script: str = CALL
    modes: dict[str, str] = {}  # noqa: RUF012
    beyond: bool = False
    sets: str = ""


PATTERNS = {
    "wiki on one server": Pattern(
        """
        config:
          packages: {yum: {mysql: [], mysql-server: [], httpd: [], wordpress: []}}
          files:
            /tmp/setup.sql:
              content: |
                CREATE DATABASE wiki;
                GRANT ALL ON wiki.* TO 'admin'@'localhost'
                IDENTIFIED BY 'se$cr`et';
              mode: "000644"
              owner: root
              group: root
          services:
            systemd:
              mysqld: {enabled: "true", ensureRunning: "true"}
              httpd: {enabled: true, ensureRunning: true}
        """,
        [
            *("yum install mysql", "yum install mysql-server", "yum install httpd", "yum install wordpress"),
            *("chown root /tmp/setup.sql", "chgrp root /tmp/setup.sql"),
            *("systemctl enable mysqld.service", "systemctl start mysqld.service"),
            *("systemctl enable httpd.service", "systemctl start httpd.service"),
        ],
        {
            "/tmp/setup.sql": "CREATE DATABASE wiki;\nGRANT ALL ON wiki.* TO 'admin'@'localhost'\n"
            "IDENTIFIED BY 'se$cr`et';\n",
            "/root/state": "3\n",
        },
        CALL + "wc -l < /tmp/setup.sql > state\n",
        {"/tmp/setup.sql": "644"},
    ),
    "web server with a remote database": Pattern(
        """
        config:
          packages: {apt: {apache2: [], php-mysql: []}}
          files:
            /etc/app/db.ini: {content: "host=10.0.0.9\\nport=3306", mode: "0640", owner: root, group: app}
          services:
            sysvinit:
              apache2: {enabled: "yes", ensureRunning: "yes"}
              exim4: {enabled: "false", ensureRunning: "false"}
        """,
        [
            *("apt-get install apache2", "apt-get install php-mysql"),
            *("chown root /etc/app/db.ini", "chgrp app /etc/app/db.ini"),
            *("systemctl enable apache2.service", "systemctl start apache2.service"),
            *("systemctl disable exim4.service", "systemctl stop exim4.service"),
        ],
        {"/etc/app/db.ini": "host=10.0.0.9\nport=3306"},
        modes={"/etc/app/db.ini": "640"},
    ),
    "commands": Pattern(
        """
        config:
          commands:
            20_last: {command: "echo last >> /tmp/order"}
            10_first: {command: "echo first > /tmp/order && echo \\"it's\\" '$HOME' > /tmp/quoted"}
            15_skipped: {command: "echo never >> /tmp/order", test: "test -e /tmp/absent"}
            16_tested: {command: "echo tested >> /tmp/order", test: "test -e /tmp/order"}
            17_fails: {command: "echo failed >> /tmp/order; exit 3", ignoreErrors: "true"}
            18_env: {command: "echo $GREETING-$OTHER > /tmp/env", env: {GREETING: "a 'b' $c", OTHER: "2"}}
            19_arguments: {command: [sh, -c, 'echo "$0 $1" > /tmp/arguments', "a b", $c]}
            30_there: {command: "pwd > here; touch there", cwd: /tmp}
            31_nowhere: {command: "echo never >> /tmp/order", cwd: /srv/absent}
        """,
        [],
        {
            "/tmp/order": "first\ntested\nfailed\nlast\n",
            "/tmp/quoted": "it's $HOME\n",
            "/tmp/env": "a 'b' $c-2\n",
            "/tmp/arguments": "a b $c\n",
            "/tmp/here": "/tmp\n",
            "/tmp/there": "",
        },
    ),
    "archives and downloads": Pattern(
        """
        config:
          sources:
            /srv/site: https://example.org/site.tar.gz
            /srv/zipped: https://example.org/app.zip
          files:
            /etc/yum.repos.d/extra.repo:
              {source: "https://example.org/extra.repo", mode: "000644", owner: root, group: root}
        """,
        [
            *("curl https://example.org/site.tar.gz", "curl https://example.org/app.zip"),
            "curl https://example.org/extra.repo",
            *("chown root /etc/yum.repos.d/extra.repo", "chgrp root /etc/yum.repos.d/extra.repo"),
        ],
        {
            "/srv/site/index.html": "<h1>site</h1>\n",
            "/srv/zipped/app.py": "print()\n",
            "/etc/yum.repos.d/extra.repo": "[extra]\n",
        },
        modes={"/etc/yum.repos.d/extra.repo": "644"},
    ),
    "users and groups": Pattern(
        """
        config:
          groups: {wheelers: {gid: "1500"}, plain: {}}
          users: {app: {uid: 1501, groups: [wheelers, plain], homeDir: /srv/app}, other: {}}
        """,
        [
            *("groupadd wheelers --gid 1500", "groupadd plain"),
            "useradd app --uid 1501 --home /srv/app --groups wheelers,plain --shell /sbin/nologin",
            "useradd other --shell /sbin/nologin",
        ],
        {},
    ),
    "gems and eggs": Pattern(
        """
        config:
          packages:
            rubygems: {rack: ["1.3.6"], rails: []}
            python: {requests: []}
            yum: {gcc-c++: [], ruby-devel: []}
        """,
        [
            *("yum install gcc-c++", "yum install ruby-devel", "easy_install requests"),
            *("gem install --version 1.3.6 rack", "gem install rails"),
        ],
        {},
    ),
    "config sets": Pattern(
        """
        configSets: {default: [one], all: [one, two], none: [three]}
        one: {files: {/tmp/shared: {content: one}, /tmp/one: {content: "1"}}}
        two: {files: {/tmp/shared: {content: two}}, commands: {a: {command: "cat /tmp/one > /tmp/seen"}}}
        three: {commands: {a: {command: "touch /tmp/never"}}}
        """,
        [],
        {"/tmp/shared": "two", "/tmp/one": "1", "/tmp/seen": "1"},
        CALL.rstrip() + " -c all\n",
        sets="all",
    ),
    "the default set": Pattern(
        """
        configSets: {default: [two, one]}
        one: {commands: {a: {command: "echo one >> /tmp/order"}}}
        two: {files: {/tmp/order: {content: "two\\n"}}}
        """,
        [],
        {"/tmp/order": "two\none\n"},
    ),
    "cfn-hup in a crontab": Pattern(
        """
        config:
          files:
            /etc/cfn/cfn-credentials:
              {content: "AWSAccessKeyId=unused\\nAWSSecretKey=unused\\n", mode: "000400", owner: root}
            /etc/cfn/cfn-hup.conf: {content: "[main]\\nstack=stack\\n", mode: "000400"}
            /etc/cfn/hooks.conf: {content: "[hook]\\naction=/opt/aws/bin/cfn-init -s stack -r Web\\n"}
            /etc/cfn/notify: {content: "#!/bin/sh\\n/opt/aws/bin/cfn-push-stats --service-failure\\n", mode: "000700"}
            /tmp/crontab:
              {content: "MAIL=\\"\\"\\n\\n* * * * * /opt/aws/bin/cfn-hup -f\\n", mode: "000600", group: nobody-there}
        """,
        ["chown root /etc/cfn/cfn-credentials", "crontab /tmp/crontab"],
        {
            "/etc/cfn/notify": "#!/bin/sh\n/opt/aws/bin/cfn-push-stats --service-failure\n",
            "/tmp/crontab": 'MAIL=""\n\n* * * * * /opt/aws/bin/cfn-hup -f\n',
        },
        CALL + "crontab /tmp/crontab\n/opt/aws/bin/cfn-hup -f\n/etc/cfn/notify\n",
        {"/etc/cfn/cfn-credentials": "400", "/etc/cfn/notify": "700", "/tmp/crontab": "600"},
    ),
    "what is installed stays": Pattern(
        "config: {packages: {yum: {curl: [], bash: [], httpd: []}, zypper: {curl: [], vim: []}, dnf: {nano: []}}}",
        ["yum install httpd", "dnf install nano", "zypper install vim"],
        {},
    ),
    "odd names": Pattern(
        """
        config:
          files:
            "/srv/a b/it's $x": {content: "  two spaces\\n\\n\\ttab ${x} %{y} $(id)\\n\\n"}
            /srv/empty: {content: ""}
          commands: {"it's; rm -rf $x": {command: "cat '/srv/a b/it'\\\\''s $x' > /srv/copy"}}
        """,
        [],
        {
            "/srv/a b/it's $x": "  two spaces\n\n\ttab ${x} %{y} $(id)\n\n",
            "/srv/copy": "  two spaces\n\n\ttab ${x} %{y} $(id)\n\n",
            "/srv/empty": "",
        },
    ),
    "called by its name": Pattern(
        "config: {files: {/tmp/a: {content: b}}}",
        [],
        {"/tmp/a": "b"},
        "#!/bin/bash -e\nif ! cfn-init; then exit 4; fi\n",
    ),
    "called at two places": Pattern(
        "config: {commands: {a: {command: echo >> /tmp/a}}}",
        [],
        {"/tmp/a": "\n\n"},
        "#!/bin/bash -e\n/opt/aws/bin/cfn-init\n/usr/local/bin/cfn-init -v\n",
        beyond=True,
    ),
    "what AWS documents": Pattern(
        """
        config:
          packages: {rpm: {extra: "https://example.org/extra.rpm"}, msi: {tool: "https://example.org/tool.msi"}}
          files:
            /srv/decoded: {content: "aGVsbG8K", encoding: base64}
            /srv/settings.json: {content: {name: app, ports: [80, 443], secure: true}}
            /srv/filled:
              {content: "name={{name}}\\nport={{ port }}\\nnone={{none}}.\\n", context: {name: app, port: 80}}
            /srv/link: {content: /srv/decoded, mode: "120644"}
          services: {sysvinit: {httpd: {ensureRunning: "true", files: [/srv/filled]}}}
        """,
        ["rpm -U --force --nosignature https://example.org/extra.rpm", "systemctl restart httpd.service"],
        {"/srv/decoded": "hello\n", "/srv/link": "hello\n", "/srv/filled": "name=app\nport=80\nnone=.\n"},
        beyond=True,
    ),
}


def template(metadata: str, script: str = CALL, more: str = "") -> str:
    return f"""AWSTemplateFormatVersion: "2010-09-09"
Parameters: {{Word: {{Type: String}}}}
Resources:
  Web:
    Type: AWS::EC2::Instance
    Metadata:
      AWS::CloudFormation::Init:
{textwrap.indent(textwrap.dedent(metadata).strip(), " " * 8)}
    Properties:
      ImageId: debian-12
      InstanceType: m1.small
      UserData: {{"Fn::Base64": {json.dumps(script)}}}
{more}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder with the files that example.org serves."""
    where = tmp_path_factory.mktemp("served")
    with tarfile.open(where / "site.tar.gz", "w:gz") as archive:
        page = tarfile.TarInfo("index.html")
        page.size = len(b"<h1>site</h1>\n")
        archive.addfile(page, io.BytesIO(b"<h1>site</h1>\n"))
    with zipfile.ZipFile(where / "app.zip", "w") as zipped:
        zipped.writestr("app.py", "print()\n")
    (where / "extra.repo").write_text("[extra]\n", encoding="utf-8")
    return where


def booted(text: str, where: pathlib.Path, served: pathlib.Path, **parameters: Any) -> cfn.Server:
    return cfn.boot(cfn.user_data(text, parameters), where, served, "curl bash")


@pytest.mark.parametrize("name", PATTERNS)
def test_the_server_is_set_up(name: str, tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    pattern = PATTERNS[name]
    server = booted(template(pattern.metadata, pattern.script), tmp_path / "new", served)
    assert server.status == 0, server.stderr
    assert cfn.asked(server.log) == pattern.asked
    assert {path: server.files.get(path) for path in pattern.files} == pattern.files
    assert {path: server.modes[path] for path in pattern.modes} == pattern.modes
    assert "not found" not in server.stderr


@pytest.mark.skipif(not cfn.CFNTOOLS.is_dir(), reason="HOT2TF_CFNTOOLS leads to no source of heat-cfntools")
@pytest.mark.parametrize("name", [name for name, pattern in PATTERNS.items() if not pattern.beyond])
def test_heat_cfntools_does_the_same(name: str, tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    pattern = PATTERNS[name]
    only = "\n".join(line for line in pattern.script.splitlines() if "cfn-init" in line or line.startswith("#!"))
    new = booted(template(pattern.metadata, only + "\n"), tmp_path / "new", served)
    metadata = json.dumps({"AWS::CloudFormation::Init": yaml.safe_load(pattern.metadata)})
    old = cfn.original(metadata, tmp_path / "old", served, "curl bash", pattern.sets)
    assert (new.status, new.files, new.modes, cfn.asked(new.log)) == (0, old.files, old.modes, cfn.asked(old.log)), old
    assert old.status == 0, old.stderr


# values that are known only to Terraform

NASTY = "it's \"$x\" `id` $(id) \\ %s {{name}}\n  second 'line'"
DECLARED = "Parameters: {Plain: {Type: String}, Data: {Type: Json}, "
DATA = {"list": [1, NASTY]}
VALUES = """
config:
  packages: {yum: {httpd: {Ref: Word}}, rubygems: {rack: [{Ref: Word}]}}
  users: {app: {homeDir: {Ref: Word}}}
  files:
    /srv/a: {content: {Ref: Word}}
    /srv/b: {content: {"Fn::Join": ["-", [a, {Ref: Word}, b]]}, owner: {Ref: Word}}
    /srv/c: {content: "<{{name}}>", context: {name: {Ref: Word}}}
    /srv/d: {content: {key: {Ref: Word}}}
    /srv/h: {content: {Ref: Data}}
    /srv/i: {content: {"Fn::Split": [" ", {Ref: Plain}]}}
  commands:
    a: {command: {"Fn::Join": ["", ["printf %s '", {Ref: Plain}, "' > /srv/e"]]}}
    b: {command: [sh, -c, 'printf %s "$0" > /srv/f', {Ref: Word}]}
    c: {command: 'printf %s "$WORD" > /srv/g', env: {WORD: {Ref: Word}}}
"""


def test_values_of_parameters_are_quoted(tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    text = template(VALUES).replace("Parameters: {", DECLARED)
    server = booted(text, tmp_path / "new", served, Word=NASTY, Plain="a b", Data=DATA)
    assert server.status == 0, server.stderr
    written = {name: server.files[f"/srv/{name}"] for name in "abcdefghi"}
    assert json.loads(written.pop("d")) == {"key": NASTY}
    assert [json.loads(written.pop(name)) for name in "hi"] == [DATA, ["a", "b"]]
    assert written == {**dict.fromkeys("afg", NASTY), "b": f"a-{NASTY}-b", "c": f"<{NASTY}>", "e": "a b"}


@oracles.needs_terraform
def test_terraform_computes_the_same(tmp_path: pathlib.Path) -> None:
    """The values that the other tests take for those of Terraform."""
    expected, outputs, values = {}, "", {"Word": NASTY, "Plain": "a b", "Data": DATA}
    for number, metadata in enumerate([VALUES, *(pattern.metadata for pattern in PATTERNS.values())]):
        text = template(metadata).replace("Parameters: {", DECLARED)
        expected[f"a{number}"] = cfn.parts(cfn.user_data(text, values))
        main = str(transpile.convert(text, prefer="native").files["main.tf"])
        argument = re.search(r"^  user_data = (.*?^  \]\)\]\))$", main, re.S | re.M)
        assert argument is not None
        outputs += f'output "a{number}" {{\n  value = {argument[1]}\n}}\n'
    variables = "".join(
        f"variable {name} {{\n  default = {json.dumps(value).replace('%{', '%%{')}\n}}\n"
        for name, value in values.items()
    )
    (tmp_path / "main.tf").write_text(variables + outputs, encoding="utf-8")
    assert {name: cfn.parts(value) for name, value in oracles.outputs(tmp_path).items()} == expected


# failures

FAILING = """
config:
  files: {/tmp/before: {content: x}}
  commands: {a: {command: exit 7}, b: {command: touch /tmp/after}}
  services: {systemd: {httpd: {ensureRunning: true}}}
"""
HANDLED = (
    "#!/bin/bash\nfail() { echo \"$1\" > failed; exit 3; }\n/opt/aws/bin/cfn-init -s stack || fail 'no cfn-init'\n"
)


def test_a_command_that_fails_ends_cfn_init(tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    server = booted(template(FAILING, HANDLED), tmp_path / "new", served)
    assert (server.status, server.log) == (3, [])
    assert set(server.files) == {"/tmp/before", "/root/failed"}


@pytest.mark.parametrize(
    ("metadata", "arguments"),
    [
        ("configSets: {other: [a]}\na: {}", ""),
        ("configSets: {default: [a]}\na: {}", "-c other"),
        ("configSets: {default: [a, b]}\na: {}", ""),
        ("other: {}", ""),
        ("config: {files: {/tmp/a: {source: 'https://example.org/absent', mode: '0644'}}}", ""),
    ],
)
def test_metadata_that_cfn_init_refuses_fails(
    metadata: str, arguments: str, tmp_path: pathlib.Path, served: pathlib.Path
) -> None:
    script = HANDLED.replace("-s stack", f"-s stack {arguments}")
    assert booted(template(metadata, script), tmp_path / "new", served).status == 3


@pytest.mark.parametrize(
    "metadata",
    [
        "config: {users: {app: {}}, groups: {app: {}}}",
        "config: {sources: {/srv/a: 'https://example.org/absent.tar.gz', /srv/b: 'https://example.org/page'}}",
        "config: {packages: {apt: {a: []}, yum: {b: []}, rubygems: {c: []}, python: {d: []}, rpm: {e: 'http://f'}}}",
        "config: {services: {systemd: {a: {enabled: true, ensureRunning: true}, b: {enabled: false}}}}",
        "config: {files: {/tmp/a: {content: b, owner: who, group: ever}}}",
    ],
)
def test_faults_that_cfn_init_only_logs_do_not_fail(
    metadata: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, served: pathlib.Path
) -> None:
    """Every program that would change the machine fails."""
    monkeypatch.setattr(cfn, "STUB", '#!/bin/sh\necho "NAME $*" >> "$LOG"\nexit 1\n')
    server = booted(template(metadata), tmp_path / "new", served)
    assert server.status == 0, server.stderr
    assert "cfn-init: " in server.stderr


# the shell

needs_shellcheck = pytest.mark.skipif(not shutil.which("shellcheck"), reason="there is no shellcheck on PATH")


def complaints(text: str) -> list[str]:
    done = subprocess.run(
        ["shellcheck", "--shell=sh", "--format=gcc", "-"], input=text, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


@needs_shellcheck
@pytest.mark.parametrize("name", PATTERNS)
def test_shellcheck_finds_nothing(name: str) -> None:
    """Apart from the words of the template's own commands, which a shell of their own reads."""
    pattern = PATTERNS[name]
    _, config = cfn.parts(cfn.user_data(template(pattern.metadata, pattern.script)))
    scripts = [file["content"] for file in config["write_files"] if file["permissions"] == "0755"]
    assert scripts
    own = ("[SC2016]", "[SC1003]")  # about single quotes, which are around the words of the template
    assert [complaint for script in scripts for complaint in complaints(script) if not complaint.endswith(own)] == []


# in cloud-init


def test_cloud_init_reads_both_parts() -> None:
    user_data = pytest.importorskip("cloudinit.user_data", reason="cloud-init is not there")
    text = cfn.user_data(template(PATTERNS["wiki on one server"].metadata))
    message = user_data.UserDataProcessor({}).process(text)
    parts_by_type = {
        part.get_content_type(): part.get_payload(decode=True).decode()
        for part in message.walk()
        if not part.is_multipart()
    }
    assert parts_by_type["text/x-shellscript"] == CALL
    assert yaml.safe_load(parts_by_type["text/cloud-config"]) == cfn.parts(text)[1]


def test_a_cloud_config_keeps_its_own_files() -> None:
    """cloud-init replaces the lists of an earlier part, unless a later one asks it not to."""
    cloud_config = pytest.importorskip("cloudinit.handlers.cloud_config", reason="cloud-init is not there")
    user_data = "#cloud-config\nwrite_files: [{path: /a, content: a}]\nruncmd: [/opt/aws/bin/cfn-init]\n"
    text = cfn.user_data(template("config: {files: {/tmp/a: {content: b}}}", user_data))
    handler = cloud_config.CloudConfigPartHandler.__new__(cloud_config.CloudConfigPartHandler)
    handler.cloud_buf = {}
    for part in yaml.safe_load(text):
        handler._merge_part(part["content"], {})
    assert [file["path"] for file in handler.cloud_buf["write_files"]] == [
        *("/a", "/opt/aws/bin/cfn-init", "/var/lib/cfn-init/tmp/a")
    ]
    assert handler.cloud_buf["runcmd"] == ["/opt/aws/bin/cfn-init"]


# the tools of the image


def test_the_tools_get_the_metadata() -> None:
    text = template("config: {files: {/tmp/a: {content: {Ref: Word}}}}", CALL + "/opt/aws/bin/cfn-hup -f\n")
    script, config = cfn.parts(cfn.user_data(text, {"Word": NASTY}, "tools"))
    files = {file["path"]: file for file in config["write_files"]}
    assert set(files) == {"/var/lib/heat-cfntools/cfn-init-data", "/opt/aws/bin/cfn-hup"}
    data = files["/var/lib/heat-cfntools/cfn-init-data"]
    assert json.loads(data["content"]) == {
        "AWS::CloudFormation::Init": {"config": {"files": {"/tmp/a": {"content": NASTY}}}}
    }
    assert data["permissions"] == "0600"
    assert script.startswith(CALL)


@pytest.mark.skipif(not cfn.CFNTOOLS.is_dir(), reason="HOT2TF_CFNTOOLS leads to no source of heat-cfntools")
def test_heat_cfntools_finds_the_metadata(tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    pattern = PATTERNS["wiki on one server"]
    _, config = cfn.parts(cfn.user_data(template(pattern.metadata), option="tools"))
    (data,) = (file["content"] for file in config["write_files"])
    server = cfn.original(data, tmp_path / "old", served)
    assert (server.status, server.files["/tmp/setup.sql"]) == (0, pattern.files["/tmp/setup.sql"])


# who goes, and who stays

KEYS = """\
  User: {Type: "AWS::IAM::User"}
  Keys: {Type: "AWS::IAM::AccessKey", Properties: {UserName: {Ref: User}}}
"""
WAITING = """\
  Handle: {Type: "AWS::CloudFormation::WaitConditionHandle"}
  Ready:
    Type: AWS::CloudFormation::WaitCondition
    DependsOn: Web
    Properties: {Handle: {Ref: Handle}, Timeout: "600"}
"""
CREDENTIALS = """
config:
  files:
    /etc/cfn/cfn-credentials:
      content: {"Fn::Join": ["", [{Ref: Keys}, "\\n", {"Fn::GetAtt": [Keys, SecretAccessKey]}]]}
"""


def treatments(text: str, prefer: str = "native", **options: str) -> dict[str, str]:
    done = transpile.convert(text, prefer=prefer, options=options)
    assert done.ok, done.diagnostics
    return {name: resource["treatment"] for name, resource in done.report["resources"].items()}


def codes(text: str, prefer: str = "native", **options: str) -> list[str]:
    return [diagnostic.code for diagnostic in transpile.convert(text, prefer=prefer, options=options).diagnostics]


def test_a_key_and_its_user_go_with_the_server() -> None:
    text = template(CREDENTIALS, more=KEYS + WAITING)
    assert treatments(text) == {**dict.fromkeys(("User", "Keys", "Handle", "Ready"), "folded"), "Web": "native"}
    assert {"HOT507", "HOT510", "HOT589"} <= set(codes(text))
    assert set(treatments(text, "faithful").values()) == {"embedded"}
    assert treatments(text, "provisioners")["Ready"] == "native"


def test_an_output_that_reads_the_key_is_null() -> None:
    text = template(CREDENTIALS, more=KEYS + "Outputs: {key: {Value: {Ref: Keys}}}\n")
    done = transpile.convert(text, prefer="native")
    assert re.search(r'output "key" \{\n  value = null\n', str(done.files["outputs.tf"]))


@pytest.mark.parametrize(
    ("metadata", "script", "more", "stays"),
    [
        ("config: {files: {Ref: Word}}", CALL, "", "only cfn-init can read its metadata"),
        ("config: {files: {/a: {content: a, mode: 0644}}}", CALL, "", "the mode of /a is not a text"),
        ("config: {packages: {yum: {a: ['1', '2']}}}", CALL, "", "several versions of a"),
        ("config: {services: {systemd: {a: {enabled: {Ref: Word}}}}}", CALL, "", "known only at run time"),
        ("configSets: {default: [{ConfigSet: default}]}", CALL, "", "names itself"),
        ("config: {files: {/a: {content: '{{#b}}', context: {b: c}}}}", CALL, "", "more than plain placeholders"),
        ("config: {}", CALL + "cfn-get-metadata\n", "", "calls cfn-get-metadata"),
        ("config: {}", CALL.replace("-r Web", "-r Other --access-key a --secret-key b"), "other", "metadata of Other"),
    ],
)
def test_a_server_stays_that_needs_heat(metadata: str, script: str, more: str, stays: str) -> None:
    init = "Metadata: {'AWS::CloudFormation::Init': {config: {files: {}}}}"
    other = (
        f"  Other: {{Type: 'AWS::EC2::Instance', {init}, Properties: {{ImageId: debian-12, InstanceType: m1.small}}}}\n"
    )
    text = template(metadata, script, other if more else "")
    messages = [
        diagnostic.message
        for diagnostic in transpile.convert(text, prefer="native").diagnostics
        if diagnostic.code == "HOT450"
    ]
    assert any(stays in message for message in messages), messages
    assert treatments(text)["Web"] == "embedded"


def test_a_key_stays_with_a_server_that_stays() -> None:
    text = template(CREDENTIALS, CALL + "cfn-get-metadata\n", KEYS)
    assert set(treatments(text).values()) == {"embedded"}


def test_a_key_stays_that_something_else_reads() -> None:
    more = KEYS + "  Disk: {Type: 'AWS::EC2::Volume', Properties: {Size: 1, AvailabilityZone: {Ref: Keys}}}\n"
    assert treatments(template(CREDENTIALS, more=more))["Keys"] == "embedded"


def test_types_that_the_user_keeps_stay() -> None:
    text = template(CREDENTIALS, more=KEYS)
    assert set(treatments(text, keep="AWS::EC2::Instance").values()) == {"embedded"}
    assert set(treatments(text, keep="AWS::IAM::*").values()) == {"embedded"}


def test_the_tools_of_the_image_must_get_no_key() -> None:
    text = template("config: {files: {/a: {content: a}}}", CALL.rstrip() + " --access-key a --secret-key b\n")
    assert treatments(text) == {"Web": "native"}
    assert treatments(text, cfn_init="tools") == {"Web": "embedded"}


def test_the_tools_of_the_image_read_metadata_that_a_script_cannot() -> None:
    text = template("config: {files: {Ref: Word}}")
    assert treatments(text, cfn_init="tools") == {"Web": "native"}
    assert "HOT508" in codes(text, cfn_init="tools")


HOT = """\
heat_template_version: 2018-08-31
resources:
  web:
    type: OS::Nova::Server
    metadata: METADATA
    properties:
      image: debian-12
      flavor: m1.small
      user_data: |
        #!/bin/sh -e
        CALL
"""
FILE = "{AWS::CloudFormation::Init: {config: {files: {/tmp/a: {content: b}}}}, other: 1}"


def test_a_nova_server_is_set_up(tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    text = HOT.replace("METADATA", FILE).replace("CALL", "sudo=; $sudo cfn-init && cfn-hup")
    server = booted(text, tmp_path / "new", served)
    assert (server.status, server.files) == (0, {"/tmp/a": "b"})
    assert {"HOT506", "HOT507", "HOT509"} <= set(codes(text))


def test_members_of_a_group_are_set_up(tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    text = f"""heat_template_version: 2018-08-31
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Nova::Server
        metadata: {FILE}
        properties: {{image: debian-12, flavor: m1.small, user_data: "#!/bin/sh -e\\ncfn-init\\n"}}
"""
    server = booted(text, tmp_path / "new", served)
    assert (server.status, server.files) == (0, {"/tmp/a": "b"})


@pytest.mark.parametrize(
    ("script", "treatment"),
    [
        ("echo heat-config-cfn-init cfn-init-data.txt", "native"),  # other names
        ("cfn-hup -f", "native"),
        ("/usr/bin/cfn-init", "embedded"),  # it would read metadata that the template does not have
        ("timeout 60 cfn-get-metadata", "embedded"),
    ],
)
def test_scripts_without_metadata(script: str, treatment: str) -> None:
    text = HOT.replace("METADATA", "{other: 1}").replace("CALL", script)
    assert treatments(text) == {"web": treatment}


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("/usr/bin/cfn-init; cfn-init", ["/usr/bin/cfn-init", "/usr/local/bin/cfn-init"]),
        ("/usr/local/sbin/cfn-init || echo 'Failed to run cfn-init'", ["/usr/local/sbin/cfn-init"]),
        ("sudo -E timeout 60 cfn-init", ["/usr/local/bin/cfn-init"]),
        ("echo '* * * * * root /opt/aws/bin/cfn-hup' > /etc/cron.d/cfn-hup", ["/opt/aws/bin/cfn-hup"]),
        ("cat /var/lib/heat-cfntools/cfn-init-data", ["/var/lib/heat-cfntools/cfn-init-data"]),
        ("# cfn-init\nrun /opt/aws/bin/cfn-init. cfn-init.sh my-cfn-init", ["/opt/aws/bin/cfn-init"]),
        (". ./unknown.sh", ["/opt/aws/bin/cfn-init", "/usr/local/bin/cfn-init"]),
    ],
)
def test_the_tools_are_where_scripts_look_for_them(line: str, paths: list[str]) -> None:
    text = template("config: {}", f"#!/bin/sh\n{line}\n")
    _, config = cfn.parts(cfn.user_data(text))
    file_paths = [file["path"] for file in config["write_files"]]
    assert [path for path in file_paths if path in paths] == paths
    assert all(path in paths or path in ("/opt/aws/bin/cfn-init", "/usr/local/bin/cfn-init") for path in file_paths)
    if "cfn-init" in line and "-data" not in line:
        assert file_paths == paths


def test_a_server_without_user_data_runs_no_cfn_init() -> None:
    text = HOT.replace("METADATA", FILE).partition("      user_data")[0]
    assert treatments(text) == {"web": "native"}
    assert "HOT506" in codes(text)
    assert "HOT507" not in codes(text)


def test_a_script_that_nothing_runs_is_told() -> None:
    diagnostics = transpile.convert(template("config: {}", "\n/opt/aws/bin/cfn-init\n"), prefer="native").diagnostics
    assert any("begins with #!" in diagnostic.message for diagnostic in diagnostics)
