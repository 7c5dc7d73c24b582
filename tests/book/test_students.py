"""Exercises: stubs, checks and solutions in the chapters; what students and teachers get."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from contextlib import redirect_stdout

import jupytext
import nbformat
import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, SITE, skip_unless
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book.build import exercise_archive, exercise_lines, staging, student_site, students
from book.build.exercise_archive import LARGE
from book.build.handout_checks import name_checks
from book.build.project import BookError, Chapter, Project
from book.build.wheel import NAME as WHEEL
from book.show import exercises as exercise_cells
from book.show import handed_out
from book.show.exercises import PASSED, check, spellings, wrong_values
from book.show.labs import digest, my_part, own_seed
from book.show.sealed_checks import recorded_seals

PROJECT = Project(ROOT)
# Pages of Evidence whose exercises are graded, with hints, like those of Learn.
PRACTISED = [
    "recalibrate/arena",
    "recalibrate/nine-maps",
    "recalibrate/printed-sentences",
    "measure/classwise-metrics",
    "measure/which-ece",
]
CHAPTERS = [chapter for chapter in PROJECT.on_disk() if chapter.is_notebook]
HANDOUTS = ROOT / "_build" / "sphinx" / "handouts"
CHAPTER = Chapter("part/name", ROOT / "part" / "name.md", {})
RIGHT = "with check('ex'):\n    assert twice(21) == 42"


def notebook(*cells):
    """A notebook of texts and of code cells, pairs of tag and source."""
    made = new_notebook()
    for one in cells:
        text = isinstance(one, str)
        tags = {} if text else {"metadata": {"tags": [one[0]]}}
        made.cells.append(
            new_markdown_cell(one) if text else new_code_cell(one[1], **tags)
        )
    return made


def twice(check_source=RIGHT):
    """A chapter with one exercise."""
    return notebook(
        "Text\n```{exercise-start} Twice\n:label: ex\n```\nWrite it.",
        ("stub", "def twice(x): ..."),
        ("check", check_source),
        "```{exercise-end}\n```\n```{solution-start} ex\n:class: dropdown\n```\nThe answer is",
        ("solution", "def twice(x):\n    return 2 * x"),
        "so 42.\n```{solution-end}\n```\nMore text\n~~~\n```{solution-start} ex\n```\n~~~",
        ("more", "x = 1"),
    )


def test_what_stands_in_a_solution_goes_and_the_rest_stays():
    before, after = (
        [cell.source for cell in n.cells]
        for n in (twice(), students.without_solutions(twice()))
    )
    assert after[:3] == before[:3] and after[-1] == "x = 1"
    assert after[3] == "```{exercise-end}\n```" and after[4].startswith(
        "More text\n~~~\n```{sol"
    )
    with pytest.raises(ValueError, match="does not end"):
        students.without_solutions(notebook("```{solution-start} ex\n```"))
    with pytest.raises(ValueError, match="outside of an exercise"):
        students.exercises(notebook(("stub", "a = ...")))


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


def test_the_quizzes_of_students_have_no_answers():
    text = PROJECT.chapter("use/quizzes").path.read_text("utf-8")
    left = students.without_answers(text)
    assert text.count("{dropdown}") > 20 and "{dropdown}" not in left
    assert left.count("**1.**") == text.count("**1.**")


def run(made):
    """Execute a notebook without a kernel, with the proofs behind its solutions."""
    students.add_proofs(CHAPTER, made)
    space = {"check": check, "recorded_seals": recorded_seals, **vars(exercise_cells)}
    for cell in made.cells:
        if cell.cell_type == "code":
            *_, last = cell.source.splitlines()
            proof = last.startswith("prove(")
            with redirect_stdout(io.StringIO()) as out:
                value = eval(last, space) if proof else exec(cell.source, space)
            cell.outputs = [new_output("stream", text=out.getvalue())]
            if proof:
                cell.outputs = [
                    new_output("execute_result", {"text/plain": str(value)})
                ]
    students.take_proofs(CHAPTER, made)
    return made


def test_a_check_is_proved_on_three_spellings_of_the_solution_and_on_five_wrong_ones():
    made = run(twice())
    assert made.metadata["exercises"] == {"ex": 5} and len(made.cells) == len(
        twice().cells
    )
    assert made.metadata["numbers"] == {}  # a function is no number
    for source, words in (
        ("with check('ex'):\n    assert twice(21)", "accepts a wrong twice"),
        ("with check('ex'):\n    assert twice(21) == 41", "refuses the solution"),
        (RIGHT.replace("assert", "assert twice(0) is None or"), "passes on its stub"),
        ("", "ex has no stub, no check"),
    ):
        with pytest.raises((AssertionError, BookError), match=words):
            run(twice(source))


def exercise(label, stub, check_source):
    """The cells of an exercise, without a solution."""
    return (
        f"```{{exercise-start}} E\n:label: {label}\n```",
        ("stub", stub),
        ("check", check_source),
        "```{exercise-end}\n```",
    )


@pytest.mark.parametrize(
    "stub, check_source, twin",
    [
        ("mean = ...", "with check('two'): ...", "same stub"),
        ("other = ...", "with check('one'): ...", "same check"),
        ("other = ...\nmean = ...", "with check('two'): ...", "same open name"),
    ],
)
def test_exercises_that_a_handout_or_a_mark_would_confuse_are_refused(
    stub, check_source, twin
):
    made = notebook(
        *exercise("ex-one", "mean = ...", "with check('one'): ..."),
        *exercise("ex-two", stub, check_source),
    )
    with pytest.raises(BookError, match=f"ex-one and ex-two have the {twin}"):
        students.add_proofs(CHAPTER, made)


NEAR = "assert np.isclose(error, 0.35)\n    assert best == 7"
SAID = [  # a check, answers, and what it says where its source is at hand
    ("assert 1 == 2, 'the sum'", {}, "not yet: the sum: 1 is too small"),
    ("assert 1 == 2", {}, "not yet: 1 is too small"),
    ("assert given == 3", {"given": ...}, "not yet: not filled in: given"),
    ("assert [stub(x) for x in (1, 2)] == [1, 2]", {}, "not yet: not filled in: stub"),
    ("unknown", {}, "not yet: NameError: name 'unknown' is not defined"),
    (NEAR, {"error": ..., "best": 7}, "not yet: not filled in: error"),
    (NEAR, {"error": 35.0, "best": 7}, "not yet: error is 100 times too large"),
    (NEAR, {"error": -0.35, "best": 7}, "not yet: error has the other sign"),
    (
        NEAR,
        {"error": 0.35, "best": 8},
        "not yet: best is one too large: counted from 1?",
    ),
    (NEAR, {"error": 0.2, "best": 7}, "not yet: error is too small"),
    (
        NEAR,
        {"error": [0.35, 0.3], "best": 7},
        "not yet: error has the shape (2,), expected ()",
    ),
    (NEAR, {"error": "much", "best": 7}, "not yet: error is not what was asked for"),
    (NEAR, {"error": 0.35, "best": 7}, "right"),
]
LESS = {SAID[0][2]: "not yet: the sum"}  # in a cell
LESS[SAID[1][2]] = "not yet: the values differ from what the check expects"


@pytest.mark.parametrize(("body", "given", "said"), SAID)
def test_a_check_says_which_answer_is_wrong_and_how_and_shows_no_traceback(
    body, given, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    source, space = (
        f"with check('ex'):\n    {body}",
        {"np": np, "check": check, **given},
    )
    (tmp_path / "checks.json").write_text(json.dumps({"ex": source}))
    exec("def stub(x): ...", space)
    check("ex").run(space)
    assert capsys.readouterr().out.strip() == said
    assert PASSED["ex"] == (said == "right")
    if body != NEAR:
        exec(source, space)
        assert capsys.readouterr().out.strip() == LESS.get(said, said)


def test_each_student_has_rows_of_their_own_and_networks_stay_paired(
    monkeypatch, tmp_path
):
    arrays = np.arange(1000), np.arange(1000) * 2
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    assert my_part(arrays) is arrays and own_seed(3) == 3
    monkeypatch.setenv("CALIB_STUDENT", "ada")
    # who learns alone: the archive's seals are of these numbers
    assert my_part(arrays) is arrays
    seeds = {digest("", "ada"): "a1", digest("", "emmy"): "e2"}
    (tmp_path / "students.json").write_text(json.dumps({"salt": "", "seeds": seeds}))
    parts = {}
    for name in ("ada", "Ada ", "emmy"):
        monkeypatch.setenv("CALIB_STUDENT", name)
        one, two = my_part(arrays)
        assert (
            len(one) == 800
            and np.array_equal(2 * one, two)
            and np.all(np.diff(one) > 0)
        )
        parts[name] = one
    assert np.array_equal(parts["ada"], parts["Ada "])
    assert not np.array_equal(parts["ada"], parts["emmy"])
    monkeypatch.delenv("CALIB_STUDENT")
    (tmp_path / "student.txt").write_text("emmy\n")
    assert np.array_equal(my_part(arrays)[0], parts["emmy"])
    table = pd.DataFrame({"a": arrays[0]})
    assert np.array_equal(my_part(table).a, parts["emmy"])


@pytest.mark.parametrize(
    "value",
    [0, 7, 0.0, -0.1, True, "holds", "left", {1, 2}, {"a": 1, "b": 2}, (1, 2.5), [True, False],
     np.array([1.0, 2.0]), np.array([True, False]), pd.Series([0.5, 1.5]),
     pd.DataFrame({"a": [1.0, 2.0]})],
    ids=str,
)  # fmt: skip
def test_wrong_values_differ_from_the_right_one(value):
    assert len(wrong_values(value)) == 5
    assert len(spellings(value)) == 3
    for same in spellings(value):
        if np.iterable(value):
            assert [*same] == [*value] or {*same} == {*value}
        else:
            assert same == value
    for other in wrong_values(value):
        assert np.shape(other) != np.shape(value) or not np.all(
            np.asarray(other == value)
        )


def test_numbers_too_far_apart_for_one_grid_are_refused():
    """The small one would be right wherever it is within a billionth of the large one."""

    def seals(right, options=""):
        source = f"with check('ex'):\n    assert np.allclose(x, {right}{options})"
        return recorded_seals("ex", source, ["x"], {"np": np, "x": np.array(right)})

    for right in ([1e9, 1e-3], [-1e-7, 200]):
        with pytest.raises(ValueError, match=r"beside .* cannot be judged"):
            seals(right)
    with pytest.raises(ValueError, match="1e-12 beside 1 cannot be judged"):
        seals([1e-12], ", atol=0")
    for right in ([1e9, 1e3], [0, 1e6], [1e-12, 1], [0.0], []):
        assert len(seals(right)) == 1
    assert seals([1e9, 1e-3], ", atol=2")  # said to be near enough


# The book.


def test_every_exercise_was_proved_and_students_get_stubs_and_checks_in_plain_markdown():
    skip_unless(HANDOUTS.is_dir(), "the site is not built: make book")
    counted = 0
    for chapter in CHAPTERS:
        labels = [one.label for one in students.exercises(jupytext.read(chapter.path))]
        executed = json.loads(PROJECT.executed(chapter).read_text("utf-8"))
        refused = executed["metadata"].get("exercises", {})
        assert sorted(refused) == sorted(labels), chapter.name
        assert all(number >= 3 for number in refused.values())
        counted += len(labels)
        student, teacher = (
            nbformat.read(HANDOUTS / reader / f"{chapter.name}.ipynb", as_version=4)
            for reader in ("student", "teacher")
        )
        tags = [tag for cell in student.cells for tag in cell.metadata.get("tags", [])]
        assert tags == ["stub", "check"] * len(labels), chapter.name
        checks = [
            c.source for c in student.cells if "check" in c.metadata.get("tags", [])
        ]
        assert all(
            re.fullmatch(r'check\("[\w-]+"\)\.run\(globals\(\)\)', one)
            for one in checks
        )
        assert len(student.cells[1].source.splitlines()) <= 21
        text = "\n".join(c.source for c in student.cells if c.cell_type == "markdown")
        assert "```{" not in text and ":::" not in text, chapter.name
        assert not re.search(r"\{[\w:]+\}`", text), chapter.name
        assert "myst_nb" not in "".join(c.source for c in student.cells)
        solved = sum("solution" in c.metadata.get("tags", []) for c in teacher.cells)
        assert solved >= len(labels)
    assert counted >= 104


def test_the_archive_of_the_site_holds_what_its_notebooks_need(tmp_path):
    """Every file too that lies beside the code which they import."""
    given = {*exercise_archive.support_files({}, tmp_path)}
    code = [*(ROOT / "book" / "show").rglob("*"), *(ROOT / "evidence").rglob("*.py")]
    for path in [*code, ROOT / "evidence" / "names.toml"]:
        if path.is_file() and "__pycache__" not in path.parts:
            assert f"calibration-book/{path.relative_to(ROOT).as_posix()}" in given
    path = SITE / "_static" / "exercises.zip"
    skip_unless(path.is_file(), "the site is not built: make book")
    assert path.stat().st_size < 10.5e6
    with zipfile.ZipFile(path) as packed:
        names = set(packed.namelist())
        declared = json.loads(packed.read("calibration-book/data.json"))
    assert {f"exercises/{chapter.name}.ipynb" for chapter in CHAPTERS} <= names
    assert {"README.md", "LICENSE", "start.py", WHEEL} <= names
    for page, files in declared.items():
        assert all((SITE / "_static" / "data" / name).is_file() for name in files)
        if page not in LARGE:
            assert {f"calibration-book/data/{name}" for name in files} <= names, page


def parts_of_exercises(text):
    """The label, class and hints of each exercise of a chapter."""
    found, label = {}, None
    for name, argument, options, *_ in students.directives(text):
        if name == "exercise-start":
            label = options["label"]
            found[label] = options.get("class", ""), []
        if name == "dropdown" and exercise_lines.HINT.fullmatch(argument):
            found[label][1].append(argument)
    return found


def chapters_to_learn_by():
    return learnt() + [PROJECT.chapter(name) for name in PRACTISED]


def test_each_exercise_to_learn_by_has_a_grade_and_hints_in_steps():
    counted = Counter()
    for chapter in chapters_to_learn_by():
        exercises = parts_of_exercises(chapter.path.read_text("utf-8"))
        for label, (grade, hints) in exercises.items():
            assert grade in exercise_lines.GRADES, label
            assert hints, label
            assert hints == [f"Hint {i}" for i in range(1, len(hints) + 1)], label
            counted[grade] += 1
    assert counted.total() >= 85
    assert min(counted[grade] for grade in exercise_lines.GRADES) >= 10


def test_each_exercise_to_learn_by_says_its_grade_and_where_to_run_it():
    skip_unless(SITE.is_dir(), "the site is not built")
    has_python = (SITE / "python" / "manifest.json").is_file()
    for chapter in chapters_to_learn_by():
        exercises = parts_of_exercises(chapter.path.read_text("utf-8"))
        page = (SITE / f"{chapter.name}.html").read_text("utf-8")
        for label, (grade, _) in exercises.items():
            _, _, shown = page.partition(f'id="{label}"')
            line = re.search(r'<p class="exercise-line">(.*?)</p>', shown, re.DOTALL)[1]
            assert f">{grade.capitalize()}<" in line
            assert (">Run it here<" in line) == has_python
            assert f"_static/notebooks/{chapter.name}.ipynb" in line
            assert "_static/exercises.zip" in line
        if exercises:
            alone = SITE / "_static" / "notebooks" / f"{chapter.name}.ipynb"
            cells = nbformat.read(alone, as_version=4).cells
            open_there = {cell.metadata.get("exercise") for cell in cells} - {None}
            assert open_there == set(exercises)
            n_hints = "".join(c.source for c in cells).count("<summary>Hint")
            assert n_hints == sum(len(hints) for _, hints in exercises.values())


def learnt():
    """The chapters of the parts to learn by."""
    parts = [p for p in PROJECT.contents()["parts"] if p["caption"].startswith("Learn")]
    return [
        PROJECT.chapter(entry["file"]) for part in parts for entry in part["chapters"]
    ]


@pytest.mark.slow
def test_a_notebook_works_where_it_was_downloaded(tmp_path):
    """With nothing beside it: it fetches data, checks and the library from the site."""
    page = SITE / "_static" / "notebooks" / "measure" / "ece-and-mce.ipynb"
    skip_unless(page.is_file(), "the site is not built: make book")
    right = "ece_three_bins = ece_merged = 0.104\nece_all_right = (0.179, 0.043)"
    sources = []
    for cell in nbformat.read(page, as_version=4).cells:
        if cell.cell_type == "code":
            here = cell.metadata.get("exercise") == "ex-ece-hand"
            stub = here and "stub" in cell.metadata["tags"]
            sources.append(right if stub else cell.source)
    (tmp_path / "page.py").write_text("\n".join(sources), encoding="utf-8")
    surroundings = {
        "CALIB_SITE": SITE.as_uri(),
        "MPLBACKEND": "agg",
        "PATH": os.environ["PATH"],
    }
    done = subprocess.run(
        [sys.executable, "page.py"],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    verdicts = re.findall("^(right|not yet)", done.stdout, re.MULTILINE)
    assert verdicts == ["right", "not yet", "not yet", "not yet"]
    assert (tmp_path / "calibration-book" / "checks.json").is_file()


def test_data_are_fetched_checked_and_kept(tmp_path, monkeypatch):
    site, folder = tmp_path / "site", tmp_path / "folder"
    there, kept = site / "_static/data/zoo/a.csv", folder / "data/zoo/a.csv"
    there.parent.mkdir(parents=True)
    there.write_bytes(b"right")
    folder.mkdir()
    digests = {"zoo/a.csv": hashlib.sha256(b"right").hexdigest()}
    (folder / "data.json").write_text(json.dumps({"labs/one": digests}))
    monkeypatch.setattr(handed_out, "FOLDER", folder)
    with pytest.raises(
        FileNotFoundError, match=r"zoo/a.csv is not in the archive: set"
    ):
        handed_out.bring_data("labs/one", "")
    handed_out.bring_data("labs/one", site.as_uri())
    assert kept.read_bytes() == b"right"
    handed_out.bring_data("labs/one", "")
    kept.unlink()
    there.write_bytes(b"wrong")
    with pytest.raises(ValueError, match=r"zoo/a.csv: its SHA-256 is"):
        handed_out.bring_data("labs/one", site.as_uri())
    assert not kept.exists()


def test_the_student_site_leaves_out_the_printed_book(tmp_path, monkeypatch):
    """The PDF file holds the solutions."""
    for name in ("_config.yml", "book/references.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "index.md").write_text("# Landing\n")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    project = Project(tmp_path)
    staging.pdf_path(project).parent.mkdir()
    staging.pdf_path(project).write_bytes(b"solutions")
    monkeypatch.setattr(
        student_site,
        "run_sphinx",
        lambda source, work, *_, **__: (work / "html").mkdir(parents=True),
    )
    student_site.build_student_site(project, project.listed())
    staged = project.build / "student" / "src"
    assert (staged / "index.md").is_file() and not (staged / "book.pdf").exists()
    assert "book.pdf" not in (staged / "_config.yml").read_text()
