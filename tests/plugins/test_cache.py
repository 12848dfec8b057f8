"""The cache returns the result of reading, and nothing that it cannot trust."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.support import codes, list_codes_with_lines, unpacked, written
from transpile.model.budget import Budget
from transpile.plugins import cache, read_plugins, reader


@pytest.fixture(autouse=True)
def home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "hot2tf" / "plugins"


@pytest.fixture
def unevaluated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts how often plug-ins are evaluated."""
    count: list[int] = []
    real = reader.PluginReading.evaluate_modules

    def evaluate(self: reader.PluginReading) -> None:
        count.append(1)
        real(self)

    monkeypatch.setattr(reader.PluginReading, "evaluate_modules", evaluate)
    return count


def test_a_second_run_gives_the_same(tmp_path: pathlib.Path, unevaluated: list[int]) -> None:
    directories = [unpacked(name, tmp_path) for name in ("shop", "later", "override", "py2")]
    first, second = read_plugins(directories, budget=Budget()), read_plugins(directories, budget=Budget())
    assert len(unevaluated) == 1
    assert {name: (type_.facts, type_.at, type_.end, type_.module, type_.requires, type_.handlers, type_.unread)
            for name, type_ in first.types.items()} == {
        name: (type_.facts, type_.at, type_.end, type_.module, type_.requires, type_.handlers, type_.unread)
        for name, type_ in second.types.items()
    }  # fmt: skip
    assert list(first.types) == list(second.types)
    assert list_codes_with_lines(first) == list_codes_with_lines(second)
    assert [diagnostic.message for diagnostic in first.diagnostics] == [
        diagnostic.message for diagnostic in second.diagnostics
    ]
    assert first.directories == second.directories
    assert {name: (entry.source.name, entry.at) for name, entry in first.constraints.items()} == {
        name: (entry.source.name, entry.at) for name, entry in second.constraints.items()
    }


def test_two_readings_are_the_same(tmp_path: pathlib.Path) -> None:
    where = unpacked("shop", tmp_path)
    first, second = (
        read_plugins([where], cache=False, budget=Budget()),
        read_plugins([where], cache=False, budget=Budget()),
    )
    assert json.dumps({name: type_.facts for name, type_ in first.types.items()}) == json.dumps(
        {name: type_.facts for name, type_ in second.types.items()}
    )
    assert list_codes_with_lines(first) == list_codes_with_lines(second)


def test_a_changed_module_is_read_again(tmp_path: pathlib.Path, unevaluated: list[int]) -> None:
    where = unpacked("py2", tmp_path)
    read_plugins([where], budget=Budget())
    written(pathlib.Path(where), {"lamp_common.py": "SHADES = ['green']\n"})
    plugin_set = read_plugins([where], budget=Budget())
    assert len(unevaluated) == 2
    assert plugin_set.types["Shop::Old::Lamp"].facts["properties"]["shade"]["default"] == "green"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-9],
        lambda data: data.replace(b"Lamp", b"Lump", 1),
        lambda data: b"[" * 99_999,
        lambda data: b"{}",
        lambda data: data + b" ",
    ],
)
def test_a_malformed_file_counts_as_none(
    change: Callable[[bytes], bytes], home: pathlib.Path, tmp_path: pathlib.Path, unevaluated: list[int]
) -> None:
    where = unpacked("py2", tmp_path)
    read_plugins([where], budget=Budget())
    [file] = home.iterdir()
    data = file.read_bytes()
    file.write_bytes(change(data))
    assert list(read_plugins([where], budget=Budget()).types) == ["Shop::Old::Lamp"]
    assert len(unevaluated) == 2
    assert file.read_bytes() == data


@pytest.mark.parametrize("data", [{}, [], None, 3, {"types": 3}, {"types": {"A::B": {}}}])
def test_data_of_another_form_counts_as_none(data: Any, home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Such data is ignored even with the right digest."""
    where = unpacked("py2", tmp_path)
    read_plugins([where], budget=Budget())
    [file] = home.iterdir()
    text = json.dumps(data).encode()
    file.write_bytes(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
    assert list(read_plugins([where], budget=Budget()).types) == ["Shop::Old::Lamp"]


def test_nothing_is_kept_if_it_is_off(tmp_path: pathlib.Path, home: pathlib.Path) -> None:
    read_plugins([unpacked("py2", tmp_path)], cache=False, budget=Budget())
    assert not home.exists()


def test_a_cache_that_cannot_be_written_is_no_failure(tmp_path: pathlib.Path, home: pathlib.Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("a file", encoding="utf-8")
    assert codes(read_plugins([unpacked("py2", tmp_path)], budget=Budget())) == ["HOT815"]


def test_the_version_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [("a.py", "a", "x = 1")]
    before = cache.compute_key(["d"], files)
    assert (
        before
        != cache.compute_key(["d"], [("a.py", "a", "x = 2")])
        != cache.compute_key(["d"], [("b.py", "a", "x = 1")])
    )
    monkeypatch.setattr(cache, "FORMAT", cache.FORMAT + 1)
    assert cache.compute_key(["d"], files) != before
