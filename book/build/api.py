"""The reference: ``.. calib-reference:: calib.metrics`` shows the public names of a module.

Those are the ones that `calib` or `calib_report` offers; others are listed in the directive.
"""

import importlib
import inspect
from types import ModuleType
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

OFFER = ("calib", "calib_report", "evidence")


class Reference(SphinxDirective):
    """Show the public names of a module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        module = importlib.import_module(self.arguments[0])
        name = module.__name__
        lines = [
            f".. py:module:: {name}",
            "",
            f"*{(inspect.getdoc(module) or '').partition(chr(10))[0]}*",
            "",
        ]
        offered = sorted(
            symbol for symbol in vars(module) if home(symbol, module) in OFFER[:2]
        )
        for symbol in " ".join(self.content).split() or offered:
            lines += entry(f"{home(symbol, module)}.{symbol}", getattr(module, symbol))
        container = nodes.container()
        self.state.nested_parse(StringList(lines, name), self.content_offset, container)
        return container.children


def home(name: str, module: ModuleType) -> str:
    """Return where a name that a module defines is imported from."""
    # a name that a module only imports is described where it is defined
    value, at = getattr(module, name), module.__name__
    offers = (
        o for o in OFFER if getattr(importlib.import_module(o), name, None) is value
    )
    return next(offers, at) if at in (*OFFER, getattr(value, "__module__", "")) else ""


def entry(name: str, value: Any) -> list[str]:
    """Return the lines of reStructuredText that show a function or a class with its members."""
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    kind = "autoexception" if issubclass(value, Exception) else "autoclass"
    used = hasattr(value, "fit") or hasattr(value, "sample")
    # what scikit-learn's classes have is told there, and its requests are no use here
    options = [":members:", ":inherited-members: ClassifierMixin"]
    options.append(":exclude-members: set_fit_request, set_score_request")
    return [f".. {kind}:: {name}", *(f"   {option}" for option in options * used), ""]
