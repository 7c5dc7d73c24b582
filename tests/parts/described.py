"""The description of report.json for other programs, which the tests of the report share."""

import json
from importlib.resources import files

from jsonschema import Draft202012Validator

DESCRIPTION = json.loads(files("calib_report").joinpath("schema.json").read_text())


def check_described(report):
    """Fail where a report holds what is not described."""
    Draft202012Validator(DESCRIPTION).validate(report)
