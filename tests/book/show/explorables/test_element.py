"""The HTML of an interactive figure, where its script does not run, and its data."""

import base64
import json
import re

import numpy as np
import pytest

from book.show.explorables.element import (
    data_uri,
    explorable,
    in_base64,
    pairs_in_base64,
    rounded,
)


def test_a_figure_says_and_pictures_what_it_shows_where_scripts_do_not_run(
    browser, figures
):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, figure in figures.items():
        page.set_content(figure.data)
        assert (
            page.locator(f"{name} .w-fallback")
            .inner_text()
            .startswith("An interactive")
        )
        picture = page.locator(f"{name} img").bounding_box()
        # made up there
        assert name == "sure-photographs" or picture["width"] > 250, name
    context.close()


@explorable
def two_worlds(still, *words, data=()):
    """Two worlds
    side by side.

    Further lines are for who reads the code.
    """
    return data, still, *words


def test_a_figure_is_an_element_of_its_name_with_its_words_its_picture_and_its_data():
    page = two_worlds("data:image/png;base64,AA", data={"a": [1, 2]}).data
    assert page == (
        '<two-worlds id="two-worlds" role="group" aria-label="two worlds side by side">'
        '<div class="w-fallback">'
        "<p>An interactive figure: two worlds side by side.</p>"
        '<img alt="" src="data:image/png;base64,AA"></div>'
        '<script type="application/json">{"a":[1,2]}</script></two-worlds>'
    )


def test_a_picture_in_a_file_is_loaded_when_it_is_seen():
    assert '<img alt="" loading="lazy" src="a.png">' in two_worlds("a.png").data


def test_words_of_the_figure_go_before_those_of_its_docstring():
    page = two_worlds("a.png", 'p < 0.5 & "q"').data
    words = "p &lt; 0.5 &amp; &quot;q&quot;"
    assert f'aria-label="{words}"' in page and f": {words}.<" in page
    assert "side by side" not in page


def test_nothing_in_the_data_ends_the_script_or_is_no_json():
    data = ["</script><b>", 0.5]
    page = two_worlds("a.png", data=data).data
    (text,) = re.findall(r'json">(.*)</script></two', page)
    assert "</" not in text and json.loads(text) == data
    with pytest.raises(ValueError, match="JSON compliant"):
        two_worlds("a.png", data=[np.nan])


def test_numbers_are_rounded_to_five_digits_or_to_integers():
    numbers = rounded([1 / 3, 2])
    assert numbers == [0.33333, 2.0] and rounded([1 / 3], 2) == [0.33]
    whole = rounded(np.array([[0.6, 1.0]]), 0)
    assert whole == [[1, 1]] and type(whole[0][0]) is int


def test_numbers_and_pictures_are_bytes_as_text():
    assert base64.b64decode(in_base64([1, 258], "<u2")) == bytes([1, 0, 2, 1])
    assert data_uri(b"png") == "data:image/png;base64,cG5n"


def test_a_pair_is_fifteen_bits_of_its_score_and_one_of_its_hit():
    """What a page reads of them, `value >> 1` and `value & 1`, is at most half a step away."""
    rng = np.random.default_rng(0)
    score, hit = np.append(rng.random(98), [0, 1]), rng.integers(2, size=100)
    pairs = np.frombuffer(base64.b64decode(pairs_in_base64(score, hit)), "<u2")
    assert (pairs & 1).tolist() == hit.tolist()
    assert np.abs((pairs >> 1) / 32767 - score).max() <= 0.5 / 32767
