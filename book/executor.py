"""Execute the chapters: a notebook in, an executed notebook out, skipped while nothing changed.

An executed notebook depends on the chapter, its parameters, the code of `calib` and of
`book.evidence`, the locked environment, the executor and the data that the chapter declares, and on
nothing else: two executions give the same bytes.
"""

import ast
import base64
import hashlib
import io
import json
import os
import platform
import re
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from book.project import BookError, Chapter, Project
from book.runner import IMPORTED, RunError, Runner, with_parameters
from book.students import exercises
from calib.files import sealed, unsealed, write_whole

PROCESSES = 2
RECORD = "executed notebook", 1
SECONDS = 600  # after which a chapter is stopped
HERE = Path(__file__).parent
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
STYLER_ID = re.compile(r"\bT_([0-9a-f]{5})(?=[_\"' ])")


@dataclass(frozen=True)
class Outcome:
    """What became of one chapter."""

    name: str
    seconds: float
    error: str = ""


def executed_path(project: Project, chapter: Chapter) -> Path:
    return project.build / "executed" / f"{chapter.name}.ipynb"


def execute_all(project, chapters, parameters=None, *, force=False, processes=PROCESSES) -> None:
    """Bring every executed notebook up to date; raise `BookError` if a chapter fails."""
    start = time.perf_counter()
    keys = {chapter.name: key(project, chapter, parameters) for chapter in chapters}
    stale = [
        chapter
        for chapter in chapters
        if force or _record(project, chapter).get("key") != keys[chapter.name]
    ]
    report = _Progress(len(chapters))
    for chapter in chapters:
        if chapter not in stale:
            report.line("same", 0, chapter.name)
    stale.sort(key=lambda chapter: -_record(project, chapter).get("seconds", 60))
    jobs = [(chapter, parameters, keys[chapter.name]) for chapter in stale]
    failures = []
    for outcome in _run(project, jobs, min(processes, len(jobs))):
        report.line("FAIL" if outcome.error else "ok", outcome.seconds, outcome.name)
        if outcome.error:
            failures.append(outcome)
    total = time.perf_counter() - start
    print(f"executed {len(stale) - len(failures)} of {len(chapters)} chapters in {total:.1f} s")
    if failures:
        raise BookError("\n\n".join(failure.error for failure in failures))


def key(project: Project, chapter: Chapter, parameters: dict | None = None) -> str:
    """Return the hash of all that the executed chapter depends on."""
    digest = hashlib.sha256()
    digest.update(platform.python_version().encode())
    digest.update(json.dumps({**chapter.parameters, **(parameters or {})}, sort_keys=True).encode())
    running = ("executor", "runner", "forks", "startup")
    shown = ("display", "exercises", "figure_data", "looks", "verdicts", "widgets", "worlds")
    code = [HERE / f"{name}.py" for name in (*running, *shown)]
    code.append(project.root / "requirements.lock")
    for name in ("calib", "book/evidence"):
        code += sorted((project.root / name).rglob("*.py"))
    for path in [chapter.path, *code, *data_files(project, chapter)]:
        digest.update(f"\0{path.name}\0".encode())
        if path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def data_files(project: Project, chapter: Chapter) -> list[Path]:
    """Return the files that the chapter declares; a pattern without any file is an error."""
    found = set()
    for pattern in chapter.data:
        files = [path for path in project.data.glob(pattern) if path.is_file()]
        if not files:
            raise BookError(f"{chapter.path}: front matter: no file matches data/{pattern}")
        found.update(files)
    return sorted(found)


def project_runner(project: Project, imported=IMPORTED) -> Runner:
    """Return what runs the chapters of a project."""
    environment = {
        "CALIB_DATA": str(project.data),
        "PYTHONPATH": os.pathsep.join([str(project.root), str(HERE.parent)]),
        "PYTHONSTARTUP": str(HERE / "startup.py"),
    }
    return Runner(environment, imported)


def execute(project: Project, runner: Runner, chapter: Chapter, parameters: dict | None = None):
    """Return the chapter as an executed notebook node, free of traces of the run."""
    import jupytext

    notebook = jupytext.read(chapter.path)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    parameters = {**chapter.parameters, **(parameters or {})}
    _check_parameters(chapter, notebook, parameters)
    add_proofs(chapter, notebook)
    try:
        executed = runner.run(
            with_parameters(notebook, parameters),
            seconds=SECONDS,
            cwd=chapter.path.parent,
            environment={"CALIB_DECLARED": os.pathsep.join(chapter.data)},
        )
    except RunError as error:
        trace = "\n".join([_quoted(error.source), *error.traceback])
        raise BookError(f"{chapter.path}: {error}\n{trace}".rstrip()) from None
    take_proofs(chapter, executed)
    settle(executed)
    _check_outputs(project, chapter, executed)
    return executed


def add_proofs(chapter: Chapter, notebook) -> None:
    """Put behind each solution a cell that tries its check on it and on wrong versions of it."""
    from nbformat.v4 import new_code_cell

    for one in reversed(exercises(notebook)):
        if not (one.stub and one.check and one.answers):
            raise BookError(f"{chapter.path}: {one.label} has no stub, no check or nothing open")
        given = f"{one.label!r}, {one.check!r}, {one.answers!r}"
        source = f"from book.exercises import prove\nprove({given}, globals())"
        proof = new_code_cell(source, id=one.label, metadata={"tags": ["proof"]})
        notebook.cells.insert(one.end + 1, proof)


def take_proofs(chapter: Chapter, notebook) -> None:
    """Take these cells away; keep in the notebook how many wrong solutions each check refused."""
    refused = {}
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "proof" in tags:
            refused[cell.id] = int(cell.outputs[0].data["text/plain"])
        said = "".join(output.get("text", "") for output in cell.get("outputs", []))
        if "check" in tags and not said.startswith("not yet"):
            raise BookError(f"{chapter.path}: a check passes on its stub\n{_quoted(cell.source)}")
        if "check" in tags:
            prompts = {"code_prompt_show": "Show the check", "code_prompt_hide": "Hide the check"}
            cell.metadata["mystnb"] = prompts
    notebook.cells = [c for c in notebook.cells if "proof" not in c.metadata.get("tags", [])]
    if refused:
        notebook.metadata["exercises"] = refused


def settle(notebook) -> None:
    """Remove from an executed notebook what differs from run to run."""
    for name in ("papermill", "jupytext", "calib"):
        notebook.metadata.pop(name, None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags:
            cell.id = "parameters"
            cell.metadata.tags = [*tags, "remove-cell"]
        if not tags:
            cell.metadata.pop("tags", None)
        if cell.cell_type == "code":
            cell.outputs = _joined_streams(cell.outputs)
            if "figure" in cell.metadata.get("mystnb", {}):
                cell.outputs = [output for output in cell.outputs if not _is_bare_repr(output)]
            for output in cell.outputs:
                _settle_output(output, cell.id)


def _settle_output(output, cell_id: str) -> None:
    data = output.get("data", {})
    if "text/plain" in data:
        data["text/plain"] = ADDRESS.sub("", data["text/plain"])
    if "image/png" in data:
        data["image/png"] = _in_few_colours(data["image/png"])
    if "text/html" in data:
        tables = list(dict.fromkeys(STYLER_ID.findall(data["text/html"])))
        for number, name in enumerate(tables):
            data["text/html"] = data["text/html"].replace(f"T_{name}", f"T_{cell_id}-{number}")


def _in_few_colours(png: str) -> str:
    """Return an opaque image in 256 colours: the eye sees no difference, the file is a third."""
    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    if image.getchannel("A").getextrema() != (255, 255):
        return png
    opaque = image.convert("RGB")
    every_fourth = opaque.resize([max(side // 2, 1) for side in opaque.size], Image.NEAREST)
    colours = every_fourth.quantize(256, dither=Image.Dither.NONE)
    small = opaque.quantize(palette=colours, dither=Image.Dither.NONE)
    file = io.BytesIO()
    small.save(file, "png")
    return min(png, base64.b64encode(file.getvalue()).decode(), key=len)


def _is_bare_repr(output) -> bool:
    """Tell whether an output is the text of the last value of a cell, such as a list of artists."""
    return output.output_type == "execute_result" and set(output.data) == {"text/plain"}


def _joined_streams(outputs: list) -> list:
    """Join neighbouring pieces of one stream: where it was cut depends on timing."""
    joined = []
    for output in outputs:
        previous = joined[-1] if joined else {}
        if output.output_type == "stream" and output.name == previous.get("name"):
            previous.text += output.text
        else:
            joined.append(output)
    return joined


def _check_parameters(chapter: Chapter, notebook, parameters: dict) -> None:
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    known = {name for cell in cells for name in _assigned(cell.source)}
    unknown = sorted(set(parameters) - known)
    if unknown:
        has = f"it has {', '.join(sorted(known))}" if known else "it has none"
        raise BookError(f"{chapter.path}: unknown parameter {', '.join(unknown)}; {has}")


def _assigned(source: str) -> set[str]:
    """Return the names that the statements of a cell assign."""
    targets = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            targets += statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets.append(statement.target)
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _check_outputs(project: Project, chapter: Chapter, notebook) -> None:
    """Refuse outputs that no reader should see: warnings and paths of this machine."""
    for cell in notebook.cells:
        quiet = "remove-stderr" in cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            problem = ""
            if output.get("name") == "stderr" and not quiet:
                problem = f"a cell wrote to stderr: {output.text}"
            elif str(project.root) in json.dumps(output):
                problem = f"an output holds the path {project.root}"
            if problem:
                raise BookError(f"{chapter.path}: {problem}\n{_quoted(cell.source)}")


def _quoted(source: str) -> str:
    return "\n".join(f"    {line}" for line in source.splitlines())


def _execute_and_keep(project, runner, chapter, parameters, fingerprint) -> Outcome:
    import nbformat

    start = time.perf_counter()
    try:
        notebook = execute(project, runner, chapter, parameters)
    except BookError as error:
        return Outcome(chapter.name, time.perf_counter() - start, str(error))
    except Exception as error:
        message = f"{chapter.path}: {type(error).__name__}: {error}"
        return Outcome(chapter.name, time.perf_counter() - start, message)
    seconds = time.perf_counter() - start
    path = executed_path(project, chapter)
    content = (nbformat.writes(notebook) + "\n").encode()
    record = sealed(*RECORD, {"key": fingerprint, "seconds": seconds}, [content])
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
    write_whole(path.with_suffix(".json"), json.dumps(record).encode())
    return Outcome(chapter.name, seconds)


def _run(project: Project, jobs: list, processes: int):
    """Yield outcomes as they come; an interruption keeps the chapters that are finished."""
    imported = IMPORTED if len(jobs) > 1 else ()  # one chapter imports what it needs
    runners = [project_runner(project, imported) for _ in range(processes)]
    idle = SimpleQueue()
    for runner in runners:
        idle.put(runner)

    def work(job) -> Outcome:
        runner = idle.get()
        try:
            return _execute_and_keep(project, runner, *job)
        finally:
            idle.put(runner)

    pool = ThreadPoolExecutor(max(processes, 1))
    try:
        for done in as_completed([pool.submit(work, job) for job in jobs]):
            yield done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for runner in runners:
            runner.stop()
        pool.shutdown()


def _record(project: Project, chapter: Chapter) -> dict:
    """Return what is known of the executed notebook; nothing where it is not what was written."""
    path = executed_path(project, chapter)
    try:
        content = path.read_bytes()
        return unsealed(*RECORD, json.loads(path.with_suffix(".json").read_bytes()), [content])
    except (OSError, ValueError, RecursionError):
        return {}


class _Progress:
    def __init__(self, total: int):
        self.total = total
        self.count = 0

    def line(self, state: str, seconds: float, name: str) -> None:
        self.count += 1
        width = len(str(self.total))
        print(f"[{self.count:{width}}/{self.total}] {state:4} {seconds:6.1f} s  {name}", flush=True)
