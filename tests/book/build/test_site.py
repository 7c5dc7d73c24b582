"""The site is built where something changed, and one chapter alone."""

from pathlib import Path

import nbformat
from one_chapter import FIGURE, cell, notebook, run


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
