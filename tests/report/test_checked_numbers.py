"""Numbers that are typed, or stand in JSON, are what they should be, or an error names them."""

import numpy as np
import pytest

from calib_report.checked_numbers import (
    check_seed,
    check_share,
    number_in_json,
    number_typed,
)
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


@pytest.mark.parametrize(
    "value", [None, "1", True, [], {}, float("nan"), float("-inf"), 10**400, -(10**400)]
)
def test_what_is_no_finite_number_of_json_is_refused(value):
    with pytest.raises(ValueError, match=r"^a sum is .*, expected a (finite )?number$"):
        number_in_json(value, "a sum")


@pytest.mark.parametrize("value", [0, -3, 0.25, 2**1000], ids="{:.0e}".format)
def test_a_number_of_json_is_a_float(value):
    number = number_in_json(value, "a sum")
    assert type(number) is float and number == value


@pytest.mark.parametrize("seed", [0, 1, np.int64(3)])
def test_a_seed_is_a_whole_number_from_0_on(seed):
    check_seed(seed)


@pytest.mark.parametrize("seed", [-1, 0.5, None, "0"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(OptionError, match=f"^seed: {seed!r}, expected an integer"):
        check_seed(seed)
