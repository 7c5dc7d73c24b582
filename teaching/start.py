"""Make an environment beside this file, once, and open the first lab: `python start.py`."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / "environment"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
NEEDED = "numpy scipy pandas matplotlib ipykernel jupyterlab".split()
# What no lab uses, 100 MB:
IDLE = (
    "**/tests",
    "[!j]*/**/*.pyi",
    "debugpy*",
    "babel/locale-data/[!er]*",
    "pip*",
    "setuptools*",
    "pkg_resources",
    "*distutils*",
    "jedi/third_party/django-stubs",
    "jupyterlab/galata",
)


def install() -> None:
    wheel = next(HERE.glob("*.whl"))
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    quiet = ["--quiet", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([PYTHON, "-m", "pip", "install", *quiet, wheel, *NEEDED], check=True)
    packages = next(ENVIRONMENT.glob("[Ll]ib*/**/site-packages"))
    for path in [path for pattern in IDLE for path in packages.glob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (ENVIRONMENT / "ready").touch()


def main() -> None:
    """Ask a student for a name, install, open JupyterLab; with a notebook's name, that one."""
    if sys.version_info < (3, 11):  # noqa: UP036 - students have what they have
        sys.exit("Python 3.11 or later is needed: python.org has it")
    support = HERE / "calibration-book"
    name = support / "student.txt"
    # who learns alone has everybody's numbers
    a_class = (support / "students.json").is_file()
    if a_class and not name.is_file() and sys.stdin.isatty():
        name.write_text(
            input("The name that your teacher's list has for you: "), encoding="utf-8"
        )
    if not (ENVIRONMENT / "ready").is_file():
        print("installing, once: about a minute and 350 MB")
        install()
    notebook = (sys.argv[1:] or ["exercises/labs/first-diagrams.ipynb"])[0]
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.exit(
        subprocess.run([PYTHON, "-m", "jupyterlab", notebook], cwd=HERE).returncode
    )


if __name__ == "__main__":
    main()
