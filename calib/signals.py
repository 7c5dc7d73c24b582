"""Interruptions, told once."""

import signal
import threading
from contextlib import contextmanager
from typing import Any

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@contextmanager
def one_interruption() -> Any:
    """Turn the first SIGINT, SIGTERM or SIGHUP into KeyboardInterrupt; ignore those that follow."""

    def interrupt(*_: Any) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN or number == signal.SIGINT:
            signal.signal(number, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        raise  # what follows is the end of the process, which none of them disturbs
    except BaseException:
        _restore(before)
        raise
    _restore(before)


def _restore(handlers: Any) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)
