"""Stand-ins for what files and libraries bring: a tensor, no array, a pickle that acts."""

import numpy as np


class Tensor:
    """What a tensor of torch offers to who does not know torch."""

    def __init__(self, values, dtype="torch.float32"):
        self.values, self.dtype, self.shape = (
            np.asarray(values),
            dtype,
            np.shape(values),
        )

    def detach(self):
        return self

    cpu = detach

    def float(self):
        return Tensor(self.values.astype(np.float32))

    def numpy(self):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values


class NoArray:
    """An object with a shape that cannot be made an array."""

    shape = (120, 3)

    def __array__(self, *_, **__):
        raise KeyError("from __array__")

    def __len__(self):
        return self.shape[0]


class Calls:
    """Pickles as a call of the given function."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments
