"""The picture of a terminal in the README shows the program's present output."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree

from tests.docs.blocks import ROOT


def test_the_recording_is_current() -> None:
    """After a change of the output: python .ci/recording.py"""
    picture = (ROOT / "docs" / "recording.svg").read_text(encoding="utf-8")
    assert runpy.run_path(str(ROOT / ".ci" / "recording.py"))["draw"]() == picture
    assert not {"script", "image", "foreignObject"} & {
        part.tag for part in xml.etree.ElementTree.fromstring(picture).iter()
    }
    assert len(picture) < 20_000
