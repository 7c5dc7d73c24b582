"""The report: reading outputs, comparing maps, recommending one, and the command line."""

import json

import numpy as np
import pytest

from calib import report
from calib.__main__ import main
from calib.checks import softmax
from calib.outputs import read_outputs, read_scores


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
    outputs = read_outputs(npz)
    csv = tmp_path / "outputs.csv"
    rows = [
        f"{y}," + ",".join(map(repr, z))
        for y, z in zip(outputs.y, outputs.scores.tolist(), strict=True)
    ]
    csv.write_text("\n".join(["y,cat,dog,hen,pig", *rows]))
    np.save(tmp_path / "z.npy", outputs.scores)
    np.save(tmp_path / "y.npy", outputs.y)
    from_csv = read_outputs(csv, kind="logits")
    from_npy = read_outputs(tmp_path / "z.npy", kind="logits", labels=tmp_path / "y.npy")
    for other in (from_csv, from_npy):
        np.testing.assert_array_equal(other.scores, outputs.scores)
        np.testing.assert_array_equal(other.y, outputs.y)
    assert from_csv.classes == ["cat", "dog", "hen", "pig"]


def test_log_probabilities_stand_in_for_logits(tmp_path, npz):
    outputs = read_outputs(npz)
    path = write_npz(tmp_path / "p.npz", probabilities=outputs.probabilities(), y=outputs.y)
    again = read_outputs(path)
    np.testing.assert_allclose(again.probabilities(), outputs.probabilities())
    difference = again.logits() - outputs.logits()
    np.testing.assert_allclose(difference, np.broadcast_to(difference[:, :1], difference.shape))


def bad_files(folder):
    logits, y = overconfident(20)
    p = np.full((20, 4), 0.25)
    nan = logits.copy()
    nan[3, 1] = np.nan
    cases = {
        "one array named": {"scores": logits, "y": y},
        "'logits' or 'probabilities'": {"logits": logits, "probabilities": p, "y": y},
        "named 'y'": {"logits": logits},
        "row 3 holds nan": {"logits": nan, "y": y},
        "row 0 sums to 2": {"probabilities": 2 * p, "y": y},
        "y: ": {"logits": logits, "y": y + 10},
        "together or not at all": {"logits": logits, "y": y, "calibration_logits": logits},
        "different names for 4 classes": {"logits": logits, "y": y, "classes": ["a"] * 4},
    }
    for i, (message, arrays) in enumerate(cases.items()):
        yield message, write_npz(folder / f"bad{i}.npz", **arrays)
    texts = {
        "not an": b"\x93NOT",
        "column of labels": b"a,b\n1,2\n",
        "not a number": b"y,a,b\n0,1,x\n",
        "not a csv table": b'"',
    }
    for i, (message, content) in enumerate(texts.items()):
        path = folder / f"bad{i}{'.npy' if i == 0 else '.csv'}"
        path.write_bytes(content)
        yield message, path
    yield "ends in .npz, .csv or .npy", folder / "outputs.txt"
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


def test_what_a_csv_or_npy_holds_must_be_said(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("y,a,b\n0,0.5,0.5\n")
    assert main(["metrics", str(tmp_path / "a.csv")]) == 2
    assert "--kind logits or --kind probabilities" in capsys.readouterr().err


def test_overconfident_model_gets_a_temperature(npz):
    comparison = report.compare(read_outputs(npz))
    assert report.recommend(comparison, read_outputs(npz).y)["name"] == "temperature scaling"


def test_calibrated_model_gets_none(tmp_path):
    logits, y = overconfident(temperature=1.0)
    outputs = read_outputs(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    assert report.recommend(report.compare(outputs), y)["name"] == "none"


@pytest.mark.parametrize("n", [1, 2, 30])
def test_tiny_files_get_none_and_say_why(tmp_path, n):
    logits, y = overconfident(n)
    outputs = read_outputs(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    chosen = report.recommend(report.compare(outputs), y)
    assert chosen["name"] == "none"
    assert "too few" in chosen["reason"]


def test_one_class_gets_none_and_says_why(tmp_path):
    logits, y = overconfident()
    logits, y = logits[y == 0], y[y == 0]
    outputs = read_outputs(write_npz(tmp_path / "a.npz", logits=logits, y=y))
    chosen = report.recommend(report.compare(outputs), y)
    assert chosen["name"] == "none"
    assert "one class" in chosen["reason"]


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
    row = report.compare(read_outputs(path))[1]
    fitted = TemperatureScaling().fit(logits[:half], y[:half])
    assert row["nll"] == pytest.approx(nll(y[half:], fitted.predict_proba(logits[half:])))


def test_cross_validated_losses_keep_the_order_of_samples(npz):
    class Identity(report.Calibrator):
        def __init__(self):
            pass

        def fit(self, logits, y):
            return self

        def predict_proba(self, logits):
            return softmax(logits)

    outputs = read_outputs(npz)
    losses = report.held_out_losses(Identity(), outputs, np.random.default_rng(0))
    direct = report.Losses.of(outputs.y, outputs.probabilities())
    np.testing.assert_allclose(losses.nll, direct.nll)
    np.testing.assert_array_equal(losses.hit, direct.hit)


def test_metrics_command_prints_what_the_library_says(npz, capsys):
    from calib import ece

    assert main(["metrics", str(npz), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    outputs = read_outputs(npz)
    value = ece(outputs.y, outputs.probabilities())
    assert found["ECE, 15 bins"]["value"] == pytest.approx(value, abs=1e-12)
    assert all(m["low"] <= m["high"] for name, m in found.items() if "low" in m)


def test_report_page_numbers_and_map(tmp_path, npz, capsys):
    page = tmp_path / "report.html"
    assert main(["report", str(npz), "-o", str(page)]) == 0
    assert "temperature scaling" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org", "") and 'src="http' not in text
    assert "data:image/png;base64" in text
    found = json.loads((tmp_path / "report.json").read_text())
    assert f"{found['metrics']['ECE, 15 bins']['value']:.4f}" in text
    out = tmp_path / "calibrated.npz"
    saved = tmp_path / "report-map.npz"
    assert main(["apply", str(saved), str(npz), "-o", str(out)]) == 0
    from calib import TemperatureScaling

    outputs = read_outputs(npz)
    fitted = TemperatureScaling().fit(outputs.logits(), outputs.y)
    np.testing.assert_allclose(
        np.load(out)["probabilities"], fitted.predict_proba(outputs.logits()), rtol=1e-6
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        ["outputs.npz", "report.html", "report.json", "report-map.npz", "calibrated.npz"]
    )


def test_apply_needs_no_labels(tmp_path):
    logits, _ = overconfident(5)
    np.save(tmp_path / "z.npy", logits)
    np.testing.assert_array_equal(read_scores(tmp_path / "z.npy", kind="logits"), logits)
