"""TODO.md: the tasks of a person after a migration, and the ticks that later runs keep."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Ended, Run
from tests.support.repositories import put
from transpile.text import check_boxes
from transpile.todo.tasks import DECIDE, FIX, SET, Task
from transpile.todo.todo_list import MOST_PLACES, MOST_TASKS, TodoList

DB = """\
heat_template_version: 2018-08-31
parameters: {password: {type: string, hidden: true}, size: {type: number}}
resources:
  queue: {type: OS::Zaqar::Queue, properties: {name: q}}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, metadata: {p: {get_param: password}}}}
  open:
    type: OS::Neutron::SecurityGroup
    properties: {rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}]}
"""
SCRIPT = "#!/bin/sh\nopenstack stack create -t db.yaml --parameter size=1 db\n"


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "src/db.yaml", DB)
    put(tmp_path, "src/deploy.sh", SCRIPT)
    (tmp_path / ".git").mkdir()
    return tmp_path


def migrate(command: Run) -> Ended:
    return command("migrate", "src", "out", "--prefer", "native", "--progress", "none")


def page() -> str:
    return pathlib.Path("out/TODO.md").read_text()


def test_every_kind_of_task_is_named_with_its_place(repository: pathlib.Path, command: Run) -> None:
    put(repository, "src/broken.yaml", DB.replace("get_param: size", "get_param: siz"))
    ended = migrate(command)
    headings = [line for line in page().splitlines() if line.startswith("## ")]
    assert [heading.split(":")[0] for heading in headings] == ["## Fix", "## Decide", "## Set", "## Replace"]
    for words in ("`broken.yaml:5`", "HOT589", "`db.yaml:4`", "tcp 22, without a source", "`password (secret)`"):
        assert words in page()
    assert "creates db" in page()
    assert "`src/deploy.sh:2`" in page()
    kinds = [line.split()[0] for line in ended.err.splitlines() if line.startswith("  ") and line[2] not in " h"]
    assert kinds == ["fix", "decide", "set", "replace"]


def test_a_tick_stays_when_lines_move_and_goes_with_its_task(repository: pathlib.Path, command: Run) -> None:
    migrate(command)
    path = pathlib.Path("out/TODO.md")
    path.write_text(page().replace("- [ ] HOT589", "- [x] HOT589"))
    put(repository, "src/db.yaml", DB.replace("resources:", "# one line more\nresources:"))
    ended = migrate(command)
    assert "Edited by hand" not in ended.err
    (line,) = [line for line in page().splitlines() if line.startswith("- [x] ")]
    assert "HOT589" in line
    assert "`db.yaml:5`" in line
    between = page()
    migrate(command)
    assert page() == between
    put(repository, "src/db.yaml", DB.replace("  queue: {type: OS::Zaqar::Queue, properties: {name: q}}\n", ""))
    migrate(command)
    assert "HOT589" not in page()


def test_a_list_that_a_person_edited_is_left(repository: pathlib.Path, command: Run) -> None:
    migrate(command)
    pathlib.Path("out/TODO.md").write_text(page() + "Ask Ann.\n")
    put(repository, "src/db.yaml", DB.replace("name: q", "name: other"))
    assert "Edited by hand, and left: TODO.md" in migrate(command).err
    assert page().endswith("Ask Ann.\n")


def test_convert_writes_a_list_if_there_is_more_than_one_task(repository: pathlib.Path, command: Run) -> None:
    command("convert", "src/db.yaml", "-o", "out", "--prefer", "native")
    path = pathlib.Path("out/TODO.md")
    path.write_text(page().replace("- [ ] HOT589", "- [x] HOT589"))
    put(repository, "src/db.yaml", DB.replace("resources:", "# one line more\nresources:"))
    again = command("convert", "src/db.yaml", "-o", "out", "--prefer", "native")
    assert again.status == 0
    assert "- [x] HOT589" in page()
    assert "db.yaml:5" in page()
    put(repository, "src/net.yaml", "heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net}}\n")
    command("convert", "src/net.yaml", "-o", "net")
    assert not pathlib.Path("net/TODO.md").exists()


def test_the_list_is_bounded_and_the_rest_is_counted() -> None:
    todo = TodoList(Task(FIX, f"wrong {n}", "", "HOT301", (f"a.yaml:{n}",)) for n in range(3 * MOST_TASKS))
    assert (len(todo.tasks_of(FIX)), todo.count(FIX)) == (MOST_TASKS, 3 * MOST_TASKS)
    assert f"And {2 * MOST_TASKS} more" in todo.print_page("first")
    same = TodoList(Task(DECIDE, "lost", "", "HOT301", (f"a.yaml:{n}",)) for n in range(3 * MOST_PLACES))
    assert len(same.tasks_of(DECIDE)[0].places) == MOST_PLACES


def test_no_text_of_a_template_becomes_markup() -> None:
    tasks = [Task(DECIDE, "a\n- [x] <b>*done*</b>", "[x](y)", "HOT450", ("`x`:1",)), Task(SET, "na`me", "", "")]
    text = TodoList(tasks).print_page("first --> <b>")
    assert "<b>" not in text.replace("\\<b\\>", "").replace("--› <b›", "")
    assert sum(line.startswith("- [") for line in text.splitlines()) == 2
    assert check_boxes.keep_ticks(text, text) == text
