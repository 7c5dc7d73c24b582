"""A fixture and a report: does a library give the values of the published cases?

    def test_ece(conformance):
        conformance("ece-right-15", lambda y, p, weight: my_ece(y, p))

An answer of None says that the library does not do such a case (weights, float16, ...).
"""

from collections.abc import Callable
from typing import Any

import pytest

from calibration_conformance import agrees, cases, definitions

Answer = Callable[[list[int], list[list[float]], list[float] | None], float | None]
COUNTS = pytest.StashKey[dict[str, tuple[int, int, int]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = {}


@pytest.fixture
def conformance(request: pytest.FixtureRequest) -> Callable[[str, Answer], None]:
    """Return a function that asks for all cases of one definition, and fails where one differs."""

    def ask(name: str, answer: Answer) -> None:
        if name not in definitions():
            pytest.fail(
                f"{name!r}: no definition; there are {', '.join(definitions())}"
            )
        asked, differ = 0, []
        known = [case for case in cases() if name in case["values"]]
        for case in known:
            found = answer(case["y"], case["p"], case.get("weight"))
            if found is None:
                continue
            asked += 1
            if not agrees(float(found), case, name):
                differ.append(
                    f"{case['name']}: {found!r}, expected {case['values'][name]}"
                )
        request.config.stash[COUNTS][name] = asked - len(differ), asked, len(known)
        if differ:
            pytest.fail(f"{name}\n  " + "\n  ".join(differ), pytrace=False)

    return ask


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print for each definition how many of the cases that were answered agree."""
    if counts := config.stash[COUNTS]:
        terminalreporter.section("calibration conformance")
        for name, (agree, asked, known) in counts.items():
            terminalreporter.line(
                f"{name:22s} {agree:3d} of {asked} answered, {known} in all"
            )
