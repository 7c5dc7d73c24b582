# How the executor's kernels draw: sharp PNG files whose bytes depend on the figure alone.
c = get_config()  # noqa: F821
c.InlineBackend.figure_formats = {"retina"}
c.InlineBackend.rc = {"figure.dpi": 100, "figure.facecolor": "white", "savefig.facecolor": "white"}
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Software": None}}
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "CRITICAL"
