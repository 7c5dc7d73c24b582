"""A chapter is executed as on any other machine, for any other user, after any other chapter."""

import nbformat
from one_chapter import cell, notebook

from book.build.execute import execute_all

SEALED = """
import os, pathlib, numpy, pandas, matplotlib, matplotlib.pyplot as plt

at_home = pathlib.Path.home() / "left"
print(os.environ.get("LEFT"), pandas.options.display.precision, plt.get_fignums())
print(at_home.exists(), numpy.__dict__.get("left"), "mine" in globals())
print("inline" in matplotlib.get_backend(), matplotlib.rcParams["font.size"])
print("SECRET" in os.environ, os.environ["TZ"])
os.environ["LEFT"] = numpy.left = "here"
pandas.options.display.precision = 2
plt.figure()
at_home.touch()
"""


def test_neither_settings_of_the_user_nor_what_another_chapter_did_reach_one(
    project, tmp_path, monkeypatch
):
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mine = 1\n")
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n")
    environment = {
        "MPLBACKEND": "Agg",
        "SECRET": "1",
        "TZ": "Asia/Tokyo",
        "HOME": "/nonexistent",
    }
    environment |= {
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MATPLOTLIBRC": str(tmp_path),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    chapters = [notebook(project, cell(SEALED), name=f"part/{name}") for name in "abc"]
    execute_all(project, chapters)
    for chapter in chapters:
        ran = nbformat.read(project.executed(chapter), as_version=4)
        printed = "None 6 []\nFalse None False\nTrue 12.0\nFalse UTC\n"
        assert ran.cells[-1].outputs[0].text == printed
