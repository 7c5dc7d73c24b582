"""What the book adds to Sphinx."""


def test_an_address_that_is_not_there_leads_to_the_search(built):
    page = (built / "html/404.html").read_text()
    assert 'action="./search.html"' in page and 'href="./index.html"' in page
