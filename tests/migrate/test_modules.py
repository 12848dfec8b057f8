"""Shared modules: their names, and the paths that lead to them."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from transpile.migrate import archive, modules

A, B, C = (f"server-{letter * 64}" for letter in "abc")
D = f"web_2-{'d' * 64}"


def test_the_variant_that_most_stacks_use_has_the_plain_name() -> None:
    used = [(A, 1, "x"), (B, 7, "z"), (C, 1, "w"), (D, 1, "y")]
    names = modules.choose_plain_names(used, taken=["WEB_2"])
    assert names == {B: "server", C: "server_2", A: "server_3", D: "web_2_2"}


def test_names_do_not_depend_on_the_order_in_which_units_end() -> None:
    used = [(A, 1, "x"), (B, 7, "z"), (C, 1, "w"), (D, 1, "y")]
    assert modules.choose_plain_names(used) == modules.choose_plain_names(used[::-1])


def test_paths_lead_to_the_plain_names_from_wherever_they_stand() -> None:
    text = f'source = "./modules/{A}"\n# inside modules/{A}\nother = "../{B}"\nunknown = "{C}"\n'
    files = modules.replace_content_names({"main.tf": text.encode()}, {A: "server", B: "server_2"}, "../../modules")
    assert files["main.tf"].decode() == (
        f'source = "../../modules/server"\n# inside modules/server\nother = "../../modules/server_2"\nunknown = "{C}"\n'
    )


def test_a_long_text_is_searched_once() -> None:
    begun = time.process_time()
    text = b"a" * 1_000_000
    assert modules.replace_content_names({"f": text}, {A: "server"}, "..") == {"f": text}
    assert time.process_time() - begun < 5  # from each of its letters it would be hours


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1), st.binary()))
def test_an_archive_holds_its_files(files: dict[str, bytes]) -> None:
    private = sorted(files)[::2]
    unpacked = archive.unpack_files(archive.pack_files(files, private))
    assert unpacked == (dict(sorted(files.items())), frozenset(private))


@given(st.binary())
def test_data_that_is_no_archive_is_refused(data: bytes) -> None:
    try:
        unpacked = archive.unpack_files(data)
    except ValueError:
        return
    assert archive.unpack_files(archive.pack_files(*unpacked)) == unpacked
