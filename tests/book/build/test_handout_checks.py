"""Checks that are handed out: named, sealed and kept apart."""

import json

import nbformat
from one_exercise import run, twice

from book.build import students
from book.build.handout_checks import CHECKS, SEALS, checks_of, name_checks


def test_pages_for_students_name_their_checks_and_keep_them_apart():
    made = students.without_solutions(
        run(twice("with check('ex'):\n    assert twice(21) == 3 * 14"))
    )
    kept = name_checks(made)
    (label,) = kept
    assert "seal.same(twice(21), 'twice(21)')" in kept[label]["check"]
    assert "14" not in kept[label]["check"] and len(kept[label]["seals"]) == 1
    shown = [c.source for c in made.cells if "check" in c.metadata.get("tags", [])]
    assert shown == [f'check("{label}").run(globals())']


def test_checks_of_pages_are_read_from_their_notebooks_or_as_they_were_kept(tmp_path):
    (tmp_path / "part").mkdir()
    made = run(twice("with check('ex'):\n    assert twice(21) == 42"))
    nbformat.write(made, tmp_path / "part" / "one.ipynb")
    (tmp_path / "text.md").write_text("# Text\n")
    checks = checks_of(["text", "part/one"], tmp_path)
    assert {*checks} == {"ex"} and len(checks["ex"]["seals"]) == 1
    (tmp_path / CHECKS).write_text(json.dumps({"kept": {}}))
    assert checks_of(["part/one"], tmp_path) == {"kept": {}}


def test_files_of_checks_and_of_seals_have_the_names_by_which_a_notebook_asks():
    assert (CHECKS, SEALS) == ("checks.json", "seals/everybody.json")
