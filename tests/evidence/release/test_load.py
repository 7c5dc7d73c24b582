"""The loader of the data set reads what its checksums promise."""

import runpy

import numpy as np
import pytest

from evidence import load_zoo


def test_its_loader_needs_no_book(folder):
    load = runpy.run_path(str(folder / "load.py"))["load"]
    name = "cifar10-resnet20"
    net, ours = load(name), load_zoo(name)
    assert (
        np.array_equal(net["test_logits"], ours.test.logits)
        and net["about"]["name"] == name
    )
    answers = load("michael-sat")
    assert answers["confidence_stated"].shape == answers["outcome"].shape
    assert np.nanmax(answers["confidence_stated"]) <= 1
    with pytest.raises(
        ValueError, match="'none' is not in the data set; it holds 20news-dan1"
    ):
        load("none")
    (folder / "zoo" / f"{name}.npz").write_bytes(b"changed")
    with pytest.raises(ValueError, match=rf"zoo/{name}.npz: SHA-256 \w+, expected \w+"):
        load(name)
