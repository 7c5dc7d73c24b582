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


@pytest.mark.parametrize(("offset", "status"), [(-0.2, 3), (0.0, 4)])
def test_the_verdict_becomes_a_comment(tmp_path, offset, status):
    gate, comment, last = steps()
    # of a pull request, as GitHub writes it to GITHUB_EVENT_PATH
    event = {"number": 17}
    rng = np.random.default_rng(0)
    p = rng.beta(5, 2, size=2000)
    y = np.where(rng.random(2000) < np.clip(p + offset, 0, 1), "yes", "no")
    rows = [f"{label},{q:.6f}" for label, q in zip(y, p, strict=True)]
    (tmp_path / "week.csv").write_text("\n".join(["label,p_yes", *rows, ""]))
    calib = f'{sys.executable} -m calib "$@" --positive yes'
    program(tmp_path, "calib", calib)
    program(
        tmp_path, "gh", 'printf "%s\\n" "$@" > said.txt; cat "${@: -1}" >> said.txt'
    )
    environment = os.environ | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "NUMBER": str(event["number"]),
    }
    assert comment["env"]["NUMBER"] == "${{ github.event.number }}"

    def run(command):
        shell = ["bash", "-e", "-c", command]
        return subprocess.run(
            shell, cwd=tmp_path, env=environment, check=False
        ).returncode

    assert run(gate["run"]) == 0
    said = dict(line.split("=") for line in (tmp_path / "output").read_text().split())
    assert said == {"status": str(status)}
    assert run(comment["run"]) == 0
    arguments = (tmp_path / "said.txt").read_text()
    assert arguments.startswith("pr\ncomment\n17\n--body-file\nverdict.txt\n")
    assert ("BROKEN" if status == 3 else "not enough labels") in arguments
    assert (
        json.loads((tmp_path / "gate.json").read_text())["schema"] == "calib-memory-1"
    )
    last_line = last["run"].replace("${{ steps.gate.outputs.status }}", said["status"])
    assert run(last_line) == int(status == 3)
