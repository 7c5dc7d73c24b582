"""Figures of the chapters of *Learn*, a module a chapter, and the numbers that their text says.

A function that draws returns its figure. One called ``tell_...`` draws nothing: it keeps numbers
for the text (`book.show.display.keep`) and asserts what the sentences beside them say.
"""
