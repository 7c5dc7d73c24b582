"""Figures of the chapters of *Learn*, a module a chapter, and the numbers that their text says.

A function called ``draw_...`` returns its figure, or draws on axes. One called ``glue_...`` draws
nothing: it glues numbers to the text (`book.show.display.glue_values`) and asserts what the
sentences beside them say.
"""
