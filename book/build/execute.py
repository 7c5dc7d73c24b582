"""Execute the chapters that changed: which, in what order, and what is said of each.

One process (`workers`) imports what most chapters import and forks a worker for each chapter; the
worker forks a kernel (`kernel`), which papermill drives, sealed off from the machine and from its
settings (`sealed_environment`). Two executions give the same bytes.
"""

import hashlib
import json
import sys
import time
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

from book.build.project import BookError, Chapter, Project, sha256
from book.build.sealed_environment import STARTUP
from book.build.students import imports_of_proofs
from book.build.workers import Job, run_jobs
from evidence.imports import imported_files

SECONDS = 600  # after which a chapter is stopped


def _record(path: Path) -> dict[str, Any]:
    """Return key and seconds of what was executed; nothing where it is not what was written."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        record = json.loads(path.with_suffix(".json").read_bytes())
        if record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest():
            return record
    return {}


def execute_all(
    project: Project,
    chapters: list[Chapter],
    parameters: dict[str, Any] | None = None,
    *,
    force: bool = False,
    seconds: float = SECONDS,
) -> None:
    """Bring executed notebooks up to date; raise `BookError` if a chapter fails."""
    start = time.perf_counter()
    jobs = _stale(project, chapters, parameters or {}, force=force)
    n, errors = len(jobs), []
    running = run_jobs(project, jobs, seconds) if jobs else ()
    for number, (name, took, error) in enumerate(running, 1):
        at = f"[{number:{len(str(n))}}/{n}]"
        print(f"{at} {'FAIL' if error else 'ok':4} {took:6.1f} s  {name}", flush=True)
        if error:
            errors.append(error)
    took = time.perf_counter() - start
    print(f"executed {n - len(errors)} of {len(chapters)} chapters in {took:.1f} s")
    if errors:
        raise BookError("\n\n".join(errors))


def _stale(
    project: Project,
    chapters: list[Chapter],
    parameters: dict[str, Any],
    *,
    force: bool,
) -> list[Job]:
    """Return the chapters to execute, the longest first: it must not begin last."""
    stale = []
    for chapter in chapters:
        name, path = key(project, chapter, parameters), project.executed(chapter)
        before = _record(path)
        if force or before.get("key") != name:
            job = Job(chapter, parameters, name, path)
            stale.append((before.get("seconds", 60), job))
    return [job for _, job in sorted(stale, key=itemgetter(0), reverse=True)]


def code_of_execution() -> list[Path]:
    """Return the modules of this folder that execute a chapter, found by their imports."""
    folder = Path(__file__).parent
    files = imported_files(folder.parents[1], ["import book.build.workers"])
    of_folder = [p for p in files if p.parent == folder and p.suffix == ".py"]
    return [STARTUP, *of_folder]


def key(
    project: Project, chapter: Chapter, parameters: dict[str, Any] | None = None
) -> str:
    """Return the hash of all that the executed chapter depends on."""
    try:
        sources = [*chapter.code(), STARTUP.read_text(), *imports_of_proofs(chapter)]
        modules = imported_files(project.root, sources)
    except SyntaxError as error:
        raise BookError(f"{chapter.path}: {error.msg}: {error.text}") from None
    files = [
        chapter.path,
        *code_of_execution(),
        project.root / "requirements.lock",
        *modules,
    ]
    facts = [sys.version.split()[0], parameters or {}]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode())
    for path in [*files, *project.data_files(chapter)]:
        digest.update(
            f"\0{path.name}\0{sha256(path, path.stat().st_mtime_ns)}".encode()
        )
    return digest.hexdigest()
