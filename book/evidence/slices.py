"""What a figure or table of a chapter is made from, read off the chapter's code.

``python -m book.evidence.slices`` writes the columns ``drawn`` and ``evidence`` of
``data/coverage.csv``.

A chapter is a list of statements. Those that a cell needs are found from its last line upwards: a
statement belongs to the cell if it sets a name that the cell, or a statement found before, reads.
The functions and tables that these statements call for tell which kind of evidence they use.
"""

import ast
import csv
import io
import re

from book.evidence.data import csv_rows, data_folder, read_declared
from book.evidence.tables import csv_bytes
from calib.files import write_whole

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
ABOUT = re.compile(r"\A(---\n.*?\n---\n|(:[^\n]*\n)+)", re.DOTALL)
CALLS = {
    "published": {"load_published"},
    "public": {"load_source", "source_index", "public_metrics", "quba", "calibench", "calarena"},
    "zoo": {"load_zoo", "zoo_index", "zoo_metrics", "zoo_folder", "zoo_cases"},
    "simulation": {"sample", "normal", "standard_normal", "uniform"},
}
TABLES = {
    "zoo": {"zoo", "ensembles", "abstention_zoo"},
    "simulation": {"psce_edge", "ks_against_ece", "choosing"},
    "by its rows": {"details", "split_half"},
}
THEIR_TABLES = {"quba", "calibench"}


def cells(text):
    """Return each code cell of a chapter: where it begins, its options and its code."""
    found = []
    for match in CELL.finditer(text):
        about = ABOUT.match(match[1])
        options = about[0] if about else ""
        found.append((match.start(), options, match[1][len(options) :]))
    return found


def of_label(text, label):
    """Return the indices of the cells of a figure, or of the section, with a label."""
    found = cells(text)
    drawn = [i for i, (_, options, _) in enumerate(found) if f"name: {label}\n" in options]
    if drawn:
        return drawn
    start = text.index(f"({label})=")
    heading = re.search(r"^#+ ", text[start:], re.MULTILINE)
    level = len(heading[0]) - 1
    rest = re.compile(rf"^#{{1,{level}}} ", re.MULTILINE)
    end = rest.search(text, start + heading.end())
    stop = end.start() if end else len(text)
    return [i for i, (at, _, _) in enumerate(found) if start < at < stop]


def read(node):
    """Return the names that a statement reads and does not set by itself inside."""
    inner = {a.arg for n in ast.walk(node) if isinstance(n, ast.arguments) for a in arguments(n)}
    if isinstance(node, ast.For | ast.FunctionDef):
        inner |= {n.id for n in ast.walk(node) if is_name(n, ast.Store)}
    return {n.id for n in ast.walk(node) if is_name(n, ast.Load)} - inner - of_loops(node)


def of_loops(node):
    """Return the names that loops in a statement run over."""
    loops = (n for n in ast.walk(node) if isinstance(n, ast.comprehension | ast.For))
    return {n.id for loop in loops for n in ast.walk(loop.target) if isinstance(n, ast.Name)}


def arguments(node):
    """Return all arguments of a function."""
    return [
        *node.posonlyargs,
        *node.args,
        *node.kwonlyargs,
        *filter(None, [node.vararg, node.kwarg]),
    ]


def is_name(node, context):
    """Say whether a node reads (`ast.Load`) or sets (`ast.Store`) a name."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, context)


def written(node):
    """Return the names that a statement sets, and those whose contents it changes."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}, set()
    anew = {n.id for n in ast.walk(node) if is_name(n, ast.Store)} - of_loops(node)
    parts = [n for n in ast.walk(node) if isinstance(n, ast.Subscript | ast.Attribute)]
    inside = [n.value for n in parts if isinstance(n.ctx, ast.Store)]
    lines = [n.value for n in ast.walk(node) if isinstance(n, ast.Expr)]
    inside += [n.func.value for n in lines if isinstance(getattr(n, "func", None), ast.Attribute)]
    names = {n.id for part in inside for n in ast.walk(part) if isinstance(n, ast.Name)}
    return anew, names - of_loops(node)


def imported(node):
    """Return the names that a statement imports."""
    names = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
    return {(n.asname or n.name).partition(".")[0] for n in names}


def needed(text, label):
    """Return the statements that the cells of a label need, these included."""
    wanted = of_label(text, label)
    codes = [ast.parse(code).body for _, _, code in cells(text)[: max(wanted) + 1]]
    modules = set().union(*(imported(node) for code in codes for node in code))
    kept, reads = [], set()
    for i in range(max(wanted), -1, -1):
        for node in reversed(codes[i]):
            anew, changed = written(node)
            if i in wanted or (anew | changed) & (reads - modules):
                kept.append(node)
                reads = (reads - anew if isinstance(node, ast.Assign) else reads) | read(node)
    return kept


def evidence(text, label):
    """Return the kinds of evidence that a figure, or a section, of a chapter is made from.

    Parameters
    ----------
    text : str
        The chapter's source.
    label : str
        The figure's, or the section's.

    Returns
    -------
    str
        Some of published, public, zoo and simulation, with spaces between; "formula" where a
        figure needs no data.
    """
    called, tables, strings = set(), set(), set()
    for statement in needed(text, label):
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings.add(node.value)
                tables |= {"zoo"} if node.value.startswith("zoo/") else set()
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                called.add(name)
                if name == "load_results" and node.args:
                    tables.add(getattr(node.args[0], "value", ""))
            if isinstance(node, ast.Attribute):
                called.add(node.attr)
    kinds = {kind for kind, calls in CALLS.items() if called & calls}
    kinds |= {kind for kind, of in TABLES.items() if tables & of}
    if tables - set().union(*TABLES.values()):
        kinds.add("public")
    if "by its rows" in kinds:
        kinds |= {"public", "zoo"} & strings
    return " ".join(kind for kind in CALLS if kind in kinds) or "formula"


def known_names():
    """Return the names of public sources and of our networks, as they begin, and of blocks."""
    lists = ("sources.csv", "sources-promises.csv", "zoo/zoo.csv")
    rows = [row for path in lists for row in csv_rows(read_declared(path))]
    blocks = {block for row in rows for block in row.get("block", "").split()}
    return blocks.union(*(beginnings(row["name"]) for row in rows))


def beginnings(name):
    """Return a name, and what stands before each of its hyphens.

    Examples
    --------
    >>> sorted(beginnings("a-b-c"))
    ['a', 'a-b', 'a-b-c']
    """
    parts = name.split("-")
    return {"-".join(parts[:i]) for i in range(1, len(parts) + 1)}


def drawn(text, label):
    """Return the networks that the code of a figure names: sources, blocks, their beginnings.

    A table of other groups goes by the name of the function that reads it.
    """
    nodes = [node for statement in needed(text, label) for node in ast.walk(statement)]
    strings = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    words = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    words |= {n.id for n in nodes if isinstance(n, ast.Name)}
    return " ".join(sorted((strings & known_names()) | (words & THEIR_TABLES)))


def coverage_rows():
    """Return the rows of ``data/coverage.csv``, what they rest on read off the chapters."""
    chapters = data_folder().parent / "chapters"
    text = (data_folder() / "coverage.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        if row["label"]:
            chapter = (chapters / f"{row['chapter']}.md").read_text(encoding="utf-8")
            row["evidence"] = evidence(chapter, row["label"])
            if row["shows"]:
                row["drawn"] = drawn(chapter, row["label"])
    return rows


if __name__ == "__main__":
    write_whole(data_folder() / "coverage.csv", csv_bytes(coverage_rows()))
