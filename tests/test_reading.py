"""Any model's outputs in: forty saved files, objects in memory, and what is refused."""

import gzip
import json
import warnings

import numpy as np
import pytest

import calib
from book.saved_files import IMAGES, LOGITS, NAMES, SAVED, YES, P, Y, _harness, outcome
from calib.reading.files import LOADERS, ending_of

OTHER = {"binary.npz", "margin.npz", "multilabel.npz", "pixels.npz", "confidence.csv", "top1.csv"}
OTHER |= {"digits.csv", "samples_uneven.jsonl"}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    return {saved.name: outcome(saved, folder) for saved in SAVED}


def test_forty_files_in_twenty_layouts():
    assert len(SAVED) >= 40
    assert len({(ending_of(saved.name), saved.made_by) for saved in SAVED}) >= 15
    assert {ending_of(saved.name) for saved in SAVED} >= set(LOADERS) - {
        ".txt",
        ".arrow",
        ".ndjson",
    }
    assert len({saved.name for saved in SAVED}) == len(SAVED)


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: saved.name)
def test_each_file_is_read_right_or_refused(saved, found):
    outputs, error = found[saved.name]
    if saved.refused:
        assert outputs is None and saved.refused in error
        return
    assert error == ""
    if saved.name not in OTHER:
        coarse = saved.name in ("half.npz", "bfloat16.pt", "pair.pth", "gradient.pt")
        assert outputs.y.tolist() == Y.tolist() and outputs.task == "classes"
        np.testing.assert_allclose(outputs.prob, P, atol=0.02 if coarse else 1e-12)


def test_one_column_is_the_second_of_two_classes(found):
    binary, _ = found["binary.npz"]
    np.testing.assert_allclose(binary.prob, np.column_stack([1 - P[:, 1], P[:, 1]]))
    margin, _ = found["margin.npz"]
    np.testing.assert_allclose(margin.prob[:, 1], 1 / (1 + np.exp(-LOGITS[:, 1])))
    assert binary.y.tolist() == margin.y.tolist() == (Y == 1).astype(int).tolist()


def test_labels_that_are_questions_each(found):
    outputs, _ = found["multilabel.npz"]
    score, hit = outputs.pairs
    np.testing.assert_array_equal(score, P.ravel())
    np.testing.assert_array_equal(hit, YES.ravel())
    assert outputs.groups["label"].tolist() == ["0", "1", "2"] * 30
    assert outputs.clusters.tolist() == np.repeat(np.arange(30), 3).tolist()


def test_parts_of_images_know_their_image(found):
    outputs, _ = found["pixels.npz"]
    kept = IMAGES.ravel() != 7
    assert outputs.y.tolist() == Y[kept].tolist()
    np.testing.assert_allclose(outputs.prob, P[kept])
    assert outputs.clusters.tolist() == np.repeat(np.arange(5), 6)[kept].tolist()
    assert "1 samples with the label 255 are left out" in " ".join(outputs.notes)


def test_pairs_are_a_confidence_and_whether_it_was_right(found):
    right = (P.argmax(axis=1) == Y).astype(int)
    for name in ("confidence.csv", "top1.csv"):
        outputs, _ = found[name]
        score, hit = outputs.pairs
        np.testing.assert_allclose(score, P.max(axis=1), atol=6e-4)
        assert hit.tolist() == right.tolist() and outputs.task == "pairs"


def test_groups_and_choices_of_an_evaluation_log(found):
    outputs, _ = found["samples_mmlu.jsonl"]
    assert outputs.groups["doc.subject"].tolist() == ["law", "logic"] * 15
    uneven, _ = found["samples_uneven.jsonl"]
    assert (uneven.prob[::2, 2] == 0).all() and (uneven.prob[1::2, 2] > 0).all()
    assert "2 to 3 numbers" in " ".join(uneven.notes)


def test_names_of_classes(found):
    for name in ("names.npz", "table.csv", "polars.parquet", "dict.pt"):
        assert found[name][0].class_names == NAMES
    assert found["digits.csv"][0].class_names == ["setosa", "versicolor", "virginica"]
    assert found["one.npz"][0].class_names == ["1", "2", "3"]


def test_a_calibration_set_comes_along(found):
    held = found["two.npz"][0].calibration
    assert held.y.tolist() == Y.tolist()
    np.testing.assert_allclose(held.prob, P)


class Tensor:
    """What a tensor of torch offers to who does not know torch."""

    def __init__(self, values, dtype="torch.float32"):
        self.values, self.dtype = np.asarray(values), dtype

    def detach(self):
        return self

    def cpu(self):
        return self

    def float(self):
        return Tensor(self.values.astype(np.float32))

    def numpy(self):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values


def objects():
    import pandas as pd
    import polars as pl
    from sklearn.naive_bayes import GaussianNB

    frame = pd.DataFrame(P, columns=NAMES).assign(label=np.array(NAMES)[Y])
    model = GaussianNB().fit(LOGITS, np.array(NAMES)[Y])
    return {
        "array": (P, {"y": Y}),
        "lists": ({"y": Y.tolist(), "probs": P.tolist()}, {}),
        "pair": ((LOGITS, Y), {}),
        "data frame": (frame, {}),
        "data frame with an index": (frame.set_index(np.arange(30) + 5), {}),
        "polars": (pl.from_pandas(frame), {}),
        "tensors": ({"logits": Tensor(LOGITS), "labels": Tensor(Y)}, {}),
        "bfloat16": ({"logits": Tensor(LOGITS, "torch.bfloat16"), "labels": Y}, {}),
        "classifier": (model, {"X": LOGITS, "y": np.array(NAMES)[Y]}),
    }


@pytest.mark.parametrize("name", objects())
def test_objects_are_read_by_the_same_door(name):
    source, said = objects()[name]
    outputs = calib.read(source, **said)
    expected = source.predict_proba(LOGITS) if name == "classifier" else P
    np.testing.assert_allclose(outputs.prob, expected, atol=1e-6)
    assert outputs.y.tolist() == Y.tolist()


def test_metrics_take_tensors_with_a_gradient():
    z = Tensor(P.astype(np.float32))
    assert calib.ece(Tensor(Y), z) == pytest.approx(calib.ece(Y, P), abs=1e-6)


def test_bfloat16_of_safetensors_and_of_probabilities(tmp_path):
    header = {"probs": {"dtype": "BF16", "shape": [30, 3], "data_offsets": [0, 180]}}
    header["y"] = {"dtype": "I64", "shape": [30], "data_offsets": [180, 420]}
    halves = ((P.astype("<f4").view("<u4") + 0x8000) >> 16).astype("<u2")
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + halves.tobytes() + Y.astype("<i8").tobytes()
    (tmp_path / "a.safetensors").write_bytes(content)
    outputs = calib.read(tmp_path / "a.safetensors")
    np.testing.assert_allclose(outputs.prob, P, atol=0.01)
    assert "divided by their sums" in " ".join(outputs.notes)


FRAMES = {
    "missing may be": lambda frame: frame.convert_dtypes(),
    "float32": lambda frame: frame.astype("Float32"),
    "arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_numbers_that_may_be_missing_are_numbers(name):
    pd = pytest.importorskip("pandas")
    frame = FRAMES[name](pd.DataFrame(P))
    assert calib.brier(Y, frame) == pytest.approx(calib.brier(Y, P), abs=1e-6)
    assert calib.Accumulator().update(Y, frame).n == len(Y)
    if name == "missing may be":
        frame.iloc[1, 0] = pd.NA
        with pytest.raises(ValueError, match="y_prob: "):
            calib.brier(Y, frame)


def test_what_is_not_there_yet_is_refused_by_its_name():
    lazy = pytest.importorskip("polars").DataFrame(P).lazy()
    with warnings.catch_warnings(), pytest.raises(ValueError, match=r"LazyFrame.*call its collect"):
        warnings.simplefilter("error")
        calib.read(lazy, y=Y)
    with pytest.raises(ValueError, match=r"y_prob: .*LazyFrame.*call its collect"):
        calib.ece(Y, lazy)
    with pytest.raises(ValueError, match=r"probabilities: .*generator.*one batch at a time"):
        calib.Accumulator().update((Y for _ in range(2)), (P for _ in range(2)))


def test_tensors_in_a_list_are_rows():
    assert calib.ece(Y, [Tensor(row) for row in P]) == calib.ece(Y, P)


def test_lists_of_batches_are_refused_with_how_to_join_them():
    with pytest.raises(ValueError, match=r"3 arrays, such as batches: concatenate"):
        calib.read((P, P, P), y=Y)


def test_names_as_labels_and_maps_of_one_score_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"in the order of the columns make numbers"):
        calib.nll(np.array(NAMES)[Y], P)
    with pytest.raises(TypeError, match=r"OneVsRest\(PlattScaling\(\)\) maps those of all"):
        calib.calibrators.base.check_nested(
            calib.PlattScaling(), calib.calibrators.base.ProbabilityCalibrator
        )


def test_several_files_are_read_as_one(tmp_path):
    for name, change in {"law": {}, "logic": {"choices": lambda i: 2}}.items():
        rows = list(_harness(**change))
        (tmp_path / f"samples_{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    paths = sorted(tmp_path.glob("*.jsonl"))
    outputs = calib.read(paths, groups="file")
    assert len(outputs) == 60 and outputs.n_classes == 3
    assert outputs.groups["file"].tolist() == [path.name for path in paths for _ in range(30)]
    np.testing.assert_allclose(outputs.prob[:30], P)
    assert (outputs.prob[30:, 2] == 0).all()
    next(saved for saved in SAVED if saved.name == "table.csv").write(tmp_path / "t.csv")
    with pytest.raises(ValueError, match="another layout than"):
        calib.read([*paths, tmp_path / "t.csv"])
    with pytest.raises(ValueError, match=r"it is a folder: name the files in it"):
        calib.read(tmp_path)


def test_tensors_of_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed here")
    z = torch.tensor(LOGITS, requires_grad=True)
    for scores in (z, z.bfloat16(), z.half()):
        outputs = calib.read({"logits": scores, "y": torch.tensor(Y)})
        np.testing.assert_allclose(outputs.prob, P, atol=0.02)


STATED = P.max(axis=1)
RIGHT = (P.argmax(axis=1) == Y).astype(int)
REFUSED = {
    "a confidence of another name": (
        {"stated": STATED, "is_correct": RIGHT},
        {},
        "'is_correct' says whether an answer was right, and none has a name that says the conf",
    ),
    "a confidence read as two classes": (
        {"stated": STATED, "is_correct": RIGHT},
        {"y": "is_correct", "scores": "stated"},
        "say --pairs; or the probability of the second of two classes: then say --no-pairs",
    ),
    "a confidence beside labels": (
        {"conf": STATED, "label": RIGHT},
        {"scores": "conf"},
        "then say --no-pairs",
    ),
    "empty confidences": (
        {"confidence": np.where(np.arange(30) == 4, np.nan, STATED), "correct": RIGHT},
        {},
        "'confidence' is empty in 1 of 30 rows, the first is row 4",
    ),
    "answers of two types": (
        {"label": np.arange(30) % 3, "predicted": ["none", *["1"] * 29], "confidence": STATED},
        {},
        "are not of one type: row 0 of 'predicted' is 'none'",
    ),
    "no answer": (
        {"label": ["a"] * 30, "predicted": ["", *["a"] * 29], "confidence": STATED},
        {},
        "'predicted' is empty in 1 of 30 rows",
    ),
    "capitals": (
        {"label": ["a"] * 30, "predicted": ["A", *["a"] * 29], "confidence": STATED},
        {},
        "differ in capitals only",
    ),
    "an answer or a verdict": (
        {"correct": RIGHT, "predicted": RIGHT, "confidence": STATED},
        {},
        "'correct' may be the right answer, or say whether 'predicted' was right",
    ),
    "a verdict that is none": (
        {"label": RIGHT, "correct": RIGHT, "predicted": RIGHT, "confidence": STATED},
        {},
        "'correct' is not where 'label' equals 'predicted'",
    ),
    "classes and a confidence": (
        {"probs": P, "correct": RIGHT, "confidence": STATED},
        {},
        "it holds scores of classes, 'probs'",
    ),
    "words of neither": (
        {"confidence": STATED, "correct": np.where(RIGHT, "right", "dunno")},
        {},
        ": 'dunno' says neither right nor wrong, expected one of true, yes, right",
    ),
    "no labels": ({"probs": P}, {}, "none has a name that says the labels"),
    "no scores": ({"y": Y}, {}, "none has a name that says the logits or probabilities"),
    "two scores": ({"y": Y, "logits": LOGITS, "probs": P}, {}, "--scores NAME"),
    "names without classes": ({"y": np.array(NAMES)[Y], "p": P}, {}, "--classes FILE"),
    "unknown name": ({"y": np.array(["cow"] * 30), "p": P}, {"classes": NAMES}, "row 0 is 'cow'"),
    "halves of rows": ({"y": Y, "scores": P / 2}, {}, "say --kind logits, or --kind prob"),
    "percentages": ({"confidence": [90, 80], "correct": [1, 0]}, {}, "divide them by 100"),
    "neither right nor wrong": (
        {"confidence": np.array([0.9]), "correct": np.array(["maybe"])},
        {},
        "says neither right nor wrong",
    ),
    "axis left open": (
        {"y": np.zeros((2, 3, 3), int), "logits": np.zeros((2, 3, 3, 3))},
        {},
        "--class-axis",
    ),
    "image and label": ({"y": Y, "logits": np.zeros((30, 3, 2))}, {}, "without their axis of cl"),
    "no such group": ({"y": Y, "p": P}, {"groups": "ward"}, "groups: there is no 'ward'"),
    "too few groups": ({"y": Y, "p": P}, {"groups": {"a": [1, 2]}}, "groups: shape (2,)"),
    "an unfitted classifier": (object(), {"X": LOGITS, "y": Y}, "fit it first"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    with pytest.raises(ValueError) as caught:
        calib.read(source, **said)
    assert message in str(caught.value)


def test_answers_with_spaces_around_them_are_the_same():
    source = {"label": ["a", "b"] * 15, "predicted": [" a", "b "] * 15, "confidence": STATED}
    assert calib.read({name: np.array(v) for name, v in source.items()}).pairs[1].all()


def test_no_other_column_stands_among_log_probabilities(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(np.log(P), columns=["logprob_A", "logprob_B", "logprob_C"])
    frame.assign(time=-3.5, target=np.array(list("ABC"))[Y]).to_csv(tmp_path / "a.csv", index=False)
    outputs = calib.read(tmp_path / "a.csv")
    np.testing.assert_allclose(outputs.prob, P)
    assert outputs.class_names == ["A", "B", "C"] and "'time'" in " ".join(outputs.notes)


def test_labels_of_a_file_that_holds_more(tmp_path):
    next(saved for saved in SAVED if saved.name == "table.csv").write(tmp_path / "table.csv")
    np.save(tmp_path / "p.npy", P)
    outputs = calib.read(tmp_path / "p.npy", labels=tmp_path / "table.csv", classes=NAMES)
    assert outputs.y.tolist() == Y.tolist()


def pickled_tensors(n, metadata, compression):
    """Write what torch.save writes of n tensors that share one storage."""
    import io
    import zipfile

    content, data = io.BytesIO(), io.BytesIO()
    one = (
        b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\n"
        b"X\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x06tQK\x00K\x03K\x02\x86K\x02K\x01\x86\x89N"
        + (b"}X\x03\x00\x00\x00neg\x88s" if metadata else b"}")
        + b"tR"
    )
    names = b"".join(b"X\x04\x00\x00\x00" + f"a{i:03d}".encode() + one for i in range(n))
    data.write(b"\x80\x02}(" + names + b"u.")
    with zipfile.ZipFile(content, "w", compression) as archive:
        archive.writestr("a/data.pkl", data.getvalue())
        archive.writestr("a/data/0", np.arange(6, dtype="<f4").tobytes())
    return content.getvalue()


def test_tensors_of_torch_are_as_their_storage_says_or_refused():
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    from calib.pickles import read_torch

    whole = read_torch(pickled_tensors(1, False, ZIP_STORED))["a000"]
    assert whole.tolist() == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ValueError, match="which say that its numbers are others"):
        read_torch(pickled_tensors(1, True, ZIP_STORED))
    with pytest.raises(ValueError, match="it is compressed"):
        read_torch(pickled_tensors(1, False, ZIP_DEFLATED))


@pytest.mark.parametrize("form", [dict, "frame"])
def test_pairs_of_any_name_are_read_as_told(form):
    import pandas as pd

    source = {"stated": STATED, "was_right": np.where(RIGHT, "right", "wrong")}
    source = pd.DataFrame(source) if form == "frame" else source
    outputs = calib.read(source, y="was_right", scores="stated", pairs=True)
    score, hit = outputs.pairs
    assert score.tolist() == STATED.tolist() and hit.tolist() == RIGHT.tolist()
    assert outputs.task == "pairs" and outputs.class_names == ["wrong", "right"]
    two = calib.read({"p": STATED, "is_correct": RIGHT}, y="is_correct", pairs=False)
    assert two.task == "classes" and "--pairs" in " ".join(two.notes)


@pytest.mark.parametrize(
    "name", ["a.json", "a.jsonl", "a.parquet", "a.feather", "a.safetensors", "a.pt", "a.csv"]
)
@pytest.mark.parametrize(
    "content", [b"", b"<html>", b"\xff\xfe\x00", b"{" * 5000, b"[[[1]]]", b"0\n1"]
)
def test_whatever_a_file_holds_the_error_is_a_value_error(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        calib.read(tmp_path / name)


def no_gzip(content):
    return b"y,a,b\n0,1,2\n"


@pytest.mark.parametrize("damage", [no_gzip, lambda c: c[:-9], lambda c: c[:30]])
def test_a_gzipped_file_is_whole_or_refused(tmp_path, damage):
    whole = gzip.compress(b"y,logit_a,logit_b\n" + b"0,1,2\n1,3,1\n" * 50)
    (tmp_path / "a.csv.gz").write_bytes(damage(whole))
    with pytest.raises(ValueError, match=r"a\.csv\.gz: not a whole gzip file"):
        calib.read(tmp_path / "a.csv.gz")


def test_a_gzipped_file_may_not_unpack_to_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr("calib.reading.files.MOST_BYTES", 10_000)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b" " * 10_001))
    with pytest.raises(ValueError, match="it unpacks to more than 10000 bytes"):
        calib.read(tmp_path / "a.json.gz")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_a_damaged_table_is_refused_in_one_line(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    next(saved for saved in SAVED if saved.name == path.name).write(path)
    whole = path.read_bytes()
    for at in range(4, len(whole) - 8, len(whole) // 40):
        path.write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
        try:
            calib.read(path)
        except ValueError as error:
            assert str(error).startswith(f"{path}: ") and "\n" not in str(error)


def test_a_name_that_comes_twice_in_an_object_is_refused(tmp_path):
    (tmp_path / "a.json").write_text('{"y": [0, 1], "logits": [[1, 2], [3, 1]], "y": [1, 0]}')
    (tmp_path / "a.jsonl").write_text('{"y": 0, "logits": [1, 2], "y": 1}')
    for name in ("a.json", "a.jsonl"):
        with pytest.raises(ValueError, match="an object has 'y' twice"):
            calib.read(tmp_path / name)


def test_rows_of_fewer_scores_are_told(tmp_path):
    rows = [{"y": 0, "logits": [1, 2, 3]}, {"y": 1, "logits": [1, 2]}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outputs = calib.read(tmp_path / "a.jsonl")
    assert outputs.logits[1].tolist() == [1, 2, -np.inf]
    assert "Rows of 'logits' hold 2 to 3 numbers" in " ".join(outputs.notes)


@pytest.mark.parametrize("value", [-0.2, 1.2, -np.inf])
def test_probabilities_of_which_a_row_is_wrong_are_no_logits(value):
    p = np.array(P)
    p[17, 1] = value
    calib.read({"y": Y, "scores": p}, kind="logits")
    if value == -np.inf:
        p[17, 1], p[17, 2] = value, p[17, 2] - 0.2
    with pytest.raises(ValueError, match="most rows are probabilities, but row 17 holds"):
        calib.read({"y": Y, "scores": p})


def test_a_row_of_a_log_that_lacks_a_part(tmp_path):
    next(saved for saved in SAVED if saved.name == "samples_mmlu.jsonl").write(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    lines[3] = lines[3].replace('"target"', '"other"')
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with pytest.raises(ValueError, match="row 3 has no 'target'"):
        calib.read(tmp_path / "a.jsonl")


def log(tmp_path, change):
    """Write an evaluation log of which each row was changed."""
    next(saved for saved in SAVED if saved.name == "samples_mmlu.jsonl").write(tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    for row in rows:
        change(row)
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "a.jsonl"


def twice(row):
    row["filtered_resps"] *= 2
    row["doc"]["choices"] = ["a", "b", "c"]


DISAGREE = {
    "flipped": (lambda row: row.update(acc=1 - row["acc"]), "30 of 30 rows disagree with the log"),
    "mass": (lambda row: row.update(acc=0.3), "row 0: acc is 0.3, neither 0 nor 1"),
    "twice": (twice, "row 0 holds 6 log-likelihoods, and its question 3 choices"),
}


@pytest.mark.parametrize("case", DISAGREE)
def test_a_log_is_read_as_it_counts_itself_or_refused(tmp_path, case):
    change, message = DISAGREE[case]
    with pytest.raises(ValueError, match=message):
        calib.read(log(tmp_path, change))


def test_log_likelihoods_for_mutual_information_stand_behind_the_others(tmp_path):
    outputs = calib.read(log(tmp_path, lambda row: (twice(row), row.update(acc_mutual_info=1.0))))
    np.testing.assert_allclose(outputs.prob, P)
    assert "two log-likelihoods a choice" in " ".join(outputs.notes)


def test_a_ranking_that_has_a_label_twice():
    ranking = [{"label": "a", "score": 0.5}, {"label": "b", "score": 0.5}]
    from calib.reading.tables import rankings

    with pytest.raises(ValueError, match="row 1 has the labels"):
        rankings([ranking, [*ranking, ranking[0]]])


def test_rows_of_json_that_differ(tmp_path):
    rows = [{"y": 0, "logits": [1, 2]}, {"y": 1}]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    with pytest.raises(ValueError, match="row 1 has no 'logits'"):
        calib.read(tmp_path / "a.jsonl.gz")
