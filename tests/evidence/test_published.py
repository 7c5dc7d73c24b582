"""The published tables: parsed once, checked in, the same when parsed again."""

import csv
import importlib.util
import re

import pytest
from helpers import ROOT, need_shared

from book.evidence import PAPERS, load_published

FOLDER = ROOT / "data" / "published"
ROWS = {"guo2017": 131, "nixon2019": 40, "gupta2021": 420, "vasilev2021": 3324}


def load_parser():
    spec = importlib.util.spec_from_file_location("parse", FOLDER / "parse.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(paper):
    with open(FOLDER / f"{paper}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cell(paper, **wanted):
    frame = load_published(paper)
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1, frame
    return frame.value.item()


@pytest.mark.shared
@pytest.mark.parametrize("paper", PAPERS)
def test_files_are_what_the_papers_print(paper):
    papers = need_shared("papers")
    assert read(paper) == load_parser().parse(paper, papers)


@pytest.mark.shared
@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_number_is_in_the_paper(paper):
    text = (need_shared("papers") / load_parser().PAPERS[paper]).read_text(encoding="utf-8")
    printed = set(re.findall(r"\d+\.\d+", text))
    assert {row["value"] for row in read(paper)} <= printed | set(re.findall(r"\d+", text))


def test_cells_read_off_the_papers_by_eye():
    assert cell("guo2017", dataset="Birds", method="Matrix scaling") == 21.13
    assert cell("guo2017", model="ResNet-152 (SD)", method="Vector scaling") == 0.27
    assert cell("guo2017", dataset="SST-5", method="BBQ") == 2.61
    assert cell("nixon2019", table=2, metric="TACE", method="Vector scaling") == 1.25
    assert cell("nixon2019", table=1, metric="SCE", method="Isotonic regression") == 0.35
    gupta = dict(paper="gupta2021", model="Wide ResNet-32", dataset="CIFAR-100")
    assert cell(**gupta, table=4, method="Spline") == 1.017
    assert cell("gupta2021", metric="Top-1 Brier", model="ResNet-152", method="MS-ODIR") == 0.12406
    vasilev = dict(paper="vasilev2021", dataset="Tiny ImageNet", loss="LS 0.05")
    assert cell(**vasilev, metric="MCE", method="Isotonic regression") == 7.08
    assert cell(**vasilev, table=2) == 0.231
    efficient = dict(paper="vasilev2021", model="EfficientNet-B8", metric="NLL")
    assert cell(**efficient, method="Vector scaling (no bias)") == 0.581
    assert cell(**efficient, method="Vector scaling") == 0.664
