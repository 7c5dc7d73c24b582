"""Tables of others: each is written by the module of its name, and the same again."""

import pytest
from helpers import ROOT, need_shared

from evidence.sources.tables.__main__ import TABLE_NAMES, main

STORED = ROOT / "data" / "tables"
PUBLISHED = {  # in shared/, commits as a star
    "quba": "tables/quba_326_models.csv",
    "calarena": "mirror/probkit/CalArena/*",
    "calarena_maps": "mirror/probkit/CalArena/*",
    "calibench": "mirror/Misakaaaaaz/calibench/*/shengjie/LogitsGap",
    "how_do_vits_work": "mirror/xxxnell/how-do-vits-work/*/resources/results",
    "uncertainty_baselines": "mirror/google/uncertainty-baselines/*/derived/*resnet50.csv",
    "uncertainty_bench": "mirror/Jordy-VL/uncertainty-bench/*/derived/in_domain_runs.csv",
    "msdnet_curve": "mirror/zoetzikra/overconfidence_in_EENNs/*/out/*_original.out",
}


def test_every_table_has_a_module_and_what_it_was_made_of():
    assert (
        {path.stem for path in STORED.glob("*.csv")}
        == set(TABLE_NAMES)
        == set(PUBLISHED)
    )


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_a_table_is_that_of_the_files(name, tmp_path):
    (path,) = need_shared(PUBLISHED[name].partition("/")[0]).parent.glob(
        PUBLISHED[name]
    )
    main([name, str(path)], tmp_path)
    written = tmp_path / f"{name}.csv"
    assert written.read_bytes() == (STORED / written.name).read_bytes()
