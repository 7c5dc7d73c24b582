"""What several tests of the second set of forecasts read, measured once."""

import pytest

from evidence.forecasts.second import judge_second, stand_ins


@pytest.fixture(scope="session")
def complete():
    """The stand-in without holes that is stored."""
    return stand_ins.stored()


@pytest.fixture(scope="session")
def frames_of_complete(complete, tmp_path_factory):
    """Its frames: seconds, since maps are fitted to every network."""
    folder = complete.write(tmp_path_factory.mktemp("complete"))
    return judge_second.read_folder(folder).frames
