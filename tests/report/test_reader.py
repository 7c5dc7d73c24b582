"""What is said is taken, what is left over is no class, and doubt is refused with what to type."""

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from stand_ins import Tensor

from calib_report.columns.labels import numbered_labels
from calib_report.columns.rows import rows_where
from calib_report.contract import ReadingError
from calib_report.doubting.copies import copies
from calib_report.options import EXPECTED, OF_SET_TO_FIT, Condition, Options
from calib_report.reading.new_outputs import new_outputs
from calib_report.reading.reader import arrays_of, read
from calib_report.values import texts
from evidence.files_with_truth.logs import harness
from evidence.files_with_truth.samples import (
    HIT,
    LOGITS,
    NAMED,
    NAMES,
    TOP,
    YES,
    P,
    Y,
    frame,
    prefixed,
)
from evidence.studies.software.bad_arguments import Raises


def objects():
    table = frame(label=NAMED)
    batches = [slice(0, 50), slice(50, 100), slice(100, 120)]
    tensors = [Tensor(LOGITS[b]) for b in batches]
    return {
        "array": (Y, P),
        "lists": {"y": Y.tolist(), "probs": P.tolist()},
        "pair": (LOGITS, Y),
        "data frame": table.set_index(np.arange(len(Y)) + 5),
        "tensors": {"logits": Tensor(LOGITS), "labels": Tensor(Y), "epoch": 3},
        "bfloat16": {"logits": Tensor(LOGITS, "torch.bfloat16"), "labels": Y},
        "batches": {"logits": tensors, "y": [Y[b] for b in batches]},
        "list of batches": [{"logits": LOGITS[b], "y": Y[b]} for b in batches],
        "batches in a pair": ([LOGITS[b] for b in batches], [Y[b] for b in batches]),
        "rows": {"probs": list(P), "y": list(Y)},
    }


KIND = {"pair": "logits", "batches in a pair": "logits"}  # a pair has no names


@pytest.mark.parametrize("name", objects())
def test_objects_are_read_by_the_same_door(name):
    outputs = read(objects()[name], kind=KIND.get(name))
    np.testing.assert_allclose(outputs.prob, P, atol=1e-6)
    assert outputs.y.tolist() == Y.tolist()


def test_groups_clusters_and_ids_are_named():
    wards, ids = np.arange(120) % 4, [f"s{i}" for i in range(120)]
    source = frame(label=NAMED, ward=wards, w=wards, person=ids)
    outputs = read(source, groups="ward", clusters="w", ids="person")
    assert outputs.groups["ward"].tolist() == [str(ward) for ward in wards]
    assert outputs.clusters.tolist() == wards.tolist() and outputs.ids.tolist() == ids
    assert outputs.take(np.arange(3)).ids.tolist() == ids[:3]


def test_a_calibration_set_comes_along():
    sets = {"y": Y[:60], "logits": LOGITS[:60], "calibration_y": Y[60:]}
    held = read(sets | {"calibration_logits": LOGITS[60:]}).calibration
    np.testing.assert_allclose(held.prob, P[60:])
    assert held.y.tolist() == Y[60:].tolist()


WORDS = np.array(NAMES)
HALVES = {"y": Y[:60], "p": P[:60], "val_y": Y[60:], "val_p": P[60:]}
MASKED = {
    name: np.where(np.arange(60) == 9, -100, HALVES[name]) for name in ("y", "val_y")
}
ON_FIRST = {"p": P[:60].T, "val_p": P[60:].T}
ANSWERS = {
    "label": WORDS[Y[:60]],
    "conf": TOP[:60],
    "pred": WORDS[P.argmax(axis=1)[:60]],
    "val_label": WORDS[Y[60:]],
    "val_conf": TOP[60:],
    "val_pred": WORDS[P.argmax(axis=1)[60:]],
}
OF_BOTH_SETS = {
    "a mask": (HALVES | MASKED, {"ignore_index": -100}, 59),
    "an axis": (HALVES | ON_FIRST, {"class_axis": 0}, 60),
    "answers": (ANSWERS, {"y": "label", "scores": "conf", "predicted": "pred"}, 60),
}


@pytest.mark.parametrize("name", OF_BOTH_SETS)
def test_options_hold_for_the_calibration_set_too(name):
    sets, said, n = OF_BOTH_SETS[name]
    calibration = read(sets, **said, calibration="val").calibration
    alone = {key.removeprefix("val_"): sets[key] for key in sets if "val_" in key}
    expected = read(alone, **said)
    assert len(calibration) == n
    np.testing.assert_array_equal(calibration.prob, expected.prob)
    assert calibration.y.tolist() == expected.y.tolist()


def test_each_option_says_whether_the_calibration_set_needs_it():
    """It needs all but those that name a column; classes are the samples', and doubts count."""
    of_columns = {"y", "scores", "labels", "long", "calibration", "where", "groups"}
    of_columns |= {"clusters", "ids", "ignore", "leave_out_empty"}
    fields = {*Options.__dataclass_fields__}
    assert {*OF_SET_TO_FIT} == fields - of_columns - {"classes", "yes"}


@pytest.mark.parametrize("n", [60, 40])
def test_rows_are_chosen_of_the_set_whose_column_is_named(n):
    site = np.array(["a", "b", "b"] * 20)
    sets = (
        HALVES
        | {"val_y": Y[-n:], "val_p": P[-n:]}
        | {"site": site, "val_site": site[:n]}
    )
    outputs = read(sets, where="site=a", calibration="val")
    assert (len(outputs), len(outputs.calibration)) == (20, n)
    outputs = read(sets, where="val_site=b", calibration="val")
    n_chosen = int((site[:n] == "b").sum())
    assert (len(outputs), len(outputs.calibration)) == (60, n_chosen)
    told = f"Calibration set: Read are {n_chosen} of {n} rows, where 'site' is 'b'."
    assert told in map(str, outputs.notes)


def test_an_error_of_the_calibration_set_names_what_can_be_typed():
    begins = "calibration set \\(--ignore NAME leaves it out\\): "
    with pytest.raises(
        ReadingError, match=begins + ".*left out by: --ignore-index=-100$"
    ):
        read(HALVES | {"val_y": MASKED["val_y"]}, calibration="val")
    hole = HALVES | {"val_y": np.where(np.arange(60) == 9, np.nan, Y[60:])}
    with pytest.raises(ReadingError, match=begins + ".*by: --leave-out-empty val_y$"):
        read(hole, calibration="val")
    outputs = read(hole, calibration="val", leave_out_empty="val_y")
    assert (len(outputs), len(outputs.calibration)) == (60, 59)
    answers = {"y": YES[:60], "val_y": np.where(YES[60:] == YES[60], YES[60:], np.nan)}
    questions = read(HALVES | answers, calibration="val", leave_out_empty="val_y")
    assert len(questions.calibration) == np.isfinite(answers["val_y"]).sum()
    without = read(hole, calibration="val", ignore=["val_y", "val_p"])
    assert without.calibration is None and len(without) == 60


def test_questions_and_places_know_their_sample():
    outputs = read({"y": YES, "p": P})
    assert (
        outputs.task == "labels"
        and outputs.groups["label"].tolist() == ["0", "1", "2"] * 120
    )
    assert outputs.clusters.tolist() == np.repeat(np.arange(120), 3).tolist()
    places = np.arange(120).reshape(5, 4, 6)
    outputs = read(
        {"y": np.where(places == 7, 255, Y[places]), "probs": P[places]},
        ignore_index=255,
    )
    assert (
        outputs.clusters.tolist()
        == np.repeat(np.arange(5), 24)[np.arange(120) != 7].tolist()
    )
    assert "1 samples with the label 255 are left out" in " ".join(
        map(str, outputs.notes)
    )


def test_what_is_left_out_is_told():
    outputs = read(
        frame(label=NAMED, entropy=TOP, age=Y, picture=np.arange(120).astype(str))
    )
    told = " ".join(map(str, outputs.notes))
    assert "left out: 'entropy', 'age'" in told and "named by 'picture'" in told
    assert (
        outputs.read_as
        == "probabilities are from 'cat', 'dog', 'hen', the labels from 'label'"
    )
    logits = prefixed("logit_", values=LOGITS)
    begins = read(prefixed("prob_").join(logits).assign(label=NAMED), scores="prob_")
    assert begins.kind == "probabilities" and "left out: 'logit_cat'" in " ".join(
        map(str, begins.notes)
    )
    numbers = read(prefixed("p_").assign(label=Y), scores="p_")
    assert "Labels are numbers of the columns, as they stand: 0 is 'cat'" in " ".join(
        map(str, numbers.notes)
    )


def test_what_parts_or_names_samples_is_not_left_out():
    site, patient = np.arange(120) % 4, np.arange(120) // 2
    table = frame(label=NAMED, entropy=TOP, site=site, patient=patient)
    table["picture"] = [f"p{row}" for row in range(120)]
    beside = {"groups": "site", "clusters": "patient", "ids": "picture"}
    for chosen in ({}, {"groups": "site"}, {"clusters": "patient"}, beside):
        told = " ".join(map(str, read(table, **chosen).notes))
        left = [n for n in ("entropy", "site", "patient") if n not in chosen.values()]
        assert f"left out: {', '.join(map(repr, left))}." in told
        assert "named by 'picture'" in told
    told = " ".join(
        map(str, read(table, ignore="site", **beside | {"groups": ()}).notes)
    )
    assert "left out: 'entropy', 'site'." in told


MAYBE = ["maybe"] * 120
LETTER = [["90a", "10%"], ["0.1", "0.9"]]
BELOW = np.where(P == P[9, 1], -0.2, P)
SHORT = prefixed("logit_", values=P.round(2)).assign(label=NAMED)
BESIDE = prefixed("score_", [1, 2], LOGITS[:, :2]).assign(label=HIT, prob=TOP)
HELD = {
    "y": Y[:60],
    "p": P[:60],
    "calibration_y": Y[60:],
    "calibration_logits": LOGITS[60:],
}
HOLE = np.where(P == P[9, 1], np.nan, P)
FEW = {"y": Y, "p": P, "a": [1.0, np.nan]}
LOOSE = prefixed("prob_", ["0", "1", "x"]).assign(label=Y)
REFUSED = {
    "a loose tolerance": ({"y": Y, "probs": P}, {"atol": 5}, "expected at most 0.05"),
    "classes and a confidence": ({"probs": P, "correct": HIT, "confidence": TOP}, {}, "--y NAME"),
    "two questions": ({"label": HIT, "conf": TOP}, {"scores": "conf"}, "scores conf --no-pairs"),
    "a confidence and a label": ({"label": HIT, "conf": TOP}, {}, "none has a name that says the"),
    "neither": ({"confidence": TOP, "correct": MAYBE}, {}, "neither right nor wrong"),
    "a number and a letter": ({"y": [0, 1], "probs": LETTER}, {}, "row 0 of 'probs' is '90a', exp"),
    "a single score": ({"logits": np.inf, "y": Y}, {}, "none has a name that says the sc"),
    "labels in no file": ({"logits": P}, {"labels": 3}, "labels: 3, expected the path of a file"),
    "a flag that is none": ({"logits": P, "y": Y}, {"multilabel": "no"}, "expected True or False"),
    "an unknown name": ({"y": ["cow"] * 120, "p": P}, {"classes": NAMES}, "row 0 is 'cow'"),
    "one wrong row": ({"y": Y, "probs": BELOW}, {}, "row 9 holds -0.2"),
    "two-digit logits": (SHORT, {}, "--kind prob"),
    "labels 0 and 2": ({"y": [0, 2] * 60, "p": P}, {"labels_from": 1}, "row 0 is 0, expected"),
    "no such group": ({"y": Y, "p": P}, {"groups": "ward"}, "there is no 'ward'"),
    "an array of labels": (P, {"y": Y}, "y: array([2, 1, 0"),
    "too few groups": ({"y": Y, "p": P, "a": [1, 2]}, {"groups": "a"}, "a: shape (2,), expected"),
    "an object that raises": ({"y": Y, "logits": Raises()}, {}, "logits: not an array ('from"),
    "a column with no name": (pd.DataFrame({"": TOP, "label": Y, "p": TOP}), {}, "has no name"),
    "a probability beside": (BESIDE, {}, "none has a name that says the scores"),
    "both of two labels": ({"y": Y, "p": P}, {"positive": 1}, "of one column of scores it is"),
    "another label": ({"y": HIT, "p": TOP}, {"scores": "p", "positive": "x"}, "labels, '0', '1'"),
    "fewer labels": ({"y": Y[1:], "p": P}, {}, "y: 119 labels, expected 120"),
    "a number alone": (3.0, {}, "scores: shape () of float64, expected numbers"),
    "an array alone": (P, {}, "none has a name that says the labels"),
    "a hole": ({"y": Y, "p": HOLE}, {}, "probabilities: row 9 holds nan"),
    "rows of another array": (FEW, {"leave_out_empty": "a"}, "as many rows as 'a'"),
    "several columns of pairs": ({"y": HIT, "p": P}, {"pairs": True}, "'p' is not one column"),
    "a name among numbers": (LOOSE, {}, "no column is of the label '2'"),
    "numbers as names": ({"y": Y, "p": P}, {"classes": ["3", "4", "5"]}, "--labels-from 0"),
    "two of three labels": ({"y": YES[:, :2], "p": P}, {}, "expected (120, 3) of 0 and 1, or"),
    "another kind of scores": (HELD, {}, "it holds logits of 3, the other probabilities of 3"),
    "one name twice": (pd.DataFrame(P, columns=["p", "y", "y"]), {}, "two arrays have one name"),
    "a shifted axis": ({"y": Y, "logits": np.zeros((120, 3, 2))}, {}, "numpy.moveaxis(scores, A"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    if isinstance(source, dict):
        source = {
            n: a if hasattr(a, "shape") else np.asarray(a) for n, a in source.items()
        }
    with pytest.raises((ValueError, TypeError)) as caught:
        read(source, **said)
    assert message in str(caught.value)


def test_each_option_says_what_is_expected_of_it():
    checked = [name for names, *_ in EXPECTED for name in names]
    assert sorted(checked) == sorted(Options.__dataclass_fields__)


NO_OPTIONS = {
    "where": [[3], 3],
    "ids": [5],
    "groups": [[0]],
    "clusters": [1.5],
    "ignore": [[None]],
    "leave_out_empty": [3],
    "percent": ["5", [1]],
    "atol": ["x", -1, True],
    "ignore_index": [True, "x", 1.5, [1, None]],
    "class_axis": [True, "1"],
    "labels_from": [True, 2],
    "pairs": ["no"],
    "classes": [3],
    "y": [True],
    "kind": [1],
}


@pytest.mark.parametrize("name", NO_OPTIONS)
def test_an_error_names_the_option_and_its_value(name):
    for value in NO_OPTIONS[name]:
        with pytest.raises(ReadingError, match=f"^{name}: .*, expected ") as caught:
            read({"y": Y, "p": P}, **{name: value})
        shown = value[-1] if isinstance(value, list) else value
        assert repr(shown) in str(caught.value)


@pytest.mark.parametrize("option", ["where", "unless"])
def test_an_error_of_a_condition_names_the_option_that_it_was_typed_for(option):
    """There is only `where` so far; another option of conditions is to be named as well."""
    with pytest.raises(ReadingError, match=f"^{option}: 'site', expected COLUMN=VALUE"):
        Condition.of("site", option)
    arrays = arrays_of({"y": Y, "site": np.array(["a", "b"])[Y % 2]})
    with pytest.raises(ReadingError, match=f"^{option}: 'site' is never 'c', but"):
        rows_where(arrays, Condition.of("site=c", option))
    with pytest.raises(ReadingError, match=f"^--{option}: there is no 'ward'"):
        rows_where(arrays, Condition.of("ward=c", option))


def test_numbers_of_numpy_are_numbers_of_options():
    said = {"labels_from": np.int64(0), "atol": np.float32(0.01), "ignore_index": Y[:1]}
    outputs = read({"y": Y, "p": P}, **said)
    assert len(outputs) == (Y != Y[0]).sum()


@pytest.mark.parametrize("y", [Y, np.array(list("012"))[Y], YES])
def test_a_label_to_leave_out_that_never_occurs_is_told(y):
    outputs = read({"y": y, "p": P}, ignore_index=(-100, 7))
    told = [str(note) for note in outputs.notes if "with which" in str(note)]
    assert len(told) == 2 and "label -100," in told[0] and "label 7," in told[1]
    assert len(outputs) == len(read({"y": y, "p": P}))


def test_several_logs_are_read_as_one(tmp_path):
    for name, n in {"law": 3, "logic": 2}.items():
        rows = harness(choices=lambda i, n=n: n)
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    paths = sorted(tmp_path.glob("*.jsonl"))
    outputs = read(paths, groups="file")
    assert outputs.groups["file"].tolist() == [
        path.name for path in paths for _ in range(120)
    ]
    np.testing.assert_allclose(outputs.prob[:120], P)
    assert (outputs.prob[120:, 2] == 0).all()
    for name, other in {"one": "b", "two": "c"}.items():
        row = [
            {"scores": {"a": 0.7, other: 0.3}, "label": label}
            for label in ("a", "a", other)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, row)))
    # of other classes
    outputs = read([tmp_path / "one.jsonl", tmp_path / "two.jsonl"], scores="scores")
    assert outputs.class_names == ["a", "b", "c"] and outputs.y.tolist() == [
        0,
        0,
        1,
        0,
        0,
        2,
    ]
    assert outputs.prob[2].tolist() == [0.7, 0.3, 0] and outputs.prob[5].tolist() == [
        0.7,
        0,
        0.3,
    ]
    with pytest.raises(ValueError, match="only logs of JSON lines are read as one"):
        read([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_rows_numbered_in_another_order_are_joined_or_paired_as_told(tmp_path):
    order = np.random.default_rng(6).permutation(120)
    prefixed("p_").to_csv(tmp_path / "p.csv")
    pd.DataFrame({"label": Y}).iloc[order].to_csv(tmp_path / "y.csv")
    with pytest.raises(
        ValueError, match="--ids '' joins them on the numbers, --ignore ''"
    ):
        read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    joined = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ids="")
    assert joined.y.tolist() == Y.tolist() and "joined on ''" in " ".join(
        map(str, joined.notes)
    )
    paired = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ignore="")
    assert paired.y.tolist() == Y[order].tolist() and "by position" in " ".join(
        map(str, paired.notes)
    )


def test_classes_may_bear_the_names_of_other_things(tmp_path):
    """Labels x, y and z of a second file are three labels, not one column named y."""
    frame(list("xyz"), P).to_csv(tmp_path / "p.csv", index=False)
    frame(list("xyz"), YES).to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert outputs.task == "labels" and outputs.y.tolist() == YES.ravel().tolist()


def test_labels_of_a_test_set_go_with_scores_of_no_set():
    outputs = read({"y_test": Y, "y_prob": P, "y_train": Y[:9]}, y="y_test")
    assert (
        outputs.y.tolist() == Y.tolist()
        and "left out: 'y_train'" in outputs.notes[0].text
    )


def test_new_outputs_need_no_labels(tmp_path):
    prefixed("logit_", values=LOGITS).assign(id=np.arange(120)).to_csv(
        tmp_path / "new.csv"
    )
    new = new_outputs(arrays_of(tmp_path / "new.csv"), Options(), NAMES)
    np.testing.assert_allclose(new.scores, LOGITS)
    assert (new.kind, new.classes) == ("logits", NAMES)
    assert new.columns == tuple(f"logit_{name}" for name in NAMES)
    pairs = Options(pairs=True)
    stated = new_outputs(
        arrays_of(pd.DataFrame({"confidence": TOP})), pairs, ["wrong", "right"]
    )
    assert (
        stated.classes == ["wrong", "right"]
        and stated.scores[:, 1].tolist() == TOP.tolist()
    )


def test_own_predictions_are_told():
    assert "own predictions" in read({"y": P.argmax(axis=1), "p": P}).notes[0].text


def test_copies_of_samples_are_clusters_and_leaves_of_a_tree_are_not():
    twice = np.repeat(np.arange(120), 2)
    outputs = read({"y": Y[twice], "p": P[twice]})
    assert (
        len(np.unique(outputs.clusters)) == 120
        and "120 of 240 rows repeat" in outputs.notes[-1].text
    )
    leaves = np.random.default_rng(4).dirichlet(np.ones(3), size=6)[np.arange(240) % 6]
    y = (leaves.cumsum(axis=1) < np.random.default_rng(5).random((240, 1))).sum(axis=1)
    assert copies(read({"y": y, "p": leaves})) is None


def test_copies_of_samples_are_numbered_alike_in_every_process(capsys):
    """Folds follow the numbers of clusters, so that these may not hang on how Python hashes."""
    told = "import numpy as np, calib_report; p = np.random.default_rng(0).dirichlet([1, 1], 90)"
    told += "; y = (p[:, 1] > 0.4).astype(int); twice = np.arange(180) % 90"
    told += (
        "; print(calib_report.read({'y': y[twice], 'p': p[twice]}).clusters.tolist())"
    )
    seed = "12"[os.environ.get("PYTHONHASHSEED") == "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    exec(told, {})
    one = subprocess.check_output(
        [sys.executable, "-c", told], env=environment, text=True
    )
    assert one == capsys.readouterr().out and len(one) > 300


def test_labels_are_names_or_numbers_of_classes():
    assert numbered_labels(np.array(["1", "0"]), None, 2, None, "y").tolist() == [1, 0]
    assert numbered_labels(
        np.array([1.0, 3.0]), ["1", "2", "3"], 3, None, "y"
    ).tolist() == [0, 2]
    assert numbered_labels(np.array([True, False]), None, 2, None, "y").tolist() == [
        1,
        0,
    ]
    assert texts(np.array([1.5, 2.0])).tolist() == ["1.5", "2.0"]
    with pytest.raises(
        ReadingError, match="row 0 is 'apple', the name of a class: leave out"
    ):
        numbered_labels(np.array(["apple", "pear"]), ["apple", "pear"], 2, 1, "y")
