"""Public predictions are fetched once, with what they need."""

from published_sources import kept, publish

from evidence import load_source
from evidence.sources.__main__ import main
from evidence.sources.downloads import download


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


def test_named_sources_bring_what_they_need(site, capsys):
    publish(site, needs="part")
    publish(site, path="/o/r/c/part", name="part", reader="")
    publish(site, path="/o/r/c/other", name="other")
    download(["net"], progress=False)
    assert kept(site) == ["o/r/c/a file.csv", "o/r/c/part"]
    capsys.readouterr()
    assert main(["nett"]) == 1
    assert "no source 'nett'; there are net, part" in capsys.readouterr().err
