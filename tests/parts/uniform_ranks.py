"""Whether ranks are uniform."""

import numpy as np

from evidence.studies.shares import share_rank_tests


def uneven(ranks):
    """The p-value of Pearson's statistic against uniform ranks."""
    return share_rank_tests.p_uniform(np.histogram(ranks, bins=10, range=(0, 1))[0])
