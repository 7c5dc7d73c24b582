"""A site that is built upon the last one."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from one_chapter import FIGURE, add, notebook, run

from book.build.incremental import format_works, pages_to_write
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


def reference(page, *works):
    """What a page cites at one place."""
    return SimpleNamespace(
        docname=page, targets=[SimpleNamespace(key=work) for work in works]
    )


@pytest.fixture
def env():
    """What Sphinx knows of a book of two pages, one of which cites a work."""
    return SimpleNamespace(
        config=SimpleNamespace(root_doc="intro"),
        found_docs={"intro", "one"},
        domaindata={
            "std": {"labels": {"a": ("one", "a", "A")}},
            "math": {"equations": {}},
            "py": {"objects": {}},
            "cite": {"citation_refs": [reference("one", "guo2017")]},
        },
        titles={"one": nodes.title("", "One")},
        toc_secnumbers={"one": {"": (1,)}},
        toc_fignumbers={},
    )


CHANGES = {
    "a label": lambda env: env.domaindata["std"]["labels"].clear(),
    "an equation": lambda env: env.domaindata["math"]["equations"].update(x=1),
    "a function": lambda env: env.domaindata["py"]["objects"].update(ece="one"),
    "a work": lambda env: env.domaindata["cite"]["citation_refs"].append(
        reference("intro", "naeini2015")
    ),
    "a title": lambda env: env.titles.update(one=nodes.title("", "Two")),
    "a number of a section": lambda env: env.toc_secnumbers.update(intro={"": (2,)}),
    "a number of a figure": lambda env: env.toc_fignumbers.update(one={"fig": (1,)}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_all_pages_are_written_where_one_may_show_what_changed_of_another(env, change):
    app = SimpleNamespace(env=env)
    assert pages_to_write(app, env) == env.found_docs  # the first time
    assert pages_to_write(app, env) == {"intro"}
    change(env)
    assert pages_to_write(app, env) == env.found_docs
    assert pages_to_write(app, env) == {"intro"}


def test_a_work_that_is_cited_once_more_changes_no_other_page(env):
    app = SimpleNamespace(env=env)
    pages_to_write(app, env)
    env.domaindata["cite"]["citation_refs"].append(reference("intro", "guo2017"))
    assert pages_to_write(app, env) == {"intro"}
    del env.domaindata["cite"]
    assert pages_to_write(app, env) == env.found_docs


def test_works_are_formatted_where_a_page_cites_others_or_a_list_was_read_anew():
    domain = SimpleNamespace(
        data={}, citations=["guo2017"], citation_refs=[reference("one", "guo2017")]
    )

    def is_formatted():
        times = []
        assert format_works(domain, times.append) == []
        return times == [domain]

    assert is_formatted() and not is_formatted()
    domain.citation_refs.insert(0, reference("one", "guo2017"))  # once more
    assert not is_formatted()
    domain.citation_refs.append(reference("two", "guo2017"))
    assert is_formatted() and not is_formatted()
    domain.citations.append("guo2017")
    assert is_formatted() and not is_formatted()
    domain.citation_refs[-1] = reference("two", "naeini2015", "guo2017")
    assert is_formatted() and not is_formatted()
