"""How Sphinx builds the documentation: `sphinx-build -W docs build/docs`."""

from importlib.metadata import version as installed_version

project = "quincunx"
author = "the quincunx authors"
version = release = installed_version("quincunx")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
html_theme = "furo"
html_title = "quincunx"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say what types mean
suppress_warnings = ["misc.highlighting_failure"]
