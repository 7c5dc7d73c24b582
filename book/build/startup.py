# Run in each kernel before any cell, with the cells' names; it leaves none behind.
from matplotlib.backend_bases import FigureCanvasBase as _Canvas

from book.show.figure_data import register as _register
from book.show.looks import set_style as _set_style

# After a cell a figure is laid out, and not drawn as well: what shows it draws it.
_Canvas.draw_idle = lambda c: (
    (to := c.figure.get_layout_engine()) and to.execute(c.figure)
)
_register(get_ipython())  # noqa: F821
_set_style()
del _Canvas, _register, _set_style
