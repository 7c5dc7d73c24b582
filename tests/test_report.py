"""The report: reading outputs, comparing maps, recommending one, and the command line."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import calib
from calib import VectorScaling, report, save_map
from calib.__main__ import main
from calib.calibrators.base import Calibrator
from calib.checks import softmax
from calib.extras import EXTRAS
from calib.reading import read, read_new
from calib.report import comparison


def overconfident(n=2000, n_classes=4, seed=0, temperature=0.4):
    """Logits whose softmax is right, divided by a temperature."""
    rng = np.random.default_rng(seed)
    z = rng.normal(scale=1.5, size=(n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return z / temperature, y


def write_npz(path, **arrays):
    np.savez(path, **arrays)
    return path


@pytest.fixture
def npz(tmp_path):
    logits, y = overconfident()
    return write_npz(tmp_path / "outputs.npz", logits=logits, y=y)


def test_npz_csv_and_npy_give_the_same(tmp_path, npz):
    outputs = read(npz)
    csv = tmp_path / "outputs.csv"
    rows = [
        f"{y}," + ",".join(map(repr, z))
        for y, z in zip(outputs.y, outputs.known.tolist(), strict=True)
    ]
    csv.write_text("\n".join(["y,cat,dog,hen,pig", *rows]))
    np.save(tmp_path / "z.npy", outputs.known)
    np.save(tmp_path / "y.npy", outputs.y)
    from_csv = read(csv, kind="logits")
    from_npy = read(tmp_path / "z.npy", kind="logits", labels=tmp_path / "y.npy")
    for other in (from_csv, from_npy):
        np.testing.assert_array_equal(other.known, outputs.known)
        np.testing.assert_array_equal(other.y, outputs.y)
    assert from_csv.class_names == ["cat", "dog", "hen", "pig"]


def test_log_probabilities_stand_in_for_logits(tmp_path, npz):
    outputs = read(npz)
    path = write_npz(tmp_path / "p.npz", probabilities=outputs.prob, y=outputs.y)
    again = read(path)
    np.testing.assert_allclose(again.prob, outputs.prob)
    difference = again.as_logits(again.floor) - outputs.as_logits()
    np.testing.assert_allclose(difference, np.broadcast_to(difference[:, :1], difference.shape))


def bad_files(folder):
    logits, y = overconfident(20)
    p = np.full((20, 4), 0.25)
    nan = logits.copy()
    nan[3, 1] = np.nan
    cases = {
        "holds 'outcome'": {"outcome": logits, "y": y},
        "say which: --scores NAME": {"logits": logits, "probabilities": p, "y": y},
        "none has a name that says the labels": {"logits": logits},
        "row 3 holds nan": {"logits": nan, "y": y},
        "row 0 sums to 2": {"probabilities": 2 * p, "y": y},
        "y: row 0 is 1": {"logits": logits, "y": y + 10},
        "shape (19,), expected (20,)": {"logits": logits, "y": y[1:]},
        "expected an integer from 0 to 1": {"logits": logits[:, 0], "y": y + 1},
        "shape (0, 4)": {"logits": logits[:0], "y": y[:0]},
        "type <U": {"logits": logits.astype(str), "y": y},
        "3 classes, expected 4": {
            "logits": logits,
            "y": y,
            "calibration_logits": logits[:, :3],
            "calibration_y": y,
        },
        "says the labels; the file holds 'logits'": {
            "logits": logits,
            "y": y,
            "calibration_logits": logits,
        },
        "different names for 4 classes": {"logits": logits, "y": y, "classes": ["a"] * 4},
        "these are probabilities": {"logits": p, "y": y},
        "softmax turns logits into probabilities": {"probabilities": logits, "y": y},
    }
    for i, (message, arrays) in enumerate(cases.items()):
        yield message, write_npz(folder / f"bad{i}.npz", **arrays)
    texts = {
        "not an npy file": b"\x93NOT",
        "none has a name that says the labels": b"a,b\n1,2\n",
        "it is empty": b"",
        "'x'": b"y,a,b\nx,1,2\n0,1,1\n",
        "no column of numbers for the classes": b"y,a\n0,x\n",
        "row 1 is 'dog', expected a number or the name": b"y,a,b\na,1,2\ndog,1,2",
        "Expected 3 fields in line 3, saw 4": b"y,a,b\n0,1,2\n1,2,3,4\n",
        "row 1 holds nan in column 1": b"y,a,b\n0,1,2\n\n1,2\n",
        "row 0 holds nan in column 1": b"y,a,b\n0,1,nan\n",
        "a column has no name": b",y,a,b\n7,0,1,2\n",
        "more than one column is named 'a'": b"y,a,a\n0,1,2\n",
        "found 'a', 'b'": b"y,a,b\n",
        "not a table": b"y,a,b\n0,1,\xff\n",
    }
    for i, (message, content) in enumerate(texts.items()):
        path = folder / f"text{i}{'.npy' if i == 0 else '.csv'}"
        path.write_bytes(content)
        yield message, path
    whole = write_npz(folder / "whole.npz", logits=logits, y=y).read_bytes()
    broken = {
        "not a zip archive": whole[: len(whole) // 2],
        "not a whole zip archive": whole[:300] + bytes([whole[300] ^ 1]) + whole[301:],
    }
    for i, (message, content) in enumerate(broken.items()):
        path = folder / f"broken{i}.npz"
        path.write_bytes(content)
        yield message, path
    (folder / "folder.npz").mkdir()
    yield "it is a folder", folder / "folder.npz"
    yield "ends in .npz, .npy, .csv", folder / "outputs.xyz"
    yield "No such file", folder / "missing.npz"
    hostile = folder / "hostile.npz"
    np.savez(hostile, logits=np.array([{"a": 1}], dtype=object), y=y)
    yield "npy file", hostile


def test_wrong_files_get_one_line_and_leave_nothing(tmp_path, capsys):
    for message, path in bad_files(tmp_path):
        before = sorted(tmp_path.iterdir())
        kind = [] if path.suffix == ".npz" else ["--kind", "logits"]
        labels = ["--labels", str(path)] if path.suffix == ".npy" else []
        out = str(tmp_path / "report.html")
        assert main(["report", str(path), "-o", out, *kind, *labels]) == 2, message
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1
        assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "outputs.npz", "-o", "report.txt"], "must end in .html"),
        (["report", "outputs.npz", "-o", "none/report.html"], "there is no folder"),
        (["report", "outputs.npz", "-o", "/proc/report.html"], "/proc/report.html: "),
        (["report", "outputs.npz", "-o", "folder.html"], "folder.html: is a folder"),
        (["report", "outputs.npz", "-o", "c.html"], "c.json: is a folder"),
        (["report", "b-map.npz", "-o", "b.html"], "b-map.npz: is read, so it cannot be written"),
        (["apply", "map.npz", "outputs.npz", "-o", "outputs.npz"], "outputs.npz: is read"),
        (["apply", "map.npz", "outputs.npz", "-o", "folder.npz"], "folder.npz: is a folder"),
        (["report", "outputs.npz", "-o", "a.html", "--kind", "probabilities"], "expected probabil"),
        (["report", "outputs.npz", "-o", "a.html", "--cost", "miss=1"], "cost: 'miss=1' of 4"),
        (["export", "map.npz", "-o", "a.txt"], "must end in .json or .pt or .onnx"),
        (["compare", "outputs.npz", "wide.npz"], "none has a name that says the labels"),
        (["plot", "outputs.npz", "-o", "a.png"], "must end in .svg"),
        (["metrics", "outputs.npz", "--groups", "ward"], "groups: there is no 'ward'"),
        (["metrics", "outputs.npz", "--classes", "none.txt"], "none.txt: No such file"),
        (["metrics", "outputs.npz", "--classes", "y.npy"], "y.npy: not a text file"),
        (["metrics", "outputs.npz", "--classes", "few.txt"], "2 different names for 4 classes"),
        (["metrics", "z.npy", "--kind", "logits"], "--labels FILE"),
        (
            ["metrics", "z.npy", "--kind", "logits", "--labels", "few.txt"],
            "labels are names",
        ),
        (["apply", "outputs.npz", "outputs.npz", "-o", "a.npz"], "not a saved map"),
        (["apply", "none.npz", "outputs.npz", "-o", "a.npz"], "none.npz: No such file"),
        (["apply", "map.npz", "outputs.npz", "-o", "a.csv"], "must end in .npz"),
        (["apply", "map.npz", "outputs.npz", "-o", "none/a.npz"], "there is no folder"),
        (["apply", "map.npz", "wide.npz", "-o", "a.npz"], "wide.npz: 5 classes, and the map has 4"),
        (["apply", "map.npz", "nan.npz", "-o", "a.npz"], "nan.npz: logits: row 1 holds nan"),
        (["apply", "map.npz", "few.xyz", "-o", "a.npz"], "ends in .npz, .npy, .csv"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_arguments_get_one_line_and_leave_nothing(
    npz, tmp_path, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(tmp_path)
    outputs = read(npz)
    np.save("z.npy", outputs.known)
    np.save("y.npy", outputs.y)
    np.savez("wide.npz", logits=np.ones((2, 5)))
    np.savez("nan.npz", logits=np.array([[0.0] * 4, [np.nan] * 4]))
    save_map(VectorScaling().fit(outputs.logits, outputs.y), "map.npz")
    (tmp_path / "few.txt").write_text("cat\ndog\n")
    (tmp_path / "b-map.npz").write_bytes(npz.read_bytes())
    for folder in ("folder.html", "c.json", "folder.npz"):
        (tmp_path / folder).mkdir()
    before = sorted(tmp_path.iterdir())
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_labels_of_a_csv_may_be_names(tmp_path):
    (tmp_path / "a.csv").write_text("cat,y,dog\n1,dog,2\n3,cat,1\n0,1,0\n")
    assert read(tmp_path / "a.csv", kind="logits").y.tolist() == [1, 0, 1]


def test_names_that_are_numbers_must_be_those_of_the_classes(tmp_path):
    (tmp_path / "a.csv").write_text("y,1,2\n1,0,2\n")
    with pytest.raises(ValueError, match="classes: they are named '1', '2'"):
        read(tmp_path / "a.csv", kind="logits")


def test_overconfident_model_gets_a_temperature(npz):
    compared = report.compare(read(npz))[0]
    assert report.recommend(compared, read(npz))["name"] == "temperature scaling"


def test_calibrated_model_gets_none(tmp_path):
    logits, y = overconfident(temperature=1.0)
    outputs = read(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    assert report.recommend(report.compare(outputs)[0], outputs)["name"] == "none"


@pytest.mark.parametrize("n", [1, 2, 30])
def test_tiny_files_get_none_and_say_why(tmp_path, n):
    logits, y = overconfident(n)
    outputs = read(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    chosen = report.recommend(report.compare(outputs)[0], outputs)
    assert chosen["name"] == "none"
    assert "too few" in chosen["reason"]


def test_one_class_gets_none_and_says_why(tmp_path):
    logits, y = overconfident()
    logits, y = logits[y == 0], y[y == 0]
    outputs = read(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    chosen = report.recommend(report.compare(outputs)[0], outputs)
    assert chosen["name"] == "none"
    assert "one class" in chosen["reason"]


def test_apply_needs_no_labels(tmp_path):
    logits, _ = overconfident(5)
    np.save(tmp_path / "z.npy", logits)
    np.testing.assert_array_equal(read_new(tmp_path / "z.npy", kind="logits")[1], logits)
    (tmp_path / "z.csv").write_text("cat,dog\n1.5,2\n")
    assert read_new(tmp_path / "z.csv", kind="logits")[1].tolist() == [[1.5, 2.0]]
    (tmp_path / "y.csv").write_text("cat,y,dog\n1.5,dog,2\n")
    assert read_new(tmp_path / "y.csv", kind="logits")[1].tolist() == [[1.5, 2.0]]


@pytest.mark.slow
def test_written_files_have_the_mode_that_the_user_chose(tmp_path, npz):
    outputs = read(npz)
    previous = os.umask(0o027)
    try:
        save_map(VectorScaling().fit(outputs.logits, outputs.y), tmp_path / "map.npz")
        report.apply_map(tmp_path / "map.npz", npz, tmp_path / "calibrated.npz")
        report.make_report(npz, tmp_path / "report.html")
    finally:
        os.umask(previous)
    written = [path for path in tmp_path.iterdir() if path != npz]
    assert len(written) == 5
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o640}


def test_a_report_leaves_no_map_of_an_earlier_one(tmp_path):
    logits, y = overconfident(50)
    (tmp_path / "report-map.npz").write_bytes(b"old")
    report.make_report(write_npz(tmp_path / "a.npz", logits=logits, y=y), tmp_path / "report.html")
    assert not (tmp_path / "report-map.npz").exists()


def test_held_out_losses_are_those_of_the_map_fitted_without_them(tmp_path):
    from calib import TemperatureScaling, nll

    logits, y = overconfident()
    half = len(y) // 2
    path = write_npz(
        tmp_path / "a.npz",
        logits=logits[half:],
        y=y[half:],
        calibration_logits=logits[:half],
        calibration_y=y[:half],
    )
    row = report.compare(read(path))[0][1]
    fitted = TemperatureScaling().fit(logits[:half], y[:half])
    assert row["nll"] == pytest.approx(nll(y[half:], fitted.predict_proba(logits[half:])))


class Identity(Calibrator):
    def __init__(self):
        pass

    def fit(self, logits, y):
        return self

    def predict_proba(self, logits):
        return softmax(logits)


@pytest.mark.parametrize("clusters", [None, "shop"])
def test_cross_validated_losses_keep_the_order_of_samples(clusters):
    logits, y = overconfident()
    shop = np.arange(len(y)) // 10
    outputs = read({"y": y, "logits": logits, "shop": shop}, clusters=clusters)
    losses = comparison.held_out(Identity(), outputs, np.random.default_rng(0)).losses
    direct = comparison.unchanged(outputs).losses
    np.testing.assert_allclose(losses.nll, direct.nll)
    np.testing.assert_array_equal(losses.hit, direct.hit)


def test_a_cluster_is_in_one_fold():
    logits, y = overconfident()
    shop = np.random.default_rng(0).integers(0, 37, len(y))
    outputs = read((y, logits), clusters=shop, kind="logits")
    held = comparison.folds(outputs, np.random.default_rng(0))
    assert sorted(np.concatenate(held)) == list(range(len(y)))
    assert sum(len(np.unique(shop[rows])) for rows in held) == 37


def test_metrics_command_prints_what_the_library_says(npz, capsys):
    from calib import ece

    assert main(["metrics", str(npz), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    outputs = read(npz)
    assert found["ECE"]["value"] == pytest.approx(ece(outputs.y, outputs.prob), abs=1e-12)
    assert all(m["low"] <= m["value"] <= m["high"] for m in found.values() if "low" in m)
    assert main(["metrics", str(npz)]) == 0
    assert "ECE" in capsys.readouterr().out


@pytest.mark.slow
def test_metrics_need_numpy_and_scipy_alone(npz):
    code = (
        "import sys; from calib.__main__ import main; status = main(['metrics', sys.argv[1]]);"
        "extra = {'jinja2', 'joblib', 'matplotlib', 'pandas', 'sklearn'} & set(sys.modules);"
        "assert not extra, extra; sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", code, npz], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_missing_extra_is_named(npz, monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["report", str(npz), "-o", str(tmp_path / "a.html")]) == 2
    assert "the extra 'report' brings it: pip install '.[report]'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pandas", None)
    (tmp_path / "a.csv").write_text("y,a,b\n0,1,2\n")
    assert main(["metrics", str(tmp_path / "a.csv")]) == 2
    assert "pip install '.[files]' in a checkout" in capsys.readouterr().err
    assert main(["demo", str(tmp_path / "demo.csv")]) == 2
    assert "npz needs no extra" in capsys.readouterr().err
    assert not (tmp_path / "demo.csv").exists()
    assert main(["demo", str(tmp_path / "demo.npz")]) == 0
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "calib.model", raising=False)
    monkeypatch.delitem(vars(calib), "CalibratedModel", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"calib\.CalibratedModel: .*extra 'sklearn'"):
        calib.CalibratedModel  # noqa: B018


def test_the_extras_are_those_of_the_package():
    told = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    for extra, modules in EXTRAS.items():
        named = " ".join(told["optional-dependencies"][extra])
        named = named.replace("scikit-learn", "sklearn").replace("[plots]", "matplotlib")
        assert all(module in named for module in modules), extra
        assert len(modules) == named.count(">=") + named.count("neural") + ("dask" == extra)
