"""What holds while a command runs: interruptions are told once, sums take one thread."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

SIGNALS = [
    getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)
]


@contextmanager
def one_interruption() -> Iterator[None]:
    """Turn the first SIGINT, SIGTERM or SIGHUP into KeyboardInterrupt; ignore those that follow."""
    # Python allows handlers in the main thread alone
    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in SIGNALS if is_main}
    _listen(before)
    try:
        yield
    except KeyboardInterrupt:
        before = {}  # what follows is the end of the process, which nothing disturbs
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _listen(before: Mapping[int, Any]) -> None:
    """Interrupt at the signals that something was to happen at; nohup ignores SIGHUP."""
    for number, handler in before.items():
        if handler is not signal.SIG_IGN or number == signal.SIGINT:
            signal.signal(number, _interrupt)


def _interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt; who types Ctrl-C twice does not disturb the cleaning up."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def one_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra to one thread, where threadpoolctl is there: more only wait."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(1)
