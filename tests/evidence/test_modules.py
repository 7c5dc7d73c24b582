"""Who changes a module of the evidence knows its tests: at its place, or in a line."""

from places import Places

# a map of anyone's comes as one file, without tests
PLACES = Places(
    "evidence",
    "tests/evidence",
    "Which test tries a module of the evidence",
    apart="arena/maps",
)


def test_each_module_has_a_file_at_its_place_or_one_line():
    lines = PLACES.lines_of_modules_without_file()
    assert {module: n for module, n in lines.items() if n != 1} == {}


def test_no_line_is_of_a_module_that_has_a_file_or_is_gone():
    assert PLACES.lines_of_nothing() == set()


def test_a_file_is_of_a_module_or_of_a_folder_or_is_named():
    assert PLACES.files_of_nothing() == set()
