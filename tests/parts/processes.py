"""The application as a process of its own."""

import os
import subprocess
import sys

from helpers import ROOT


def start(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    options |= {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "text": True}
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)
