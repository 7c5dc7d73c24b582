"""Every public name says what it takes, gives and raises, and shows an example."""

import inspect
import re

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

import calib
import calib_report
from evidence.fit_and_measure import measure_maps

PUBLIC = {
    f"calib.{name}": getattr(calib, name) for name in calib.__all__ if name != "METRICS"
}
PUBLIC |= {
    f"calib_report.{name}": getattr(calib_report, name)
    for name in ("ModelOutputs", "make_report", "read")
}
PUBLIC["evidence.fit_and_measure.measure_maps"] = measure_maps
NOT_ASKED = {
    "ES01",  # an extended summary
    "SA01",  # a section "See Also": the reference links the chapter instead
    "PR04",  # a type for each name of a line such as "y_true, y_prob : …" or "**options"
    "PR07",  # words, where name and type say it all
    "RT02",  # a bare type: shapes stand beside it
    "RT03",
    "SS03",  # a full stop: some summaries are questions
    "SS05",  # no verb in the third person: some summaries are names
}
OF_A_CLASS = {"PR01", "EX01"}  # results are shown by their makers, maps have examples
CLASSES = [name for name, value in PUBLIC.items() if inspect.isclass(value)]
EXCEPTIONS = [name for name in CLASSES if issubclass(PUBLIC[name], Exception)]
DESCRIBED = [name for name in PUBLIC if name not in EXCEPTIONS]


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_docstring_is_whole(name):
    exempt = NOT_ASKED | (OF_A_CLASS if name in CLASSES else set())
    errors = [error for error in validate(name)["errors"] if error[0] not in exempt]
    assert errors == []


@pytest.mark.parametrize("name", DESCRIBED)
def test_functions_say_what_they_raise_and_results_what_they_hold(name):
    value, doc = PUBLIC[name], get_doc_object(PUBLIC[name])
    if name.startswith("calib."):  # types have names, such as ArrayLike
        assert "Union" not in str(inspect.signature(value))
    if inspect.signature(value).parameters:
        if inspect.isclass(value):
            assert doc["Parameters"] or doc["Attributes"], (
                f"{name}: describe Attributes"
            )
        else:
            assert doc["Raises"], f"{name}: describe Raises"


@pytest.mark.parametrize("name", [*CLASSES, "calib.CalibratedModel"])
def test_an_attribute_has_a_name(name):
    """What follows the attributes without a heading would be read as more of them."""
    if name not in PUBLIC:
        pytest.importorskip("sklearn")
    described = getattr(calib, name.removeprefix("calib."), None) or PUBLIC[name]
    rows = get_doc_object(described)["Attributes"]
    names = [each for row in rows for each in row.name.split(", ")]
    assert all(each.isidentifier() for each in names), names


def required(function):
    """Return the names of the parameters that have no default: what is judged, or fitted to."""
    parameters = inspect.signature(function).parameters.values()
    return {
        p.name for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD
    }


FUNCTIONS = {
    name: value
    for name, value in PUBLIC.items()
    if inspect.isroutine(value) and name.startswith("calib.")
}
FIELDS = set().union(*(inspect.get_annotations(PUBLIC[name]) for name in CLASSES))
ARGUMENTS = set().union(*map(required, FUNCTIONS.values())) - set(calib.__all__)
IN_BACKTICKS = re.compile(r"(?<![`:\w])`(\w+)`(?!`)")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_speaks_of_arguments_that_it_takes(name):
    """Words that several functions share are copied: `y_prob` of one that takes sets."""
    function = FUNCTIONS[name]
    known = {value.name for value in get_doc_object(function)["Returns"]} | FIELDS
    words = set(IN_BACKTICKS.findall(inspect.getdoc(function))) - known
    assert words & ARGUMENTS <= set(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in EXCEPTIONS])
def test_every_public_method_is_described(name):
    cls = PUBLIC[name]
    methods = [
        m for m in vars(cls) if not m.startswith("_") and callable(getattr(cls, m))
    ]
    assert all(inspect.getdoc(getattr(cls, method)) for method in methods)
