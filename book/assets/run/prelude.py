"""What runs the cells of a page in the browser: one namespace, and what each cell shows."""

import ast
import base64
import io
import json
import re
import sys
import traceback
import types
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

NAMESPACE = {"__name__": "__main__"}
# lines of a traceback that are not the reader's
OWN = re.compile(r'File "(<exec>|.*prelude\.py)"')
# pairs: "text" or "html", and the output
shown: list[tuple[str, str]] = []


def run(source: str) -> str:
    """Run a cell; return what it shows and whether it failed, as JSON."""
    shown.clear()
    error, printed = "", io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            _run(source)
        except BaseException as problem:
            lines = traceback.format_exception(problem)
            error = "".join(
                [lines[0], *[line for line in lines[1:] if not OWN.search(line)]]
            )
    outputs = [("text", printed.getvalue()), *shown] if printed.getvalue() else shown
    return json.dumps({"outputs": outputs, "error": error})


def _run(source: str) -> None:
    tree = ast.parse(source)
    shows = (
        tree.body
        and isinstance(tree.body[-1], ast.Expr)
        and not source.rstrip().endswith(";")
    )
    last = tree.body.pop() if shows else None
    final = last.value if isinstance(last, ast.Expr) else ast.Constant(None)
    exec(compile(tree, "the cell", "exec"), NAMESPACE)
    value = eval(
        compile(ast.fix_missing_locations(ast.Expression(final)), "the cell", "eval"),
        NAMESPACE,
    )
    _pictures()
    display(value)


def display(*values: Any, **_: Any) -> None:
    """Show values as a notebook does: as HTML where they have it, else as text."""
    for value in values:
        if hasattr(value, "_repr_html_") and value._repr_html_():
            shown.append(("html", value._repr_html_()))
        elif value is not None and "matplotlib" not in type(value).__module__:
            shown.append(("text", f"{value!r}\n"))


def _pictures() -> None:
    plt: Any = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else ():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=100)
        address = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
        shown.append(("html", f'<img alt="the figure of this cell" src="{address}">'))
    if plt:
        plt.close("all")


class HTML:
    """Stands for IPython's class."""

    def __init__(self, data: str = "") -> None:
        self.data = data

    def _repr_html_(self) -> str | None:
        return self.data


class Markdown(HTML):
    """Stands for IPython's class; the text is shown as it is written."""

    def _repr_html_(self) -> None:
        """None: `display` shows the text."""

    def __repr__(self) -> str:
        return self.data


for _name, _content in {
    "IPython": {"get_ipython": lambda: None, "version_info": (9, 0)},  # matplotlib asks
    "IPython.display": {"HTML": HTML, "Markdown": Markdown, "display": display},
}.items():
    sys.modules[_name] = types.ModuleType(_name)
    vars(sys.modules[_name]).update(_content)
