"""Each rule of the proposals, what speaks against a reading, and the faults that were found."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from combined_files import (
    BEST,
    EVENT,
    HIT,
    MARGIN,
    NAMED,
    NAMES,
    P_EVENT,
    STATED,
    TOP,
    N,
    P,
    Y,
    Z,
    combined,
    outcome,
)

import calib
import calib_report
from calib_report import propose, read
from calib_report.command import main
from calib_report.contract import CONTRACT, DoubtError, NotSaidError, ReadingError
from evidence.files_with_truth.case import is_right


def first(**columns):
    """Return the options of the first proposal."""
    return propose(pd.DataFrame(columns))[0].options.changed()


def of_classes(start="p_"):
    return {f"{start}{name}": P[:, k] for k, name in enumerate(NAMES)}


class TestRules:
    """A rule a test; `class_columns` and the formats have their own in the files that are kept."""

    def test_long_table(self):
        rows = {"id": np.repeat(np.arange(N), 3), "class": NAMES * N, "prob": P.ravel()}
        options = first(**rows, label=(np.repeat(NAMED, 3) == NAMES * N).astype(int))
        assert options == {
            "y": "label",
            "scores": "prob",
            "long": "class",
            "ids": ("id",),
        }

    def test_class_columns(self):
        assert first(**of_classes("score of "), kind=NAMED)["y"] == "kind"
        assert first(**of_classes("score of "), kind=NAMED)["scores"].startswith(
            "score of cat,"
        )

    def test_label_columns(self):
        marks = {f"is_{name}": (NAMED == name).astype(int) for name in NAMES}
        assert first(**of_classes(), **marks)["y"] == "is_cat,is_dog,is_hen"

    def test_arrays_of_classes(self):
        sets = {
            "test_y": Y,
            "test_logits": Z,
            "val_y": Y[::-1],
            "val_logits": Z[::-1] + 0.1,
        }
        options = propose(sets)[0].options.changed()
        assert options == {"y": "test_y", "scores": "test_logits", "calibration": "val"}

    def test_stated_confidences(self):
        assert first(is_correct=HIT, conf=TOP) == {
            "y": "is_correct",
            "scores": "conf",
            "pairs": True,
        }

    def test_stated_doubts_are_turned_round(self):
        (reading,) = propose(pd.DataFrame({"correct": HIT, "uncertainty": 1 - TOP}))
        assert reading.options.positive == "0" and reading.outputs.read_as
        np.testing.assert_allclose(reading.outputs.pairs[0], TOP)

    def test_answers(self):
        table = {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
        assert first(**table) == {
            "y": "gold",
            "scores": "confidence",
            "predicted": "pred",
        }

    def test_answers_of_two_kinds_are_answers(self):
        """Each answer has a confidence of its own; there are three labels."""
        gold, pred = ["B", "C", "A"] * 40, ["B", "A", "A"] * 40
        options = first(gold=gold, pred=pred, confidence=[0.9, 0.7, 0.8] * 40)
        assert options == {"y": "gold", "scores": "confidence", "predicted": "pred"}

    def test_one_of_two_finds_which(self):
        assert first(ill=np.where(EVENT, "a", "b"), score=P_EVENT)["positive"] == "a"
        assert (
            first(ill=np.where(EVENT, "a", "b"), score=1 - P_EVENT)["positive"] == "b"
        )

    def test_a_risk_is_that_of_the_event_beside_a_label(self):
        (reading, *_) = propose(pd.DataFrame({"outcome": EVENT, "risk": P_EVENT}))
        assert reading.options.scores == "risk" and reading.options.positive == "1"
        np.testing.assert_allclose(reading.outputs.prob[:, 1], P_EVENT)

    def test_an_absent_class_of_few_samples_is_a_class(self):
        columns = {"label": NAMED} | {
            f"logit_{name}": Z[:, k] for k, name in enumerate(NAMES)
        }
        without = pd.DataFrame(columns)[Y != 2]
        assert propose(without[:4])[0].options.classes == tuple(NAMES)
        assert propose(without)[0].options.ignore == ("logit_hen",)

    def test_numbered_columns(self):
        table = {f"score_{c}": Z[:, k] for k, c in enumerate("abc")}
        options = first(**table, score_time_ms=np.abs(MARGIN), label=Y)
        assert options["scores"] == "score_a,score_b,score_c"

    def test_at_most_three_are_proposed_and_all_can_be_typed(self):
        table = pd.DataFrame(
            {"label": EVENT} | {f"score_{m}": P_EVENT**m for m in range(1, 6)}
        )
        readings = propose(table)
        assert len(readings) == 3
        for reading in readings:
            again = read(table, **reading.options.changed())
            np.testing.assert_array_equal(again.prob, reading.outputs.prob)

    def test_rows_are_told_as_they_are_understood(self):
        (reading, *_) = propose(
            pd.DataFrame({"ill": ["yes", "no"] * 20, "score": [0.8, 0.3] * 20})
        )
        assert reading.rows(2) == [
            "row 0: says yes with 0.8, the label is yes: right",
            "row 1: says no with 0.7, the label is no: right",
        ]
        assert (reading.accuracy, reading.mean_confidence) == (1, pytest.approx(0.75))


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
    "verdicts": (
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
    columns, way = DOUBTED[what]
    with pytest.raises(DoubtError) as caught:
        read(pd.DataFrame(columns), scores="p_" if what == "classes" else None)
    assert way in str(caught.value)


def test_yes_overrules_a_doubt_and_is_nothing_alone():
    table = pd.DataFrame({"confidence": 1 - TOP, "correct": HIT})
    said = {"y": "correct", "scores": "confidence", "pairs": True}
    outputs = read(table, **said, yes=True)
    assert "Read as said, although" in " ".join(map(str, outputs.notes))
    with pytest.raises(ReadingError, match="only together with options that say all"):
        read(table, yes=True)


def test_the_sign_of_a_label_of_one_column_holds():
    for positive, p in (("1", P_EVENT), ("0", 1 - P_EVENT)):
        outputs = read(
            pd.DataFrame({"label": EVENT, "p": p}), scores="p", positive=positive
        )
        assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
            (P_EVENT > 0.5) == EVENT
        )


REFUSED = {
    "a sentinel": (
        {"label": EVENT, "score": np.r_[-1, P_EVENT[1:]]},
        {"scores": "score"},
        "row 0 holds -1",
    ),
    "log p": (
        {"label": EVENT, "score": np.log(P_EVENT)},
        {"scores": "score"},
        "--kind log-probabilities",
    ),
    "odds": (
        {"label": EVENT, "s": np.exp(MARGIN)},
        {"scores": "s", "kind": "logits"},
        "--kind odds",
    ),
    "grades": ({"correct": HIT, "confidence": 1 + Y}, {"percent": 10}, "as grades are"),
    "an error": (
        {"error": 1 - HIT, "confidence": TOP},
        {"y": "error", "scores": "confidence", "pairs": True},
        "--positive 0",
    ),
    "doubt": (
        {"correct": HIT, "uncertainty": 1 - TOP},
        {"y": "correct", "scores": "uncertainty", "pairs": True},
        "--positive 0",
    ),
    "more columns": (
        {
            "label": Y,
            "a": MARGIN,
            "b": MARGIN,
            "c": MARGIN,
            "margin": MARGIN,
            "bias": MARGIN,
        },
        {"scores": "a,b,c,margin,bias"},
        "5 columns of scores, and labels from 0",
    ),
    "per cent": (
        {"label": EVENT, "prob_percent": P_EVENT},
        {"scores": "prob_percent"},
        "--percent",
    ),
    "of fractions": (
        {"correct": HIT, "confidence": TOP},
        {"percent": True},
        "fractions already",
    ),
    "an empty cluster": (
        {"correct": HIT, "confidence": TOP, "ward": [""] * N},
        {"clusters": "ward"},
        "--leave-out-empty ward",
    ),
    "a large label": (
        {"y": ["100000000000000000000"] * N, "p": P.tolist()},
        {},
        "a name",
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


@pytest.mark.parametrize("what", REFUSED)
def test_what_options_name_is_checked(what):
    columns, said, message = REFUSED[what]
    with pytest.raises(ReadingError) as caught:
        read({name: np.asarray(values) for name, values in columns.items()}, **said)
    assert message in str(caught.value)


@pytest.mark.parametrize("labels", [np.array(["true", "false"])[1 - EVENT], EVENT == 1])
@pytest.mark.parametrize("classes", [["true", "false"], ["false", "true"]])
def test_classes_true_and_false_are_no_numbers(labels, classes):
    p = np.column_stack(
        [P_EVENT, 1 - P_EVENT] if classes[0] == "true" else [1 - P_EVENT, P_EVENT]
    )
    outputs = read({"y": labels, "probs": p, "classes": np.array(classes)})
    assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
        (P_EVENT > 0.5) == EVENT
    )


def test_tables_of_all_libraries_are_read():
    table = pd.DataFrame(of_classes() | {"label": NAMED})
    for source in (
        table,
        pl.from_pandas(table),
        pa.Table.from_pandas(table),
        table.to_dict("list"),
    ):
        np.testing.assert_allclose(read(source).prob, P)


def test_joins_keep_what_both_files_hold(tmp_path):
    pd.DataFrame(of_classes() | {"id": np.arange(N)}).to_csv(
        tmp_path / "p.csv", index=False
    )
    labels = [*NAMED[5:], *["cat"] * 5][::-1]
    truth = pd.DataFrame({"id": np.arange(N)[::-1] + 5.0, "label": labels})
    truth.to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert len(outputs) == N - 5 and "5 of the first and 5 of the second" in " ".join(
        map(str, outputs.notes)
    )
    assert outputs.names == NAMES and outputs.y.tolist() == Y[5:].tolist()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_row_has_one_number_in_a_reading_and_in_an_error():
    confidence = [0.91, 0.72, 0.83] * 40
    table = pd.DataFrame({"confidence": confidence, "correct": [1, 0, 1] * 40})
    (reading,) = propose(table)
    assert reading.rows()[2] == "row 2: says it is right with 0.83, and is right"
    with pytest.raises(ValueError, match=r"row 2\b"):
        read({**table, "confidence": ["0.91", "0.72", "high"] * 40})


def test_a_file_that_does_not_say_all_is_shown_and_nothing_is_written(folder, capsys):
    table = pd.DataFrame(
        {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
    )
    table.to_csv("a.csv", index=False)
    assert main(["report", "a.csv", "-o", "r.html"]) == 2
    told = capsys.readouterr().err
    command = (
        "calib report a.csv -o r.html --y gold --scores confidence --predicted pred"
    )
    assert (
        command in told
        and "row 0: says it is right with" in told
        and "mean confidence" in told
    )
    assert [path.name for path in folder.iterdir()] == ["a.csv"]
    assert main(["look", "a.csv"]) == 2
    assert "--predicted pred" in capsys.readouterr().out
    chosen = command.replace("report", "look").replace(" -o r.html", "")
    assert main(chosen.split()[1:]) == 0
    told = capsys.readouterr().out
    assert told.startswith("a.csv is read so:\n  calib report a.csv -o report.html")
    assert "could be read" not in told
    assert main(command.split()[1:]) == 0
    assert json.loads((folder / "r.json").read_text())["hit_rate"] == pytest.approx(
        HIT.mean()
    )
    page = (folder / "r.html").read_text()
    assert "Read as: &#39;confidence&#39; says how sure" in page and command in page
    pd.DataFrame({"x": MARGIN}).to_csv("b.csv", index=False)
    assert main(["check", "b.csv"]) == 2 and CONTRACT in capsys.readouterr().err


class Terminal:
    """A stream that a person sits at."""

    def __init__(self, answer):
        self.answer = answer

    def isatty(self):
        return True

    def readline(self):
        return self.answer


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("\n", 2)])
def test_at_a_terminal_it_asks(folder, monkeypatch, capsys, answer, status):
    pd.DataFrame({"ill": np.where(EVENT, "yes", "no"), "score": P_EVENT}).to_csv(
        "a.csv", index=False
    )
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["check", "a.csv"]) == status
    told = capsys.readouterr()
    assert "read it so? [y/N]" in told.err and ("accuracy" in told.out) == (status == 0)


def test_inputs_are_not_overwritten(folder, capsys):
    np.savez("g.npz", y=Y, probs=P)
    for name, content in (
        ("cl.json", "cat\ndog\nhen\n"),
        ("co.json", "0,1,1\n1,0,1\n1,1,0\n"),
    ):
        (folder / name).write_text(content)
        flag = "--classes" if name == "cl.json" else "--cost"
        assert main(["report", "g.npz", flag, name, "-o", name]) == 2
        assert "is read, so it cannot be written" in capsys.readouterr().err
        assert (folder / name).read_text() == content


class TestApply:
    def test_what_is_written_keeps_the_contract(self, folder):
        pd.DataFrame({"label": EVENT, "decision_function": 3 * MARGIN}).to_csv(
            "svm.csv", index=False
        )
        said = {"scores": "decision_function"}
        outputs = read("svm.csv", **said)
        calib.save_map(calib.TemperatureScaling().fit(outputs.z, outputs.y), "map.json")
        calib_report.apply_map("map.json", "svm.csv", "new.csv", **said)
        assert (folder / "new.csv").read_text().startswith("label,probability_1\n")
        assert read("new.csv").kind == "probabilities"
        assert (
            main(["compare", "svm.csv", "new.csv", "--scores", "decision_function"])
            == 0
        )

    @pytest.mark.parametrize("kind", ["probabilities", "logits"])
    def test_a_map_of_several_labels(self, folder, kind):
        questions = (np.random.default_rng(1).random(P.shape) < P).astype(int)
        odds = 3 * np.log(P / (1 - P))
        np.savez(
            "a.npz",
            y=questions,
            **{kind: odds if kind == "logits" else 1 / (1 + np.exp(-odds))},
        )
        found = calib_report.make_report("a.npz", "r.html")
        assert found["task"] == "labels" and found["recommended"]["name"] != "none"
        calib_report.apply_map("r-map.json", "a.npz", "b.npz")
        after = read("b.npz")
        assert after.task == "labels" and after.known.shape == (3 * N, 2)
        assert calib.nll(after.y, after.prob) < calib.nll(after.y, read("a.npz").prob)

    def test_a_map_of_tokens(self, folder):
        np.savez("a.npz", y=Y.reshape(30, 10), logits=3 * Z.reshape(30, 10, 3))
        calib.save_map(calib.TemperatureScaling().fit(3 * Z, Y), "map.json")
        calib_report.apply_map("map.json", "a.npz", "b.npz")
        fitted = calib.load_map("map.json")
        with np.load("b.npz") as written:
            p = written["probabilities"]
        np.testing.assert_allclose(p.reshape(-1, 3), fitted.predict_proba(3 * Z))

    def test_classes_are_those_of_the_map(self, folder):
        fitted = calib.VectorScaling().fit(Z, Y)
        calib.save_map(fitted, "map.json", classes=NAMES)
        mixed = pd.DataFrame({f"logit_{n}": Z[:, k] for k, n in enumerate(NAMES)})[
            ["logit_hen", "logit_cat", "logit_dog"]
        ]
        mixed.to_csv("mixed.csv", index=False)
        calib_report.apply_map("map.json", "mixed.csv", "new.csv")
        new = pd.read_csv("new.csv")[[f"probability_{name}" for name in NAMES]]
        np.testing.assert_allclose(new, fitted.predict_proba(Z), atol=1e-9)
        mixed.assign(logit_emu=MARGIN).to_csv("more.csv", index=False)
        mixed.set_axis([f"logit_{k}" for k in range(3)], axis=1).to_csv(
            "numbers.csv", index=False
        )
        np.savez("other.npz", logits=Z, classes=["ant", "bee", "cow"])
        for name in ("more.csv", "numbers.csv", "other.npz"):
            with pytest.raises(ReadingError):
                calib_report.apply_map("map.json", name, "out.npz")
        assert not (folder / "out.npz").exists()

    def test_no_array_is_replaced(self, folder):
        calib.save_map(calib.TemperatureScaling().fit(Z, Y), "map.json")
        np.savez("both.npz", y=Y, logits=Z, probabilities=P)
        with pytest.raises(ReadingError, match="named 'probabilities' already"):
            calib_report.apply_map("map.json", "both.npz", "out.npz", scores="logits")


def test_per_cent_of_one_of_two_files(folder, capsys):
    pd.DataFrame({"confidence": (100 * TOP).round(), "correct": HIT}).to_csv(
        "pc.csv", index=False
    )
    pd.DataFrame({"confidence": TOP.round(2), "correct": HIT}).to_csv(
        "new.csv", index=False
    )
    assert main(["compare", "pc.csv", "new.csv", "--percent"]) == 0
    told = capsys.readouterr()
    assert (
        "read without options" in told.err and "no clear difference in NLL" in told.out
    )
    assert main(["check", "new.csv", "--percent", "--against", "pc.csv"]) == 0


def test_moments_that_are_empty_are_refused(folder, capsys):
    days = np.where(np.arange(N) % 3, "2026-01-01", "")
    table = pd.DataFrame({"confidence": TOP, "correct": HIT, "day": days})
    table.to_csv("a.csv", index=False)
    assert main(["report", "a.csv", "--time", "day", "-o", "r.json"]) == 2
    assert "--leave-out-empty day" in capsys.readouterr().err


def test_one_rounded_column_does_not_repeat_rows(folder):
    table = pd.DataFrame(
        {"ill": np.where(EVENT, "yes", "no"), "p_yes": P_EVENT.round(3)}
    )
    found = calib_report.make_report(table.rename(columns={"ill": "label"}))
    assert "repeat" not in " ".join(found["notes"])


RIGHT = ("right at once", "right first", "rightly refused")


@pytest.mark.parametrize("case", combined()[::23], ids=lambda case: case.name)
def test_files_that_combine_what_people_vary_are_never_read_wrongly(case, tmp_path):
    verdict, words = outcome(case, tmp_path)
    assert verdict in RIGHT, words


@pytest.mark.slow
def test_all_files_that_combine_what_people_vary(tmp_path):
    outcomes = [(case, *outcome(case, tmp_path)) for case in combined()]
    wrong = [words for _, verdict, words in outcomes if verdict.startswith("WRONG")]
    assert len(outcomes) >= 540 and wrong == []
    readable = [verdict for case, verdict, _ in outcomes if case.truth is not None]
    assert sum(verdict in RIGHT for verdict in readable) >= 0.97 * len(readable)


def test_a_wrong_reading_of_a_file_is_seen():
    case = next(case for case in combined() if case.truth is STATED)
    assert is_right(case, read({"confidence": TOP, "correct": HIT}))
    assert not is_right(case, read({"confidence": TOP[::-1], "correct": HIT[::-1]}))


def test_errors_carry_their_role_and_ways():
    with pytest.raises(NotSaidError) as caught:
        read({"y": Y, "labels": Y, "logits": Z})
    assert caught.value.role == "y" and caught.value.ways == (
        {"y": "y"},
        {"y": "labels"},
    )
