"""`hot2tf check --fix`: certain mistakes are put right, and nothing else is touched."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Run
from tests.support.files import write_files
from transpile import checking
from transpile.cli import fixing
from transpile.diagnostics.model import Diagnostic, Edit, Fix
from transpile.model.budget import Budget
from transpile.model.span import Span
from transpile.text.source import load_source

HOT = "heat_template_version: 2021-04-16\n"
NET = HOT + "resources:\n  net: {type: OS::Neutron::Router, properties: {name: web}}\n"


def fixed(command: Run, where: pathlib.Path, text: str, *words: str) -> str:
    """A template after `check --fix`."""
    (where / "a.yaml").write_bytes(text.encode())
    command("check", "a.yaml", "--fix", *words)
    return (where / "a.yaml").read_bytes().decode()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("OS::Neutron::Router,", "OS::Neutron::Routr,"),
        ("name:", "nmae:"),
        ("{name: web}", "{nam: web}"),
        ("properties", "propertes"),
        ("resources", "resorces"),
    ],
)
def test_a_misspelt_name_is_corrected(right: str, wrong: str, command: Run, tmp_path: pathlib.Path) -> None:
    """A type, properties, a key and a section: the original comes back."""
    assert fixed(command, tmp_path, NET.replace(right, wrong, 1)) == NET


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            HOT + "parameters: {image: {type: string}}\noutputs: {a: {value: {get_param: imgae}}}\n",
            HOT + "parameters: {image: {type: string}}\noutputs: {a: {value: {get_param: image}}}\n",
        ),
        (
            HOT + "parameters: {image: {type: string}}\noutputs: {a: {value: {get_parm: image}}}\n",
            HOT + "parameters: {image: {type: string}}\noutputs: {a: {value: {get_param: image}}}\n",
        ),
        (
            HOT + "resources: {a: {type: OS::Nova::Server}}\noutputs: {a: {value: {get_attr: [a, first_adress]}}}\n",
            HOT + "resources: {a: {type: OS::Nova::Server}}\noutputs: {a: {value: {get_attr: [a, first_address]}}}\n",
        ),
        (
            HOT + "resources: {a: {type: OS::Neutron::FloatingIP, properties: {floating_network_id: public}}}\n",
            HOT + "resources: {a: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}}\n",
        ),
        (
            "heat_template_version: 2015-10-15\noutputs: {a: {value: {'Fn::Join': ['-', [a, b]]}}}\n",
            "heat_template_version: 2015-10-15\noutputs: {a: {value: {'list_join': ['-', [a, b]]}}}\n",
        ),
        (
            'heat_template_version: "2015-10-15"\nconditions: {a: true}\n',
            'heat_template_version: "2016-10-14"\nconditions: {a: true}\n',
        ),
        (
            "heat_template_version: 2016-10-14\nparameters: {a: {type: string, tags: [b]}}\n",
            "heat_template_version: 2018-03-02\nparameters: {a: {type: string, tags: [b]}}\n",
        ),
    ],
    ids=["parameter", "function", "attribute", "deprecated property", "removed function", "section", "key"],
)
def test_certain_mistakes_are_fixed(before: str, after: str, command: Run, tmp_path: pathlib.Path) -> None:
    assert fixed(command, tmp_path, before) == after


@pytest.mark.parametrize(
    "text",
    [
        HOT + "resources: {port_1: {type: OS::Heat::None}, b: {type: OS::Heat::None, depends_on: port_2}}\n",
        HOT + "resources: {port: {type: OS::Heat::None}, b: {type: OS::Heat::None, depends_on: prot}}\n",  # who knows
        HOT + "resources: {n: {type: OS::Neutron::Router, properties: {nmae: a, name: b}}}\n",  # two values of one key
        "heat_template_version: 2015-10-15\noutputs: {a: {value: {str_split: [',', 'a,b']}}}\n",  # a map today
        HOT + "parameters: {zone_a: {type: string}}\noutputs: {a: {value: {get_param: zone_b}}}\n",
        HOT + r'resources: {n: {type: "OS::Neutron::Rout\x72"}}' + "\n",  # in other letters
    ],
)
def test_uncertain_mistakes_stay(text: str, command: Run, tmp_path: pathlib.Path) -> None:
    assert fixed(command, tmp_path, text) == text


def test_only_the_names_change(command: Run, tmp_path: pathlib.Path) -> None:
    """Comments, line ends, quotes and everything else are as they were."""
    text = (
        "\ufeff# first\r\nheat_template_version: 2021-04-16   # which\r\nresources:\r\n\r\n"
        "  'net':   # net\r\n    type:   'OS::Neutron::Routr'  # its type\r\n    properties: { 'nam' : \"ü🚀\" }\r\n"
    )
    assert fixed(command, tmp_path, text) == text.replace("Routr", "Router").replace("'nam'", "'name'")


def test_mistakes_behind_a_mistake_are_fixed_too(command: Run, tmp_path: pathlib.Path) -> None:
    """The property is unknown only when the type is known. Where that cannot be put right, the type stays, too: a fix
    may not add an error.
    """
    text = HOT + "resources: {n: {type: OS::Neutron::Routr, properties: {%s: a}}}\n"
    assert fixed(command, tmp_path, text % "nmae") == (text % "name").replace("Routr", "Router")
    assert fixed(command, tmp_path, text % "colour") == text % "colour"


def test_one_bad_fix_does_not_keep_others(command: Run, tmp_path: pathlib.Path) -> None:
    text = HOT + (
        "resources:\n  a: {type: OS::Neutron::Routr, properties: {colour: a}}\n"
        "  b: {type: OS::Neutron::Router, properties: {nmae: b}}\n"
    )
    assert fixed(command, tmp_path, text) == text.replace("nmae", "name")


def test_only_named_files_are_changed(command: Run, tmp_path: pathlib.Path) -> None:
    inner = HOT + "resources: {n: {type: OS::Neutron::Routr}}\n"
    write_files(tmp_path, {"in/inner.yaml": inner, "env.yaml": "paramters: {}\n"})
    fixed(command, tmp_path, HOT + "resources: {a: {type: in/inner.yaml}}\n", "-e", "env.yaml")
    assert (tmp_path / "in/inner.yaml").read_text() == inner
    assert (tmp_path / "env.yaml").read_text() == "paramters: {}\n"
    command("check", "a.yaml", "in", "--fix")
    assert (tmp_path / "in/inner.yaml").read_text() == inner.replace("Routr", "Router")


def test_no_link_is_written_through(command: Run, tmp_path: pathlib.Path) -> None:
    wrong = NET.replace("Router,", "Routr,")
    (tmp_path / "real.yaml").write_text(wrong)
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    done = command("check", "link.yaml", "--fix")
    assert (tmp_path / "real.yaml").read_text() == wrong
    assert "HOT902" in done.out
    assert done.status == 1


def test_a_difference_is_shown_and_nothing_is_written(command: Run, tmp_path: pathlib.Path) -> None:
    wrong = NET.replace("name", "nmae")
    (tmp_path / "a.yaml").write_text(wrong)
    done = command("check", "a.yaml", "--diff")
    assert (done.status, done.err) == (1, "Would fix 1 finding in 1 file.\n")
    assert [line for line in done.out.splitlines() if line[0] in "+-"] == [
        "--- a.yaml",
        "+++ a.yaml",
        "-" + wrong.splitlines()[2],
        "+" + NET.splitlines()[2],
    ]
    assert (tmp_path / "a.yaml").read_text() == wrong
    assert command("check", "a.yaml", "--diff", "--exit-zero").status == 0
    (tmp_path / "a.yaml").write_text(NET)
    assert command("check", "a.yaml", "--diff") == (0, "", "Would fix 0 findings in 0 files.\n")


def test_remaining_mistakes_are_reported(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(NET.replace("{name: web}", "{nmae: web, colour: red}"))
    done = command("check", "a.yaml", "--fix", "--diagnostics", "concise")
    assert done == (
        1,
        "a.yaml:3:60: error HOT301: OS::Neutron::Router has no property colour.\n",
        "Fixed 1 finding in 1 file.\n1 file checked: 1 error, 0 warnings.\n",
    )


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("somebody was faster\n")
    done = fixing.Fixed(checking.CheckedFiles([]), {str(path): "wrong\n"}, {str(path): "right\n"}, 1)
    (problem,) = fixing.write_fixes(done)
    assert problem.code == "HOT902"
    assert path.read_text() == "somebody was faster\n"


def test_edits_that_overlap_wait_for_the_next_round(tmp_path: pathlib.Path) -> None:
    """Each round asks again where things are."""
    path = tmp_path / "a.yaml"
    path.write_text("abcd")
    seen: list[str] = []

    def check_again() -> checking.CheckedFiles:
        source = load_source(path, str(path), Budget())
        seen.append(source.text)
        edits = {"abcd": [Edit(Span(0, 3), "X"), Edit(Span(2, 4), "Y")], "Xd": [Edit(Span(1, 2), "Y")]}.get(
            source.text, []
        )
        diagnostics = [Diagnostic("HOT301", f"{e.text}.", source, e.span, fix=Fix("", (e,))) for e in edits]
        return checking.CheckedFiles([checking.CheckResult(str(path), "template", diagnostics)])

    done = fixing.Fixing(check_again, [str(path)]).fix_all()
    assert (list(done.after.values()), done.fixes) == (["XY"], 2)
    assert seen == ["abcd", "Xd", "XY"]


def test_fixes_that_undo_each_other_end(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a")
    runs = 0

    def check_again() -> checking.CheckedFiles:
        nonlocal runs
        runs += 1
        source = load_source(path, str(path), Budget())
        other = "b" if source.text == "a" else "a"
        diagnostic = Diagnostic("HOT601", f"Not {other}.", source, Span(0, 1), fix=Fix("", (Edit(Span(0, 1), other),)))
        return checking.CheckedFiles([checking.CheckResult(str(path), "template", [diagnostic])])

    fixing.Fixing(check_again, [str(path)]).fix_all()
    assert runs < 20
