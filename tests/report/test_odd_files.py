"""Files as people have them, which were once read wrongly or ended in an error from deep inside."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

import calib
import calib_report
from calib_report.commands.main import main

N = 60


RNG = np.random.default_rng(0)


Z = RNG.normal(size=(N, 3))


P = calib.softmax(Z)


Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)


PAIRS = {"confidence": P.max(axis=1), "correct": (P.argmax(axis=1) == Y).astype(int)}


def table(path, **columns):
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def of_classes(path, names):
    """Write a table whose classes have these names."""
    labels = np.array(names)[Y]
    return table(
        path, label=labels, **{f"p_{k}": p for k, p in zip(names, P.T, strict=True)}
    )


def test_ids_that_pandas_wrote_as_decimals_are_the_same_ids(tmp_path):
    scores = {f"p_{k}": p for k, p in enumerate(P.T)}
    path = table(tmp_path / "p.csv", id=np.arange(N) + 1000, **scores)
    order = RNG.permutation(N)
    labels = table(tmp_path / "y.csv", id=order + 1000.0, label=Y[order])
    np.testing.assert_array_equal(calib_report.read(path, labels=labels, ids="id").y, Y)


@pytest.mark.parametrize(
    "names", [["01", "1", "None"], ["none", "na", "-"], ["id", "top", "max"]]
)
def test_names_that_look_like_numbers_or_nothing_are_classes(names, tmp_path):
    outputs = calib_report.read(of_classes(tmp_path / "a.csv", names))
    assert outputs.names == names
    np.testing.assert_array_equal(outputs.y, Y)


def test_samples_without_a_cluster_are_not_one_cluster(tmp_path):
    wards = np.array([f"ward {i % 7}" for i in range(N)], object)
    wards[:20] = ""
    path = table(tmp_path / "a.csv", ward=wards, **PAIRS)
    with pytest.raises(
        ValueError, match=r"empty in 20 of 60 rows.*--leave-out-empty ward"
    ):
        calib_report.read(path, clusters="ward")


def test_an_id_that_stands_five_times_is_asked_about(tmp_path):
    path = table(tmp_path / "a.csv", id=np.arange(N) // 5, **PAIRS)
    with pytest.raises(ValueError, match="--clusters id"):
        calib_report.read(path)


def test_a_language_called_id_is_not_left_out(tmp_path):
    logits = {f"logit_{k}": z for k, z in zip(("en", "fr", "id"), Z.T, strict=True)}
    path = table(tmp_path / "a.csv", label=Y, **logits)
    with pytest.raises(
        ValueError, match="'logit_en', 'logit_fr', 'logit_id' say not which"
    ):
        calib_report.read(path)


def test_labels_of_one_class_are_told_by_its_name_and_masked_ones_are_left_out_first(
    tmp_path,
):
    (tmp_path / "a.csv").write_text("label,p_a,p_b\nb,0.3,0.7\nb,0.4,0.6\n")
    assert any(
        "one class, b:" in note.text
        for note in calib_report.read(tmp_path / "a.csv").notes
    )
    (tmp_path / "m.csv").write_text(
        "label,prob_0,prob_1\n-100,0.3,0.7\n1,0.4,0.6\n0,0.6,0.4\n"
    )
    with pytest.raises(ValueError, match=r"--ignore-index=-100") as error:
        calib_report.read(tmp_path / "m.csv")
    assert "--labels-from" not in str(error.value)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_confidences_that_are_all_the_same_are_read(confidence, tmp_path):
    path = table(tmp_path / "a.csv", confidence=[confidence] * 2, correct=[1, 0])
    np.testing.assert_array_equal(calib_report.read(path).prob[:, 1], confidence)


def test_what_else_lies_in_an_archive_is_no_array(tmp_path):
    np.savez(tmp_path / "a.npz", y=Y, probabilities=P, id=np.arange(2))
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        archive.writestr("readme.txt", "how it was made")
    np.testing.assert_array_equal(calib_report.read(tmp_path / "a.npz").prob, P)


BAD = {
    "rows with other keys": (
        [{"label": 0, "p_0": 0.4, "p_1": 0.6}, {"label": 1, "q": 0.4, "p_1": 0.6}],
        "row 1 has no 'p_0'",
    ),
    "durations": (
        {"y": Y.astype("m8[s]"), "probabilities": P},
        "timedelta64.*expected numbers",
    ),
    "records": (
        {"y": np.zeros(N, [("a", int)]), "probabilities": P},
        "y: an array of type",
    ),
    "one number": ({"y": np.array(3), "probabilities": P}, "says the labels"),
}


@pytest.mark.parametrize("name", BAD)
def test_objects_that_are_no_columns_are_refused_by_name(name):
    outputs, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        calib_report.read(outputs)


def test_a_label_beyond_all_integers_is_a_name(tmp_path):
    (tmp_path / "a.csv").write_text(f"label,p_0,p_1\n{10**20},.3,.7\n1,.4,.6\n")
    with pytest.raises(ValueError, match=f"no column is of the label '{10**20}'"):
        calib_report.read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    "content", ["[" * 100_000, "7", "[]", '{"before": 1}', '{"before": {}}']
)
def test_a_base_that_is_no_report_is_refused_in_one_line(content, tmp_path, capsys):
    path = of_classes(tmp_path / "a.csv", ["a", "b", "c"])
    (tmp_path / "base.json").write_text(content)
    assert main(["check", str(path), "--against", str(tmp_path / "base.json")]) == 2
    assert "base.json" in capsys.readouterr().err


def test_an_answer_in_json_names_its_classes(tmp_path):
    """Labels true and false go by the names of the classes, whatever number Python gives them."""
    lines = [
        {"label": bool(y), "probs": {"true": p, "false": 1 - p}}
        for y, p in ((1, 0.8), (0, 0.3))
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    outputs = calib_report.read(tmp_path / "a.jsonl")
    assert outputs.prob[np.arange(2), outputs.y] == pytest.approx([0.8, 0.7])
