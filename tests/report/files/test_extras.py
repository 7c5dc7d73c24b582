"""Packages that may be missing, and the extras that bring them."""

import sys
import tomllib

from helpers import ROOT

from calib_report.commands.main import main
from calib_report.files.extras import EXTRAS


def test_a_missing_extra_is_named(npz, monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["report", npz, "-o", str(tmp_path / "a.html")]) == 2
    assert (
        "the extra 'report' brings it: pip install '.[report]'"
        in capsys.readouterr().err
    )
    monkeypatch.setitem(sys.modules, "pandas", None)
    (tmp_path / "a.csv").write_text("y,a,b\n0,1,2\n")
    assert main(["check", str(tmp_path / "a.csv")]) == 2
    assert "pip install '.[files]' in a checkout" in capsys.readouterr().err


def test_the_extras_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra, modules in EXTRAS.items():
        requirements = " ".join(project["optional-dependencies"][extra])
        requirements = requirements.replace("scikit-learn", "sklearn").replace(
            "[plots]", "matplotlib"
        )
        assert all(module in requirements for module in modules), extra
        assert len(modules) == requirements.count(">=") + requirements.count(
            "neural"
        ) + ("dask" == extra)
