# Run in each kernel before any cell, with the cells' names; it leaves none behind.
from book.show.figure_data import register as _register
from book.show.looks import set_style as _set_style

_register(get_ipython())  # noqa: F821
_set_style()
del _register, _set_style
