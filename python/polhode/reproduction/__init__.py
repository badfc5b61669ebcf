"""The report of polhode reproduce: what the papers print against what is measured here. Needs no matplotlib."""

from .document import document
from .reading import ReportError, read_experiments
from .to_html import html_page
from .to_markdown import markdown_page

__all__ = ["ReportError", "document", "html_page", "markdown_page", "read_experiments"]
