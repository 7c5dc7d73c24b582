"""The arena's leaderboard sorts, filters, and opens its rows to their cases."""

import pytest
from explorables import opened
from helpers import ROOT, chromium

from book.evidence import load_results
from book.evidence.arena import DOMAINS, load_cases, load_peer_cases
from book.show.widgets import LIBRARIES, arena_board

PEERS = "those of other libraries' maps"
FOLDER = ROOT / "book" / "assets" / "widgets"


@pytest.fixture(scope="module")
def rows():
    return load_results("arena_ranking")


@pytest.fixture(scope="module")
def cases():
    return load_cases()


@pytest.fixture(scope="module")
def page(rows, cases, tmp_path_factory):
    file = tmp_path_factory.mktemp("board") / "page.html"
    scripts = "".join(
        f'<script src="{(FOLDER / name).as_uri()}.js"></script>'
        for name in ("base", "definitions", "arena-board")
    )
    body = arena_board(rows, cases, DOMAINS, load_peer_cases()).data
    file.write_text(f'<meta charset="utf-8">{body}{scripts}', "utf-8")
    with chromium() as browser:
        page, wrong = opened(browser, file.as_uri())
        yield page
        assert wrong == []


def maps(page):
    return [text[2:] for text in page.locator("arena-board tbody th[scope=row]").all_inner_texts()]


def choose(page, networks, size):
    page.get_by_label("Networks").select_option(networks)
    page.get_by_label("Calibration samples").select_option(size)


def test_it_shows_the_stored_ranking_sorts_filters_and_opens(page, rows, cases):
    for networks, size in (("all", "all"), ("speech", "500"), ("8 to 19 classes", "2500")):
        choose(page, networks, size)
        part = rows[(rows["networks"] == networks) & (rows["size"] == size)]
        assert set(maps(page)) == set(part["map"])
        shown = page.locator("td[data-name=gain]").all_inner_texts()
        stored = part.sort_values("gain", ascending=False)["gain"]
        assert [float(t.replace("−", "-")) for t in shown] == pytest.approx(
            stored.tolist(), abs=0.051
        )
    choose(page, PEERS, "500")
    page.get_by_role("button", name="▸ dirichletcal", exact=True).click()
    peers = load_peer_cases()
    assert page.locator(".w-cases tbody tr").count() == (peers["map"] == "dirichletcal").sum()
    others = {text[2:] for text in page.locator(".w-other").all_inner_texts()}
    assert others == {name for name in peers["map"].unique() if name.startswith(LIBRARIES)}
    choose(page, networks, size)
    page.get_by_role("button", name="Failed").click()
    failed = part.set_index("map")["failed"]
    assert failed[maps(page)].is_monotonic_increasing
    choose(page, "medicine", "100")
    page.get_by_role("button", name="▸ temperature", exact=True).click()
    own = cases[(cases["dataset"] == "PneumoniaMNIST") & (cases["size"] == "100")]
    inside = page.locator(".w-cases tbody tr").all_inner_texts()
    assert len(inside) == own["setting"].nunique()
    assert own["setting"].iloc[0] in inside[0]


def test_the_cases_are_saved_as_csv(page, cases, tmp_path):
    choose(page, "medicine", "all")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save these cases as csv").click()
    saved.value.save_as(tmp_path / "cases.csv")
    lines = (tmp_path / "cases.csv").read_text("utf-8")
    own = cases[cases["dataset"] == "PneumoniaMNIST"]
    expected = own[["setting", "size", "map"]].drop_duplicates()
    assert len(lines.splitlines()) == 1 + len(expected)
    assert lines.startswith("network,dataset,classes,samples,map,gain_millinats")
