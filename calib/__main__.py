"""``python -m calib`` is the command ``calib``, which the application brings."""

import sys

from calib_report.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
