"""Bad arguments and changed files: an answer or an error of our own, never another."""

import warnings

import matplotlib as mpl
import numpy as np
import pytest

import calib_report
from evidence import load_results
from evidence.studies.software import bad_arguments, changed_files

mpl.use("Agg")
QUICK = 12  # calls or changes of each; `make fuzz` makes more


@pytest.mark.parametrize("name", bad_arguments.public())
def test_good_arguments_are_answered_and_bad_ones_answered_or_refused(name):
    """A new callable without values for its parameters fails here."""
    assert bad_arguments.outcome(*bad_arguments.call_of(name)) == "returned"
    assert not bad_arguments.fuzz(name, 4 if name == "make_report" else QUICK)[1]


@pytest.mark.slow
def test_changed_files_are_refused_or_read(tmp_path):
    faults = {
        name: changed_files.mutate(name, file, QUICK, tmp_path / "changed")[1]
        for name, file in changed_files.corpus(tmp_path).items()
    }
    assert {name: fault for name, fault in faults.items() if fault} == {}


def test_the_long_counts_hold_nothing_wrong():
    assert load_results("bad_arguments")["wrong"].eq(0).all()
    assert load_results("changed_files")["wrong"].eq(0).all()
    kills = load_results("killed_runs")
    assert kills["same"].all() and kills[["orphans", "left"]].eq(0).all(axis=None)


def test_what_is_wrong_with_a_call_is_seen():
    def changes(y):
        y[0] = 7

    y = np.arange(5)
    assert bad_arguments.outcome(lambda y: {}[0], {"y": y}).startswith(
        "foreign KeyError"
    )
    verdict = bad_arguments.outcome(
        lambda y: warnings.warn("careful", stacklevel=1), {"y": y}
    )
    assert verdict == "warning: careful"
    assert bad_arguments.outcome(changes, {"y": y}) == "y was changed"


TABLE = b"label,p_a,p_b\na,0.8,0.2\nb,0.3,0.7\nb,0.1,0.9\na,0.6,0.4\n"


@pytest.fixture
def judge(tmp_path):
    """Return what the judge says of a changed table, by what a reader made of it."""
    path = tmp_path / "a.csv"

    def judge(content, answer, suffix=".csv"):
        path.write_bytes(TABLE)
        truth = calib_report.read(path)
        path.write_bytes(content)
        reader = answer if callable(answer) else lambda path: answer
        return changed_files.outcome(
            changed_files.File(suffix, TABLE, reader, truth), path
        )

    return judge


def table(
    y=(0, 1, 1, 0), p=((0.8, 0.2), (0.3, 0.7), (0.1, 0.9), (0.6, 0.4)), names="ab"
):
    return calib_report.ModelOutputs(y, probabilities=p, class_names=[*names])


def test_a_judge_sees_that_a_label_an_event_an_order_or_a_score_is_another(judge):
    assert judge(TABLE, table()) == "same"
    verdict = "a stated row was read as another"
    assert judge(TABLE, table(y=(0, 1, 1, 1))) == verdict
    assert judge(TABLE, table(names="ba")) == verdict
    assert (
        judge(TABLE, table(p=((0.8, 0.2), (0.3, 0.7), (0.1, 0.9), (0.7, 0.3))))
        == verdict
    )
    assert (
        judge(TABLE, table((0, 1, 1), table().scores[:3]))
        == "4 rows are stated, and 3 read"
    )
    assert judge(TABLE, lambda path: {}[0]).startswith("foreign KeyError")
    turned = table((1, 0, 0, 1), table().scores[:, ::-1], "ba")
    assert judge(TABLE, turned) == "same"


def test_a_judge_leaves_out_what_nobody_could_know(judge):
    relabelled = table(y=(1, 1, 1, 0))
    assert judge(TABLE.replace(b"a,0.8", b"b,0.8"), relabelled) == "other"
    assert judge(TABLE.replace(b"p_a,p_b", b"p_b,p_a"), table(names="ba")) == "other"
    assert judge(TABLE, table(y=(0, 1, 1, 1)), ".gz") == "a changed file was believed"
