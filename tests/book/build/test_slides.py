"""Slides that the last row can read."""

from helpers import chromium

from book.build import slides


def test_a_slide_that_the_last_row_cannot_read_is_named():
    slide = '<div class="pdf-page" style="height: 720px"><h2>A</h2><p style="{}">text</p></div>'
    style = "body, h2 {font: 40px serif; margin: 0} p {color: black}"
    clear, faint = "font-size: 36px", "font-size: 20px; color: #999; margin-left: -9px"
    with chromium() as browser:
        page = browser.new_page(viewport=slides.SIZE)
        page.set_content(
            f"<style>{style}</style>{slide.format(clear)}{slide.format(faint)}"
        )
        faults = page.evaluate(slides.UNREADABLE)
    assert [fault.partition(": ")[0] for fault in faults] == ["slide 2, A"] * 3
    for words, problem in zip(
        faults, ("letters of 20 px", "a contrast of 2.8", "9 px over"), strict=True
    ):
        assert problem in words
