"""What Sphinx complains of is an error, or is printed."""

import pytest
import sphinx.application
from sphinx.errors import SphinxError

from book.build.project import BookError
from book.build.sphinx_run import run_sphinx


@pytest.fixture
def build(monkeypatch, tmp_path):
    """Run a Sphinx that warns as asked; return how it was called."""
    called = {}

    def run(warning="", *, statuscode=0, raises=None, **options):
        class Sphinx:
            def __init__(self, source, confdir, out, doctrees, builder, config, **how):
                called.update(how, out=out, doctrees=doctrees, builder=builder)
                called.update(config=config, confdir=confdir)
                how["warning"].write(warning.format(source=source))

            def build(self):
                self.statuscode = statuscode
                if raises:
                    raise raises

        monkeypatch.setattr(sphinx.application, "Sphinx", Sphinx)
        run_sphinx(tmp_path / "src", tmp_path / "work", "html", {"a": 1}, **options)
        return called

    return run


def test_pages_and_trees_lie_beside_each_other_and_warnings_are_errors(build, tmp_path):
    called = build()
    assert called["out"] == tmp_path / "work" / "raw"
    assert called["doctrees"] == tmp_path / "work" / "doctrees"
    assert called["builder"] == "html" and called["config"] == {"a": 1}
    assert called["confdir"] is None and called["status"] is None
    assert called["warningiserror"] is True and called["keep_going"] is True
    assert build(strict=False)["warningiserror"] is False


@pytest.mark.parametrize(
    "fault", [{"statuscode": 1}, {"raises": SphinxError("no such builder")}]
)
def test_a_complaint_names_the_file_of_the_chapter(build, fault):
    with pytest.raises(BookError, match="were not built") as caught:
        build("{source}/part/one.md:3: a reference leads nowhere\n", **fault)
    assert "\nchapters/part/one.md:3: a reference leads nowhere" in str(caught.value)
    assert ("no such builder" in str(caught.value)) == ("raises" in fault)


def test_a_complaint_that_is_no_error_is_printed(build, capsys):
    build("{source}/one.md: careful\n", strict=False)
    assert capsys.readouterr().out == "chapters/one.md: careful\n"
    build(strict=False)
    assert capsys.readouterr().out == ""
