"""Numbers that are typed are what they should be, or an error names their option."""

import pytest

from calib_report.checked_numbers import check_share, number_typed
from calib_report.contract import OptionError


@pytest.mark.parametrize("text", ["one", "", "nan", "inf", "-inf", "1e999"])
def test_a_number_that_is_typed_is_finite(text):
    with pytest.raises(
        OptionError, match=f"^max: ece={text}, expected a finite number$"
    ):
        number_typed("ece", text, "max")


def test_a_number_may_be_typed_with_spaces_and_exponents():
    assert number_typed("ece", " 5e-2", "max") == 0.05


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.1, float("nan")])
def test_a_share_is_neither_nothing_nor_all(share):
    with pytest.raises(OptionError, match=f"^risk: {share}, expected a number between"):
        check_share(share, "risk")


@pytest.mark.parametrize("share", [1e-9, 0.5, 1 - 1e-9])
def test_a_share_is_kept(share):
    assert check_share(share, "risk") == share
