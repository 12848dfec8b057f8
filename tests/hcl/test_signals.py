"""Without Heat, nobody waits for signals, and a script that signals still does all else that it did.

Each script is converted and run by bash in a directory of its own, with stubs for programs that would change the
machine. The original runs beside it with a stub for curl that succeeds: both end with the same status and leave the
same files.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import textwrap
from typing import Any

import pytest
import yaml

import transpile
from tests.support import conversions, oracles
from tests.support.files import write_files

HEAD = "heat_template_version: 2018-08-31\n"
STUBS = ("apt-get", "yum", "dnf", "pip", "systemctl", "service", "docker")
PROGRAMS = """
cat chmod cp date dirname echo env expr false grep head hostname id install ls mkdir mktemp mv nohup printf rm sed
seq sh bash sleep sort stat tail tee test timeout touch tr true uniq wc xargs
"""
HEATS = {
    "WC": "curl -i -X POST -H 'X-Auth-Token: t0k3n' -H 'Content-Type: application/json' "
    "-H 'Accept: application/json' https://heat.example.org/v1/p/stacks/s/id/resources/handle/signal",
    "URL": "https://heat.example.org/v1/p/stacks/s/id/resources/handle/signal",
    "TOKEN": "t0k3n",
}
CURL = """\
#!/bin/sh
case "$*" in *@-*) cat >/dev/null ;; esac
case "$*" in *http_code*) printf 200 ;; *-i*) echo 'HTTP/1.1 200 OK' ;; esac
exit 0
"""

# Uses of a handle's command (WC), its URL and its token in scripts.
SCRIPTS = {
    "last line": """\
        #!/bin/bash
        apt-get install -y nginx
        echo ready > state
        WC --data-binary '{"status": "SUCCESS"}'
        """,
    "errexit, unset and pipefail": """\
        #!/bin/bash -x
        set -euo pipefail
        yum -y update
        WC --data-binary '{"status": "SUCCESS", "reason": "updated"}'
        echo after > state
        """,
    "piped json": """\
        #!/bin/bash
        set -euo pipefail
        for i in $(seq 1 20000); do echo "line $i"; done | WC --data-binary @-
        echo after > state
        """,
    "here document": """\
        #!/bin/bash
        set -e
        WC --data-binary @- <<EOF
        {"status": "SUCCESS", "data": "$(id -u)"}
        EOF
        echo after > state
        """,
    "and, or": """\
        #!/bin/bash
        docker run app && WC --data-binary '{"status": "SUCCESS"}' || WC --data-binary '{"status": "FAILURE"}'
        WC --data-binary '{"status": "SUCCESS"}' || exit 3
        echo after > state
        """,
    "trap": """\
        #!/bin/bash
        set -e
        failed() { WC --data-binary '{"status": "FAILURE", "reason": "see the log"}'; exit 1; }
        trap failed ERR
        systemctl start app
        trap - ERR
        WC --data-binary '{"status": "SUCCESS"}'
        """,
    "functions": """\
        #!/bin/bash
        set -eu
        function notify() {
            WC --data-binary \\
                "{\\"status\\": \\"$1\\", \\"reason\\": \\"$2\\"}"
        }
        echo one > state
        notify SUCCESS "all done"
        exit 0
        """,
    "until it succeeds": """\
        #!/bin/sh
        until WC --data-binary '{"status": "SUCCESS"}'; do sleep 1; done
        while ! WC --data-binary '{"status": "SUCCESS"}'; do sleep 1; done
        echo after > state
        """,
    "until the answer is there": """\
        #!/bin/bash
        set -o pipefail
        until WC --data-binary '{"status": "SUCCESS"}' | grep -q 'HTTP/1.1 20'; do sleep 1; done
        echo after > state
        """,
    "status code": """\
        #!/bin/bash
        while [ "$(WC -s -o /dev/null -w '%{http_code}' --data-binary '{}')" != 200 ]; do sleep 1; done
        echo after > state
        """,
    "answer in a variable": """\
        #!/bin/bash
        set -eu
        answer=$(WC --silent --data-binary '{"status": "SUCCESS"}')
        echo after > state
        """,
    "background and redirection": """\
        #!/bin/bash
        nohup WC --data-binary '{"status": "SUCCESS"}' > /dev/null 2>&1 &
        wait $!
        echo "ended $?" > state
        """,
    "a file for later": """\
        #!/bin/bash
        set -e
        cat > notify.sh <<'EOF'
        #!/bin/sh
        WC --data-binary '{"status": "SUCCESS"}'
        EOF
        chmod +x notify.sh
        ./notify.sh && rm notify.sh
        echo after > state
        """,
    "an unquoted here document": """\
        #!/bin/bash
        set -e
        me=$(id -un)
        cat > notify.sh <<EOF
        WC --data-binary '{"status": "SUCCESS", "id": "$me"}'
        EOF
        sh notify.sh && rm notify.sh
        """,
    "another shell": """\
        #!/bin/bash
        set -e
        bash -c "WC --data-binary '{}'"
        env sh -c "WC --data-binary '{}'" && echo after > state
        """,
    "eval of a variable": """\
        #!/bin/bash
        set -eu
        NOTIFY="WC"
        eval "$NOTIFY --data-binary '{\\"status\\": \\"SUCCESS\\"}'"
        echo after > state
        """,
    "a loop that reads": """\
        #!/bin/bash
        printf 'a\\nb\\nc\\n' > hosts
        while read -r host; do
            echo "$host" >> seen
            WC --data-binary "{\\"id\\": \\"$host\\"}"
        done < hosts
        """,
    "a file of data": """\
        #!/bin/bash
        set -e
        echo '{"status": "SUCCESS"}' > answer.json
        WC --data-binary @answer.json
        """,
    "curl with a URL": """\
        #!/bin/bash
        set -e
        curl -X PUT -H 'Content-Type: application/json' --data-binary '{"status": "SUCCESS"}' 'URL'
        curl --fail --silent --show-error --insecure -X PUT -d '{"Status": "SUCCESS"}' "URL" >/dev/null
        echo after > state
        """,
    "curl with a URL and a token": """\
        #!/bin/bash
        set -euo pipefail
        signal() { curl -sf -X POST -H "X-Auth-Token: $2" -H 'Content-Type: application/json' -d "$3" "$1"; }
        signal URL TOKEN '{"status": "SUCCESS"}' > /dev/null
        echo after > state
        """,
    "curl sends what it reads": """\
        #!/bin/bash
        set -euo pipefail
        echo '{"status": "SUCCESS"}' | curl -s -X PUT --data-binary @- "URL" | tee answer | wc -c > /dev/null
        rm answer
        """,
    "environment of a script": """\
        #!/bin/bash
        set -eu
        export WAIT_HANDLE="URL" WAIT_KEY='TOKEN'
        cat > agent.sh <<'EOF'
        test -n "$WAIT_KEY" && curl -s -X PUT -d '{}' "$WAIT_HANDLE"
        EOF
        sh agent.sh
        echo "$?" > state
        """,
    "positional arguments": """\
        #!/bin/bash
        set -eu
        signal() { shift; echo "got $# arguments" > state; }
        signal first URL TOKEN last
        """,
}


def template(script: str) -> str:
    """A server that runs a script, and a volume that waits for it."""
    body = textwrap.indent(textwrap.dedent(script), " " * 12)
    return f"""{HEAD}resources:
  handle: {{type: OS::Heat::WaitConditionHandle}}
  wait: {{type: OS::Heat::WaitCondition, properties: {{handle: {{get_resource: handle}}, timeout: 600}}}}
  server:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: m1.small
      user_data_format: RAW
      user_data:
        str_replace:
          template: |
{body}
          params:
            WC: {{get_attr: [handle, curl_cli]}}
            URL: {{get_attr: [handle, endpoint]}}
            TOKEN: {{get_attr: [handle, token]}}
  volume: {{type: OS::Cinder::Volume, depends_on: wait, properties: {{size: 1}}}}
"""


def converted(text: str, prefer: str = "native") -> Any:
    return conversions.convert(text, prefer=prefer)


def files(done: Any) -> str:
    return "".join(str(content) for name, content in done.files.items() if name.endswith(".tf"))


def treatments(text: str, prefer: str = "native") -> dict[str, str]:
    return {name: r["treatment"] for name, r in converted(text, prefer).report["resources"].items()}


def user_data(text: str) -> str:
    """The only text of several lines in the output."""
    ((indent, body),) = re.findall(r"^( *)\S[^\n]*<<-EOT\n(.*?)\n\1EOT", files(converted(text)), re.S | re.M)
    plain = "\n".join(line.removeprefix(f"{indent}  ") for line in body.split("\n"))
    return plain.replace("$${", "${").replace("%%{", "%{").rstrip() + "\n"


def run(script: str, where: pathlib.Path, curl: str = "") -> tuple[int, dict[str, str], str]:
    """Runs a script with only stubs and harmless programs. Returns the status, the files, and the calls of stubs."""
    where.mkdir()
    programs, work = where / "bin", where / "work"
    programs.mkdir()
    work.mkdir()
    for name in STUBS:
        put(programs / name, f'#!/bin/sh\necho "{name} $*" >> "{where}/log"\n')
    for name in ("curl", "cfn-signal", "wget"):
        put(programs / name, curl or f'#!/bin/sh\nexec {shutil.which(name) or "/bin/false"} "$@"\n')
    for name in PROGRAMS.split():
        (programs / name).symlink_to(shutil.which(name) or "/bin/false")
    (programs / "python3").symlink_to(sys.executable)
    put(where / "script", script)
    done = subprocess.run(
        ["bash", str(where / "script")] if not script.startswith("#!/bin/sh") else ["sh", str(where / "script")],
        cwd=work,
        env={"PATH": str(programs), "HOME": str(work), "http_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    left = {str(p.relative_to(work)): p.read_text(encoding="utf-8") for p in sorted(work.rglob("*")) if p.is_file()}
    log = (where / "log").read_text(encoding="utf-8") if (where / "log").exists() else ""
    assert "not found" not in done.stderr, done.stderr
    return done.returncode, left, log


def put(path: pathlib.Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


needs_curl = pytest.mark.skipif(not shutil.which("curl") or os.name != "posix", reason="there is no curl on PATH")


@needs_curl
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_does_all_that_it_did(name: str, tmp_path: pathlib.Path) -> None:
    script = textwrap.dedent(SCRIPTS[name])
    original = re.sub("WC|URL|TOKEN", lambda match: HEATS[match[0]], script)
    after = user_data(template(script))
    assert not re.search("WC|URL|heat.example", after)
    outcome = run(after, tmp_path / "after")
    assert outcome == run(original, tmp_path / "before", CURL)
    assert outcome[0] == 0


# CFN: the URL is all there is

JOINED = {
    "cfn-signal at the end": ["#!/bin/bash\necho ready > state\n/opt/aws/bin/cfn-signal -e $? '", "'\n"],
    "cfn-signal and errexit": [
        "#!/bin/bash -e\ncfn-signal -e 0 -r 'almost done' --data \"$(id -u)\" '",
        "'\necho after > state\n",
    ],
    "cfn-signal in a function": [
        '#!/bin/bash\nfail() {\n  /opt/aws/bin/cfn-signal -e 1 -r "$1" \'',
        "'\n  exit 1\n}\nyum -y install httpd || fail 'no httpd'\necho after > state\n",
    ],
    "cfn-signal if it is there": [
        "#!/bin/bash -e\nsystemctl start app && /usr/bin/cfn-signal -e 0 '",
        "' || true\necho after > state\n",
    ],
    "curl": ['#!/bin/bash -e\ncurl -X PUT -d \'{"Status": "SUCCESS"}\' "', '" && echo after > state\n'],
    "python": [
        "#!/bin/bash -e\npython3 - <<'EOF'\nfrom urllib.request import Request, urlopen\nrequest = Request('",
        "', data=b'{}', method='PUT')\nurlopen(request, timeout=5).read()\nopen('state', 'w').write('after')\nEOF\n",
    ],
    "python that runs cfn-signal": [
        "#!/bin/bash -e\npython3 - <<'EOF'\nimport subprocess\nsubprocess.check_call(['cfn-signal', '-e', '0', '",
        "'])\nopen('state', 'w').write('after')\nEOF\n",
    ],
}


def instance(pieces: list[str]) -> str:
    joined = json.dumps([pieces[0], {"Ref": "Handle"}, pieces[1]])
    return f"""AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Handle: {{Type: "AWS::CloudFormation::WaitConditionHandle"}}
  Wait:
    Type: AWS::CloudFormation::WaitCondition
    DependsOn: Web
    Properties: {{Handle: {{Ref: Handle}}, Timeout: "600"}}
  Web:
    Type: AWS::EC2::Instance
    Properties:
      ImageId: debian
      InstanceType: m1.small
      UserData: {{"Fn::Base64": {{"Fn::Join": ["", {joined}]}}}}
  Volume: {{Type: "AWS::EC2::Volume", DependsOn: Wait, Properties: {{Size: 5, AvailabilityZone: nova}}}}
"""


@needs_curl
@pytest.mark.parametrize("name", JOINED)
def test_an_instance_does_all_that_it_did(name: str, tmp_path: pathlib.Path) -> None:
    """The same holds without cfn-signal, which some images have only if Heat wrote their user data."""
    pieces = JOINED[name]
    after = user_data(instance(pieces))
    assert re.search(r"cfn-signal", after) is None
    outcome = run(after, tmp_path / "after")
    if "python3" not in pieces[0]:
        original = f"{pieces[0]}{HEATS['URL']}{pieces[1]}"
        assert outcome == run(re.sub("/(opt/aws|usr)/bin/cfn", "cfn", original), tmp_path / "before", CURL)
    assert outcome[0] == 0
    assert "state" in outcome[1]


# where no shell reads the value first

CLOUD_CONFIG = """\
#cloud-config
packages: [nginx]
write_files:
  - path: /etc/notify
    content: WC
  - path: /usr/local/bin/notify
    permissions: '0755'
    content: |
      #!/bin/sh
      WC --data-binary '{"status": "SUCCESS"}'
runcmd:
  - echo ready > state
  - WC --data-binary '{"status":"SUCCESS"}'
  - [sh, -c, 'WC --data-binary @/etc/notify']
"""


def test_yaml_reads_the_command_as_a_text() -> None:
    """`true` would be a boolean."""
    cloud_config = yaml.safe_load(user_data(template(CLOUD_CONFIG)))
    assert cloud_config["write_files"][0]["content"] == "/bin/true"
    assert cloud_config["runcmd"][1] == """/bin/true --data-binary '{"status":"SUCCESS"}'"""
    for command in cloud_config["runcmd"][1:]:
        assert subprocess.run(command, shell=isinstance(command, str), check=False).returncode == 0


def test_json_and_properties_keep_their_form() -> None:
    text = template('{"notify": "WC", "url": "URL",\n"token": "TOKEN"}\n')
    assert json.loads(user_data(text)) == {"notify": "/bin/true", "url": "file:///dev/null", "token": "unused"}


@pytest.mark.parametrize(
    ("transport", "expected"),
    [
        ("CFN_SIGNAL", {"alarm_url": "file:///dev/null"}),
        ("TEMP_URL_SIGNAL", {"alarm_url": "file:///dev/null"}),
        ("NO_SIGNAL", {}),
        ("TOKEN_SIGNAL", None),
    ],
)
def test_the_attribute_signal_has_the_form_of_its_transport(transport: str, expected: Any) -> None:
    text = template("#!/bin/sh\nURL\n").replace("endpoint]", "signal]")
    handle = f"{{type: OS::Heat::WaitConditionHandle, properties: {{signal_transport: {transport}}}}}"
    text = text.replace("{type: OS::Heat::WaitConditionHandle}", handle)
    assert json.loads(user_data(text).split("\n")[1]) == expected


def test_swift_has_no_token() -> None:
    text = template("#!/bin/sh\nWC -d ''\n: 'TOKEN'\ncurl URL\n").replace("WaitCondition", "SwiftSignal")
    assert user_data(text) == "#!/bin/sh\n/bin/true -d ''\n: ''\ncurl file:///dev/null\n"
    answered = template("#!/bin/sh\nWC -d '' | grep 201\n").replace("WaitCondition", "SwiftSignal")
    assert "echo HTTP/1.1 201 Created -d ''" in user_data(answered)


def test_only_commands_are_replaced() -> None:
    """Words in a message, and names that end alike, stay."""
    lines = "#!/bin/sh\necho no cfn-signal here\n# cfn-signal\nmy-cfn-signal 1\ncfn-signals\n: '"
    assert user_data(instance([lines, "'\n"])) == lines + "file:///dev/null'\n"


# who waits instead

WAITING = template("#!/bin/sh\nWC --data-binary '{}'\n")


def test_waits_for_the_condition_become_waits_for_the_server() -> None:
    done = converted(WAITING)
    assert treatments(WAITING) == {"handle": "folded", "wait": "folded", "server": "native", "volume": "native"}
    assert "depends_on = [openstack_compute_instance_v2.server]" in files(done)
    assert "openstack_orchestration" not in files(done)
    assert {"HOT590", "HOT599"} <= {d.code for d in done.diagnostics}
    assert done.report["resources"]["wait"]["properties"]["timeout"]["code"] == "HOT590"
    assert "# HOT590" in files(done)
    assert "# HOT599" in files(done)


def test_a_reference_to_a_condition_waits_too() -> None:
    """Heat identifies a condition by its name."""
    text = WAITING.replace("depends_on: wait, properties: {", "properties: {description: {get_resource: wait}, ")
    assert 'description = "wait"' in re.sub(" +", " ", files(converted(text)))
    assert "depends_on = [openstack_compute_instance_v2.server]" in files(converted(text))


def test_the_default_still_waits() -> None:
    assert set(treatments(WAITING, "faithful").values()) == {"embedded", "native"}
    hints = {d.hint for d in transpile.convert(WAITING).diagnostics if d.code == "HOT450"}
    assert any("--prefer native frees them" in hint for hint in hints)


DATA = "{get_attr: [wait, data]}"
NEEDS_DATA = "  other: {type: OS::Cinder::Volume, properties: {size: 1, description: DATA}}\n"
HOLDS_DATA = "  held: {type: OS::Heat::Value, properties: {value: DATA}}\n"


@pytest.mark.parametrize("reader", [NEEDS_DATA, HOLDS_DATA + NEEDS_DATA.replace("DATA", "{get_attr: [held, value]}")])
@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_data_of_signals_that_a_resource_needs_keeps_all_with_heat(reader: str, prefer: str) -> None:
    text = WAITING + reader.replace("DATA", DATA)
    assert {treatments(text, prefer)[name] for name in ("handle", "wait", "server")} == {"embedded"}
    messages = [d.message for d in converted(text, prefer).diagnostics]
    assert any("reads the data of the signals" in message for message in messages)


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        ("outputs: {said: {value: DATA}}\n", "null"),
        ("outputs: {said: {value: {str_replace: {template: said X, params: {X: DATA}}}}}\n", "null"),
        (HOLDS_DATA + "outputs: {said: {value: {get_attr: [held, value]}}}\n", "null"),
        (
            "outputs: {said: {value: {data: DATA, id: {get_resource: server}}}}\n",
            "{\n    data = null\n    id   = openstack_compute_instance_v2.server.id\n  }",
        ),
        ("outputs: {said: {value: {get_resource: wait}}}\n", '"wait"'),  # the name, as in Heat
    ],
)
@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_data_of_signals_is_null_in_outputs(reader: str, expected: str, prefer: str) -> None:
    done = converted(WAITING + reader.replace("DATA", DATA), prefer)
    assert "embedded" not in {r["treatment"] for r in done.report["resources"].values()}
    assert f"value = {expected}\n" in str(done.files["outputs.tf"])
    lost = {d.code for d in done.diagnostics if d.message.endswith("this is null.")}
    assert lost == ({"HOT589"} if "held" in reader else {"HOT565"} if "null" in expected else set())


def test_a_server_that_stays_keeps_its_condition() -> None:
    """Heat can go on waiting then, and the diagnostics promise nothing else."""
    unknown = "{AWS::CloudFormation::Init: {config: {get_param: OS::stack_name}}}"
    init = WAITING.replace("    type: OS::Nova::Server\n", f"    type: OS::Nova::Server\n    metadata: {unknown}\n")
    assert set(treatments(init).values()) == {"embedded"} | {"native"}
    assert treatments(init)["wait"] == "embedded"
    hints = {d.hint for d in transpile.convert(init).diagnostics if d.code == "HOT450"}
    assert not any("native" in hint for hint in hints)


def test_a_condition_on_the_condition_is_no_obstacle() -> None:
    text = WAITING.replace(
        "resources:\n", "parameters: {c: {type: boolean}}\nconditions: {some: {get_param: c}}\nresources:\n", 1
    )
    text = text.replace("{type: OS::Heat::WaitCondition,", "{type: OS::Heat::WaitCondition, condition: some,")
    assert treatments(text)["wait"] == "folded"
    assert "count = local.some ? 1 : 0" in re.sub(" +", " ", files(converted(text, "provisioners")))


def test_an_existing_handle_is_not_ours() -> None:
    text = WAITING.replace(
        "{type: OS::Heat::WaitConditionHandle}", "{type: OS::Heat::WaitConditionHandle, external_id: x}"
    )
    assert treatments(text)["handle"] == "embedded"


# provisioners


def test_terraform_waits_over_ssh() -> None:
    done = converted(WAITING, "provisioners")
    text = files(done)
    assert treatments(WAITING, "provisioners")["wait"] == "native"
    assert '"timeout 600 cloud-init status --wait --long || [ $? -eq 2 ]"' in text
    assert re.search(r'timeout +=+ "600s"', text)
    assert "depends_on = [terraform_data.wait]" in text
    assert "HOT588" in {d.code for d in done.diagnostics}


GROUPED = WAITING.replace("    properties:\n      image", "    properties:\n      image").replace(
    "  volume:",
    "  group:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 3\n      resource_def:\n"
    "        type: OS::Nova::Server\n        properties:\n          image: debian\n          flavor: m1.small\n"
    "          user_data_format: RAW\n          user_data: {get_attr: [handle, curl_cli]}\n  volume:",
)


def test_terraform_waits_for_each_member() -> None:
    text = files(converted(GROUPED, "provisioners"))
    assert "count = length(openstack_compute_instance_v2.group)" in text
    assert "openstack_compute_instance_v2.group[count.index].access_ip_v4" in text
    assert "depends_on = [terraform_data.wait_server, terraform_data.wait_group]" in text
    named = GROUPED.replace("count: 3\n", "count: 3\n      removal_policies: [{resource_list: ['1']}]\n")
    text = files(converted(named, "provisioners"))
    assert re.search(r"for_each += +openstack_compute_instance_v2.group\n", text)
    assert "each.value.access_ip_v4" in text


@pytest.mark.parametrize("status", [0, 2, 1, 124])
def test_errors_of_cloud_init_count(status: int, tmp_path: pathlib.Path) -> None:
    """2 are errors that it recovered from."""
    (command,) = re.findall(r'inline = \["(.*)"\]', files(converted(WAITING, "provisioners")))
    put(tmp_path / "cloud-init", f"#!/bin/sh\nexit {status}\n")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", command], env=env, check=False)
    assert (done.returncode == 0) is (status in (0, 2))


NODE = """\
heat_template_version: 2018-08-31
resources:
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_attr: [handle, curl_cli]}}
outputs:
  cli: {value: {get_attr: [handle, curl_cli]}}
"""
AROUND = """\
heat_template_version: 2018-08-31
resources:
  node: {type: node.yaml}
  nodes: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: node.yaml}}}
  helper:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_attr: [node, cli]}}
"""


def nested(where: pathlib.Path, inner: str, prefer: str) -> Any:
    write_files(where, {"node.yaml": inner, "stack.yaml": AROUND})
    return transpile.convert(where / "stack.yaml", prefer=prefer)


@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_a_handle_leaves_its_module(prefer: str, tmp_path: pathlib.Path) -> None:
    done = nested(tmp_path, NODE, prefer)
    assert {r["treatment"] for r in done.report["resources"].values()} == {"module", "native"}
    module = str(done.files["modules/node/main.tf"])
    assert ("cloud-init status --wait" in module) is (prefer == "provisioners")


def test_a_handle_that_stays_in_its_module_keeps_its_senders(tmp_path: pathlib.Path) -> None:
    """Heat would wait for the signal of a server that waits for Heat."""
    data = NEEDS_DATA.replace("DATA", DATA)
    done = nested(tmp_path, NODE.replace("outputs:\n", f"{data}outputs:\n"), "native")
    treatment_by_resource = {name: r["treatment"] for name, r in done.report["resources"].items()}
    assert treatment_by_resource["node"] == treatment_by_resource["helper"] == "embedded"


CALLER = "heat_template_version: 2018-08-31\nresources:\n  node: {type: node.yaml}\n"


@pytest.mark.parametrize(
    ("reader", "needed"),
    [
        ("outputs: {said: {value: {get_attr: [node, said]}}}\n", False),
        ("  v: {type: OS::Heat::Value, properties: {value: {get_attr: [node, said]}}}\n", False),
        ("  v: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [node, said]}}}\n", True),
        ("  other: {type: other.yaml, properties: {said: {get_attr: [node, said]}}}\n", True),
        (
            "  v: {type: OS::Heat::Value, properties: {value: {get_attr: [node, said]}}}\n"
            "  w: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [v, value]}}}\n",
            True,
        ),
    ],
)
def test_a_caller_that_needs_the_data_keeps_the_condition_of_a_nested_template(
    reader: str, needed: bool, tmp_path: pathlib.Path
) -> None:
    """An output of a nested template is null only if nothing but outputs reads it, in its callers too."""
    (tmp_path / "node.yaml").write_text(NODE + "  said: {value: {get_attr: [wait, data]}}\n", encoding="utf-8")
    other = "  v: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_param: said}}}\n"
    other = f"heat_template_version: 2018-08-31\nparameters: {{said: {{type: string}}}}\nresources:\n{other}"
    write_files(tmp_path, {"other.yaml": other, "stack.yaml": CALLER + reader})
    done = conversions.convert(tmp_path / "stack.yaml", prefer="native")
    assert any("openstack_orchestration_stack_v1" in str(text) for text in done.files.values()) is needed
    assert any(d.code == "HOT565" for d in done.diagnostics) is not needed


def test_a_handle_in_a_module_is_not_waited_for_over_ssh(tmp_path: pathlib.Path) -> None:
    """The server is in the module. Resources that waited for the condition wait for the module; the hint tells why."""
    inner = WAITING[: WAITING.index("resources:")] + "parameters: {cli: {type: string}}\nresources:\n"
    inner += WAITING[WAITING.index("  server:") : WAITING.index("          params:")]
    inner += "          params: {WC: {get_param: cli}}\n"
    (tmp_path / "server.yaml").write_text(inner, encoding="utf-8")
    outer = WAITING[: WAITING.index("  server:")]
    outer += "  nested: {type: server.yaml, properties: {cli: {get_attr: [handle, curl_cli]}}}\n"
    outer += WAITING[WAITING.index("  volume:") :]
    (tmp_path / "stack.yaml").write_text(outer, encoding="utf-8")
    for prefer in ("native", "provisioners"):
        done = transpile.convert(tmp_path / "stack.yaml", prefer=prefer)
        main = str(done.files["main.tf"])
        assert "openstack_orchestration" not in main
        assert re.search(r'cli += "/bin/true"', main)
        assert "depends_on = [module.nested]" in main or "module.nested" in main.partition("volume")[2]
        hints = [d.hint for d in done.diagnostics if d.code == "HOT590"]
        assert ("same template" in hints[0]) is (prefer == "provisioners")


@oracles.needs_providers
@pytest.mark.parametrize("prefer", ["native", "provisioners"])
@pytest.mark.parametrize("text", [WAITING, GROUPED, instance(JOINED["curl"])], ids=["server", "group", "instance"])
def test_terraform_accepts_it(text: str, prefer: str, tmp_path: pathlib.Path) -> None:
    for name, content in converted(text, prefer).files.items():
        (tmp_path / name).write_text(str(content), encoding="utf-8")
    assert oracles.invalid(tmp_path) == []
    assert oracles.unformatted(tmp_path) == ""
