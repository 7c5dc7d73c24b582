"""Chapters in, a site out.

`project` reads the chapters, `execute` makes notebooks of them (tried by `students`, settled by
`notebook_outputs`), `site` stages these and has Sphinx build the pages, which go through what
`extension` lists, in its order.
"""
