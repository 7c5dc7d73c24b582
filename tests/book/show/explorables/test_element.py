"""The HTML of an interactive figure, where its script does not run."""


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
