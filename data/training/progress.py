"""Where a run stands after an epoch, so that it goes on from there when it was interrupted."""

import io
import time

import torch

from . import zoo


class Progress:
    """The file that keeps a run's state, and the processor seconds it took, interruptions included.

    Restoring and going on gives the same network as training without interruption.
    """

    def __init__(self, path):
        self.path = path
        self.before = -time.process_time()

    @property
    def seconds(self):
        return self.before + time.process_time()

    def save(self, epochs_done, model, descent, schedule, rng):
        state = {
            "epochs_done": epochs_done,
            "seconds": self.seconds,
            "rng": rng.bit_generator.state,
            "parts": [part.state_dict() for part in (model, descent, schedule)],
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        zoo.write(self.path, buffer.getvalue())

    def restore(self, model, descent, schedule, rng):
        """Load the state that was kept; return the epochs that it has behind it, 0 without one."""
        if not self.path.exists():
            return 0
        state = torch.load(self.path, weights_only=True)
        self.before += state["seconds"]
        rng.bit_generator.state = state["rng"]
        for part, kept in zip((model, descent, schedule), state["parts"], strict=True):
            part.load_state_dict(kept)
        return state["epochs_done"]

    def forget(self):
        self.path.unlink(missing_ok=True)
