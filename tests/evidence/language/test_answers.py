"""The committed answers of language models: kept exactly."""

import numpy as np
import pytest

from evidence.language import answers


def test_numbers_of_four_decimals_are_kept_exactly():
    score = np.append(np.arange(10_001) / 10_000, np.nan)
    code = answers.encode(score)
    assert code.dtype == np.uint16 and code[-1] == 65535 and code[-2] == 60000
    np.testing.assert_allclose(answers.decode(code), score, rtol=0, atol=1e-12)


def test_answers_that_are_none_are_refused_with_those_that_are_there():
    with pytest.raises(ValueError, match=r"no answers 'tao'; there are .*tao-mmlu-pro"):
        answers.load_answers("tao")


def test_lengths_are_of_the_answers():
    outcome = answers.load_answers("tao-mmlu-pro").outcome
    assert answers.load_lengths().shape == outcome.shape
