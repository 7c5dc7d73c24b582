"""``calib look``: how a file is read, or could be."""

import argparse

from calib_report.commands.arguments import files_typed, reading_options, typed_words
from calib_report.commands.printing import say
from calib_report.options import Options
from calib_report.proposing.proposals import (
    proposals_in_words,
    propose,
    reading_in_words,
)


def run(arguments: argparse.Namespace) -> int:
    """Print how a file is read, or could be; the exit status is 2 where that is not yet said."""
    # looking writes nothing, so that no doubt has to be overruled
    options = {
        name: value
        for name, value in reading_options(arguments).items()
        if name != "yes"
    }
    readings = propose(arguments.predictions, **options)
    if readings[0].options.changed() == Options.of(**options).changed():
        say(f"{', '.join(files_typed(arguments))} is read so:")
        say(reading_in_words(readings[0], typed_words(arguments)))
        return 0
    say(proposals_in_words(readings, typed_words(arguments)))
    return 2
