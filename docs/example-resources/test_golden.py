"""The golden case: what the template becomes. `python test_golden.py` writes it anew; read the difference."""

import pathlib

import transpile

GOLDEN = pathlib.Path(__file__).parent / "golden"


def converted():
    done = transpile.convert(GOLDEN / "input.yaml")
    assert done.ok, [found.message for found in done.diagnostics]
    return {name: text for name, text in done.files.items() if name.endswith(".tf")}


def test_golden():
    assert converted() == {path.name: path.read_text() for path in GOLDEN.glob("*.tf")}


if __name__ == "__main__":
    for name, text in converted().items():
        (GOLDEN / name).write_text(text)
