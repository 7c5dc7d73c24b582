"""Numbers that studies and chapters share; those of the library are in `calib.constants`."""

# Standard errors to both sides of a mean in an interval of 95 %, rounded as textbooks have it:
# `calib.constants.NORMAL_95` is 0.002 % less. Stored tables and drawn intervals that were computed
# with these digits keep them when they are computed anew; intervals of the library and the ends
# over splits in claims have the other. A cell that teaches how wide an interval is shows 1.96.
ROUNDED_95 = 1.96

# What a smaller probability counts as where its logarithm is taken: the same for every network, as
# the protocol of the arena says. The library's own floor is lower, or follows the data.
FLOOR = 1e-12
