# Run in each kernel before any cell, with the cells' names; it leaves none behind.
from book.show.figure_data import register as _register

_register(get_ipython())  # noqa: F821
del _register
