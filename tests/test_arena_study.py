"""A map of anyone's in the arena: from the template to its row, whatever runs it."""

import csv
import shutil

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

import calib.study
from calib.__main__ import main
from calib.arena import study

TEMPLATE = ROOT / "calib" / "arena" / "my_map.py"
FEW = ["ferrer-pneumonia-resnet50", "sst2-dan3-w100-s1", "ferrer-speaker-plda"]


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """A folder with three of the bundled sets."""
    folder = tmp_path_factory.mktemp("sets")
    rows = [row for name, row in study.bundled().items() if name in FEW]
    with open(folder / "about.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    for name in FEW:
        shutil.copy(study.BUNDLE / f"{name}.npz", folder)
    return folder


@pytest.fixture(scope="module")
def made(few, tmp_path_factory):
    """The page and the cases of the template, one process."""
    page = tmp_path_factory.mktemp("one") / "mine.html"
    row = study.study(TEMPLATE, "MyMap", page, folder=few, n_jobs=1)
    return row, page


def written(page):
    return page.read_bytes(), page.with_suffix(".csv").read_bytes()


def test_the_template_is_short_and_has_its_row_and_its_cases(made):
    lines = [line for line in TEMPLATE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) < 30
    row, page = made
    assert np.isfinite(row["gain"]) and row["low"] < row["gain"] < row["high"]
    text = page.read_text(encoding="utf-8")
    assert '<tr class="mine"><th scope="row">MyMap</th>' in text
    for name in (*FEW, "temperature", "isotonic"):
        assert f">{name}<" in text
    assert len(pd.read_csv(page.with_suffix(".csv"))) == 1 + 2 + 3  # 312, 872 and 2500 samples


@pytest.mark.slow
def test_two_processes_write_the_same_bytes(made, few, tmp_path):
    study.study(TEMPLATE, "MyMap", tmp_path / "mine.html", folder=few, n_jobs=2)
    assert written(tmp_path / "mine.html") == written(made[1])


def test_an_interrupted_study_goes_on_and_writes_the_same_bytes(made, few, tmp_path, monkeypatch):
    page, measure, done = tmp_path / "mine.html", calib.study._measure, []

    def counted(*job):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(measure(*job))
        return done[-1]

    monkeypatch.setattr(calib.study, "_measure", counted)
    with pytest.raises(KeyboardInterrupt):
        study.study(TEMPLATE, "MyMap", page, folder=few, n_jobs=1)
    assert len(list((tmp_path / "mine-pieces").iterdir())) == 2
    assert not page.exists()
    fitted = []
    monkeypatch.setattr(calib.study, "_measure", lambda *job: fitted.append(1) or measure(*job))
    study.study(TEMPLATE, "MyMap", page, folder=few, n_jobs=1)
    assert len(fitted) == 1
    assert written(page) == written(made[1])


def test_a_changed_file_is_fitted_anew(few, tmp_path):
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_bytes(TEMPLATE.read_bytes())
    second.write_text(TEMPLATE.read_text(encoding="utf-8").replace("-4.0", "-3.0"), "utf-8")
    digests = {study.MapFromFile(path, "MyMap").digest for path in (first, second, TEMPLATE)}
    assert len(digests) == 2


def test_a_map_that_fails_counts_as_the_network_as_it_is(few, tmp_path):
    file = tmp_path / "no_map.py"
    file.write_text(
        "class NoMap:\n"
        "    def fit(self, logits, y):\n        raise ArithmeticError('never')\n"
        "    def predict_proba(self, logits):\n        return logits\n",
        "utf-8",
    )
    row = study.study(file, "NoMap", tmp_path / "mine.html", folder=few, n_jobs=1)
    cases = pd.read_csv(tmp_path / "mine.csv")
    assert row["failed"] == 1 and (cases["failure"] == "ArithmeticError: never").all()
    text = (tmp_path / "mine.html").read_text(encoding="utf-8")
    cells = [line for line in text.splitlines() if ">none<" in line or ">NoMap<" in line]
    assert len({line.split("</td>")[0].rsplit(">", 1)[1] for line in cells[:2]}) == 1


@pytest.mark.parametrize(
    "argument, message",
    [
        ("my_map.py", "expected FILE.py:CLASS"),
        ("absent.py:MyMap", "No such file"),
        (f"{TEMPLATE}:Absent", "defines no class 'Absent'"),
        (f"{ROOT / 'README.md'}:MyMap", "ends in .py"),
    ],
)
def test_a_wrong_map_is_refused_in_one_line(argument, message, tmp_path, capsys):
    assert main(["study", "--map", argument, "-o", str(tmp_path / "mine.html")]) == 2
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_bundle_is_what_its_table_says():
    for name, row in study.bundled().items():
        calibration, test = study.load_set(study.BUNDLE / f"{name}.npz")
        assert (len(calibration), len(test)) == (int(row["calibration"]), int(row["test"]))
        assert calibration.n_classes == int(row["classes"])
    assert sum(path.stat().st_size for path in study.BUNDLE.iterdir()) < 800_000


def test_stored_rows_of_the_others_are_computed_again(few):
    maps = {"vector": calib.VectorScaling(), "none": None}
    again = study.fit_all(maps, folder=few, n_jobs=1).set_index(["set", "n", "map"])
    stored = pd.read_csv(study.OTHERS).set_index(["set", "n", "map"]).loc[again.index]
    for name in study.METRICS:
        np.testing.assert_allclose(stored[name], again[name], atol=2e-6)
