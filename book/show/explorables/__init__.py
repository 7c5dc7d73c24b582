"""Interactive figures: the HTML that the scripts of `assets/widgets` bring to life.

Each function under `@explorable` returns an `IPython.display.HTML` with a custom element and its
data as JSON. Where scripts do not run (a downloaded notebook) a picture inside it shows what it
shows at first (`book.show.stills`). A chapter imports each from the module of its subject.
"""
