"""What platforms import, line by line; it runs nothing that a student wrote."""

import json

import nbformat
import pytest
from one_lab import teachers

from teaching import grade
from teaching.export import export, without_formula
from teaching.folder import write_derived

RULES = """title: x
step: 10
discussion: 5
late: {per_day: 10, at_most: 50}
due: {one: 2027-01-31}
"""
ROSTER = """student,name,email,canvas_id,sis_id,login,section
ada,Ada King Lovelace,ada@x.org,7,s1,al,A
bo,=Bo,,,,,
"""
# of 10, 5 and 0 points and 4 by hand, a fifth less since it came two days late
EXPORTED = {
    "table": [
        "student,name,one,total",
        "ada,Ada King Lovelace,15.2,15.2",
        "bo,'=Bo,,0",
    ],
    "moodle": [
        "First name,Last name,ID number,Email address,one",
        "Ada King,Lovelace,s1,ada@x.org,15.2",
        ",'=Bo,,,-",
    ],
    "canvas": [
        "Student,ID,SIS User ID,SIS Login ID,Section,one",
        "Points Possible,,,,,35",
        '"Lovelace, Ada King",7,s1,al,A,15.2',
        '"\'=Bo, ",,,,,',
    ],
}


@pytest.fixture
def course(tmp_path):
    """A course with one lab of three steps, which one of two students has handed in."""
    marks = "student,lab,points,days\nada,one,4,2\nada,two,1,0\n"
    steps = [{"label": "", "credit": credit, "notes": []} for credit in (1, 0.5, 0)]
    graded = json.dumps({"submission": "1.ipynb", "steps": steps})
    for name, content in {
        "course.yml": RULES,
        "roster.csv": ROSTER,
        "marks.csv": marks,
        "keys/one.ipynb": nbformat.writes(teachers()),
        "grades/one/ada.json": graded,
    }.items():
        write_derived(tmp_path / name, content)
    return tmp_path


def test_each_platform_has_a_line_a_student_and_its_own_columns(course):
    fault, *paths = export(course)
    assert fault.startswith("marks.csv, line 3, left out")
    assert [path.name for path in paths] == [f"{kind}.csv" for kind in EXPORTED]
    for path in paths:
        lines = (course / "export" / path.name).read_text("utf-8").split("\n")
        assert lines == [*EXPORTED[path.stem], ""]


def test_nothing_that_a_student_writes_is_run_by_a_spreadsheet_or_a_page():
    for text in ('=HYPERLINK("http://x")', "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"):
        assert without_formula(text) == f"'{text}"
    assert without_formula("Ada") == "Ada"
    assert grade.escaped("<img src=x onerror=alert(1)> [a](javascript:b) `c`\n# d") == (
        r"&lt;img src=x onerror=alert(1)&gt; \[a\](javascript:b) \`c\` # d"
    )
