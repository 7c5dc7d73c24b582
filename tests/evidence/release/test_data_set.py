"""The data set: the same bytes each time."""

import zipfile

from evidence.release import data_set


def test_the_zip_holds_the_folder_in_the_same_bytes_each_time(folder):
    with zipfile.ZipFile(folder.with_suffix(".zip")) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
        assert {info.date_time for info in archive.infolist()} == {
            (1980, 1, 1, 0, 0, 0)
        }
    written = sorted(p for p in folder.rglob("*") if p.is_file())
    assert held == {
        p.relative_to(folder.parent).as_posix(): p.read_bytes() for p in written
    }
    data_set.main(folder)
    assert held == {name: (folder.parent / name).read_bytes() for name in held}
