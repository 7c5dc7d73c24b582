"""Checks that are handed out: named, sealed and kept apart."""

from one_exercise import run, twice

from book.build import students
from book.build.handout_checks import name_checks


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
