"""Frozen sites of earlier versions, laid beside the newest."""

import zipfile

import pytest

import calib
from book.build import versions
from book.build.project import BookError, Project, zipped

WHEEL = "neural_calibration-0.9.0-py3-none-any.whl"
COMMAND = f'pip install "neural-calibration @ https://calibration.example/{WHEEL}"'

PAGE = f"""<!DOCTYPE html><html><head><title>T</title></head><body class='a'><p>Old</p>
<pre>{COMMAND}</pre><a href="../{WHEEL}">file</a></body></html>""".encode()


@pytest.fixture
def project(tmp_path):
    site = tmp_path / "_build" / "html"
    (site / "use").mkdir(parents=True)
    (site / "index.html").write_bytes(PAGE)
    (site / "use" / "page.html").write_bytes(PAGE)
    return Project(tmp_path)


def test_a_frozen_site_comes_back_with_its_version_and_without_those_before(
    project, tmp_path
):
    packed = versions.freeze(project)
    assert packed.name == f"site-{calib.__version__}.zip"
    first = packed.read_bytes()
    packed.rename(tmp_path / "site-0.9.0.zip")
    (tmp_path / "site-0.10.0.zip").write_bytes(first)
    assert versions.earlier(project, tmp_path) == ["0.10.0", "0.9.0"]
    page = (project.site / "versions/0.9.0/use/page.html").read_text()
    assert "This is version 0.9.0" in page and 'href="../../../index.html"' in page
    assert 'content="noindex"' in page and "<p>Old</p>" in page
    assert f"https://calibration.example/versions/0.9.0/{WHEEL}" in page
    assert f'href="../{WHEEL}"' in page  # of the frozen site already
    listed = (project.site / "versions/index.html").read_text()
    assert listed.index("0.10.0/index.html") < listed.index("0.9.0/index.html")
    assert versions.freeze(project).read_bytes() == first


def test_an_archive_that_leaves_its_folder_is_refused(project, tmp_path):
    (tmp_path / "site-1.0.0.zip").write_bytes(zipped({"../outside.html": PAGE}))
    with pytest.raises(BookError, match="outside of the site"):
        versions.earlier(project, tmp_path)
    assert not (project.site / "versions" / "outside.html").exists()
    with zipfile.ZipFile(tmp_path / "site-1.0.0.zip") as archive:
        assert archive.namelist() == ["../outside.html"]  # the fault was there


def test_without_earlier_sites_the_list_has_the_newest_alone(project, tmp_path):
    assert versions.earlier(project, tmp_path) == []
    assert "the newest" in (project.site / "versions/index.html").read_text()
