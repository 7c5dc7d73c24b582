"""Bad and odd arguments to every public callable: an answer or an error of calib's own, no more."""

import matplotlib as mpl
import pytest

from fuzz import corpus

mpl.use("Agg")
QUICK = 12  # calls of each; `make fuzz` makes more, see README.md


def test_every_public_callable_is_known():
    """A new one without values for its parameters fails here; an old one's exemption too."""
    for name in corpus.public():
        corpus.call_of(name)
    assert set(corpus.public()) >= set(corpus.RECORDS) | set(corpus.OTHERS)


@pytest.mark.parametrize("name", corpus.public())
def test_good_arguments_give_an_answer(name):
    function, good = corpus.call_of(name)
    if "rng" in good:
        good["rng"] = corpus.np.random.default_rng(0)
    assert corpus.outcome(function, good) == "returned"


@pytest.mark.parametrize("name", corpus.public())
def test_bad_arguments_are_answered_or_refused(name):
    _, wrong = corpus.fuzz(name, 4 if name == "make_report" else QUICK)
    assert not wrong


def test_what_is_wrong_is_seen():
    """The suite would see a foreign error, a warning, a changed input."""

    def foreign(y):
        return {}[0]

    def warns(y):
        corpus.warnings.warn("careful", stacklevel=1)

    def changes(y):
        y[0] = 7

    y = corpus.np.arange(5)
    assert corpus.outcome(foreign, {"y": y}).startswith("foreign KeyError")
    assert corpus.outcome(warns, {"y": y}) == "warning: careful"
    assert corpus.outcome(changes, {"y": y}) == "y was changed"
