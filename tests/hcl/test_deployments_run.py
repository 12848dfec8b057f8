"""The scripts in place of deployments do the same as Heat's agent: same commands, same variables, same files.

Each script is taken from the output, evaluated by real terraform, and run by a shell in a folder of its own, with stubs
for the tools. The agent of heat-agents runs beside it, if HOT2TF_HEAT_AGENTS names its source.
"""

from __future__ import annotations

import dataclasses
import email
import itertools
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
from typing import Any

import pytest
import yaml

import transpile
from tests.support import oracles
from tests.support.cloud_init import Part, compose_message

AGENT = pathlib.Path(os.environ.get("HOT2TF_HEAT_AGENTS", "/nowhere"))
needs_agent = pytest.mark.skipif(
    not (AGENT / "heat-config").is_dir(), reason="HOT2TF_HEAT_AGENTS leads to no source of heat-agents"
)
SERVER_ID = "6f1c0a52-0c51-4a34-9a0e-0d6c7c5b7d10"
TELL = f"""#!{sys.executable}
import json, os, sys
seen = {{"command": [os.path.basename(sys.argv[0]), *sys.argv[1:]], "variables": dict(os.environ), "files": {{}}}}
if sys.argv[1:2] in (["ps"], ["inspect"]):
    sys.exit()  # docker has no container yet
for word in [*(one.lstrip("@") for one in sys.argv[1:]), *(os.listdir() if "compose" in sys.argv[0] else ())]:
    if os.path.isfile(word):
        seen["files"][os.path.basename(word)] = open(word).read()
with open(os.environ["TELL"], "a") as out:
    out.write(json.dumps(seen) + "\\n")
sys.exit(int(os.environ.get("STATUS", "0")))
"""
TOOLS = ("ansible-playbook", "puppet", "docker-compose", "docker", "chef-client", "git", "salt-call")
HOSTNAME = "#!/bin/sh\necho server.example.org\n"
SHOW = "import json, os; print(json.dumps(dict(os.environ)), file=open(os.environ['TELL'], 'a'))"
SHELL = f'#!/bin/sh\n{sys.executable} -c "{SHOW}"\n'
PYTHON = f"#!{sys.executable}\n{SHOW}\n"
ALL = "\n# $deploy_action $deploy_resource_name $deploy_server_id $heat_outputs_path\n"


@dataclasses.dataclass(frozen=True)
class Pattern:
    """A deployment, and the variables that must be the same."""

    name: str
    config: Any
    group: str = "script"
    inputs: tuple[dict[str, Any], ...] = ()
    values: dict[str, Any] = dataclasses.field(default_factory=dict)
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    structured: bool = False
    compare: tuple[str, ...] = ()

    def properties(self) -> dict[str, Any]:
        properties = {"group": self.group, "config": self.config, "inputs": list(self.inputs), "options": self.options}
        return {key: value for key, value in properties.items() if value}

    def template(self, **deployment: Any) -> str:
        kind = "Structured" if self.structured else "Software"
        properties = {"config": {"get_resource": "config"}, "server": {"get_resource": "server"}, **deployment}
        if self.values:
            properties["input_values"] = self.values
        return yaml.safe_dump(
            {
                "heat_template_version": "2021-04-16",
                "resources": {
                    "config": {"type": f"OS::Heat::{kind}Config", "properties": self.properties()},
                    "setup": {"type": f"OS::Heat::{kind}Deployment", "properties": properties},
                    "server": SERVER,
                },
            },
            sort_keys=False,
        )


SERVER = {
    "type": "OS::Nova::Server",
    "properties": {
        "name": "server",
        "image": "debian-12",
        "flavor": "m1.small",
        "networks": [{"network": "app"}],
        "user_data_format": "SOFTWARE_CONFIG",
    },
}
STRANGE = {"plain": "word", "quoted": 'it\'s "$HOME" `id` \\ %{x} ${y}', "lines": "one\ntwo\n", "empty": ""}
PATTERNS = [
    Pattern("a shell script", SHELL, values=STRANGE, compare=tuple(STRANGE)),
    Pattern("another interpreter", PYTHON, values=STRANGE, compare=tuple(STRANGE)),
    Pattern("defaults", PYTHON, inputs=({"name": "a", "default": "x"}, {"name": "b"}), compare=("a", "b")),
    Pattern("numbers", SHELL, values={"n": 8080, "f": 1.5, "yes": True, "no": False}, compare=("n", "f", "yes", "no")),
    Pattern("JSON", SHELL, inputs=({"name": "j", "type": "Json"},), values={"j": {"a": [1, "b"]}}, compare=("j",)),
    Pattern(
        "names that no shell takes", PYTHON, values={"nginx-pkg": "a b", "x.y": "it's"}, compare=("nginx-pkg", "x.y")
    ),
    Pattern("added variables", SHELL + ALL, compare=("deploy_action", "deploy_resource_name", "deploy_server_id")),
    Pattern("added variables for Python", PYTHON + ALL, compare=("deploy_action", "deploy_server_id")),
    Pattern("ansible", "- hosts: localhost\n", "ansible", values=STRANGE),
    Pattern(
        "ansible with options",
        "- hosts: localhost\n  x: '{{ deploy_action }}'\n",
        "ansible",
        inputs=({"name": "j", "type": "Json"},),
        values={"j": {"a": [1, "b"]}, "n": 1},
        options={"tags": "one,two", "skip_tags": "three", "modulepath": "/opt/modules"},
    ),
    Pattern(
        "puppet",
        "file { $::where: content => $::what }\n",
        "puppet",
        values={"where": "/tmp/x", "what": "it's"},
        compare=("FACTER_where", "FACTER_what"),
    ),
    Pattern(
        "puppet with options",
        "notify { 'x': }\n",
        "puppet",
        options={"modulepath": "/opt/modules", "tags": "base", "enable_debug": True},
        values={"deploy": "1"},
        compare=("FACTER_deploy",),
    ),
    Pattern(
        "lists and maps as Python prints them",
        PYTHON,
        values={"l": ["a", 1, None, True, 1.5, 'it\'s "x"', "it's", "b\n"], "m": {"k": ["v"], "it's": {}}},
        compare=("l", "m"),
    ),
    Pattern(
        "chef",
        '["recipe[apache]", "role[web]"]',
        "chef",
        inputs=({"name": "nginx", "type": "Json"}, {"name": "environment"}),
        values={"nginx": {"package": {"name": "nginx"}}, "environment": "test", "word": "it's"},
    ),
    Pattern(
        "chef with a kitchen",
        '["recipe[apache]"]',
        "chef",
        options={"kitchen": "https://example.org/kitchen.git", "kitchen_path": "/opt/kitchen"},
    ),
    Pattern("docker-compose", "web:\n  image: nginx\n", "docker-compose"),
    Pattern(
        "docker-compose with a map",
        {"web": {"image": "nginx", "env_file": ["./a.env", "./b/c.env"]}},
        "docker-compose",
        values={
            "env_files": [{"file_name": "./a.env", "content": "A=1"}, {"file_name": "./b/c.env", "content": "C='2'"}]
        },
        structured=True,
    ),
    Pattern(
        "files",
        {"/etc/x.json": {"a": {"get_input": "v"}, "b": [1]}},
        "json-file",
        values={"v": "it's"},
        structured=True,
    ),
]
HOMES = ("/var/lib", "/etc")  # where scripts and hooks write


def evaluated(files: Any, where: pathlib.Path) -> str:
    """The script in the user data of the one server, as terraform evaluates it."""
    where.mkdir()
    for name in ("locals.tf", "variables.tf"):
        if name in files:
            (where / name).write_text(str(files[name]))
    match = re.search(r'"zz-deployments"\n.*?content += (<<-EOT\n.*?\n +EOT|.*?)\n', str(files["data.tf"]), re.S)
    assert match is not None, files["data.tf"]
    (where / "outputs.tf").write_text(f'output "script" {{\n  value = {match[1]}\n}}\n')
    return str(oracles.outputs(where)["script"])


class Sandbox:
    """A folder that takes the place of the server's, with stubs on PATH."""

    def __init__(self, where: pathlib.Path) -> None:
        self.root, self.told = where, where / "told"
        bin_ = where / "bin"
        bin_.mkdir(parents=True)
        for tool in TOOLS:
            self.executable(bin_ / tool, TELL)
        self.executable(bin_ / "hostname", HOSTNAME)
        instance = self.at("/var/lib/cloud/data/instance-id")
        instance.parent.mkdir(parents=True)
        instance.write_text(SERVER_ID + "\n")
        self.env = {"PATH": f"{bin_}:{os.environ['PATH']}", "TELL": str(self.told)}

    def at(self, path: str) -> pathlib.Path:
        return self.root / path.lstrip("/")

    def executable(self, path: pathlib.Path, text: str) -> pathlib.Path:
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def run(self, script: str, **env: str) -> int:
        """Runs a script as cloud-init does. Its folders are those of the sandbox."""
        for home in HOMES:
            script = re.sub(rf"(?<![\w/]){home}(?=[/\s])", str(self.at(home)), script)
        path = self.executable(self.root / "zz-deployments", script)
        return subprocess.run([path], env={**self.env, **env}, cwd=self.root, check=False).returncode

    def seen(self) -> list[Any]:
        text = self.told.read_text().replace(str(self.root), "") if self.told.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def agent(self, pattern: Pattern, config: Any) -> dict[str, Any]:
        """Lets the agent of heat-agents run a configuration. Returns its report."""
        hooks = self.root / "hooks"
        hooks.mkdir()
        for hook in AGENT.glob("*/install.d/hook-*.py"):
            text = hook.read_text()
            for home in HOMES:
                text = text.replace(f"'{home}/", f"'{self.at(home)}/")
            self.executable(hooks / hook.stem.removeprefix("hook-"), text)
        declared = {definition["name"]: dict(definition) for definition in pattern.inputs}
        inputs = [
            {"type": "String", **definition, "value": pattern.values.get(definition["name"], definition.get("default"))}
            for definition in declared.values()
        ]
        added = {"deploy_action": "CREATE", "deploy_resource_name": "setup", "deploy_server_id": SERVER_ID}
        others = {name: value for name, value in pattern.values.items() if name not in declared}
        inputs += [{"name": name, "type": "String", "value": value} for name, value in {**others, **added}.items()]
        if pattern.group == "json-file":
            config = {str(self.at(path)): value for path, value in config.items()}
        deployment = {
            "id": "setup",
            "name": "setup",
            "group": pattern.group,
            "config": config,
            "inputs": inputs,
            "options": pattern.options,
            "creation_time": "2020-01-01T00:00:00",
        }
        (self.root / "heat-config").write_text(json.dumps([deployment]))
        env = {
            **self.env,
            "HEAT_SHELL_CONFIG": str(self.root / "heat-config"),
            "HEAT_CONFIG_HOOKS": str(hooks),
            "HEAT_CONFIG_DEPLOYED": str(self.root / "deployed"),
            "HEAT_CONFIG_DEPLOYED_OLD": str(self.root / "deployed"),
            "HEAT_CONFIG_NOTIFY": "/bin/true",
            "HEAT_PUPPET_LOGDIR": str(self.root / "logs"),
        }
        configure = AGENT / "heat-config/os-refresh-config/configure.d/55-heat-config"
        if pattern.group == "docker-compose":
            compose = AGENT / "heat-config-docker-compose/os-refresh-config/configure.d/50-heat-config-docker-compose"
            folder = self.root / "compose"
            env["HEAT_DOCKER_COMPOSE_WORKING"] = str(folder)
            subprocess.run([sys.executable, compose], env=env, cwd=self.root, check=True, capture_output=True)
        subprocess.run([sys.executable, configure], env=env, cwd=self.root, check=True, capture_output=True)
        report: dict[str, Any] = json.loads((self.root / "deployed/setup.notify.json").read_text())
        return report


def substituted(value: Any, values: dict[str, Any]) -> Any:
    """A structured configuration as Heat sends it."""
    if isinstance(value, dict):
        if list(value) == ["get_input"]:
            return values.get(value["get_input"])
        return {key: substituted(item, values) for key, item in value.items()}
    return [substituted(item, values) for item in value] if isinstance(value, list) else value


def plain(command: list[str]) -> list[str]:
    """A command without the names of the agent's own files, and without the labels that only the agent understands."""
    if command[:1] == ["chef-client"]:
        return [word for word in command if "/" not in word and not word.endswith(".rb")]
    for at in reversed([i for i, word in enumerate(command) if word == "--label"]):
        if command[at + 1].startswith(("deploy_stack_id=", "config_id=", "managed_by=")):
            command = command[:at] + command[at + 2 :]
    return [re.sub(r"^(@?).*?setup(_playbook|_variables)?(\.\w+)$", r"\1setup\3", word) for word in command]


def meaning(text: str) -> Any:
    """A file, without the spaces of its JSON or YAML. Variables that only the agent has do not count."""
    if text.startswith("log_level"):  # the settings of chef, which works in a folder of its own
        return [line for line in text.splitlines() if not line.startswith("node_path")]
    data = yaml.safe_load(text) if not text.startswith(("#", "file", "notify")) else text
    if isinstance(data, dict):
        return {
            k: v
            for k, v in data.items()
            if not k.startswith("deploy_") and k not in ("heat_config_id", "heat_outputs_path")
        }
    return data


@oracles.needs_terraform
@needs_agent
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_the_same_as_the_agent(pattern: Pattern, tmp_path: pathlib.Path) -> None:
    done = transpile.convert(pattern.template(), prefer="native")
    assert done.report["resources"]["setup"]["treatment"] == "folded"
    ours, theirs = Sandbox(tmp_path / "ours"), Sandbox(tmp_path / "theirs")
    assert ours.run(evaluated(done.files, tmp_path / "hcl")) == 0
    config = substituted(pattern.config, pattern.values) if pattern.structured else pattern.config
    assert theirs.agent(pattern, config)["deploy_status_code"] == 0
    assert len(ours.seen()) == len(theirs.seen())
    for mine, real in zip(ours.seen(), theirs.seen(), strict=True):
        assert plain(mine.get("command", [])) == plain(real.get("command", []))
        mine_has, real_has = (call.get("variables", call) for call in (mine, real))
        for name in pattern.compare:
            expected = real_has[name]
            assert mine_has.get(name) == expected or json.loads(mine_has[name]) == json.loads(expected), name
        files, real_files = mine.get("files", {}), real.get("files", {})
        assert sorted(map(meaning, files.values()), key=str) == sorted(map(meaning, real_files.values()), key=str)
    for home in HOMES:
        expected_files = {
            p.relative_to(theirs.root): p
            for p in theirs.at(home).rglob("*")
            if p.is_file() and "heat-config" not in str(p)
        }
        for path, real_file in expected_files.items():
            text = (ours.root / path).read_text().replace(str(ours.root), str(theirs.root))
            assert yaml.safe_load(text) == yaml.safe_load(real_file.read_text()), path


@oracles.needs_terraform
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_it_runs(pattern: Pattern, tmp_path: pathlib.Path) -> None:
    """The scripts run without the agent to compare with, too: each variable has its value, and each tool is called
    once.
    """
    done = transpile.convert(pattern.template(), prefer="native")
    box = Sandbox(tmp_path / "box")
    assert box.run(evaluated(done.files, tmp_path / "hcl")) == 0
    if pattern.group in ("script", "ansible", "puppet", "docker-compose"):
        (seen,) = box.seen()
        assert pattern.group == "script" or seen["command"][0].startswith(pattern.group)
        for name, value in pattern.values.items() if pattern.group == "script" else ():
            as_json = any(definition.get("type") == "Json" for definition in pattern.inputs)
            assert json.loads(seen[name]) == value if as_json else seen[name] == str(value)


@oracles.needs_terraform
@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="there is no shellcheck on PATH")
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_shellcheck_finds_nothing(pattern: Pattern, tmp_path: pathlib.Path) -> None:
    done = transpile.convert(pattern.template(), prefer="native")
    script = tmp_path / "script"
    script.write_text(evaluated(done.files, tmp_path / "hcl"))
    quotes = "--exclude=SC2016,SC1003"  # that nothing in single quotes expands is what they are for
    completed = subprocess.run(["shellcheck", quotes, script], capture_output=True, text=True, check=False)
    if script.read_text().startswith("#!/bin/sh"):
        assert completed.returncode == 0, completed.stdout


# hooks that the agent cannot run here: they need Python libraries of the tool


def script_of(tmp_path: pathlib.Path, pattern: Pattern, **options: Any) -> str:
    done = transpile.convert(pattern.template(), prefer="native", **options)
    assert done.report["resources"]["setup"]["treatment"] == "folded", done.diagnostics
    return evaluated(done.files, tmp_path / "hcl")


@oracles.needs_terraform
@pytest.mark.parametrize(
    ("config", "state"),
    [
        ("nginx: pkg.installed\n", {"nginx": "pkg.installed"}),
        (
            {"nginx": {"pkg.installed": [{"name": {"get_input": "pkg"}}]}},
            {"nginx": {"pkg.installed": [{"name": "it's"}]}},
        ),
    ],
)
def test_salt_applies_a_state_without_a_master(config: Any, state: Any, tmp_path: pathlib.Path) -> None:
    """The hook makes options of inputs, and the folder of the state the only root of files."""
    pattern = Pattern(
        "salt",
        config,
        "salt",
        inputs=({"name": "many", "type": "Json"},),
        values={"pkg": "it's", "many": [1, {"a": "b"}]},
        structured=not isinstance(config, str),
    )
    box = Sandbox(tmp_path / "box")
    assert box.run(script_of(tmp_path, pattern)) == 0
    (call,) = box.seen()
    tool, *words = call["command"]
    assert (tool, words[-2:]) == ("salt-call", ["state.sls", "setup"])
    assert {"--local", "--retcode-passthrough"} < set(words)
    options = dict(itertools.pairwise(words))
    minion = json.loads(box.at(options["--config-dir"]).joinpath("minion").read_text())
    assert (minion["pkg"], minion["many"]) == ("it's", [1, {"a": "b"}])
    assert minion["include"] == [f"{box.root}/etc/salt/minion", f"{box.root}/etc/salt/minion.d/*.conf"]
    assert yaml.safe_load(box.at(options["--file-root"]).joinpath("setup.sls").read_text()) == state


POD = yaml.safe_load("""
containers:
- {name: echo, image: busybox, command: [nc, "-l"], ports: [{hostPort: 80, containerPort: 8080}]}
- {name: db, image: "postgres:16", workingDir: /srv, env: [{name: A, value: "it's"}],
   volumeMounts: [{name: data, mountPath: /data, readOnly: true}, {name: other}]}
volumes: [{name: data}]
""")


@oracles.needs_terraform
@pytest.mark.parametrize("present", [True, False])
def test_kubelet_gets_a_manifest_and_must_start_its_containers(present: bool, tmp_path: pathlib.Path) -> None:
    options = {"images_timeout": 0, "containers_timeout": 0, "poll_period": 0.1}
    pattern = Pattern("kubelet", {**POD, "id": "x"}, "kubelet", options=options, structured=True)
    box = Sandbox(tmp_path / "box")
    listing = "busybox:latest\npostgres:16\nk8s_echo.1234_setup\nk8s_db_setup\n" if present else ""
    box.executable(box.root / "bin/docker", f"#!/bin/sh\nprintf '{listing}'\n")
    assert box.run(script_of(tmp_path, pattern)) == (0 if present else 1)
    manifest = box.at("/var/lib/heat-config/heat-config-kubelet/kubelet-manifests/setup.json")
    assert json.loads(manifest.read_text()) == {**POD, "id": "x"}
    assert stat.S_IMODE(manifest.stat().st_mode) == 0o600


@oracles.needs_terraform
def test_os_apply_config_gets_its_metadata_and_is_run(tmp_path: pathlib.Path) -> None:
    """The metadata is where os-collect-config reads local data by default."""
    pattern = Pattern(
        "os-apply-config", {"a": [{"get_input": "v"}]}, "os-apply-config", values={"v": "it's"}, structured=True
    )
    metadata, command = (tmp_path / name for name in ("metadata", "command"))
    metadata.mkdir()
    command.mkdir()
    box = Sandbox(tmp_path / "box")
    assert box.run(script_of(metadata, pattern)) == 0
    assert json.loads(box.at("/var/lib/os-collect-config/local-data/setup.json").read_text()) == {"a": ["it's"]}
    box.executable(box.root / "bin/os-apply-config", TELL)
    assert box.run(script_of(command, Pattern("apply-config", "", "apply-config"))) == 0
    assert [call["command"] for call in box.seen()] == [["os-apply-config"]]


INIT = {
    "config": {
        "files": {"PLACE/one": {"content": {"get_input": "v"}, "mode": "000640"}, "PLACE/two": {"content": {"a": [1]}}},
        "commands": {
            "b": {"command": "echo b >>order"},
            "a": {"command": ["sh", "-c", "echo a >>order"], "cwd": "PLACE"},
        },
    }
}


@oracles.needs_terraform
def test_cfn_init_is_done_by_a_script(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    config = json.loads(json.dumps(INIT).replace("PLACE", str(place)).replace(">>order", f">>{place}/order"))
    script = script_of(tmp_path, Pattern("cfn-init", config, "cfn-init", values={"v": "it's"}, structured=True))
    assert Sandbox(tmp_path / "box").run(script) == 0
    assert (place / "one").read_text() == "it's"
    assert stat.S_IMODE((place / "one").stat().st_mode) == 0o640
    assert json.loads((place / "two").read_text()) == {"a": [1]}
    assert (place / "order").read_text() == "a\nb\n"


@oracles.needs_terraform
def test_a_command_of_cfn_init_that_fails_fails_the_deployment(tmp_path: pathlib.Path) -> None:
    config = {"config": {"commands": {"a": {"command": "exit 3"}, "b": {"command": f"touch {tmp_path}/never"}}}}
    script = script_of(tmp_path, Pattern("cfn-init", config, "cfn-init", structured=True))
    assert Sandbox(tmp_path / "box").run(script) == 3
    assert not (tmp_path / "never").exists()


@oracles.needs_terraform
def test_cfn_init_of_the_image_gets_its_metadata_where_the_hook_writes_it(tmp_path: pathlib.Path) -> None:
    pattern = Pattern("cfn-init", json.dumps(INIT), "cfn-init")
    box = Sandbox(tmp_path / "box")
    box.executable(box.root / "bin/cfn-init", TELL)
    script = script_of(tmp_path, pattern, options={"cfn_init": "tools"}).replace("/var/cache", f"{box.root}/var/cache")
    assert box.run(script) == 0
    assert [call["command"] for call in box.seen()] == [["cfn-init"]]
    assert json.loads(box.at("/var/cache/heat-cfntools/last_metadata").read_text()) == {
        "AWS::CloudFormation::Init": INIT
    }


# scripts for later actions, over SSH


@oracles.needs_terraform
def test_the_script_for_update_does_not_run_at_first(tmp_path: pathlib.Path) -> None:
    """Terraform runs its provisioner when it creates the resource, too. The first run only leaves a mark."""
    parts = [{"actions": [action], "tool": "script", "config": say(action)} for action in ("CREATE", "UPDATE")]
    template = yaml.safe_load(Pattern("later", SHELL).template())
    template["resources"]["config"] = {"type": "OS::Heat::SoftwareComponent", "properties": {"configs": parts}}
    done = transpile.convert(yaml.safe_dump(template, sort_keys=False), prefer="provisioners")
    main, box = str(done.files["main.tf"]), Sandbox(tmp_path / "box")
    block = main[main.index('"setup_on_update"') :]
    (commands,) = re.findall(r"inline = \[\n(.*?)\n +\]", block, re.S)
    box.executable(box.root / "bin/sudo", '#!/bin/sh\nexec "$@"\n')
    for expected in ([], ["UPDATE"], ["UPDATE", "UPDATE"]):
        box.root.joinpath(".hot2tf").mkdir(exist_ok=True)
        box.root.joinpath(".hot2tf/setup_on_update").write_text(str(parts[1]["config"]))
        lines = "\n".join(json.loads(f"[{commands.rstrip(',')}]"))
        assert box.run(f"#!/bin/sh\n{lines}") == 0
        assert box.seen() == expected
        assert not box.root.joinpath(".hot2tf/setup_on_update").exists()


# lists that are known only at run time


@oracles.needs_terraform
@pytest.mark.parametrize("items", [["a", "it's", '"x"', "both ' and \"", "back\\slash"], [], [""]])
def test_a_list_of_the_user_is_printed_as_python_prints_it(items: list[str], tmp_path: pathlib.Path) -> None:
    text = Pattern(
        "list", SHELL, values={"l": {"get_param": "p"}, "m": [{"get_param": "p"}, {"get_param": "s"}]}
    ).template()
    default = ",".join(items)
    head = f"parameters: {{p: {{type: comma_delimited_list}}, s: {{type: string, default: {json.dumps(default)}}}}}\n"
    files = dict(transpile.convert(head + text, prefer="native").files)
    files["variables.tf"] = re.sub(
        r"(type += list\(string\)\n)", lambda m: f"{m[1]}  default = {json.dumps(items)}\n", str(files["variables.tf"])
    )
    box = Sandbox(tmp_path / "box")
    assert box.run(evaluated(files, tmp_path / "hcl")) == 0
    (seen,) = box.seen()
    assert seen["l"] == str(items)
    assert seen["m"] == str([items, default])


# several deployments of a server


def server_of(*scripts: str, **properties: Any) -> str:
    """A server with a deployment for each script, each after the one before."""
    resources: dict[str, Any] = {"server": SERVER}
    for i, script in enumerate(scripts):
        resources[f"config_{i}"] = {
            "type": "OS::Heat::SoftwareConfig",
            "properties": {"group": "script", "config": script},
        }
        deployment = {"config": {"get_resource": f"config_{i}"}, "server": {"get_resource": "server"}, **properties}
        resources[f"z{9 - i}"] = {"type": "OS::Heat::SoftwareDeployment", "properties": deployment}
        if i:
            resources[f"z{9 - i}"]["depends_on"] = f"z{10 - i}"
    return yaml.safe_dump({"heat_template_version": "2021-04-16", "resources": resources}, sort_keys=False)


def say(word: str, status: int = 0) -> str:
    return f"#!/bin/bash\necho '\"{word}\"' >>$TELL\nexit {status}\n"


@oracles.needs_terraform
def test_they_run_in_the_order_of_dependencies(tmp_path: pathlib.Path) -> None:
    done = transpile.convert(server_of(say("one"), say("two"), say("three")), prefer="native")
    box = Sandbox(tmp_path / "box")
    assert box.run(evaluated(done.files, tmp_path / "hcl")) == 0
    assert box.seen() == ["one", "two", "three"]


@oracles.needs_terraform
@pytest.mark.parametrize(("transport", "expected"), [("CFN_SIGNAL", ["one"]), ("NO_SIGNAL", ["one", "two"])])
def test_the_first_that_fails_is_the_last(transport: str, expected: list[str], tmp_path: pathlib.Path) -> None:
    """Heat does not create resources that depend on a failing deployment, if it waits for the signal."""
    done = transpile.convert(server_of(say("one", 3), say("two"), signal_transport=transport), prefer="native")
    box = Sandbox(tmp_path / "box")
    status = box.run(evaluated(done.files, tmp_path / "hcl"))
    assert box.seen() == expected
    assert (status == 3) == (transport == "CFN_SIGNAL")


# the message in cloud-init


@oracles.needs_terraform
@pytest.mark.parametrize(
    ("user_data", "expected"),
    [
        (
            compose_message([Part("text/cloud-config", "a: 1"), Part("text/x-shellscript", "#!/bin/sh")]),
            ["a: 1", "#!/bin/sh"],
        ),
        ("#cloud-config\na: 1", ["#cloud-config\na: 1"]),
        (
            "#!/bin/sh\ncat <<E\nContent-Type: multipart/mixed\nE\n",
            ["#!/bin/sh\ncat <<E\nContent-Type: multipart/mixed\nE\n"],
        ),
    ],
)
def test_user_data_may_be_a_message_itself(user_data: str, expected: list[str], tmp_path: pathlib.Path) -> None:
    """If hot2tf does not know it, Terraform finds out: cloud-init takes the parts of a part that is a message."""
    text = server_of(say("one")).replace("user_data_format", "user_data: {get_param: data}\n      user_data_format")
    files = transpile.convert(f"parameters: {{data: {{type: string}}}}\n{text}", prefer="native").files
    match = re.search(r"content_type = (try\(.*?\))\n+ +content += ([^\n]*)\n", str(files["data.tf"]), re.S)
    assert match is not None
    tmp_path.joinpath("main.tf").write_text(
        f'variable "data" {{\n  default = {json.dumps(user_data).replace("${", "$${")}\n}}\n'
        f'output "kind" {{\n  value = {match[1]}\n}}\noutput "content" {{\n  value = {match[2]}\n}}\n'
    )
    outputs = oracles.outputs(tmp_path)
    whole = email.message_from_string(
        compose_message([Part(outputs["kind"], outputs["content"]), Part("text/x-shellscript", "last")], "HOT2TF")
    )
    parts = [part.get_payload() for part in whole.walk() if not part.is_multipart()]
    assert [str(part).replace("\r\n", "\n") for part in parts] == [*expected, "last"]
    assert 'boundary = "HOT2TF"' in re.sub(" +", " ", str(files["data.tf"]))
