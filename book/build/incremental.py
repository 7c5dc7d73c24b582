"""What is done again when something has changed: pages to write, cited works to format.

Both save time: Sphinx would write no page that shows a number of another page, and would format all
works for each page that is read.
"""

from collections.abc import Callable
from pprint import saferepr
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinxcontrib.bibtex.domain import BibtexDomain

from book.build.description import picture


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """Return the pages to write: all where anything has changed that one shows of another."""
    domains = [env.domaindata[name] for name in ("std", "math", "py")]
    references = env.domaindata.get("cite", {}).get("citation_refs", [])
    cited = {target.key for reference in references for target in reference.targets}
    titles = {name: title.astext() for name, title in env.titles.items()}
    numbers = [env.toc_secnumbers, env.toc_fignumbers]
    shown = saferepr([domains, sorted(cited), titles, numbers, picture(app, None)])
    before, env.shown = getattr(env, "shown", ""), shown
    return {env.config.root_doc} if shown == before else env.found_docs


def format_works(
    domain: BibtexDomain,
    anew: Callable[[BibtexDomain], Any] = BibtexDomain.env_updated,
) -> list[str]:
    """Format the works where a page cites others than before, or a list of them was read anew."""
    cited = {
        (ref.docname, to.key) for ref in domain.citation_refs for to in ref.targets
    }
    if domain.data.get("formatted") != (sorted(cited), len(domain.citations)):
        anew(domain)
    domain.data["formatted"] = sorted(cited), len(domain.citations)
    return []
