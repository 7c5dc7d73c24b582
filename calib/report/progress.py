"""A bar that shows how far a loop is."""


def with_progress(items, what, progress, total=None):
    """Return the items, shown as they are taken where `progress` is true."""
    if not progress:
        return items
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, leave=False)
