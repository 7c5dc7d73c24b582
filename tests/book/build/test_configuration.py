"""What Sphinx gets of `_config.yml` and of the environment."""

import pytest
import yaml

from book.build import runtime, slides, wheel
from book.build.configuration import REFERENCES, site_config, sphinx_config
from book.build.project import Project

GITHUB = "https://github.com/owner/name"


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("BOOK_ADDRESS", "BOOK_REPOSITORY", "BOOK_BRANCH"):
        monkeypatch.delenv(name, raising=False)
    config = {"title": "T", "sphinx": {"config": {"html_context": {"promise": "P"}}}}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config | {"html": {}}))
    return Project(tmp_path)


@pytest.mark.parametrize("said", ["https://book.example", "https://book.example/"])
def test_the_address_of_the_site_ends_with_one_slash(project, monkeypatch, said):
    assert "html_baseurl" not in site_config(project)["sphinx"]["config"]
    monkeypatch.setenv("BOOK_ADDRESS", said)
    address = site_config(project)["sphinx"]["config"]["html_baseurl"]
    assert address == "https://book.example/"


def test_the_site_takes_up_what_lies_built(project):
    def extra(**options):
        return site_config(project, **options)["sphinx"]["config"]["html_extra_path"]

    assert extra() == [] and extra(pdf=True) == ["book.pdf"]
    folders = [place.folder(project) for place in (runtime, slides, wheel)]
    for folder in folders:
        folder.mkdir(parents=True)
    # a page finds Python and the lectures as folders, the wheel at the root
    places = [folders[0].parent, folders[1].parent, folders[2]]
    assert extra() == [str(place) for place in places]


@pytest.mark.parametrize("branch", ["main", "next"])
def test_pages_lead_to_their_source_where_the_repository_is_known(
    project, monkeypatch, branch
):
    assert "repository" not in site_config(project)
    monkeypatch.setenv("BOOK_REPOSITORY", f"{GITHUB}/")
    if branch != "main":
        monkeypatch.setenv("BOOK_BRANCH", branch)
    config = site_config(project)
    source = {"url": GITHUB, "branch": branch, "path_to_book": "chapters"}
    assert config["repository"] == source
    buttons = ("use_repository_button", "use_edit_page_button", "use_issues_button")
    assert config["html"] == dict.fromkeys(buttons, True)
    context = config["sphinx"]["config"]["html_context"]
    assert context.pop("promise") == "P"
    name = "{{ file_name.replace('.ipynb', '.md') }}"
    assert context == {
        "edit_page_url_template": f"{GITHUB}/edit/{branch}/chapters/{name}",
        "edit_page_provider_name": "GitHub",
    }


@pytest.mark.parametrize("strict", [True, False])
def test_an_open_reference_is_a_fault_where_the_whole_book_is_built(project, strict):
    (project.root / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    config = sphinx_config(project.root, strict)
    assert config["nitpicky"] == strict
    assert (set(REFERENCES) <= set(config["suppress_warnings"])) == (not strict)
    assert config["extensions"][-1] == "book.build.extension"
    assert "myst_nb" in config["extensions"]
    assert not {"sphinx_thebe", "sphinx_comments"} & {*config["extensions"]}
    assert "comments_config" not in config
