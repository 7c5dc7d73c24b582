"""The colours of the book stand in one file."""

import re

from helpers import ROOT

from book.show import looks
from calib import plots


def test_pages_and_figures_take_their_colours_from_one_file():
    defined = dict(re.findall(r"--calib-(\w+): (#\w{6});", looks.stylesheet()))
    assert plots.COLOURS.items() <= defined.items()
    assets = ROOT / "book" / "assets"
    for path in [
        *assets.glob("*.css"),
        *assets.glob("*.js"),
        *assets.glob("widgets/*.js"),
    ]:
        text = path.read_text("utf-8")
        assert {*re.findall(r"var\(--calib-(\w+)\)", text)} <= {*defined}, path.name
        literal = {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", text)}
        assert not literal & {colour.lower() for colour in defined.values()}, path.name
