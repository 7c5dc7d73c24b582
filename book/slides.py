"""Slides of a part, made from its executed chapters: reveal.js, without any request elsewhere."""

import base64
import re
import shutil
from dataclasses import dataclass
from html import escape
from pathlib import Path

import nbformat

from book.executor import executed_path
from book.project import Project
from book.students import without_solutions

HERE = Path(__file__).parent
ABLE = re.compile(r"\*\*You will be able to\*\*(.*?)(?:\n\s*\n|\n```)", re.DOTALL)
SECTION = re.compile(r"^## +(.+)$", re.MULTILINE)
EQUATION = re.compile(
    r"^```+\{math\}[^\n]*\n((?::[^\n]*\n)*)(?P<fenced>.*?)^```|^\$\$(?P<dollars>.*?)\$\$",
    re.M | re.S,
)
MATH = re.compile(r"\$([^$]+)\$")
ROLE = re.compile(r"\{([\w:]+)\}`([^`]+)`")
MARKS = ((r"\*\*(.+?)\*\*", "strong"), (r"`(.+?)`", "code"), (r"\*(.+?)\*", "em"))
NOT_PROSE = re.compile(r"```|[:|>#]|\$\$|\(\S+\)=|[-*] |\d+\. ")
SENTENCE = re.compile(r"(?<=[.?!]) +(?=[A-Z])")
LONGEST = 260  # characters of prose on a slide
LEFT_OUT = ("Exercises", "Take-away", "Sources", "Source")
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="reveal/white.css">
<style>
:root {{ --r-main-font: sans-serif; --r-heading-font: sans-serif; --r-main-font-size: 28px;
  --r-heading1-size: 2em; --r-heading2-size: 1.4em; --r-heading-text-transform: none; }}
.reveal figure img {{ max-height: 430px; max-width: 100%; margin: 0; }}
.reveal figcaption {{ font-size: 0.65em; }}
</style>
</head>
<body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="reveal/reveal.js"></script>
<script>Reveal.initialize({{hash: true, controls: true, slideNumber: true}});</script>
<script src="mathjax/tex-mml-chtml.js"></script>
</body>
</html>
"""


@dataclass(frozen=True)
class Words:
    """What the roles of a text stand for: titles of labels, works cited, glued values."""

    titles: dict
    works: dict
    glued: dict

    def html(self, text: str) -> str:
        """Turn a line of MyST into HTML, with mathematics left to MathJax."""
        plain = escape(ROLE.sub(self._role, " ".join(text.split())), quote=False)
        kept = []
        plain = MATH.sub(lambda found: kept.append(found[1]) or f"\0{len(kept) - 1}\0", plain)
        for pattern, tag in MARKS:
            plain = re.sub(pattern, rf"<{tag}>\1</{tag}>", plain)
        return re.sub("\0(\\d+)\0", lambda found: rf"\({kept[int(found[1])]}\)", plain)

    def _role(self, found) -> str:
        role, target = found[1], found[2]
        shown = re.match(r"(.+?)\s*<(.+)>$", target)
        if shown:
            return shown[1]
        known = self.works if role.startswith("cite") else self.titles
        if role == "glue:text":
            return self.glued[target]
        return known.get(target, target.split(".")[-1] if role == "func" else target)


def write_slides(project: Project) -> Path:
    """Write one deck a part into `_build/slides`, from the chapters that have been executed."""
    folder = project.build / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "reveal", folder / "reveal")
    shutil.copytree(HERE / "assets" / "mathjax", folder / "mathjax")
    titles, works = _titles(project), _works(project.root / "book" / "references.bib")
    for part in project.contents()["parts"]:
        chapters = [project.chapter(entry["file"]) for entry in part["chapters"]]
        slides = []
        for chapter in chapters:
            if chapter.is_notebook:
                notebook = nbformat.read(executed_path(project, chapter), as_version=4)
                words = Words(titles, works, _glued(notebook))
                slides += chapter_slides(notebook, words, folder, Path(chapter.name).name)
        if slides:
            name = part["caption"]
            page = PAGE.format(title=escape(name), slides="\n".join(slides))
            (folder / f"{name.lower()}.html").write_text(page, encoding="utf-8")
    return folder


def chapter_slides(notebook, words: Words, folder: Path, stem: str) -> list[str]:
    """Return the slides of a chapter that says what it teaches; write its figures to a folder."""
    cells = without_solutions(notebook).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    able = ABLE.search(text)
    if not able:
        return []
    title = re.search(r"^# +(.+)$", text, re.MULTILINE)[1]
    first = f"<h1>{words.html(title)}</h1>\n<p>You will be able to {words.html(able[1])}</p>"
    slides = [_slide(first)]
    for number, (heading, shown, opening) in enumerate(_sections(cells)):
        if heading in LEFT_OUT:
            continue
        body = f"<p>{words.html(opening)}</p>" if opening else ""
        if isinstance(shown, str):
            body += rf"<p>\[{escape(shown, quote=False)}\]</p>"
        elif shown is not None:
            body = _figure(shown, words, folder, f"{stem}-{number}.png")
        slides.append(_slide(f"<h2>{words.html(heading)}</h2>\n{body}"))
    return slides


def _sections(cells) -> list:
    """Return (heading, what it shows first: an equation or a cell with a figure, its opening)."""
    sections = []
    for cell in cells:
        if cell.cell_type == "markdown":
            before, *rest = SECTION.split(cell.source)
            pieces = [(None, before), *zip(rest[::2], rest[1::2], strict=True)]
            for heading, text in pieces:
                if heading is not None:
                    sections.append([heading.strip(), None, _opening(text)])
                equation = EQUATION.search(text)
                if equation and sections and sections[-1][1] is None:
                    sections[-1][1] = (equation["fenced"] or equation["dollars"]).strip()
        elif sections and sections[-1][1] is None and _image(cell):
            sections[-1][1] = cell
    return sections


def _opening(text: str) -> str:
    """Return the first sentences of a section, as many as a slide holds."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    first = next(filter(None, paragraphs), "")
    if NOT_PROSE.match(first):
        return ""
    shown = ""
    for sentence in SENTENCE.split(first):
        if len(shown) + len(sentence) > LONGEST:
            break
        shown += f"{sentence} "
    return shown.strip().removesuffix(":")


def _image(cell):
    named = "figure" in cell.metadata.get("mystnb", {})
    images = [output.get("data", {}).get("image/png") for output in cell.outputs]
    return next((image for image in images if image), None) if named else None


def _figure(cell, words: Words, folder: Path, name: str) -> str:
    about = cell.metadata["mystnb"]
    (folder / "figures").mkdir(exist_ok=True)
    (folder / "figures" / name).write_bytes(base64.b64decode(_image(cell)))
    alt, caption = escape(about["image"]["alt"]), words.html(about["figure"]["caption"])
    image = f'<img src="figures/{name}" alt="{alt}">'
    return f"<figure>{image}\n<figcaption>{caption}</figcaption></figure>"


def _slide(body: str) -> str:
    return f"<section>\n{body}\n</section>"


def _titles(project: Project) -> dict:
    """The heading that follows each label."""
    pattern = re.compile(r"^\((\S+)\)=\s*\n#+ +(.+)$", re.MULTILINE)
    texts = [chapter.path.read_text(encoding="utf-8") for chapter in project.found()]
    return {label: title for text in texts for label, title in pattern.findall(text)}


def _works(path: Path) -> dict:
    """Authors and year of each work, by key."""
    from pybtex.database import parse_file

    works = {}
    for key, entry in parse_file(str(path)).entries.items():
        names = [" ".join([*p.prelast_names, *p.last_names]) for p in entry.persons["author"]]
        authors = names[0] + " et al." if len(names) > 2 else " and ".join(names)
        works[key] = f"{re.sub(r'[{}]', '', authors)} ({entry.fields['year']})"
    return works


def _glued(notebook) -> dict:
    prefix = "application/papermill.record/"
    return {
        output["metadata"]["scrapbook"]["name"]: output["data"][f"{prefix}text/plain"].strip("'")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if f"{prefix}text/plain" in output.get("data", {})
    }
