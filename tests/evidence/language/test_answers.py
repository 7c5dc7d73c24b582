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


def test_answers_are_read_as_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(answers, "data_folder", lambda: tmp_path)
    file = tmp_path / "language" / "plaut-sat-en.npz"
    file.parent.mkdir()
    np.savez(
        file,
        dataset="SAT",
        models=["m1", "m2"],
        outcome=[[1, 0, 2], [0, 1, 1]],
        confidence_verbal=answers.encode(np.array([[0.25, 0.5, np.nan]] * 2)),
        confidence_logits=answers.encode(np.full((2, 3), 0.75)),
        groups=["easy", "hard"],
        group=[1, 0, 1],
    )
    monkeypatch.setattr(answers, "read_declared", lambda path: file.read_bytes())
    found = answers.load_answers("plaut-sat-en")
    assert (found.source, found.dataset) == ("plaut", "SAT")
    assert found.models == ["m1", "m2"] and found.outcome[0].tolist() == [1, 0, 2]
    assert found.group.tolist() == ["hard", "easy", "hard"]
    assert {*found.confidence} == {"verbal", "logits"}
    np.testing.assert_array_equal(found.confidence["verbal"][1], [0.25, 0.5, np.nan])
    assert (found.confidence["logits"] == 0.75).all()


def test_answers_to_life_tables_have_the_names_of_their_models():
    frame = answers.load_lifeeval()
    assert {type(name) for name in frame["model"]} == {str}
    assert frame["model"].nunique() > 1
