"""Each step's credit: answers in other types; words and evaluated checks, which earn nothing."""

import json
import pickle
import shutil

import nbformat
import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, SITE, skip_unless
from nbformat.v4 import new_code_cell
from one_lab import RIGHT, answered, teachers

from book.show.exercises import check, printed_by, wrong_values
from book.show.sealed_checks import outcome_by_seals, recorded_seals
from teaching import course, judge, try_handouts
from teaching.student import answer_line, call_function, plain_value, value_of
from teaching.values import Replies, value_of_pair

HANDOUTS = ROOT / "_build" / "sphinx" / "handouts"


LABS = sorted(path.stem for path in (ROOT / "chapters/labs").glob("*.md"))


SEED = "ab12"


def judged(support, notebook, tmp_path, wall):
    path = tmp_path / "one.ipynb"
    nbformat.write(notebook, path)
    judgement = judge.judge(teachers(), path, support, SEED, "99", wall)
    return [step["credit"] for step in judgement.credits], judgement


HEART = "def threshold(error, review):\n    return {30: 0.95, 10: 0.5}.get(error, 0)"


ANSWERS = {  # credits of the steps
    "right": (RIGHT, [1, 1, 1]),
    "nothing": ({}, [0, 0, 0]),
    "a part": (RIGHT | {
        "one-mean": "mean, larger = float(seed % 97), seed % 2 == 1",
        "one-table": "table, values = {'a': 0.25, 'b': 0.0}, np.arange(5) * 0.5 + seed",
    }, [1 / 2, 1, 2 / 3]),
    "guessed": ({"one-mean": "mean, larger = 0.5, seed % 2 == 0"}, [0, 0, 0]),
    "another student's": (RIGHT | {"one-mean": "mean, larger = 12.0, True"}, [0, 1, 1]),
    "by heart": (RIGHT | {"lab3-threshold": HEART}, [1, 1 / 2, 1]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_part_of_an_answer_gets_its_own_marks(kind, support, tmp_path, wall):
    answers, expected = ANSWERS[kind]
    judgement, remarks = judged(support, answered(answers), tmp_path, wall)
    assert judgement == expected and remarks.fault == ""
    notes = remarks.credits[1]["notes"]
    assert (notes == ["other data: not the right answer"]) == (kind == "by heart")


def test_other_data_are_not_called_wrong_before_they_are_tried(support, tmp_path, wall):
    answers = RIGHT | {"lab3-threshold": "def threshold(*_): return None"}
    notes = judged(support, answered(answers), tmp_path, wall)[1].credits[1]["notes"]
    assert notes[-1] == "other data: not tried before the first holds"


def test_a_step_that_is_left_empty_reads_as_in_the_notebook(support, tmp_path, wall):
    """And is no TypeError of what a stub returns."""
    remarks = judged(support, answered({}), tmp_path, wall)[1]
    for step in remarks.credits:
        assert step["notes"][0].endswith(": not filled in"), step


def test_a_later_cell_that_changes_an_array_in_place_changes_no_step_before_it(support):
    notebook = teachers()
    notebook.cells.append(new_code_cell("values += 1"))
    solved = judge.SolvedLab(judge.steps_of_notebook(notebook), "7")
    solved.steps.append(judge.Step(label="last", cells=[solved.steps[-1].cells.pop()]))
    with judge.as_student(support, SEED):
        solved.work()
    *_, before, after = (step.solution for step in solved.steps)
    assert np.array_equal(before["values"] + 1, after["values"])


@pytest.fixture(scope="module")
def labs_of_a_course(tmp_path_factory):
    """What the students of a course have of all labs, without checks: the site's archive."""
    skip_unless(
        (SITE / "_static/exercises.zip").is_file(), "the site is not built: make book"
    )
    folder = tmp_path_factory.mktemp("labs")
    pages = [f"labs/{lab}" for lab in LABS]
    site_files = course._unpacked(SITE / "_static" / "exercises.zip")
    for name, content in course.part_of_archive(site_files, pages).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / "calibration-book"


def lab_notebooks(lab):
    return [nbformat.read(HANDOUTS / reader / "labs" / f"{lab}.ipynb", as_version=4)
            for reader in ("student", "teacher")]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_a_solved_lab_has_all_marks_an_empty_one_none(
    lab, labs_of_a_course, tmp_path, wall
):
    student, teacher = lab_notebooks(lab)
    for notebook, credit in ((try_handouts.solved(student, teacher), 1), (student, 0)):
        nbformat.write(notebook, tmp_path / "lab.ipynb")
        judgement = judge.judge(
            teacher, tmp_path / "lab.ipynb", labs_of_a_course, SEED, "7", wall
        )
        assert [step["credit"] for step in judgement.credits] == [credit] * 4, judgement
        assert judgement.fault == ""


# One cell that earns what checks give away: it evaluates the side of each comparison that is not
# an answer, and puts it where the answer belongs; a function gives what it was asked for.
SOLVER = """
import ast, json, os
from pathlib import Path
kept = json.loads((Path(os.environ["CALIB_DATA"]).parent / "checks.json").read_text())
memory = {}
def sides(test):
    if isinstance(test, ast.Call) and getattr(test.func, "attr", "") in (
        "isclose", "allclose", "array_equal"):
        return test.args[:2]
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return [test.left, test.comparators[0]]
    return []
def value(node):
    return eval(compile(ast.Expression(node), "", "eval"), globals())
def learn(answer, right):
    if isinstance(answer, (ast.List, ast.Tuple)):
        for one, item in zip(answer.elts, value(right)):
            learn(one, ast.Constant(item))
    if isinstance(answer, ast.Name) and answer.id in OPENED:
        globals()[answer.id] = value(right)
    if isinstance(answer, ast.Subscript) and getattr(answer.value, "id", "") in OPENED:
        table = globals()[answer.value.id]
        table = table if isinstance(table, dict) else {}
        globals()[answer.value.id] = table | {value(answer.slice): value(right)}
    if isinstance(answer, ast.Call) and getattr(answer.func, "id", "") in OPENED:
        name = answer.func.id
        asked = repr([value(one) for one in answer.args])
        memory.setdefault(name, {})[asked] = value(right)
        globals()[name] = lambda *a, _of=name: memory[_of].get(repr([*a]))
def attack(statements):
    for node in statements:
        try:
            if isinstance(node, ast.For):
                for item in value(node.iter):
                    globals()["_item"] = item
                    exec(f"{ast.unparse(node.target)} = _item", globals())
                    attack(node.body)
            elif isinstance(node, ast.Assert):
                pair = sides(node.test)
                for answer, right in (pair, pair[::-1]) if pair else ():
                    learn(answer, right)
            else:
                exec(ast.unparse(node), globals())
        except Exception:
            pass
for LABEL, OPENED in LABELS.items():
    tree = ast.parse(kept[LABEL])
    attack(next(node for node in tree.body if isinstance(node, ast.With)).body)
"""


def points_of_the_solver(lab, support, tmp_path, wall):
    """The points of 16 that an empty notebook of a lab has with this one cell at its end."""
    student, teacher = lab_notebooks(lab)
    labels = {step.label: step.names for step in judge.steps_of_notebook(teacher)[1:]}
    cell = new_code_cell(f"LABELS = {labels!r}\n{SOLVER}")
    student.cells.append(cell)
    nbformat.write(student, tmp_path / "lab.ipynb")
    judgement = judge.judge(teacher, tmp_path / "lab.ipynb", support, SEED, "7", wall)
    assert judgement.fault == ""
    return sum(4 * step["credit"] for step in judgement.credits)


@pytest.mark.slow
def test_one_cell_that_evaluates_the_checks_earns_next_to_nothing(
    labs_of_a_course, tmp_path, wall
):
    """Checks in clear, as they once were, gave it more than half of all points."""
    clear = tmp_path / "clear" / "calibration-book"
    shutil.copytree(labs_of_a_course, clear)
    for path in labs_of_a_course.parent.glob("*.whl"):
        shutil.copy(path, clear.parent)
    checks = {}
    for lab in LABS:
        _, teacher = lab_notebooks(lab)
        checks |= {
            step.label: step.check for step in judge.steps_of_notebook(teacher)[1:]
        }
    (clear / "checks.json").write_text(json.dumps(checks))
    before = [points_of_the_solver(lab, clear, tmp_path, wall) for lab in LABS]
    after = [
        points_of_the_solver(lab, labs_of_a_course, tmp_path, wall) for lab in LABS
    ]
    print(
        f"of {16 * len(LABS)} points: before {sum(before):.1f}, after {sum(after):.1f}"
    )
    assert sum(before) > 80 and sum(after) < 8, (before, after)


def other_types(value):
    """A value in each other plain type that some student may write it in."""
    if isinstance(value, bool | np.bool_):
        return [np.bool_(value), bool(value), int(value)]
    if isinstance(value, int | float | np.number):
        whole = [int(value)] if value % 1 == 0 else []
        return [float(value), np.float64(value), np.array(value), *whole]
    if isinstance(value, set | frozenset):
        return [
            set(value),
            frozenset(value),
            sorted(value),
            {float(item) for item in value},
        ]
    if isinstance(value, dict) or hasattr(value, "to_dict"):
        items = dict(value)
        return [
            items,
            pd.Series(items),
            {key: np.array(item) for key, item in items.items()},
        ]
    if isinstance(value, list | tuple | np.ndarray):
        return [
            list(value),
            tuple(value),
            pd.Series(value) if np.ndim(value) == 1 else np.array(value),
            dict(enumerate(value)),
        ]
    return [value]


class Answers:
    """The replies of a submission that answers as the solution does, but for some values."""

    def __init__(self, solved, changed):
        self.solved, self.changed = solved, changed

    def value(self, name):
        step = next(step for step in self.solved.steps if name in step.names)
        value = self.changed.get(name, step.solution[name])
        return (
            value
            if callable(value)
            else value_of_pair(json.loads(json.dumps(plain_value(value))))
        )


def replies_of(solved, namespace):
    """What a submission replies whose names hold these values, without a wall."""
    calls = list(solved.calls)
    lines = [answer_line(value_of, namespace, name, {}) for name in solved.names]
    lines += [
        answer_line(call_function, namespace, *pickle.loads(call)) for call in calls
    ]
    return Replies(lines, solved.names, calls, "")


@pytest.mark.parametrize(
    "written",
    [list, tuple, np.array, pd.Series, pd.Index, lambda v: pd.Series(v, dtype=object)],
    ids=["list", "tuple", "array", "Series", "Index", "objects"],
)
def test_a_sequence_is_judged_alike_on_the_page_in_the_hand_out_and_in_the_marks(
    written,
):
    check_source = """\
with check("ex"):
    assert np.allclose(means, [0.5, 0.25])
    assert np.array_equal(counts, [3, 0])
    assert np.allclose(halves([2, 4]), [1, 2])
    assert np.array_equal(signs([2, -4]), [1, -1])
"""
    source = """\
means, counts = np.array([0.5, 0.25]), np.array([3, 0])
def halves(x): return np.array(x) / 2
def signs(x): return np.sign(x)
"""
    names = ["means", "counts", "halves", "signs"]
    step = judge.Step("ex", [source], names, check_source)
    solved = judge.SolvedLab([judge.Step(), step], "7")
    solved.work()
    solved.ask()
    solution = step.solution
    seals = {"ex": recorded_seals("ex", check_source, names, solution)}
    right = {
        "means": written([0.5, 0.25]),
        "counts": written([3.0, -0.0]),
        "halves": lambda x: written(solution["halves"](x)),
        "signs": lambda x: written(solution["signs"](x)),
    }
    wrong = {
        "means": written([0.25, 0.5]),
        "counts": written([0, 3]),
        "halves": lambda x: written(np.array(x) / 3),
        "signs": lambda x: written([1, 1]),
    }
    assert printed_by(check_source, solution | right | {"check": check}) == "right"
    assert by_seals(step, right, seals)
    (judged,) = judge.step_credits(solved, replies_of(solved, right))
    assert judged["credit"] == 1, judged
    for name in names:
        one = right | {name: wrong[name]}
        assert printed_by(check_source, solution | one | {"check": check}) != "right"
        assert not by_seals(step, one, seals)
        (judged,) = judge.step_credits(solved, replies_of(solved, one))
        assert judged["credit"] == 0.75, judged


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_a_right_answer_of_another_type_keeps_its_marks_and_costs_no_later_step(
    lab, labs_of_a_course
):
    """And what the check of students says of it, which holds seals, is what the teacher's says."""
    _, teacher = lab_notebooks(lab)
    solved = judge.SolvedLab(judge.steps_of_notebook(teacher), "7")
    with judge.as_student(labs_of_a_course, SEED):
        solved.work()
        seals = course.seals_of(teacher, labs_of_a_course, SEED)
        accepted = []
        for step in solved.steps[1:]:
            for name in {*step.names} - {*step.functions}:
                solution = step.solution[name]
                for value in [*other_types(solution), *wrong_values(solution)]:
                    verdict = printed_by(
                        step.check, step.solution | {name: value, "check": check}
                    )
                    assert (verdict == "right") == by_seals(
                        step, {name: value}, seals
                    ), (
                        name,
                        value,
                    )
                    accepted += [{name: value}] * (verdict == "right")
        by_place = [
            dict(kv for kind in accepted[i:] for kv in kind.items()) for i in (0, 1, 2)
        ]
        for changed in by_place:
            credits = [
                step["credit"]
                for step in judge.step_credits(solved, Answers(solved, changed))
            ]
            assert credits == [1] * 4, changed


def by_seals(step, changed, seals):
    """Whether the check that students hold accepts an answer."""
    return (
        outcome_by_seals(
            step.check, step.names, step.solution | changed, seals[step.label]
        )
        == "right"
    )


SAYS_RIGHT = [
    '["raised", "right"]',
    '["value", "right"]',
    '["list", [["value", "right"]]]',
    '["open", "right"]',
    '["right", "right"]',
    '["function", "right"]',
    "right",
    "None",
    "null",
]


@pytest.mark.parametrize("solution", [3, abs], ids=["value", "function"])
@pytest.mark.parametrize("line", SAYS_RIGHT)
def test_no_word_of_a_submission_is_a_verdict(line, solution):
    """Whoever can write the replies can write any words there; these earn nothing."""
    assert _credit(line, solution) == 0
    assert _credit("", solution, fault=line) == 0


def test_a_right_value_is_right():
    assert _credit('["value", 3]', 3) == 1


@pytest.mark.parametrize(
    ("line", "solution", "note"),
    [
        ('["value", 3]', abs, "answer: is no function"),
        ('["function", "f"]', 3, "answer: is a function"),
    ],
)
def test_what_should_be_a_function_and_what_should_not_are_told_apart(
    line, solution, note
):
    assert _judged(line, solution)["notes"] == [note]


def test_a_function_is_asked_with_the_options_of_the_check():
    """The second question is asked only where the first assertion holds for the solution."""
    test = "with check('one'):\n    assert f(2, k=3) == 8\n    assert f(5) == 5"
    step = judge.Step("one", ["f = lambda x, k=1: x**k"], ["f"], test)
    solved = judge.SolvedLab([judge.Step(), step], "99")
    solved.work()
    solved.ask()
    assert len(solved.calls) == 2
    (judged,) = judge.step_credits(solved, replies_of(solved, step.solution))
    assert judged == {"label": "one", "credit": 1, "notes": []}


def _credit(line, solution, fault=""):
    return _judged(line, solution, fault)["credit"]


def _judged(line, solution, fault=""):
    """The credit of a step with one answer, whose check is printed by the judge's own code."""
    test = "with check('one'):\n    assert (answer(-3) if callable(answer) else answer) == 3"
    step = judge.Step("one", [], ["answer"], test, {"answer": solution})
    solved = judge.SolvedLab([judge.Step(), step], "99")
    solved.ask()
    lines = [line] * (1 + len(solved.calls)) if line else []
    replies = Replies(lines, ["answer"], solved.calls, fault)
    (judged,) = judge.step_credits(solved, replies)
    return judged
