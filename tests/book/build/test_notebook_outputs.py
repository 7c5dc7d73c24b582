"""What an executed chapter shows: nothing that differs from run to run, nothing unseemly."""

import base64
import io
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from book.build.notebook_outputs import check_outputs, settle
from book.build.project import BookError, Chapter

CHAPTER = Chapter("part/one", Path("part/one.md"), {})


def shown(data):
    """A last value, by the kinds in which it is shown."""
    return new_output("execute_result", data)


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def settled(*outputs, **metadata):
    """The outputs of a cell once its notebook is settled."""
    cell = new_code_cell("1", id="one", metadata=metadata, outputs=list(outputs))
    settle(new_notebook(cells=[cell]))
    return cell.outputs


def test_pieces_of_one_stream_are_joined_and_those_of_two_stay_apart():
    pieces = [printed("a"), printed("b"), printed("c", "stderr"), printed("d")]
    found = [(one.name, one.text) for one in settled(*pieces)]
    assert found == [("stdout", "ab"), ("stderr", "c"), ("stdout", "d")]


def test_an_address_in_memory_and_a_name_drawn_by_lot_go():
    html = "<style>#T_0a1b2_row0 {}</style><table id='T_0a1b2'></table><p id='T_fffff'>"
    (one,) = settled(shown({"text/plain": "<A at 0x7f12ab34cd>", "text/html": html}))
    assert one.data["text/plain"] == "<A>"
    names = (
        "<style>#T_one-0_row0 {}</style><table id='T_one-0'></table><p id='T_one-1'>"
    )
    assert one.data["text/html"] == names


def test_of_a_cell_with_a_figure_the_text_of_a_last_value_goes():
    text = shown({"text/plain": "[<Line2D>]"})
    html = shown({"text/plain": "table", "text/html": "<table>"})
    assert settled(text, html, mystnb={"figure": {"name": "fig"}}) == [html]
    assert settled(text, html) == [text, html]


def picture(mode, colour):
    """A dark picture with a line of one colour above, as PNG in base64."""
    file = io.BytesIO()
    dark = Image.effect_noise((64, 64), 90).point(lambda value: value // 2)
    image = dark.convert(mode)
    image.paste(colour, (0, 0, 64, 20))
    image.save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


def test_an_opaque_picture_has_256_colours_with_white_for_nearly_white():
    (one,) = settled(shown({"image/png": picture("RGB", (250, 250, 250))}))
    image = Image.open(io.BytesIO(base64.b64decode(one.data["image/png"])))
    assert image.mode == "P" and image.convert("RGB").getpixel((5, 5)) == (255,) * 3
    clear = picture("RGBA", (250, 250, 250, 100))
    (one,) = settled(shown({"image/png": clear}))
    assert one.data["image/png"] == clear


def test_times_of_the_run_go_and_tags_stay():
    metadata = {"tags": ["hide-input"], "execution": {"started": "now"}}
    cells = [
        new_code_cell("1", metadata=metadata),
        new_code_cell("n = 1", metadata={"tags": ["injected-parameters"]}),
        new_code_cell("2", metadata={"tags": []}),
    ]
    notebook = new_notebook(cells=cells, metadata={"papermill": {}, "numbers": {}})
    settle(notebook)
    assert notebook.metadata == {"numbers": {}}
    assert [cell.metadata for cell in cells] == [
        {"tags": ["hide-input"]},
        {"tags": ["injected-parameters", "remove-cell"]},
        {},
    ]
    assert cells[1].id == "parameters"


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (printed("careful", "stderr"), "a cell wrote to stderr: careful"),
        (printed("/root/of/book/data"), "an output holds the path /root/of/book"),
        (shown({"text/html": "<a href='/root/of/book'>"}), "an output holds the path"),
    ],
)
def test_what_no_reader_should_see_is_refused_with_its_cell(output, fault):
    notebook = new_notebook(cells=[new_code_cell("shown = 1", outputs=[output])])
    with pytest.raises(BookError, match=f"one.md: {fault}[^$]*shown = 1"):
        check_outputs(Path("/root/of/book"), CHAPTER, notebook)


def test_a_cell_that_removes_its_warnings_may_have_some():
    cell = new_code_cell(
        "1", metadata={"tags": ["remove-stderr"]}, outputs=[printed("so", "stderr")]
    )
    check_outputs(Path("/root/of/book"), CHAPTER, new_notebook(cells=[cell]))
