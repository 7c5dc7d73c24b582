"""A class with a roster, and what two platforms gave of its work."""

from one_lab import RIGHT, answered, put_into_inbox

from teaching import course, tables
from teaching.collect import collect

ROSTER = """student,name,email,canvas_id,sis_id,login,section
ada,Ada Lovelace,ada@example.org,771,S1,alovelace,A
emmy,Emmy Noether,emmy@example.org,772,S2,enoether,A
srinivasa,Śrinivasa Aiyangar Ramanujan,,773,S3,sramanujan,B
"""


def filled(folder, build):
    """A course with a roster and what two platforms gave."""
    course.create(folder, build)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    half = answered(RIGHT | {"one-table": "table = values = ..."})
    solved = answered(RIGHT)
    moodle = {
        "Ada Lovelace_1001_assignsubmission_file_/one.ipynb": solved,
        "Śrinivasa Aiyangar Ramanujan_1002_assignsubmission_file_one (2).ipynb": half,
        "Carl Gauss_1003_assignsubmission_file_one.ipynb": solved,
    }
    put_into_inbox(folder, "moodle.zip", moodle)
    put_into_inbox(
        folder, "canvas.zip", {"noetheremmy_LATE_772_9001_one-1.ipynb": solved}
    )


def taken(folder):
    return list(collect(folder))


CLASS = [
    tables.Person("eve", "Eve Adams", canvas_id="8"),
    tables.Person("bob", "Bob Brown", canvas_id="9"),
    tables.Person("zoe", "Zoë van der Berg"),
    tables.Person("kim1", "Kim Lee"),
    tables.Person("kim2", "Kim Lee"),
]
