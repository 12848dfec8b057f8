"""`hot2tf init`: its questions, the files that it writes, and those that it leaves alone."""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Sequence
from typing import Any

import pytest
import yaml

from tests.conftest import Run
from tests.support.files import write_files
from tests.support.interrupts import accept_interrupts
from tests.support.repositories import put
from transpile.initialization import pipelines
from transpile.settings import Finder

ROOT = pathlib.Path(__file__).parents[2]
CONFIGURATION, PLAN = "hot2tf.toml", "hot2tf-migrate.yaml"
REQUIREMENT = "git+https://example.invalid/hot2tf@v0.2.0"
TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1}
  zone: {type: string, default: nova}
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, availability_zone: {get_param: zone}}}
"""
SCRIPT = TEMPLATE.replace(
    "resources:", "resources:\n  setup: {type: OS::Heat::SoftwareConfig, properties: {config: {get_file: gone.sh}}}"
)
BOTH = "parameters: {size: 3, zone: az1}\n"  # parameters of both templates
PATIENCE = 60  # seconds


def write_unclear_repository(place: pathlib.Path) -> None:
    """Two templates with the same parameters, and an environment whose name says nothing."""
    write_files(place, {"web.yaml": TEMPLATE, "shop.yaml": TEMPLATE, "production.yaml": BOTH})


def names(place: pathlib.Path) -> set[str]:
    return {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}


def contents(place: pathlib.Path) -> dict[str, bytes]:
    return {name: (place / name).read_bytes() for name in names(place)}


def stacks(place: pathlib.Path) -> list[tuple[str, list[str]]]:
    plan = yaml.safe_load((place / PLAN).read_text())
    return [(stack["template"], stack.get("environments", [])) for stack in plan["stacks"]]


# without a terminal


def test_defaults_are_taken_and_said(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    ended = command("init")
    assert (ended.status, ended.out) == (0, "")
    assert names(tmp_path) == {"stack.yaml", CONFIGURATION, PLAN}
    assert re.search(r"^prefer = native .*--prefer was not used", ended.err, re.MULTILINE)
    assert re.search(r"^ci = none: .*--ci was not used", ended.err, re.MULTILINE)
    assert "hot2tf migrate . ../terraform" in ended.err
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "native"}
    assert stacks(tmp_path) == [("stack.yaml", [])]


@pytest.mark.parametrize("value", ["faithful", "native", "provisioners"])
def test_the_configuration_holds_for_every_command(value: str, command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    assert f"prefer = {value}" in command("init", "--prefer", value).err
    settings = Finder().for_file("stack.yaml")
    assert (settings.diagnostics, settings.get("prefer")) == ([], value)
    assert command("migrate", ".", "../out").status == 0


def test_the_plan_is_that_of_migrate(command: Run, tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    (tmp_path / "web-test.yaml").write_text("parameters: {size: 1}\n")
    before = command("migrate", "--plan", ".", "--write", "../plan.yaml").out
    command("init")
    assert (tmp_path / PLAN).read_text() == (tmp_path / "../plan.yaml").read_text()
    assert command("migrate", "--plan", ".").out.splitlines()[0] == before.splitlines()[0] == "Stacks: 2"


def test_an_environment_that_fits_several_templates_is_left_out_and_said(command: Run, tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    ended = command("init")
    line = next(line for line in ended.err.splitlines() if line.startswith("Left out: production.yaml"))
    assert "web.yaml" in line
    assert "shop.yaml" in line
    assert f"Say in {PLAN}" in ended.err
    assert stacks(tmp_path) == [("shop.yaml", []), ("web.yaml", [])]


def test_few_of_many_environments_are_listed(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    for number in range(30):
        (tmp_path / f"environment-{number}.yaml").write_text("parameters: {other: 1}\n")
    ended = command("init")
    assert ended.err.count("Left out: environment-") == 5
    assert "Left out: 25 more environments" in ended.err


def test_missing_files_are_said_with_their_place(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(SCRIPT)
    ended = command("init")
    assert "1 place names a file with get_file that cannot be read; first: stack.yaml:6: " in ended.err
    written = tomllib.loads((tmp_path / CONFIGURATION).read_text())
    assert written["missing"] == "error"


def test_stubs_for_missing_files_hold_for_migrate(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(SCRIPT)
    assert command("migrate", ".").status == 1
    command("init", "--missing", "stub")
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["missing"] == "stub"
    assert command("migrate", ".").status == 0


COPIES = "heat_template_version: 2018-08-31\nresources:\n" + "".join(
    f"  disk_{number}: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}\n" for number in range(3)
)


def test_numbered_copies_are_rolled_up_unless_the_user_says_no(command: Run, tmp_path: pathlib.Path) -> None:
    """The question comes only if there are copies, the flag answers it, and the answer holds for migrate."""
    (tmp_path / "stack.yaml").write_text(COPIES)
    ended = command("init")
    assert "roll-up = yes (recommended): one block with count or for_each for all copies, and for the rules of " in (
        ended.err
    )
    assert command("init", "--force", "--no-roll-up").status == 0
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "native", "roll-up": False}
    assert command("init", "--force").status == 0
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "native", "roll-up": True}
    assert command("migrate", ".", "../out", "--progress", "none").status == 0
    assert 'resource "openstack_blockstorage_volume_v3" "disk" {' in (tmp_path / "../out/stack/main.tf").read_text()
    assert "Not written: --roll-up" in command("init", "--no-roll-up").err


def test_a_directory_without_stacks_is_wrong_usage(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "values.yaml").write_text("a: 1\n")
    for words in (["init"], ["init", "nowhere"], ["init", "values.yaml"]):
        assert command(*words).status == 2
    assert names(tmp_path) == {"values.yaml"}


@pytest.mark.parametrize(
    "words",
    [["--prefer", "nativ"], ["--ci", "jenkins"], ["--missing", "x"], ["--requirement", "-r x"], ["--requirement", ""]],
)
def test_wrong_flags_write_nothing(words: list[str], command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    assert command("init", *words).status == 2
    assert names(tmp_path) == {"stack.yaml"}


# files that exist


def test_a_second_run_changes_nothing_and_says_so(command: Run, tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    command("init", "--ci", "gitlab", "--requirement", REQUIREMENT)
    before = contents(tmp_path)
    again = command("init")
    assert again.status == 0
    assert again.err.startswith(f"Everything is there, and stays as it is: {CONFIGURATION}, {PLAN}.\n")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", [CONFIGURATION, PLAN])
def test_existing_files_stay_and_the_others_are_written(name: str, command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    text = {CONFIGURATION: "prefer = 'faithful'\n", PLAN: "format: 1\nstacks: [{template: stack.yaml}]\n"}[name]
    (tmp_path / name).write_text(text)
    ended = command("init", "--prefer", "native")
    assert ended.status == 0
    assert (tmp_path / name).read_text() == text
    assert {CONFIGURATION, PLAN} <= names(tmp_path)
    assert f"Stays as it is: {name}." in ended.err
    assert ("Not written: --prefer" in ended.err) == (name == CONFIGURATION)


def test_force_replaces_configuration_and_plan(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / CONFIGURATION).write_text("prefer = 'faithful'\n")
    (tmp_path / PLAN).write_text("format: 1\nstacks: []\n")
    ended = command("init", "--force", "--prefer", "provisioners")
    assert "Stays" not in ended.err
    assert f"Replaced: {CONFIGURATION}.\nReplaced: {PLAN}.\n" in ended.err
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "provisioners"}
    assert stacks(tmp_path) == [("stack.yaml", [])]


def test_patterns_of_the_configuration_survive_force(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / CONFIGURATION).write_text('exclude = ["attic/", "a\\u007fb"]\n')
    for _ in range(2):
        command("init", "--force", "--exclude", "*.txt")
        assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["exclude"] == ["attic/", "a\x7fb", "*.txt"]
        assert yaml.safe_load((tmp_path / PLAN).read_text())["ignore"] == ["attic/", "a\x7fb", "*.txt"]


@pytest.mark.parametrize("place", ["templates", "."])
def test_the_configuration_of_pyproject_counts(place: str, command: Run, tmp_path: pathlib.Path) -> None:
    """A pyproject.toml in the directory, or above it in the repository, counts: a second file would hide it."""
    write_files(tmp_path, {"templates/stack.yaml": TEMPLATE})
    (tmp_path / ".git").mkdir()
    (tmp_path / place / "pyproject.toml").write_text("[tool.hot2tf]\nprefer = 'faithful'\n")
    ended = command("init", "templates")
    assert f"Stays as it is: {pathlib.Path(place, 'pyproject.toml')}." in ended.err
    assert not (tmp_path / "templates" / CONFIGURATION).exists()
    assert (tmp_path / "templates" / PLAN).exists()


def test_a_wrong_configuration_is_an_error(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / CONFIGURATION).write_text("prefers = 1\n")
    assert command("init").status == 1
    assert names(tmp_path) == {"stack.yaml", CONFIGURATION}


def test_a_file_that_cannot_be_read_is_an_error(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / "large.yaml").write_text(f"heat_template_version: 2018-08-31\n#{'x' * (8 << 20)}\n")
    ended = command("init")
    assert ended.status == 1
    assert "HOT932" in ended.err
    assert ended.err.endswith("Nothing was written.\n")
    assert names(tmp_path) == {"stack.yaml", "large.yaml"}
    assert command("init", "--exclude", "large.yaml", "--exclude", "/ü 'x'\\ /").status == 0
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["exclude"] == ["large.yaml", "/ü 'x'\\ /"]
    assert yaml.safe_load((tmp_path / PLAN).read_text())["ignore"] == ["large.yaml", "/ü 'x'\\ /"]
    assert command("check", ".").status == 0


def test_nothing_is_written_through_links(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / ".gitlab-ci.yml").symlink_to("elsewhere.yml")
    (tmp_path / ".github").symlink_to("elsewhere")
    before = names(tmp_path)
    assert command("init", "--ci", "github").status == 2
    assert names(tmp_path) == before
    assert command("init", "--ci", "gitlab").status == 0
    assert not (tmp_path / "elsewhere.yml").exists()


# jobs for CI


def read_job(name: str, text: str) -> Any:
    read = yaml.safe_load(text)
    return read["jobs"]["hot2tf-check"] if name == "github" else read


@pytest.mark.parametrize("name", list(pipelines.FORMS))
def test_the_job_is_written_at_the_top_of_the_repository(name: str, command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "heat").mkdir()
    (tmp_path / "heat" / "stack.yaml").write_text(TEMPLATE)
    ended = command("init", "heat", "--ci", name, "--requirement", REQUIREMENT)
    assert ended.status == 0
    text = (tmp_path / pipelines.FORMS[name].file).read_text()
    assert yaml.safe_load(text)
    assert "heat" in text
    assert REQUIREMENT in text
    assert {f"heat/{CONFIGURATION}", f"heat/{PLAN}"} <= names(tmp_path)


@pytest.mark.parametrize("name", list(pipelines.FORMS))
def test_no_job_installs_an_unnamed_package(name: str) -> None:
    text = pipelines.FORMS[name].print_file(".", "")
    read = read_job(name, text)
    if name == "pre-commit":
        assert all(hook["language"] == "system" for hook in read["repos"][0]["hooks"])
        assert "additional_dependencies" not in text
    else:
        variables = read["env"] if name == "github" else read["hot2tf-check"]["variables"]
        assert variables == {"HOT2TF_REQUIREMENT": ""}
        installing = [line for line in text.splitlines() if "pip" in line and " install " in line]
        assert [re.search(r"install --quiet (.*)", line)[1][:24] for line in installing] == ['"${HOT2TF_REQUIREMENT:?s']  # type: ignore[index]


def test_the_job_for_gitlab_is_that_of_the_template() -> None:
    """The template takes paths and arguments from variables; here they stand in the commands."""
    template = yaml.safe_load((ROOT / ".gitlab" / "hot2tf.gitlab-ci.yml").read_text())["hot2tf-check"]
    job = yaml.safe_load(pipelines.FORMS["gitlab"].print_file("heat", ""))["hot2tf-check"]
    filled = [
        command.replace("$HOT2TF_ARGUMENTS", pipelines.LEVEL).replace("$HOT2TF_PATHS", "heat")
        for command in template["script"]
    ]
    assert job["script"] == filled
    assert template["stage"] == pipelines.ANY_PIPELINE_HAS
    for key in ("image", "artifacts"):
        assert job[key] == template[key]


def test_the_hooks_are_those_of_the_repository() -> None:
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (local,) = yaml.safe_load(pipelines.FORMS["pre-commit"].print_file(".", REQUIREMENT))["repos"]
    for hook, original in zip(local["hooks"], ours, strict=True):
        assert hook.pop("additional_dependencies") == [REQUIREMENT]
        hook["entry"] = hook["entry"].removesuffix(f" {pipelines.LEVEL}")
        assert hook == {key: value for key, value in original.items() if key != "description"}


STRANGE = ["my templates", "it's", 'a"b', "$HOME", "a: b #c", "{x}", "$(touch broken)", "ü", "-x"]


@pytest.mark.skipif(sys.platform == "win32", reason="it runs a shell")
@pytest.mark.parametrize("path", STRANGE)
@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_the_shell_of_a_job_gets_the_path_as_it_is(name: str, path: str, tmp_path: pathlib.Path) -> None:
    read = read_job(name, pipelines.FORMS[name].print_file(path, ""))
    command = read["steps"][-1]["run"] if name == "github" else read["hot2tf-check"]["script"][-1]
    program = tmp_path / (".hot2tf-venv" if name == "gitlab" else "hot2tf") / "bin" / "hot2tf"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    program.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1].removeprefix("./") == path
    assert shlex.split(pipelines.LEVEL)[0] in done.stdout


@pytest.mark.parametrize("path", STRANGE)
def test_hooks_look_at_files_below_the_directory_alone(path: str) -> None:
    (local,) = yaml.safe_load(pipelines.FORMS["pre-commit"].print_file(path, ""))["repos"]
    for hook in local["hooks"]:
        assert re.search(hook["files"], f"{path}/web/stack.yaml")
        assert not re.search(hook["files"], "other/stack.yaml")
        assert not re.search(hook["files"], f"{path}/stack.py")


@pytest.mark.parametrize("name", ["gitlab", "pre-commit"])
@pytest.mark.parametrize("more", [(), ("--force",)])
def test_lines_to_add_are_printed_for_a_file_with_other_jobs(
    name: str, more: tuple[str, ...], command: Run, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    other = {"gitlab": "build:\n  script: [make]\n", "pre-commit": "repos:\n  - repo: local\n    hooks: []\n"}[name]
    file = tmp_path / pipelines.FORMS[name].file
    file.write_text(other)
    ended = command("init", *more)
    assert ended.status == 0
    assert f"ci = {name}" in ended.err, "the CI of the repository is the default"
    assert file.read_text() == other
    together = yaml.safe_load(other + ended.out)
    if name == "gitlab":
        assert list(together) == ["build", "hot2tf-check"]
    else:
        assert [len(repository["hooks"]) for repository in together["repos"]] == [0, 2]


def test_a_job_that_is_there_stays_and_is_replaced_with_force(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    for name, form in pipelines.FORMS.items():
        file = tmp_path / form.file
        command("init", "--ci", name)
        edited = file.read_text() + "# edited\n"
        file.write_text(edited)
        ended = command("init", "--ci", name)
        assert (ended.out, file.read_text()) == ("", edited)
        assert f"{form.file}." in ended.err
        assert command("init", "--ci", name, "--force").out == ""
        assert "# edited" not in file.read_text()


def test_the_bare_name_of_hot2tf_is_warned_of(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    assert "does not have hot2tf" in command("init", "--ci", "gitlab", "--requirement", "hot2tf==0.2.0").err


def test_a_job_cannot_contain_text_that_github_replaces(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "${{ x }}").mkdir()
    (tmp_path / "${{ x }}" / "stack.yaml").write_text(TEMPLATE)
    assert command("init", "${{ x }}", "--ci", "github").status == 2
    assert not names(tmp_path / "${{ x }}") - {"stack.yaml"}


# on a terminal


class Terminal:
    """A run of `hot2tf init` on a pseudo terminal. `shown`: all that was printed there."""

    def __init__(self, place: pathlib.Path, words: Sequence[str] = ()) -> None:
        pty = pytest.importorskip("pty")
        try:
            self.terminal, end = pty.openpty()
        except OSError as e:  # as in some containers
            pytest.skip(f"there are no terminals here: {e}")
        self.seen, self.asked = b"", 0
        self.changed = threading.Condition()
        self.running = subprocess.Popen(
            [sys.executable, "-m", "transpile", "init", *words],
            cwd=place,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(place), "COLUMNS": "200"},
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
            preexec_fn=accept_interrupts,
        )
        os.close(end)
        self.watching = threading.Thread(target=self.watch, daemon=True)
        self.watching.start()

    def watch(self) -> None:
        while True:
            try:
                data = os.read(self.terminal, 4096)
            except OSError:  # the process has ended
                data = b""
            with self.changed:
                self.seen += data
                self.changed.notify_all()
            if not data:
                return

    @property
    def shown(self) -> str:
        return self.seen.decode("utf-8", "replace").replace("\r\n", "\n")

    def answer(self, *answers: bytes) -> None:
        """Answers the next questions, each when it is asked."""
        for data in answers:
            self.asked += 1
            self.wait_for_question()
            os.write(self.terminal, data)

    def wait_for_question(self) -> None:
        """Waits until the last question is asked that has an answer."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.seen.count(b"Answer [") >= self.asked, PATIENCE), self.shown

    def end(self) -> int:
        """Waits for the end. Returns the exit status."""
        status = self.running.wait(PATIENCE)
        self.watching.join(PATIENCE)
        os.close(self.terminal)
        return status


def test_enter_takes_the_defaults(tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    terminal = Terminal(tmp_path)
    terminal.answer(b"\n", b"\n", b"\n")
    assert terminal.end() == 0
    assert terminal.shown.count("Answer [") == 3
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "native"}
    assert stacks(tmp_path) == [("shop.yaml", []), ("web.yaml", [])]
    assert "Left out: production.yaml" in terminal.shown


def test_answers_decide(tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    (tmp_path / "lost.yaml").write_text("parameters: {zone: az1, other: 1}\n")
    terminal = Terminal(tmp_path)
    terminal.answer(b"1\n", b"0\n", b"1,2\n", b"2\n")
    assert terminal.end() == 0
    assert "lost.yaml is an environment that no template was found for" in terminal.shown
    assert "  1  shop.yaml (Heat refuses it: it has no parameter other)\n" in terminal.shown
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "faithful"}
    assert stacks(tmp_path) == [("shop.yaml", ["production.yaml"]), ("web.yaml", ["production.yaml"])]
    assert (tmp_path / ".gitlab-ci.yml").exists()
    assert "Left out: lost.yaml" in terminal.shown


def test_a_person_is_asked_for_copies(tmp_path: pathlib.Path) -> None:
    """Between the translations and the job for CI."""
    (tmp_path / "stack.yaml").write_text(COPIES)
    terminal = Terminal(tmp_path)
    terminal.answer(b"\n", b"1\n", b"\n")
    assert terminal.end() == 0
    assert "3 resources are numbered copies, as port_1, port_2 and port_3 are. Roll them up?" in terminal.shown
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["roll-up"] is True


def test_a_person_is_asked_for_templates_that_urls_name(tmp_path: pathlib.Path) -> None:
    """The plan follows the answer."""
    url = "https://example.org/main/"
    (tmp_path / "stack.yaml").write_text(f"{TEMPLATE}  other: {{type: {url}lib/disk.yaml}}\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "disk.yaml").write_text(TEMPLATE)
    terminal = Terminal(tmp_path)
    terminal.answer(b"\n", b"\n", b"\n")
    assert terminal.end() == 0
    assert f"Templates are named by URLs that begin with {url}. Are they those in .?" in terminal.shown
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["map-url"] == {url: "."}
    assert stacks(tmp_path) == [("stack.yaml", [])]


def test_a_flag_takes_the_place_of_its_question(tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    terminal = Terminal(tmp_path, ["--prefer", "faithful", "--ci", "none"])
    terminal.answer(b"2\n")
    assert terminal.end() == 0
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "faithful"}
    assert stacks(tmp_path) == [("shop.yaml", []), ("web.yaml", ["production.yaml"])]


def test_missing_files_are_a_question(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(SCRIPT)
    terminal = Terminal(tmp_path, ["--ci", "none"])
    terminal.answer(b"\n", b"1\n")
    assert terminal.end() == 0
    assert "gone.sh" in terminal.shown
    assert "  1  stub: " in terminal.shown
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text())["missing"] == "stub"


def test_a_wrong_answer_is_asked_again(tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    terminal = Terminal(tmp_path)
    terminal.answer(b"native\n", b"0\n", b"9\n", b"3\n", b"3\n", b"x y\n", b"\xff\n", b"1\n", b"\n")
    assert terminal.end() == 0
    assert terminal.shown.count("Answer with a number from 1 to 3") == 3
    assert terminal.shown.count("Answer with numbers up to 2") == 3
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "provisioners"}


@pytest.mark.parametrize("answered", [0, 1, 2])
@pytest.mark.parametrize(("how", "status"), [("interrupt", 130), ("end of input", 1)])
def test_a_stop_at_a_question_writes_nothing(how: str, status: int, answered: int, tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    before = contents(tmp_path)
    terminal = Terminal(tmp_path)
    terminal.answer(*[b"\n"] * answered)
    terminal.asked += 1
    terminal.wait_for_question()
    if how == "interrupt":
        terminal.running.send_signal(signal.SIGINT)
    else:
        os.write(terminal.terminal, b"\x04")
    assert terminal.end() == status
    assert terminal.shown.endswith("Nothing was written.\n")
    assert contents(tmp_path) == before


def test_a_second_run_on_a_terminal_asks_nothing(command: Run, tmp_path: pathlib.Path) -> None:
    write_unclear_repository(tmp_path)
    command("init")
    terminal = Terminal(tmp_path)
    assert terminal.end() == 0
    assert "Answer" not in terminal.shown
    assert "Everything is there" in terminal.shown


def test_an_answer_cannot_come_from_a_pipe(command: Run, tmp_path: pathlib.Path) -> None:
    """A script that pipes `yes` gets the defaults, which are said."""
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    ended = command("init", stdin="1\n1\n")
    assert "Answer" not in ended.err
    assert tomllib.loads((tmp_path / CONFIGURATION).read_text()) == {"prefer": "native"}


def test_the_lines_for_an_existing_pipeline_fit_its_stages(command: Run, tmp_path: pathlib.Path) -> None:
    """GitLab refuses a pipeline with a job in a stage that it does not declare; `.pre` exists always."""
    put(tmp_path, "a.yaml", "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net}}\n")
    put(tmp_path, ".gitlab-ci.yml", "stages: [deploy]\nd: {stage: deploy, script: [make]}\n")
    shown = command("init", str(tmp_path), "--ci", "gitlab")
    assert "  stage: .pre\n" in shown.out + shown.err
    assert "stage: test\n" in pipelines.FORMS["gitlab"].print_file(".", "")


def test_no_baseline_is_promised_for_findings_that_none_can_have(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "broken.yaml", "heat_template_version: 2018-08-31\nresources: {\n")
    shown = command("init", str(tmp_path), "--ci", "none").err
    assert "a baseline cannot have 1 error: correct them first" in shown
    assert "accepts" not in shown
