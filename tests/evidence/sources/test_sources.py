"""Public predictions: listed in full, verified at every read, refused when anything is off."""

import pytest
from helpers import need_shared
from published_sources import GOOD, kept, publish

import evidence
from evidence import load_source, source_index, source_names, sources
from evidence.language.originals import ANSWER_READERS, answer_sources
from evidence.sources.downloads import download


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


@pytest.mark.parametrize("listing", sources.LISTINGS)
def test_a_list_is_complete_and_consistent(listing):
    files = source_index(listing)
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
    of_networks = files[files.reader.isin([*sources.READERS])]
    assert list(of_networks.name) == source_names(listing)


def test_answers_of_language_models_are_no_networks_to_load():
    assert source_names("sources-language") == []
    name = answer_sources("choices")[0]
    with pytest.raises(ValueError, match=f"no source '{name}'"):
        load_source(name)


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
