"""The folder of a course: a file that changes while a submission runs is named."""

import pytest

from teaching.folder import digests, refuse_changes
from teaching.tables import CourseError


def test_a_changed_file_of_the_course_stops_the_run_and_is_named(tmp_path):
    for name in ("keys/one.ipynb", "submissions/ada/one/1.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("as it was")
    before = digests(tmp_path)
    refuse_changes(before, tmp_path, "one of ada")
    (tmp_path / "keys" / "one.ipynb").write_text("another")
    with pytest.raises(
        CourseError, match=r"keys/one\.ipynb changed while one of ada ran"
    ):
        refuse_changes(before, tmp_path, "one of ada")
    (tmp_path / "keys" / "one.ipynb").write_text("as it was")
    (tmp_path / "submissions" / "ada" / "one" / "2.ipynb").touch()
    with pytest.raises(CourseError, match=r"2\.ipynb changed"):
        refuse_changes(before, tmp_path, "one of ada")
