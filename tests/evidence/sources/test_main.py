"""The command that downloads the sources: what it says of those that it could not have."""

from published_sources import GOOD, kept, publish

from evidence.sources.__main__ import main


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
