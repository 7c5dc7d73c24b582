"""The site is built where something changed, and one chapter alone."""

from pathlib import Path

import nbformat
import pytest
from one_chapter import FIGURE, cell, notebook, run

from book.build import site
from book.build.project import BookError, Project


class Builds:
    """A book of one page; it remembers what a build found there."""

    def __init__(self, folder):
        self.project, self.fault, self.before = Project(folder), "", []
        self.source = self.project.build / "src"
        self.work = self.project.build / "sphinx"

    def stage(self, project, chapters, contents, source, **_):
        source.mkdir(parents=True, exist_ok=True)
        for name, text in self.staged.items():
            (source / name).write_text(text)

    def run_sphinx(self, source, work, builder):
        (work / "raw" / "_static").mkdir(parents=True, exist_ok=True)
        left = sorted(path.name for path in work.rglob("*") if path.is_file())
        self.before.append(left)
        (work / "raw" / "page").write_text("kept")
        (work / "raw" / "_static" / "sheet").write_text("copied")
        if self.fault:
            raise BookError(self.fault)
        (work / "html").mkdir()
        (work / "html" / "index.html").write_text(self.staged["page.md"])

    def build(self, page, *, shared=(), fault="", force=False):
        """Build the site of a page, and of what all share; return what its first page says then."""
        self.staged, self.fault = {"page.md": page, **dict(shared)}, fault
        try:
            site.build_site(self.project, [], force=force)
        except BookError as error:
            assert str(error) == fault
        return (self.project.site / "index.html").read_text()


@pytest.fixture
def builds(tmp_path, monkeypatch):
    builds = Builds(tmp_path)
    (tmp_path / "_toc.yml").write_text("root: index\n")
    (tmp_path / "shared").mkdir()
    monkeypatch.setattr(site, "BOOK", tmp_path / "shared")
    monkeypatch.setattr(site, "stage", builds.stage)
    monkeypatch.setattr(site, "run_sphinx", builds.run_sphinx)
    return builds


def test_a_site_is_built_where_a_page_changed_or_it_is_asked_for(builds, capsys):
    said = [builds.build(page) for page in ("one", "one", "two", "two")]
    assert said == ["one", "one", "two", "two"] and len(builds.before) == 2
    assert capsys.readouterr().out.count("nothing changed: ") == 2
    builds.build("two", force=True)
    assert len(builds.before) == 3
    site.shutil.rmtree(builds.project.site)
    assert builds.build("two") == "two"


def test_a_page_that_is_unchanged_stays_unless_all_pages_changed(builds):
    """What the pages load is copied anew each time: Sphinx takes nothing away."""
    builds.build("one")
    builds.build("two")
    (builds.project.root / "shared" / "template.html").write_text("new")
    builds.build("two")
    (builds.project.root / "calib").mkdir()
    (builds.project.root / "calib" / "a.pyc").write_text("compiled")
    builds.build("three")
    assert builds.before == [[], ["page"], [], ["page"]]


@pytest.mark.parametrize(
    "name", ["_config.yml", "_toc.yml", "references.bib", "data.json"]
)
def test_of_a_staged_file_that_each_page_depends_on_all_are_built_anew(builds, name):
    for page, text in (("one", "before"), ("two", "before"), ("three", "after")):
        builds.build(page, shared={name: text})
    assert builds.before == [[], ["page"], []]


def test_what_a_failed_build_left_is_not_built_upon(builds):
    """The last good site stays; the page that it was built of is built again."""
    assert builds.build("one") == "one"
    assert builds.build("two", fault="a warning") == "one"
    assert builds.build("one") == "one" and len(builds.before) == 3
    assert builds.before[-1] == []


def test_the_site_is_built_once_and_again_only_on_change(project, capsys, monkeypatch):
    monkeypatch.delenv("BOOK_REPOSITORY", raising=False)
    notebook(project, FIGURE + cell("1 + 1") + "\n$$ x $$\n")
    assert run(project, "build") == 0
    page = project.site / "part/one.html"
    text = page.read_text()
    assert 'alt="A line."' in text and "mathematics.js" in text
    assert "thebe" not in text
    executed = nbformat.read(
        project.executed(project.chapter("part/one")), as_version=4
    )
    shown = nbformat.read(project.site / "_sources/part/one.ipynb", as_version=4)
    for before, after in zip(executed.cells, shown.cells, strict=True):
        for output in before.get("outputs", []):
            output.get("data", {}).pop("text/csv", None)
        assert before == after
    (table,) = (project.site / "_static/figures").glob("*.csv")
    assert table.read_text().splitlines()[0] == "axes,kind,series,x,y,to x,to y"
    assert f'<a download href="../_static/figures/{table.name}">CSV' in text
    assert "/edit/" not in text and "mybinder" not in text and "colab" not in text
    assert 'class="figure-download"><a download href="../_images/' in text

    capsys.readouterr()
    assert run(project, "build") == 0
    assert "nothing changed" in capsys.readouterr().out

    monkeypatch.setenv("BOOK_REPOSITORY", "https://github.com/owner/name")
    assert run(project, "build") == 0
    text = page.read_text()
    assert "https://github.com/owner/name/edit/main/chapters/part/one.md" in text

    bare = FIGURE.replace('  image: {alt: "A line."}\n', "")
    for body, phrases in (
        (bare + "\n{ref}`nowhere`\n", ("nowhere", "an image has no text alternative")),
        (
            cell("divisor = 0\n1 / divisor"),
            ("one.md", "    1 / divisor", "ZeroDivisionError"),
        ),
    ):
        notebook(project, body)
        assert run(project, "build") == 1
        error = capsys.readouterr().err
        assert all(phrase in error for phrase in phrases)
        assert page.read_text() == text  # the last good site stays


def test_a_chapter_builds_alone_with_open_references(project, capsys):
    chapter = notebook(
        project, "See {ref}`elsewhere` and {cite:t}`guo2017`.\n" + cell("1")
    )
    (project.root / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    assert run(project, "chapter", f"chapters/{chapter.name}.md") == 0
    shown = capsys.readouterr()
    assert "WARNING" not in shown.out and not shown.err
    assert Path(shown.out.splitlines()[-2]).is_file()
