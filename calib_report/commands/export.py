"""``calib export``: a saved map for other programs, as a torch module or an ONNX graph."""

import argparse

from calib_report.applying.export_map import export_map
from calib_report.commands.printing import say


def run(arguments: argparse.Namespace) -> None:
    export_map(arguments.map, arguments.output)
    say(f"wrote {arguments.output}")
