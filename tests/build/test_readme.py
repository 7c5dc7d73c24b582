"""README.md: its links, its code and its figure; the version it cites."""

import re
import tomllib

import yaml
from helpers import ROOT
from matplotlib.testing.compare import compare_images

import calib
from book.evidence import load_zoo
from book.readme import reliability

TEXT = (ROOT / "README.md").read_text()


def test_the_files_it_links_exist():
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(links) >= 4
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_the_targets_it_names_exist():
    named = set(re.findall(r"^`?make ([a-z]+)|`make ([a-z]+)", TEXT, re.MULTILINE))
    targets = {name for pair in named for name in pair if name}
    assert {"book", "serve"} <= targets
    makefile = (ROOT / "Makefile").read_text()
    assert [name for name in targets if f"\n{name}:" not in makefile] == []


def test_its_code_runs():
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    network = load_zoo("cifar10-resnet20")
    names = {
        "y_true": network.test.y,
        "y_prob": network.test.prob,
        "logits_calibration": network.calibration.logits,
        "y_calibration": network.calibration.y,
        "logits_test": network.test.logits,
    }
    exec(code, names)
    assert calib.ece(network.test.y, names["probabilities"]) < names["error"]


def test_its_figure_is_the_one_its_program_draws(tmp_path):
    kept = ROOT / "book" / "readme" / "reliability.png"
    assert kept.stat().st_size < 60_000
    reliability.draw(tmp_path / "drawn.png")
    assert compare_images(str(kept), str(tmp_path / "drawn.png"), tol=2) is None


def test_one_version_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert calib.__version__ == cited == built
