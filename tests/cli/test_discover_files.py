"""The files that a command works on: each once, in the same order everywhere."""

from __future__ import annotations

import pathlib

from transpile.discover_files import discover_files


def test_each_file_is_found_once(tmp_path: pathlib.Path) -> None:
    """Symbolic and hard links are the same file. A missing file is kept, so that it can be reported. A file that was
    found in a directory says in which.
    """
    (tmp_path / "a.yaml").write_text("four")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "c.yaml").hardlink_to(tmp_path / "a.yaml")
    (tmp_path / "in" / "d.txt").touch()
    a, b, inside, none = (str(tmp_path / name) for name in ("a.yaml", "b.yaml", "in", "none"))
    files = list(discover_files([b, a, none, "\0", inside, none]))
    assert list(map(tuple, files)) == [
        (b, False, 4, ""),
        (none, False, 0, ""),
        ("\0", False, 0, ""),
        (f"{inside}/c.yaml", True, 4, inside),
    ]


def test_hidden_files_and_other_suffixes_are_left_out(tmp_path: pathlib.Path) -> None:
    for name in ("b.yaml", "a.hot", ".hidden.yaml", "c.txt", "deep/d.template", ".git/e.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    paths = [str(pathlib.Path(file.path).relative_to(tmp_path)) for file in discover_files([str(tmp_path)])]
    assert paths == ["a.hot", "b.yaml", "deep/d.template"]
    assert [pathlib.Path(file.path).name for file in discover_files([str(tmp_path)], deep=False)] == ["a.hot", "b.yaml"]
