# Run in each kernel before any cell, with the cells' names; it leaves none behind.
import importlib as _importlib
import os as _os

_name = _os.environ.get("BOOK_STARTUP", "book.show.figure_data")
_importlib.import_module(_name).register(get_ipython())  # noqa: F821
del _importlib, _name, _os
