"""A bar that shows how far a loop is."""

from typing import Any


def with_progress(items: Any, what: Any, progress: Any, total: Any = None) -> Any:
    """Return the items, shown as they are taken where `progress` is true."""
    if not progress:
        return items
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, leave=False)
