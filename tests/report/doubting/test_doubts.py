"""What speaks against a reading is asked, and overruled only where all is said."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from combined_files import (
    EVENT,
    HIT,
    MARGIN,
    NAMED,
    NAMES,
    P_EVENT,
    TOP,
    N,
    P,
    Y,
    Z,
    of_classes,
)
from refusals import refuses
from typed import typed

from calib_report import propose, read
from calib_report.arrays import Arrays
from calib_report.columns.labels_and_scores import samples_of
from calib_report.contract import Doubter, DoubtError, ReadingError, as_typed
from calib_report.doubting import doubts
from calib_report.doubting.doubts import (
    AsRead,
    doubt_classes_that_never_occur,
    doubt_contradicted_scores,
    doubt_hits,
    doubt_repeated_ids,
    doubt_second_labels,
    doubt_several_sets,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reading.outputs_of_samples import outputs_of

DOUBTED = {
    "a split": (
        of_classes() | {"label": NAMED, "split": ["train", "test"] * (N // 2)},
        "split=test",
    ),
    "an id": (
        of_classes() | {"label": NAMED, "id": np.arange(N) // 2},
        "--clusters id",
    ),
    "labels": (of_classes() | {"label": NAMED, "gold": np.roll(NAMED, 1)}, "--y gold"),
    "predictions": (
        of_classes() | {"label": NAMED, "pred": np.roll(NAMED, 1)},
        "--ignore pred",
    ),
    "a class": (
        {f"logit_{c}": Z[:, k] for k, c in enumerate(NAMES)}
        | {"logit_emu": MARGIN, "label": NAMED},
        "--ignore logit_emu",
    ),
    "an order": ({"confidence": 1 - TOP, "correct": HIT}, "--positive 0"),
    "hits": (
        {"confidence": TOP, "correct": HIT, "gold": NAMED, "answer": np.roll(NAMED, 1)},
        "--pairs",
    ),
    "classes": (
        {f"p_{n}": P[:, k - 1] for k, n in enumerate(NAMES)} | {"label": NAMED},
        "--yes",
    ),
}


@pytest.mark.parametrize("what", DOUBTED)
def test_what_speaks_against_a_reading_is_asked(what):
    columns, suggestion = DOUBTED[what]
    with pytest.raises(DoubtError) as caught:
        read(pd.DataFrame(columns), scores="p_" if what == "classes" else None)
    assert suggestion in str(caught.value)


@pytest.mark.parametrize(
    ("seen", "is_turned"), [(-3.8, True), (-3.6, False), (3.8, False), (None, False)]
)
def test_confidences_are_turned_beyond_what_chance_does_in_ten_thousand(
    monkeypatch, seen, is_turned
):
    relation = None if seen is None else SimpleNamespace(seen=seen)
    monkeypatch.setattr(doubts, "association", lambda y, p: relation)
    outputs = ModelOutputs([0, 1], probabilities=np.full((2, 2), 0.5))
    assert doubts._is_clearly_turned(outputs) == is_turned


def test_yes_overrules_a_doubt_and_is_nothing_alone():
    table = pd.DataFrame({"confidence": 1 - TOP, "correct": HIT})
    options = {"y": "correct", "scores": "confidence", "pairs": True}
    outputs = read(table, **options, yes=True)
    assert "Read as said, although" in " ".join(map(str, outputs.notes))
    with pytest.raises(ReadingError, match="only together with options that say all"):
        read(table, yes=True)


def test_an_absent_class_of_few_samples_is_a_class():
    columns = {"label": NAMED} | {
        f"logit_{name}": Z[:, k] for k, name in enumerate(NAMES)
    }
    without = pd.DataFrame(columns)[Y != 2]
    assert propose(without[:4])[0].options.classes == tuple(NAMES)
    assert propose(without)[0].options.ignore == ("logit_hen",)


REFUSED = {
    "doubt": (
        {"correct": HIT, "uncertainty": 1 - TOP},
        {"y": "correct", "scores": "uncertainty", "pairs": True},
        "--positive 0",
    ),
    "the prediction's": (
        {
            "label": EVENT,
            "prediction": (P_EVENT > 0.5).astype(int),
            "probability": np.maximum(P_EVENT, 1 - P_EVENT),
        },
        {"scores": "probability"},
        "--predicted prediction",
    ),
}
test_doubtful_scores_that_are_not_clear_are_refused = refuses(REFUSED)


def doubts_of(check, text, **typed_options):
    """What a check says against a table that is typed, and the options that it suggests."""
    columns, options = typed(text), Options(**typed_options)
    samples = samples_of(columns, Arrays(columns), options)
    samples, outputs = outputs_of(samples, options, Doubter(overruled=False))
    for problem, suggestions in check(AsRead(samples, outputs, options)):
        yield problem, " | ".join(map(" ".join, map(as_typed, suggestions)))


FOLDS = "--ignore fold | --where fold=1 | --where fold=2"
AS_WHICH = "--scores NAMES | --ignore pred"
OF_ABSENT = "label logit_a logit_b logit_c; a 1 0 0; b 0 1 2"
OF_EVENT = "y p_0 pred; 0 .1 0; 1 .9 1; 0 .2 0; 1 .8 1"
OF_IDS = "id a_id label p_a p_b; 7 1 a .9 .1; 7 2 b .2 .8; 8 3 a .9 .1"
TIED = "label p_a p_b p_c pred; a .5 .5 0 b; b .2 .8 0 b; "
HITS = "correct confidence gold answer; "


def sets(name, values):
    """Options that read one set each, or all."""
    one_each = [f"--where {name}={value}" for value in values.split()]
    return " | ".join([*one_each, f"--ignore {name}"])


def of_two(column, entries, labels="aabb"):
    """A table of the labels a and b, their probabilities and another column."""
    scores = {"a": ".9 .1", "b": ".2 .8"}
    cells = zip(labels, entries.split(), strict=True)
    rows = [f"{label} {scores[label]} {entry}" for label, entry in cells]
    return "; ".join([f"label p_a p_b {column}", *rows])


@pytest.mark.parametrize(
    ("check", "text", "suggestions"),
    [
        # one set is read, the test set first; of folds all are
        (doubt_several_sets, of_two("split", "train test train test"), sets("split", "test train")),
        (doubt_several_sets, of_two("fold", "1 2 1 2"), FOLDS),
        (doubt_several_sets, of_two("Split", "dev x dev x"), sets("Split", "dev x")),
        (doubt_several_sets, of_two("split", "1 1 1 1"), None),
        (doubt_several_sets, of_two("split", "1 2 3 3"), None),
        (doubt_several_sets, of_two("colour", "1 2 1 2"), None),
        # rows of one id belong together
        (doubt_repeated_ids, of_two("user_id", "7 7 8 8"), "--clusters user_id | --ignore user_id"),
        (doubt_repeated_ids, of_two("user_id", "7 7 7 7"), None),
        (doubt_repeated_ids, of_two("user", "7 7 8 8"), None),
        # two columns of labels that differ
        (doubt_second_labels, of_two("gold", "a a b b"), None),
        (doubt_second_labels, of_two("gold", "a b b b"), "--y label | --y gold"),
        (doubt_second_labels, of_two("gold", "0 1 1 1"), "--y label | --y gold"),
        (doubt_second_labels, of_two("gold", "a c b b"), None),
        # predictions that are not the surest class
        (doubt_contradicted_scores, of_two("pred", "a a b b"), None),
        (doubt_contradicted_scores, of_two("pred", "a a b a"), AS_WHICH),
        (doubt_contradicted_scores, of_two("pred", "0 0 1 1"), None),
        (doubt_contradicted_scores, of_two("pred", "0 0 1 0"), AS_WHICH),
        (doubt_contradicted_scores, of_two("pred", "A A B B"), None),
        (doubt_contradicted_scores, of_two("pred", "a z b b"), None),
        (doubt_contradicted_scores, of_two("pred", "0 0 1 2"), None),
        (doubt_contradicted_scores, TIED + "c 0 .1 .9 c", None),
        (doubt_contradicted_scores, TIED + "c 0 .1 .9 a", AS_WHICH),
        # where classes are numbers themselves, another number is none of them
        (doubt_contradicted_scores, "y p_1 p_2 pred; 1 .9 .1 1; 2 .2 .8 0", None),
        (doubt_contradicted_scores, "y p_1 p_2 pred; 1 .9 .1 2; 2 .2 .8 1", AS_WHICH),
        # what rounding takes from a tie leaves a tie
        (doubt_contradicted_scores, TIED + "c .5000001 0 .4999999 c", None),
        (doubt_contradicted_scores, TIED + "c .500001 0 .499999 c", AS_WHICH),
        (doubt_contradicted_scores, "correct confidence pred; 1 .9 wrong; 0 .6 right", None),
        # all of one class: any threshold that a score passes will do
        (doubt_contradicted_scores, of_two("pred", "a a a a", "aaaa"), None),
        (doubt_contradicted_scores, of_two("pred", "b b b b", "aaaa"), AS_WHICH),
        (doubt_contradicted_scores, of_two("pred", "b b b b"), None),
        (doubt_contradicted_scores, OF_EVENT, "--predicted pred | --ignore pred"),
        # logits of a class that no label is
        (doubt_classes_that_never_occur, OF_ABSENT, "--classes a,b,c | --ignore logit_c"),
        (doubt_classes_that_never_occur, "label p_a p_b p_c; a .9 .1 0; b .2 .8 0", None),
        (doubt_classes_that_never_occur, "label logit_0 logit_1 logit_2; 0 1 0 0; 1 0 1 2", None),
        # hits that are not whether answer and label are equal
        (doubt_hits, HITS + "1 .9 a a; 0 .6 b a", None),
        (doubt_hits, HITS + "1 .9 b a; 0 .6 a a", "--y correct --pairs --ignore gold"),
        (doubt_hits, HITS + "1 .9 b a; 0 .6 a z", None),
        (doubt_hits, "correct confidence gold truth answer; 1 .9 b a a; 0 .6 a a a", None),
    ],
)  # fmt: skip
def test_each_check_doubts_a_table_as_it_is_typed(check, text, suggestions):
    doubts = list(doubts_of(check, text))
    assert doubts == [] if suggestions is None else doubts[0][1] == suggestions


@pytest.mark.parametrize(
    ("check", "text", "options"),
    [
        (doubt_repeated_ids, of_two("user_id", "7 7 8 8"), {"clusters": ("user_id",)}),
        (doubt_repeated_ids, OF_IDS, {"ids": ("a_id",)}),
        (doubt_second_labels, of_two("gold", "a b b b"), {"y": "label"}),
        (doubt_several_sets, of_two("split", "1 2 1 2"), {"ignore": ("split",)}),
        (doubt_several_sets, of_two("split", "1 2 1 2"), {"groups": ("split",)}),
        (doubt_classes_that_never_occur, OF_ABSENT, {"classes": ("a", "b", "c")}),
    ],
)  # fmt: skip
def test_what_an_option_says_is_doubted_no_more(check, text, options):
    assert list(doubts_of(check, text, **options)) == []


def test_a_doubt_names_the_column_the_rows_and_how_many():
    ((problem, _),) = doubts_of(doubt_contradicted_scores, of_two("pred", "a a a b"))
    assert "'pred' contradicts the scores in 1 of 4 rows, such as 3:" in problem
    ((problem, _),) = doubts_of(doubt_second_labels, of_two("gold", "a b b b"))
    assert problem.endswith("hold labels, which differ in 1 of 4 rows")
    ((problem, _),) = doubts_of(doubt_repeated_ids, of_two("user_id", "7 7 8 8"))
    assert "'user_id' names 2 of 4 rows" in problem
    ((problem, _),) = doubts_of(doubt_hits, HITS + "0 .9 a a; 0 .6 b a")
    assert problem.endswith("are equal in 1 of 2 rows, such as 0")
