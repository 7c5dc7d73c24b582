"""A chapter in its kernel: its parameters, its cells and its figures."""

import base64
import io

import nbformat
from one_chapter import FIGURE, cell, notebook
from PIL import Image

from book.build.execute import execute_all


def executed_notebook(project, chapter, parameters=None):
    execute_all(project, [chapter], parameters)
    return nbformat.read(project.executed(chapter), as_version=4)


def test_parameters_come_from_the_command(project):
    body = cell("n = 1\nm: int = 2", ":tags: [parameters]\n") + cell("print(n, m)")
    executed = executed_notebook(project, notebook(project, body), {"n": 5, "m": 7})
    assert executed.cells[-1].outputs[0].text == "5 7\n"
    injected = [
        c for c in executed.cells if "injected-parameters" in c.metadata.get("tags", [])
    ]
    assert "remove-cell" in injected[0].metadata.tags
    assert "papermill" not in executed.metadata


def test_a_figure_is_sharp_white_and_tells_nothing_of_what_drew_it(project):
    executed = executed_notebook(project, notebook(project, FIGURE))
    assert [cell.id for cell in executed.cells] == ["cell-000", "cell-001"]
    (figure,) = (
        output for output in executed.cells[1].outputs if "image/png" in output.data
    )
    image = Image.open(io.BytesIO(base64.b64decode(figure.data["image/png"])))
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert "Software" not in image.info
    # two pixels of the file for each of the page
    assert image.width // 2 == figure.metadata["image/png"]["width"]
