"""The minutes that chapters take to read and to teach, counted from the chapters themselves.

Each chapter says them below its title. ``{chapter-minutes}`` shows a table for each part of the
book, ``{lab-minutes}`` says how long the lab of its page takes, ``{lectures}`` lists the lectures,
``{plan-guest}``, ``{plan-week}`` and ``{plan-weeks}`` add up courses.
"""

import re
from functools import partial
from math import ceil
from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book.build.slides import lectures
from book.build.students import without_solutions

WORDS, CODE_LINES = 120, 15  # a minute
EQUATION, FIGURE, GESTURE, EXERCISE = 0.5, 1, 2, 10  # minutes each; a table counts as a figure
LAB_STEP, LAB_TALK = 15, 20  # minutes for a step of a lab, and for its discussion
SLIDE, OPENER, GROUP, EXAM = 4, 10, 15, 70  # minutes for a slide, and so on
PLANS = Path(__file__).parents[2] / "teaching" / "plans.yml"
TEACHING = 1.5  # minutes of a lecture for a minute of reading
RULE = f"""Reading: {WORDS} words or {CODE_LINES} lines of shown code a minute, {FIGURE} minute
for a figure or a table, {GESTURE} for one that moves, {EQUATION * 60:.0f} seconds for a displayed
equation. A lecture takes {TEACHING:g} times as long, an exercise {EXERCISE} minutes. Totals are
rounded up to five."""
GLUED = re.compile(r"\{glue:\w+\}`[^`]*`")  # a number, whatever its name
MOVES = re.compile(r"<[a-z]+-[a-z-]+[ >]")
EQUATIONS = re.compile(r"^```+\{math\}.*?^```+|^\$\$.*?\$\$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|[ :|-]*-{3}[ :|-]*\|$", re.MULTILINE)
EXERCISES = re.compile(r"^```+\{exercise-start\}", re.MULTILINE)
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def minutes(notebook) -> tuple[float, int]:
    """Return the minutes that a chapter takes to read, without its solutions, and its exercises."""
    cells = without_solutions(notebook).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    words = len(re.findall(r"\w[\w'’-]*", GLUED.sub("0", EQUATIONS.sub("", text))))
    found = words / WORDS + EQUATION * len(EQUATIONS.findall(text))
    found += FIGURE * len(TABLE.findall(text))
    for cell in cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "code" and not tags & HIDDEN:
            found += len(cell.source.splitlines()) / CODE_LINES
        if cell.cell_type == "code" and "remove-cell" not in tags:
            for data in (output.get("data", {}) for output in cell.outputs):
                moves = MOVES.search("".join(data.get("text/html", "")))
                found += GESTURE if moves else FIGURE * bool({"image/png", "text/html"} & set(data))
    return found, len(EXERCISES.findall(text))


def rounded(found: float) -> int:
    """Round up to five minutes."""
    return 5 * ceil(found / 5)


def chapter_minutes(env, config) -> list[str]:
    """Show how long each chapter with exercises takes, a table for each part of the book."""
    contents = yaml.safe_load(Path(env.srcdir, "_toc.yml").read_text(encoding="utf-8"))
    lines = [*RULE.splitlines(), ""]
    for part in contents.get("parts", []):
        rows = []
        for name in (chapter["file"] for chapter in part["chapters"]):
            path = Path(env.srcdir, f"{name}.ipynb")
            if name != env.docname and not name.startswith("labs/") and path.is_file():
                env.note_dependency(str(path))
                reading, n = minutes(nbformat.read(path, as_version=4))
                times = rounded(reading), rounded(TEACHING * reading), EXERCISE * n
                rows += [f"| {{doc}}`/{name}` | {' | '.join(map(str, times))} |"] if n else []
        if rows:
            head = ["| chapter | read | teach | exercises |", "|---|---|---|---|"]
            lines += [f"**{part['caption']}**", "", *head, *rows, ""]
    return lines


def of_page(env, name: str) -> tuple[float, int]:
    """Return the minutes to read a page, and its exercises."""
    path = Path(env.doc2path(name))
    env.note_dependency(str(path))
    if not path.is_file():  # a page that is built alone
        return 0.0, 0
    if path.suffix == ".md":
        return len(path.read_text(encoding="utf-8").split()) / WORDS, 0
    return minutes(nbformat.read(path, as_version=4))


def of_lab(env, name: str) -> int:
    """Return the minutes of a lab."""
    reading, steps = of_page(env, name)
    return rounded(reading + LAB_STEP * steps + LAB_TALK)


def of_lecture(deck: int, first: int = 1, last: int = 0) -> int:
    """Return the minutes of a lecture's slides, all of them or some."""
    return SLIDE * ((last or lectures()[deck - 1][2]) - first + 1)


def guest(env, config, plans: dict) -> list[str]:
    """Show the plan of one lecture."""
    lines, total = ["| minutes | what | slides |", "|---|---|---|"], 0
    for row in plans["guest"]:
        took = row.get("minutes") or of_lecture(row["deck"], *row["slides"])
        first, last = row.get("slides", (0, 0))
        where = f"lecture {row['deck']}, {first} to {last}" if last else ""
        said = f"{{doc}}`{row['what']} </{row['page']}>`" if "page" in row else row["what"]
        lines.append(f"| {took} | {said} | {where} |")
        total += took
    return [*lines, f"| **{total}** | | |"]


def sessions(env, config, plans: dict, which: str) -> list[str]:
    """Show a plan of weeks, or of days: minutes in class and at home, then what is done."""
    chosen = [plans["weeks"][n - 1] for n in plans["week"]] if which == "week" else plans["weeks"]
    head = ["", "opener", "lecture", "group work", "lab", "in class", "reading before"]
    lines, more, sums = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"], [], [0, 0]
    for number, one in enumerate(chosen, 1):
        opener = OPENER if "opener" in one and number > 1 else 0
        lecture = of_lecture(*one["lecture"]) if "lecture" in one else EXAM
        lab = of_lab(env, f"labs/{one['lab']}") if "lab" in one else 0
        reading = sum(rounded(of_page(env, name)[0]) for name in one["reading"])
        taught = opener + lecture + GROUP + lab
        sums = [sums[0] + taught, sums[1] + reading]
        deck = f" ({', '.join(map(str, one['lecture']))})" if "lecture" in one else " (exam)"
        named = f" {{doc}}`/labs/{one['lab']}`" if "lab" in one else ""
        cells = [f"{number}. {one['title']}", opener or "", f"{lecture}{deck}", GROUP]
        cells += [f"{lab}{named}" if lab else "", taught, reading or ""]
        lines.append(f"| {' | '.join(map(str, cells))} |")
        pages = ", ".join(f"{{doc}}`/{name}`" for name in one["reading"])
        more.append(
            f"{number}. **{one['title']}.** {f'Before: {pages}. ' if pages else ''}"
            + (f"Opener, of the {{ref}}`quizzes`: {', '.join(one['opener'])}. " if opener else "")
            + f"*Recall:* {one['recall']}. *Apply:* {one['apply']}. *Judge:* {one['judge']}. "
            f"*Group:* {one['group']}"
        )
    total = ["**Sum**", "", "", "", "", *(f"**{one}**" for one in sums)]
    return [*lines, f"| {' | '.join(total)} |", "", *more]


def planned(env, config, which: str) -> list[str]:
    """Show a plan; its page is built anew when the plans change."""
    env.note_dependency(str(PLANS))
    plans = yaml.safe_load(PLANS.read_text(encoding="utf-8"))
    return guest(env, config, plans) if which == "guest" else sessions(env, config, plans, which)


def lab_minutes(env, config) -> list[str]:
    """Say how long the lab of this page takes."""
    _, steps = of_page(env, env.docname)
    parts = f"{LAB_STEP} minutes for each of its {steps} steps and {LAB_TALK} for the discussion"
    estimate = f"an estimate from its words and cells, with {parts}. Nobody has timed yours."
    return [f"About **{of_lab(env, env.docname)} minutes**: {estimate}"]


def lecture_table(env, config) -> list[str]:
    """List the lectures, with links where they are built."""
    places = [Path(extra, "slides") for extra in config.html_extra_path]
    link = '<a href="{}slides/{{}}">{{}}</a>'.format("../" * env.docname.count("/")).format
    lines = ["| | lecture | slides | minutes |", "|---|---|---|---|"]
    for number, (name, title, count) in enumerate(lectures(), 1):
        built = {path.suffix for place in places for path in place.glob(f"{name}.*")}
        shown = link(f"{name}.html", title) if ".html" in built else title
        printed = f", {link(f'{name}.pdf', 'PDF')}" if ".pdf" in built else ""
        lines.append(f"| {number} | {shown} | {count}{printed} | {SLIDE * count} |")
    unbuilt = "This copy of the site was built without them: `make slides`, then `make book`."
    return lines if built else [*lines, "", unbuilt]


SHOWS = {"chapter-minutes": chapter_minutes, "lab-minutes": lab_minutes, "lectures": lecture_table}
SHOWS |= {f"plan-{which}": partial(planned, which=which) for which in ("guest", "week", "weeks")}


class Counted(SphinxDirective):
    """Show the lines of Markdown that a function returns."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        text = StringList(SHOWS[self.name](self.env, self.config), self.env.docname)
        self.state.nested_parse(text, self.content_offset, node)
        for child in node.children:
            child["classes"].append("counted")  # no description of the page
        return node.children


def say(app, pagename, templatename, context, doctree) -> None:
    """Say below the title of a chapter how long it takes, and where the rule stands."""
    path = Path(app.srcdir, f"{pagename}.ipynb")
    if pagename in ("index", app.config.root_doc) or "labs/" in pagename or not path.is_file():
        return
    reading, exercises = minutes(nbformat.read(path, as_version=4))
    told = f"About {rounded(reading)} minutes"
    told += f", and {EXERCISE * exercises} for the exercises" if exercises else ""
    if "use/teaching" in app.env.found_docs:
        told = f'<a href="{context["pathto"]("use/teaching")}#minutes">{told}</a>'
    line = f'</h1>\n<p class="page-minutes">{told}</p>'
    context["body"] = (context.get("body") or "").replace("</h1>", line, 1)


def setup(app) -> dict:
    app.connect("html-page-context", say)
    for name in SHOWS:
        app.add_directive(name, Counted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
