"""The site without solutions."""

from helpers import ROOT

from book.build import staging, student_site
from book.build.project import Project


def test_the_student_site_leaves_out_the_printed_book(tmp_path, monkeypatch):
    """The PDF file holds the solutions."""
    for name in ("_config.yml", "book/references.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "chapters").mkdir()
    answer = "```{dropdown} Answer\nSo.\n```\n"
    (tmp_path / "chapters" / "index.md").write_text(f"# Landing\n{answer}")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    project = Project(tmp_path)
    staging.pdf_path(project).parent.mkdir()
    staging.pdf_path(project).write_bytes(b"solutions")
    monkeypatch.setattr(
        student_site,
        "run_sphinx",
        lambda source, work, *_, **__: (work / "html").mkdir(parents=True),
    )
    for stale in ("work/html", "html"):
        (project.build / "student" / stale).mkdir(parents=True)
        (project.build / "student" / stale / "of-the-last.html").touch()
    student_site.build_student_site(project, project.listed())
    assert not list((project.build / "student").rglob("of-the-last.html"))
    staged = project.build / "student" / "src"
    assert (staged / "index.md").read_text() == "# Landing\n"
    assert not (staged / "book.pdf").exists()
    assert "book.pdf" not in (staged / "_config.yml").read_text()
