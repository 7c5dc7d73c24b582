"""Public predictions: fetched once, verified at every read, refused when anything is off."""

import hashlib
from types import SimpleNamespace

import pytest
from helpers import ROOT, need_shared, served

import evidence
from evidence import load_source, source_index, source_names, sources
from evidence.data import csv_bytes
from evidence.language.originals import ANSWER_READERS
from evidence.sources.__main__ import main
from evidence.sources.downloads import download

GOOD = b"true_label,pred_label,confidence\n1,1,0.75\n0,1,0.5\n"
COLUMNS = (ROOT / "data" / "sources/sources.csv").read_text().splitlines()[0].split(",")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A web server on this machine, an empty local copy and an empty list of sources."""

    for name in ("data/published", "data/sources", "copy", "web"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CALIB_SOURCES", str(tmp_path / "copy"))
    places = {
        "copy": tmp_path / "copy",
        "table": tmp_path / "data" / "sources/sources.csv",
    }
    with served(tmp_path / "web") as address:
        yield SimpleNamespace(address=address, web=tmp_path / "web", rows=[], **places)


def publish(site, content=GOOD, *, expected=GOOD, path="/o/r/c/a file.csv", **more):
    """List one source as its maker described it, and serve what may be something else."""
    quoted = path.replace(" ", "%20")
    if content is not None:
        file = site.web / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    row = dict.fromkeys(COLUMNS, "")
    row |= {"name": "net", "known": "top1", "order": "some", "reader": "top1"}
    row |= {"address": site.address + quoted, "bytes": len(expected)}
    row |= {"sha256": hashlib.sha256(expected).hexdigest(), **more}
    site.rows.append(row)
    site.table.write_bytes(csv_bytes(site.rows))


def kept(site):
    return sorted(
        str(p.relative_to(site.copy)) for p in site.copy.rglob("*") if p.is_file()
    )


def test_good_file_is_kept_under_its_path_and_fetched_once(site, capsys):
    publish(site)
    assert main([]) == 0
    assert kept(site) == ["o/r/c/a file.csv"]
    assert "[1/1] net" in capsys.readouterr().out
    (site.web / "o/r/c/a file.csv").unlink()
    assert main([]) == 0
    net = load_source("net")
    assert net.test.pairs[0].tolist() == [0.75, 0.5]
    assert net.test.pairs[1].tolist() == [1, 0]
    assert net.test.order == "some"


def test_wrong_content_is_refused_and_the_others_are_kept(site, capsys):
    publish(site, GOOD[:-9] + b"1,1,0.5\n", path="/o/r/c/changed", name="changed")
    publish(site, b"", path="/o/r/c/empty", name="empty")
    publish(site, None, path="/o/r/c/missing", name="missing")
    publish(site, address="http://127.0.0.1:9/o/r/c/x.csv", name="nobody")
    publish(site)
    assert main([]) == 1
    assert kept(site) == ["o/r/c/a file.csv"]
    error = capsys.readouterr().err
    statuses = (
        "changed: refused",
        "empty: refused",
        "missing: not reached: 404",
        "nobody: not reach",
    )
    assert all(text in error for text in (*statuses, "run the same command again"))


def test_named_sources_bring_what_they_need(site, capsys):
    publish(site, needs="part")
    publish(site, path="/o/r/c/part", name="part", reader="")
    publish(site, path="/o/r/c/other", name="other")
    download(["net"], progress=False)
    assert kept(site) == ["o/r/c/a file.csv", "o/r/c/part"]
    capsys.readouterr()
    assert main(["nett"]) == 1
    assert "no source 'nett'; there are net, part" in capsys.readouterr().err


def test_an_absent_or_a_changed_copy_is_refused_and_chapters_read_results(
    site, monkeypatch
):
    publish(site)
    with pytest.raises(
        FileNotFoundError, match=r"Run `make sources`.*or set CALIB_SOURCES"
    ):
        load_source("net")
    assert kept(site) == []
    download(progress=False)
    path = sources.local_path(site.address + "/o/r/c/a%20file.csv")
    path.write_bytes(GOOD.replace(b"0.75", b"0.99"))
    with pytest.raises(ValueError, match="net: its SHA-256 is"):
        load_source("net")
    monkeypatch.setenv("CALIB_DECLARED", "*")
    with pytest.raises(
        evidence.UndeclaredDataError, match="a chapter reads load_results"
    ):
        load_source("net")


@pytest.mark.parametrize("part", sources.LISTS)
def test_a_list_is_complete_and_consistent(part):
    files = source_index(part)
    assert files.name.is_unique and files.name.is_monotonic_increasing
    needed = set(" ".join(files.needs.dropna()).split())
    alone = {"berta-cifar", "berta-imagenet", "goren-classifiers", "prasad-debates"}
    alone |= {"imagenet.real", "imagenet.paths"}
    by_results = alone & {*files.name}
    assert needed | by_results == set(files[files.reader.isna()].name)
    assert files[["address", "licence", "what"]].notna().all(axis=None)
    assert files.address.str.fullmatch(
        r"https://[^/]+/[^/]+/[^/]+/[0-9a-f]{40}/\S+"
    ).all()
    assert files.sha256.str.fullmatch("[0-9a-f]{64}").all()
    assert set(files.reader.dropna()) <= {*sources.READERS, *ANSWER_READERS}
    assert list(files[files.reader.notna()].name) == source_names(part)


@pytest.mark.shared
def test_all_cifar10_files_have_one_order(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    files = source_index().query("order == 'cifar10-test' and reader.notna()")
    there = files[
        files["address"].map(lambda address: sources.local_path(address).is_file())
    ]
    first, *later = (load_source(name).test for name in there["name"])
    assert len(later) >= 21
    for outputs in later:
        evidence.check_paired(first, outputs)
