"""The step that comments a pull request: its lines stand in a chapter, and run here on an event."""

import json
import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import yaml
from helpers import ROOT

PAGE = ROOT / "chapters" / "use" / "rules-and-gates.md"


def steps():
    """The steps of the page, as a workflow would read them."""
    text = PAGE.read_text()
    begin = text.index("    - id: gate\n")
    lines = text[begin:].split("\n\n")[0]
    return yaml.safe_load(textwrap.dedent(lines))


def program(folder, name, body):
    place = folder / name
    place.write_text(f"#!/bin/bash\n{body}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)


PASSES = {"3": False, "4": True, "0": True, "2": False, "": False}


def environment_of(folder):
    """A folder in which `calib` and `gh` are programs, and what the steps find set."""
    calib = f'{sys.executable} -m calib "$@" --positive yes'
    program(folder, "calib", calib)
    program(folder, "gh", 'printf "%s\\n" "$@" > said.txt; cat "${@: -1}" >> said.txt')
    return os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_OUTPUT": str(folder / "output"),
        # of a pull request, as GitHub writes it to GITHUB_EVENT_PATH
        "NUMBER": "17",
    }


def write_week(folder, offset):
    rng = np.random.default_rng(0)
    p = rng.beta(5, 2, size=2000)
    y = np.where(rng.random(2000) < np.clip(p + offset, 0, 1), "yes", "no")
    rows = [f"{label},{q:.6f}" for label, q in zip(y, p, strict=True)]
    (folder / "week.csv").write_text("\n".join(["label,p_yes", *rows, ""]))


@pytest.mark.slow
@pytest.mark.parametrize(("offset", "status"), [(-0.2, 3), (0.0, 4), (None, 2)])
def test_the_verdict_becomes_a_comment(tmp_path, offset, status):
    gate, comment, last, kept = steps()
    environment = environment_of(tmp_path)
    assert comment["env"]["NUMBER"] == "${{ github.event.number }}"

    def run(command):
        shell = ["bash", "-e", "-c", command]
        return subprocess.run(
            shell, cwd=tmp_path, env=environment, check=False
        ).returncode

    if offset is not None:  # else the file is missing
        write_week(tmp_path, offset)
    assert run("git init --quiet") == 0
    assert run(gate["run"]) == 0
    said = dict(line.split("=") for line in (tmp_path / "output").read_text().split())
    assert said == {"status": str(status)}
    assert run(comment["run"]) == 0
    arguments = (tmp_path / "said.txt").read_text()
    assert arguments.startswith("pr\ncomment\n17\n--body-file\nverdict.txt\n")
    words = {3: "BROKEN", 4: "not enough labels", 2: "week.csv: No such file"}
    assert words[status] in arguments
    memory = tmp_path / "gate.json"
    assert memory.is_file() == (status != 2)
    if memory.is_file():
        assert json.loads(memory.read_text())["schema"] == "calib-memory-2"
        # who adds the week commits the memory with it, and the step's look adds nothing
        assert run(kept["run"]) == 1
        assert run("git add gate.json week.csv") == 0
        author = "git -c user.name=a -c user.email=a@example.org commit --quiet -m Week"
        assert run(author) == 0
        assert run(gate["run"]) == run(kept["run"]) == 0
    for value, passes in PASSES.items():
        last_line = last["run"].replace("${{ steps.gate.outputs.status }}", value)
        assert run(last_line) == int(not passes)
