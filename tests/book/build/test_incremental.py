"""A site that is built upon the last one."""

from pathlib import Path

from one_chapter import FIGURE, add, notebook, run

from book.build.site import build_site


def files(folder):
    return {
        p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def test_a_site_built_upon_the_last_one_is_the_one_that_is_built_anew(project):
    """A page goes, a section that another page names is renamed, a figure and a text change."""
    labelled = "# Named\n\n(named)=\n## Old\n\nSee {ref}`fig-line`.\n\n$$ x $$ (last)\n"
    citing = f"Fine {{cite:t}}`guo2017`.\n{FIGURE}"
    cited = "# References\n\n{page-minutes}`part/one`\n\n```{bibliography}\n```\n"
    add(project, "references", cited)
    add(project, "still", "# Still\n\nSee {ref}`named` and {eq}`last`.\n")
    gone = add(project, "gone", "# Gone\n").path
    add(project, "named", labelled)
    notebook(project, citing)
    assert run(project, "build") == 0
    gone.unlink()
    written = []
    better = "Better " * 700
    for old, new in (("", ""), ("Old", "New"), ("[3, 4]", "[4, 3]"), ("Fine", better)):
        labelled, citing = labelled.replace(old, new), citing.replace(old, new)
        add(project, "named", labelled)
        notebook(project, citing)
        assert run(project, "build") == 0
        written.append((project.build / "sphinx/raw/still.html").stat().st_mtime_ns)
    # not for a figure, nor for a text
    assert len(set(written)) == 2 and written[1] == written[3]
    built = files(project.site)
    assert (
        b"Better" in built[Path("part/one.html")]
        and b"New" in built[Path("still.html")]
    )
    assert b"10 minutes" in built[Path("references.html")]
    notebook(project, citing.replace("guo2017", "naeini2015"))
    assert run(project, "build") == 0
    built = files(project.site)
    build_site(project, project.listed(), force=True)
    assert files(project.site) == built
