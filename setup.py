"""The addresses of the project, which the environment tells as it tells them to the book.

BOOK_REPOSITORY and BOOK_ADDRESS; without them the distribution names none, and the links of its
page stay those of the checkout.
"""

import os
import re
from pathlib import Path

from setuptools import setup

SITE, REPOSITORY = (
    os.environ.get(f"BOOK_{name}", "").rstrip("/") for name in ("ADDRESS", "REPOSITORY")
)
ADDRESSES = {
    "Documentation": SITE,
    "Source": REPOSITORY,
    "Changes": REPOSITORY and f"{REPOSITORY}/blob/main/CHANGELOG.md",
    "Issues": REPOSITORY and f"{REPOSITORY}/issues",
}


def absolute(link: re.Match) -> str:
    """Return the address of a file that the page links to; pictures are needed as they are."""
    kind = "raw" if link[1].endswith(".png") else "blob"
    return f"]({REPOSITORY}/{kind}/main/{link[1]})"


readme = Path("README.md").read_text(encoding="utf-8")
setup(
    project_urls={name: address for name, address in ADDRESSES.items() if address},
    long_description=re.sub(r"\]\(([\w/.-]+)\)", absolute, readme)
    if REPOSITORY
    else readme,
    long_description_content_type="text/markdown",
)
