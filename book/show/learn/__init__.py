"""Figures of the chapters of *Learn*, a module a chapter, and the numbers that their text says.

A function called ``draw_...`` returns its figure, or draws on axes. One called ``keep_...`` draws
nothing: it keeps numbers for the text (`book.show.display.keep`) and asserts what the sentences
beside them say.
"""
