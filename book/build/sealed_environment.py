"""The variables of a process that executes: the same on every machine and for every user."""

import os
from pathlib import Path

from book.build.project import Project

ROOT = Path(__file__).parents[2]
STARTUP = ROOT / "book/build/startup.py"
PASSED_ON = ("PATH", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


def sealed_environment(home: str, project: Project) -> dict[str, str]:
    """Return the variables of a process, whatever the settings of this one and of its user are."""
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    fonts = {"XDG_CACHE_HOME": str(cache)} if os.access(cache, os.W_OK) else {}
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **{f"{name}_NUM_THREADS": "1" for name in threads},
        **fonts,  # matplotlib keeps the list of this machine's fonts there, and no settings
        "CALIB_DATA": str(project.data),
        "HOME": home,
        "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a fork copies no threads
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(project.root), str(ROOT)]),
        "PYTHONSTARTUP": str(STARTUP),
        "TZ": "UTC",
    }
