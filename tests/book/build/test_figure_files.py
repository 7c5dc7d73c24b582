"""Large data of figures lie in files of their own."""

import base64
import re

import pytest

from book.build.figure_files import in_files

LARGE = "[" + "1," * 5000 + "1]"


@pytest.fixture
def static(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path


def script(data):
    return f'<a-b><script type="application/json">{data}</script></a-b>'


def files(static):
    return {path.name: path.read_bytes() for path in (static / "data").iterdir()}


def test_large_data_lie_in_a_script_that_the_page_names_and_small_stay(static):
    page = in_files(script("[2]") + script(LARGE), static, "../")
    ((name, content),) = files(static).items()
    named = (
        f'<script type="application/json" data-file="../_static/data/{name}"></script>'
    )
    assert page == f"{script('[2]')}<a-b>{named}</a-b>"
    assert content.decode() == f"document.currentScript.data = {LARGE};"


def test_the_same_data_of_two_pages_are_one_file(static):
    for root in ("", "../"):
        in_files(script(LARGE), static, root)
    assert len(files(static)) == 1
    in_files(script(LARGE.replace("1]", "2]")), static, "")
    assert len(files(static)) == 2


def test_a_large_download_is_a_file_of_its_bytes(static):
    content = bytes(range(256)) * 40
    link = '<a download="out/rows.csv" href="data:text/csv;base64,{}">CSV</a>'
    small = link.format("QUJD")
    text = base64.b64encode(content).decode()
    page = in_files(small + link.format(text), static, "../")
    assert page.startswith(small) and page.endswith(">CSV</a>")
    (address,) = re.findall(r'href="../_static/(data/\w+-rows\.csv)"', page)
    assert (static / address).read_bytes() == content
