"""Sources that are broken are named before anything runs."""

import pytest
from one_chapter import HEAD, cell, run

TOC = "format: jb-book\nroot: index\nchapters:\n  - file: part/one\n"

PATTERN = (
    HEAD.replace("CALIB", "{data: [published/absent-*.csv]}") + "# One\n" + cell("1")
)

DECLARED = (
    HEAD.replace("CALIB", "{date: [published/guo2017.csv]}") + "# One\n" + cell("1")
)

BROKEN = [  # a file, what it holds, what is said
    (
        "_config.yml",
        b"title: \xff\n",
        "_config.yml: 'utf-8' codec can't decode byte 0xff",
    ),
    ("_config.yml", b"title: 3\nexecute: {timeout: soon}\n", "_config.yml"),
    ("_toc.yml", b"root: [", "_toc.yml"),
    (
        "_toc.yml",
        TOC.replace("one", "absent").encode(),
        "chapters/part/absent.md does not exist",
    ),
    (
        "_toc.yml",
        (TOC + "  - file: part/one\n").encode(),
        "_toc.yml: document file used multiple times: 'part/one'",
    ),
    ("chapters/orphan.md", b"# Orphan\n", "chapters/orphan.md: not listed in _toc.yml"),
    (
        "chapters/part/one.md",
        b"---\n- a\n---\n# One\n",
        "front matter: expected a mapping",
    ),
    (
        "chapters/part/one.md",
        PATTERN.encode(),
        "no file matches data/published/absent-*.csv",
    ),
    ("chapters/part/one.md", DECLARED.encode(), "unknown keys date"),
    ("chapters/part/one.md", ("# One\n" + cell("1")).encode(), "no kernelspec"),
]


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
def test_broken_sources_are_named_before_anything_runs(
    project, capsys, name, content, message
):
    (project.root / name).write_bytes(content)
    assert run(project, "build") == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert "[1/" not in shown.out
