"""Blocks on a Dask cluster of two processes, none of which could hold them all."""

import numpy as np
import pytest

import calib
from calib_report.sums import accumulate, fit_temperature

N_BLOCKS, ROWS, N_CLASSES = 40, 25_000, 100
MEMORY = 300 << 20  # of a worker, in bytes; the logits are 400 MB


def block(seed):
    """Return labels and float32 logits that are 1.6 times too large."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((ROWS, N_CLASSES), dtype=np.float32)
    y = (z + rng.gumbel(size=z.shape).astype(np.float32)).argmax(axis=1)
    return y, np.float32(1.6) * z


def rows(path, i):
    return np.array(np.load(path, mmap_mode="r")[i * ROWS : (i + 1) * ROWS])


@pytest.fixture(scope="module")
def cluster():
    from dask.distributed import Client, LocalCluster

    own = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        memory_limit=MEMORY,
        dashboard_address=None,
    )
    with own, Client(own):
        yield


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the paths of labels and logits in npy files."""
    folder = tmp_path_factory.mktemp("files")
    y, z = zip(*map(block, range(N_BLOCKS)), strict=True)
    np.save(folder / "y.npy", np.concatenate(y))
    np.save(folder / "z.npy", np.concatenate(z))
    assert (folder / "z.npy").stat().st_size > MEMORY
    return folder / "y.npy", folder / "z.npy"


def test_a_dask_array_gives_the_numbers_and_the_temperature_of_all_samples(cluster, files):
    import dask.array
    from dask import delayed

    def array(path, shape, dtype):
        parts = [delayed(rows)(path, i) for i in range(N_BLOCKS)]
        return dask.array.concatenate(
            [dask.array.from_delayed(part, shape, dtype) for part in parts]
        )

    y, z = array(files[0], (ROWS,), np.int64), array(files[1], (ROWS, N_CLASSES), np.float32)
    found = accumulate(y, z.map_blocks(calib.softmax, dtype=np.float32))
    scaling = fit_temperature(z, y, tol=1e-9)

    y_all, z_all = map(np.load, files)
    p_all = calib.softmax(z_all)
    assert found.n == len(y_all)
    numbers = found.compute()
    for name, metric in {
        "accuracy": calib.accuracy,
        "NLL": calib.nll,
        "Brier": calib.brier,
        "ECE, 15 bins": calib.ece,
        "classwise ECE": calib.classwise_ece,
    }.items():
        assert numbers[name] == pytest.approx(metric(y_all, p_all), abs=1e-12), name
    at_once = calib.TemperatureScaling(tol=1e-9).fit(z_all, y_all)
    assert scaling.temperature_ == pytest.approx(at_once.temperature_, abs=1e-12)


def test_delayed_blocks_and_arrays_split_in_columns(cluster):
    import dask.array
    from dask import delayed

    y, z = block(0)
    p = calib.softmax(z)
    expected = calib.ece(y, p)
    split = dask.array.from_array(p, chunks=(7000, 30))
    assert accumulate(y, split).compute()["ECE, 15 bins"] == pytest.approx(expected, abs=1e-12)
    halves = [slice(0, 9000), slice(9000, None)]
    found = accumulate([y[h] for h in halves], [delayed(p[h]) for h in halves])
    assert found.compute()["ECE, 15 bins"] == pytest.approx(expected, abs=1e-12)


def test_an_error_of_a_block_arrives_as_it_is(cluster):
    import dask.array

    p = dask.array.full((10, 2), 0.7, chunks=(5, 2))
    with pytest.raises(ValueError, match=r"row 0 sums to 1\.4"):
        accumulate(np.zeros(10, int), p)
