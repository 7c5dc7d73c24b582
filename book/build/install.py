"""How a reader comes to the package and to the project: commands that a page shows.

Goes in: the address of the site and of the repository, where they are known; else the commands name
the files that the site holds.
"""

import os
import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from book.build.wheel import NAME as WHEEL

PACKAGE_OPENING = (
    '<details class="package"><summary>Where <code>calib</code> comes from</summary>'
)

DOWNLOAD = " Download the package, and in the folder where it lies type:"


class Install(SphinxDirective):
    """How to install the package: from the address of the site, or from the file that it holds."""

    def run(self) -> list[nodes.Node]:
        return installation(self.env.docname, self.config.html_baseurl)


def installation(page: str, address: str) -> list[nodes.Element]:
    """Where the package lies in the site, and the command that installs it."""
    extras, root = "[report,files]", "../" * page.count("/")
    command, first = f'pip install "./{WHEEL}{extras}"', DOWNLOAD
    if address:
        command = f'pip install "neural-calibration{extras} @ {address}{WHEEL}"'
        first = ""
    archive = f"{root}_static/exercises.zip"
    places = [
        nodes.Text("The package is one file of this site: "),
        nodes.reference("", WHEEL, refuri=f"{root}{WHEEL}"),
        nodes.Text("; with exercises to run: "),
        nodes.reference("", "all notebooks in a zip", refuri=archive),
        nodes.Text(f".{first}"),
    ]
    shown = nodes.literal_block(command, command, language="sh")
    return [nodes.paragraph("", "", *places, classes=["installation"]), shown]


class PackageOfThePage(SphinxPostTransform):
    """Below the first code that imports the package: where it comes from, folded."""

    default_priority = 300
    formats = ("html",)

    def run(self, **_: Any) -> None:
        cell = next(filter(imports_package, self.document.findall(is_cell)), None)
        if cell is None or next(self.document.findall(says_installation), None):
            return
        page, address = self.env.docname, self.config.html_baseurl
        parts = [
            nodes.raw("", PACKAGE_OPENING, format="html"),
            *installation(page, address),
            nodes.raw("", "</details>", format="html"),
        ]
        cell.parent.insert(cell.parent.index(cell) + 1, parts)


def is_cell(node: nodes.Node) -> bool:
    """Whether it is a code cell, its code shown or folded."""
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def says_installation(node: nodes.Node) -> bool:
    """Whether the page says already how the package is installed."""
    return isinstance(node, nodes.paragraph) and "installation" in node["classes"]


def imports_package(cell: nodes.Element) -> bool:
    code = "\n".join(block.astext() for block in cell.findall(nodes.literal_block))
    return re.search(r"^(from|import) calib\b", code, re.MULTILINE) is not None


class Clone(SphinxDirective):
    """How to come to a copy of the project: by git where its address is known."""

    def run(self) -> list[nodes.Node]:
        address = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
        name = "calibration-book"
        command = f"cd {name}  # your copy of this project"
        if address:
            command = f"git clone {address} {name} && cd {name}"
        return [nodes.literal_block(command, command, language="sh")]


def launchers(address: str, pagename: str) -> str:
    """Return links that open the notebook of a page elsewhere, from its repository at GitHub."""
    repository = address.rstrip("/").removeprefix("https://github.com/")
    links = {
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/main/{pagename}.ipynb",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/main?labpath={pagename}.ipynb",
    }
    shown = " or ".join(f'<a href="{to}">{name}</a>' for name, to in links.items())
    return f'<p class="launchers">Open this notebook in {shown}.</p>'


def is_folded_installation(node: nodes.Element) -> bool:
    """Whether it is of the note on the package that the page folds below its first import."""
    at = node.parent.index(node)
    above = node.parent.children[max(at - 2, 0) : at]
    return any(
        isinstance(n, nodes.raw) and 'class="package"' in n.astext() for n in above
    )
