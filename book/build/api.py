"""The reference: ``.. calib-reference:: calib.metrics`` shows the public names of a module.

Those are the ones that `calib` or `calib_report` offers; others are listed in the directive.
"""

import importlib
import inspect

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

OWN = ("calib", "calib_report", "book.evidence")


class Reference(SphinxDirective):
    """Show the public names of a module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list:
        module = self.arguments[0]
        there = importlib.import_module(module)
        lines = [f".. py:module:: {module}", "", f"*{inspect.getdoc(there).splitlines()[0]}*", ""]
        names = " ".join(self.content).split()
        for name in names or sorted(n for n in vars(there) if home(n, module) in OWN[:2]):
            lines += entry(f"{home(name, module)}.{name}", getattr(there, name))
        container = nodes.container()
        self.state.nested_parse(StringList(lines, module), self.content_offset, container)
        return container.children


def home(name: str, module: str) -> str:
    """Return where a name that a module defines is imported from."""
    value = getattr(importlib.import_module(module), name)
    offers = (one for one in OWN if getattr(importlib.import_module(one), name, None) is value)
    defined = getattr(value, "__module__", "") == module or module in OWN
    return next(offers, module) if defined else ""


def entry(name: str, value) -> list[str]:
    """Return the lines of reStructuredText that show a function or a class with its members."""
    kind = "autofunction"
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
    lines = [f".. {kind}:: {name}", ""]
    if kind == "autoclass" and (hasattr(value, "fit") or hasattr(value, "sample")):
        lines[1:1] = [f"   :members: {', '.join(members(value))}"]
    return lines


def members(cls: type) -> list[str]:
    """Return the public methods and properties of a class that are ours."""
    found = {name: inspect.getattr_static(cls, name) for name in dir(cls) if name[0] != "_"}
    functions = {name: getattr(m, "fget", getattr(m, "__func__", m)) for name, m in found.items()}
    modules = {name: str(getattr(f, "__module__", "")) for name, f in functions.items()}
    return [
        name for name, module in modules.items() if module.startswith(tuple(map("{}.".format, OWN)))
    ]


def setup(app) -> dict:
    app.add_directive("calib-reference", Reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
