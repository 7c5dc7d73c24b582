"""``calib join``: memories of one promise, joined into one file."""

import argparse
import errno
import os

from calib_report.commands.printing import say
from calib_report.gating.memory import join
from calib_report.gating.memory_files import read_memory, write_memory


def run(arguments: argparse.Namespace) -> None:
    memories = []
    for path in arguments.memories:
        memory = read_memory(path)
        if memory is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        memories.append(memory)
    joined = join(memories)
    write_memory(joined, arguments.output)
    say(f"wrote {arguments.output}: {len(joined.looks)} looks")
