"""Interruptions, told once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]


@contextmanager
def one_interruption() -> Iterator[None]:
    """Turn the first SIGINT, SIGTERM or SIGHUP into KeyboardInterrupt; ignore those that follow."""

    def interrupt(*_: object) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in SIGNALS if main}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN or number == signal.SIGINT:
            signal.signal(number, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        before = {}  # what follows is the end of the process, which nothing disturbs
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
