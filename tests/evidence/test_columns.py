"""Each column of each table of results is described in data/README.md, and none that is gone."""

import csv
import re
from fnmatch import fnmatchcase

import pytest
from helpers import ROOT

from evidence.studies.__main__ import BY_NAME

TABLES = {path.stem: path for path in (ROOT / "data" / "results").rglob("*.csv")}
README = (ROOT / "data" / "README.md").read_text("utf-8")
# the name of a table, a sentence or none, and the items of a list
LIST = re.compile(
    r"^\*\*`(\w+)\.csv`\*\*(.*?)(?=^\*\*|^\||^#|\n\n[^-\n])", re.DOTALL | re.M
)
EVERYWHERE = "in every table"  # the head of the table of columns that mean the same


def _lines():
    """Yield the cells of each line of a table that describes columns."""
    is_of_columns = False
    for line in README.splitlines():
        if not line.startswith("|"):
            is_of_columns = False
        cells = line.strip("|").split(" | ")
        if "columns that need a word" in line or EVERYWHERE in line:
            is_of_columns = True
        elif is_of_columns and not line.startswith("|--"):
            yield cells


def _described():
    """Return the text on each table, and under "" what holds for all of them.

    What a table's line has no room for stands in a list below, under the table's name.
    """
    texts = {"": ""}
    for cells in _lines():
        tables = re.findall(r"`(\w+)\.csv`", cells[0])
        if not tables:
            texts[""] += cells[0]
        for table in tables:
            texts[table] = " | ".join(cells[1:])
    for table, listed in LIST.findall(README):
        if table in TABLES:
            texts[table] += listed
    return texts


DESCRIBED = _described()


def _named(text):
    return set(re.findall(r"`([^`]+)`", text))


def _refers(table):
    """Return the tables whose columns this one has: "as `set_sizes.csv`"."""
    return re.findall(r"\bas (?:in )?`(\w+)\.csv`", DESCRIBED[table])


def _names(table):
    """Return the columns and families of columns that are described for a table."""
    names = _named(DESCRIBED[""])
    for text in [
        DESCRIBED[table],
        *(DESCRIBED[other] for other in _refers(table)),
    ]:
        of_row = text.partition(" | ")[0]  # what a row is: columns without code font
        names |= _named(text) | set(re.findall("[a-z]+", of_row))
    return names


def _is_described(column, names):
    """Whether a name is that of a column, or of its family: `*_low`, `..._low`, `_low`, `nll_`."""
    for name in names:
        family = name.replace("...", "*")
        if family.startswith("_"):
            family = f"*{family}"
        if family.endswith("_"):
            family = f"{family}*"
        if fnmatchcase(column, family):
            return True
    return False


def _read(table):
    with TABLES[table].open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_column_is_described(table):
    assert table in DESCRIBED, f"write a line on {table}.csv in data/README.md"
    columns = list(_read(table)[0])
    names = _names(table)
    missing = [column for column in columns if not _is_described(column, names)]
    assert not missing, f"say what these columns of {table}.csv are in data/README.md"


@pytest.mark.parametrize("table", sorted(set(DESCRIBED) - {""}))
def test_no_description_speaks_of_what_is_gone(table):
    """What stands in code font is a column, a family of them, a value, or a file of the data."""
    rows = _read(table)
    values = {value for row in rows for value in row.values() if value}
    files = {path.name for path in (ROOT / "data").rglob("*") if path.is_file()}
    for name in _named(DESCRIBED[table]) - values:
        known = any(_is_described(column, {name}) for column in rows[0])
        known |= any(fnmatchcase(value, name) for value in values)
        known |= name.split("/")[-1] in files or name in OF_OTHERS
        assert known, f"{table}.csv has nothing of the name {name}"


FEWER = re.findall(r"^\| (four|five|six) digits \| (.+) \|$", README, re.M)
DIGITS = {
    table: {"four": 4, "five": 5, "six": 6}[number]
    for number, places in FEWER
    for place in _named(places)
    for table in TABLES
    if place in (f"{table}.csv", f"results/{TABLES[table].parent.name}/")
}


def _most_digits(rows):
    """Return how many significant digits the longest broken number has."""
    numbers = (value for row in rows for value in row.values())
    result = (re.fullmatch(r"-?(\d+)\.(\d+)(e-\d+)?", number) for number in numbers)
    return max((len((m[1] + m[2]).lstrip("0")) for m in result if m), default=0)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_numbers_have_as_many_digits_as_is_said(table):
    assert _most_digits(_read(table)[:300]) <= DIGITS.get(table, 10)


def test_digits_are_counted_from_the_first_that_is_none():
    rows = [{"a": "-0.00120", "b": "12"}, {"a": "3.5e-07", "b": "x.1"}]
    assert _most_digits(rows) == 3 and len(DIGITS) > 10


# names of code and of repositories, which no table holds
OF_OTHERS = {"LogisticCalibrationBenchmark", "probmetrics"}


SECTIONS = dict(
    (part.partition("/")[0], part) for part in README.split("\n## ")[1:]
)  # by the folder; of sources the last
OTHERS = [
    path
    for path in sorted((ROOT / "data").rglob("*.csv"))
    if path.relative_to(ROOT / "data").parts[0] not in ("results", "zoo", "sources")
    and path.parent.name != "versions"
]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_every_column_of_the_other_folders_is_described(path):
    section = SECTIONS[path.relative_to(ROOT / "data").parts[0]]
    assert f"{path.name}`" in section, f"write a line on {path.name} in data/README.md"
    names = {name for text in _named(section) for name in text.split(",")}
    with path.open(encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    assert not [column for column in columns if not _is_described(column, names)]


def test_the_text_of_data_can_be_read_in_its_source():
    """What has no room in a line of 280 letters stands in a list."""
    long = [line for line in README.splitlines() if len(line) > 280]
    assert long == []


LINK = r"\]\(#([\w-]+)\)"


def _address(heading):
    """Return where a link to a heading leads."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_sections_stand_in_the_order_of_the_contents():
    """The zoo has a README of its own; the others are linked, and follow each other."""
    contents, _, sections = README.partition("\n## ")
    folders = re.findall(r"^\| \[?`(\w+)/`", contents, re.M)
    there = {path.name for path in (ROOT / "data").iterdir() if path.is_dir()}
    of_results = {path.name for path in (ROOT / "data" / "results").iterdir()}
    assert {*folders} == there
    headings = [_address(text) for text in re.findall(r"^#{2,3} (.*)", README, re.M)]
    linked = re.findall(LINK, contents.replace("what-computes-each-file", ""))
    parts = re.findall(LINK, sections.partition("\nIts folders: ")[2].split("\n\n")[0])
    assert {*folders} - {*linked} == {"zoo"}
    assert parts == [
        name for name in headings if name.startswith("results") and name != "results"
    ]
    assert {*parts} == {f"results{name}" for name in of_results}
    assert linked == [name for name in headings if name in linked]
    assert {*re.findall(LINK, README)} <= {*headings}


COMPUTED = README.partition("\n## What computes each file\n")[2]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_table_that_no_usual_run_computes_has_a_row_of_its_command(name):
    """Else its reader waits for `make results`, which leaves it as it is."""
    assert f"{name}.csv`" in COMPUTED, name
