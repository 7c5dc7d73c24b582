"""Figures of the chapters of *Learn*, a module a chapter, and the numbers that their text says.

A function called ``draw_...`` returns its figure, or draws on axes; its name says which numbers
stand over which. One called ``glue_...`` draws nothing: it glues numbers to the text
(`book.show.display.glue_values`) and stops the build where these are not what the sentences beside
them say (`book.show.display.expect`).
"""
