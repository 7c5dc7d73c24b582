"""The printed tables that are committed, beside the papers and the authors' own logits."""

import re

import pytest
from helpers import ROOT, need_shared

from calib import SplineCalibration, TopLabel, ks_error, top_label, top_r
from evidence import PAPERS_WITH_TABLES, load_published, load_source
from evidence.data import csv_rows

PRINTED = {
    "guo2017": ("guo2017-slides.txt", 131),
    "nixon2019": ("nixon2019-measuring.txt", 40),
    "gupta2021": ("gupta2021-splines.txt", 420),
    "vasilev2021": ("vasilev2021-survey.txt", 3324),
}


@pytest.mark.shared
@pytest.mark.parametrize("paper", PAPERS_WITH_TABLES)
def test_every_printed_number_is_in_the_paper(paper):
    file, n = PRINTED[paper]
    text = need_shared(f"papers/{file}").read_text(encoding="utf-8")
    rows = csv_rows((ROOT / "data" / "published" / f"{paper}.csv").read_bytes())
    assert len(rows) == n
    numbers = {*re.findall(r"\d+\.\d+", text), *re.findall(r"\d+", text)}
    assert {row["value"] for row in rows} <= numbers


BY_EYE = """
guo2017 dataset=Birds method=Matrix_scaling 21.13
guo2017 model=ResNet-152_(SD) method=Vector_scaling 0.27
guo2017 dataset=SST-5 method=BBQ 2.61
nixon2019 table=2 metric=TACE method=Vector_scaling 1.25
nixon2019 table=1 metric=SCE method=Isotonic_regression 0.35
gupta2021 model=Wide_ResNet-32 dataset=CIFAR-100 table=4 method=Spline 1.017
gupta2021 metric=Top-1_Brier model=ResNet-152 method=MS-ODIR 0.12406
vasilev2021 dataset=Tiny_ImageNet loss=LS_0.05 metric=MCE method=Isotonic_regression 7.08
vasilev2021 dataset=Tiny_ImageNet loss=LS_0.05 table=2 0.231
vasilev2021 model=EfficientNet-B8 metric=NLL method=Vector_scaling_(no_bias) 0.581
vasilev2021 model=EfficientNet-B8 metric=NLL method=Vector_scaling 0.664
"""


@pytest.mark.parametrize("line", BY_EYE.strip().splitlines())
def test_cells_read_off_the_papers_by_eye(line):
    paper, *conditions, value = line.split()
    cells = load_published(paper)
    for column, text in (condition.split("=") for condition in conditions):
        cells = cells[cells[column].astype(str) == text.replace("_", " ")]
    assert cells["value"].tolist() == [float(value)]


@pytest.mark.shared
def test_splines_of_the_authors_logits_have_the_printed_errors(monkeypatch):
    """ResNet-110 on CIFAR-10: Gupta et al. print KS 4.750 % and, with 6 knots, 0.643 %."""
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    source = load_source("kull-cifar10-resnet110")

    def error(calibrator):
        fitted = calibrator.fit(source.calibration.logits, source.calibration.y)
        score, hit = fitted.predict_pairs(source.test.logits, source.test.y)
        return 100 * ks_error(hit, score)

    before = 100 * ks_error(*top_label(source.test.y, source.test.prob)[::-1])
    assert before == pytest.approx(4.750, abs=0.001)
    assert error(TopLabel(SplineCalibration(target="gap"))) == pytest.approx(
        0.643, abs=0.01
    )
    assert error(TopLabel(SplineCalibration(target="hits"))) == pytest.approx(
        1.82, abs=0.01
    )
    second = [
        top_r(2)(split.y, split.prob) for split in (source.calibration, source.test)
    ]
    calibrated = SplineCalibration().fit(*second[0]).predict(second[1][0])
    assert 100 * ks_error(second[1][1], calibrated) == pytest.approx(0.347, abs=0.06)
