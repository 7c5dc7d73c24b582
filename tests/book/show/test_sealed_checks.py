"""Checks with seals in the place of answers."""

import ast

import numpy as np
import pytest

from book.show.sealed_checks import (
    HEAD,
    dependent_names,
    outcome_by_seals,
    recorded_seals,
    recording_check,
    sealed_check,
)


def checked(*lines):
    """Return the source of a check with these lines."""
    return "\n    ".join(["with check('ex-sum'):", *lines]) + "\n"


def seals_of(*lines, salt="", **names):
    return recorded_seals(
        "ex-sum", checked(*lines), list(names), {"np": np, **names}, salt
    )


# lines of a check, its open names, and what of it depends on them
DEPENDING = [
    ("b = 2 * a", "a", "a b"),
    ("b = 2 * c", "a", "a"),
    ("table['x'] = a", "a", "a table"),
    ("values.append(a)", "a", "a values"),
    ("import numpy as a", "a", "a"),
    ("for x in a:\n    y = x", "a", "a x y"),
    ("for size in (3, 5):\n    y = a * size", "a", "a y"),
    ("for n, x in ((3, a), (5, b)):\n    y = x\n    z = n", "a", "a x y"),
    ("assert (b := a) == 3", "a", "a"),
]


@pytest.mark.parametrize(("source", "open_names", "expected"), DEPENDING)
def test_what_is_made_of_an_answer_depends_on_it(source, open_names, expected):
    assert dependent_names(ast.parse(source).body, open_names.split()) == set(
        expected.split()
    )


# lines of a check of `a`, and those that a student is given
TAKEN_AWAY = [
    (["assert a == 1 + 2"], ["seal.same(a, 'a')"]),
    (["assert 1 + 2 == a"], ["seal.same(a, 'a')"]),
    (["assert np.isclose(a, 0.35)"], ["seal.near(a, 'a')"]),
    (["assert np.allclose(0.35, a, atol=1)"], ["seal.near(a, 'a')"]),
    (["assert a == 3, 'count them'"], ["seal.same(a, 'a', 'count them')"]),
    # the right side goes, and all that only it needs
    (["right = 1 + 2", "assert a == right"], ["seal.same(a, 'a')"]),
    (["n = 3", "assert a(n) == 2 * n"], ["n = 3", "seal.same(a(n), 'a(n)')"]),
    # what compares answers with each other tells nothing of the right one
    (["assert a == a + 0"], ["assert a == a + 0"]),
    (
        ["for n in (3, 5):", "    assert a(n) == 2 * n"],
        ["for n in (3, 5):", "    seal.same(a(n), 'a(n)')"],
    ),
    (["if True:", "    assert a == 3"], ["if True:", "    seal.same(a, 'a')"]),
    # the end of a round is read by the next one
    (
        ["s = 0", "for x in (1, 2):", "    assert a(s) == 2 * s", "    s = s + x"],
        ["s = 0", "for x in (1, 2):", "    seal.same(a(s), 'a(s)')", "    s = s + x"],
    ),
]


@pytest.mark.parametrize(("lines", "expected"), TAKEN_AWAY)
def test_a_student_is_given_a_check_without_the_right_sides(lines, expected):
    given = sealed_check(checked(*lines), ["a"])
    assert given == HEAD + checked("seal = Seal('ex-sum')", *expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assert a == 1 + 2", "seal.same(a, 1 + 2, 'a')"),
        ("assert 3 == a, 'count'", "seal.same(a, 3, 'a', 'count')"),
        ("assert np.isclose(a, 3, atol=1)", "seal.near(a, 3, 'a', atol=1)"),
        ("assert a == a + 0", "assert a == a + 0"),
    ],
)
def test_a_recorder_is_told_both_sides_and_the_tolerance(line, expected):
    assert recording_check(checked(line), ["a"]) == checked(expected)


@pytest.mark.parametrize(
    ("line", "right", "other", "expected"),
    [
        ("assert a == 3", 3, 3.0, "right"),
        ("assert a == 3, 'the sum'", 3, 4, "not yet: the sum"),
        ("assert np.isclose(a, 1)", 1.0, 1 + 1e-7, "right"),
        ("assert np.isclose(a, 1)", 1.0, 1 + 1e-4, "not yet: "),
        ("assert np.isclose(a, 1, rtol=1e-2)", 1.0, 1.001, "right"),
        ("assert np.isclose(a, 1, rtol=0, atol=.1)", 1.0, 1.01, "right"),
    ],
)
def test_an_answer_is_judged_by_its_seal(line, right, other, expected):
    seals = seals_of(line, a=right)
    said = outcome_by_seals(checked(line), ["a"], {"np": np, "a": other}, seals)
    assert said.startswith(expected)


def test_equal_answers_have_digests_that_differ():
    lines = ["assert a == 3", "assert b == 3"]
    first, second = seals_of(*lines, salt="x", a=3, b=3)
    assert first["salt"] == "x/ex-sum/0" and second["salt"] == "x/ex-sum/1"
    assert first["digest"] != second["digest"]
    # another course has other digests of the same answer
    assert seals_of(*lines, salt="y", a=3, b=3)[0]["digest"] != first["digest"]


def test_a_solution_that_its_check_refuses_has_no_seals():
    with pytest.raises(ValueError, match=r"ex-sum: the check refuses .*: not yet: "):
        seals_of("assert a == 3", a=4)


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
