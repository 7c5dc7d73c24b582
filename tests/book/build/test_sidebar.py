"""The list of pages beside each page."""

from bs4 import BeautifulSoup

from book.build.sidebar import behind_doors


def test_the_door_one_is_in_stands_open():
    caption = '<p class="caption"><span class="caption-text">{}</span></p>'.format
    here, there = (f'<ul class="{now}nav bd-sidenav"></ul>' for now in ("current ", ""))
    lists = caption("Learn: one") + here + caption("Learn: two") + there
    pages = BeautifulSoup(lists + caption("Use") + there, "html.parser")
    assert str(behind_doors(pages)) == (
        f'<details class="door" open=""><summary>Learn</summary><p>one</p>{here}'
        f"<p>two</p>{there}</details>"
        f'<details class="door"><summary>Use</summary>{there}</details>'
    )
