"""Every notebook of examples/notebooks runs whole: no cell raises, nothing is said on stderr, there are figures. In the tree
they are without outputs, and docs/python.md lists them."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import polhode

NEEDED = ("nbclient", "ipykernel", "matplotlib", "pandas", "scipy")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if not MISSING:
    import nbclient
    import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"}}
LONGEST = 600       # seconds for a cell

# What a kernel does before the first cell. Its own messages do not go through Python's sockets.
OFFLINE = """
import socket


def refused(*arguments, **named):
    raise OSError("a notebook must not need a network")


socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refused
del socket, refused
"""
# What it does after the last one. Figures that were shown are closed.
LAST = "import sys, matplotlib.pyplot\nprint(sys.executable, polhode.__file__, matplotlib.pyplot.get_fignums())"


class AsCommitted(unittest.TestCase):
    def test_listed_on_the_page(self):
        section = re.search(r"(?ms)^## Notebooks\n(.*?)^## ", PAGE.read_text(encoding="utf-8")).group(1)
        listed = re.findall(r"\]\(\.\./examples/notebooks/([\w-]+\.ipynb)\)", section)
        self.assertEqual(sorted(listed), [path.name for path in NOTEBOOKS])

    def test_without_outputs(self):
        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                text = path.read_text(encoding="utf-8")
                notebook = json.loads(text)
                self.assertEqual({key: notebook[key] for key in notebook if key != "cells"},
                                 {"metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})
                for i, cell in enumerate(notebook["cells"], 1):
                    more = {"outputs": [], "execution_count": None} if cell["cell_type"] == "code" else {}
                    self.assertEqual({key: cell[key] for key in cell if key not in ("cell_type", "source")},
                                     {"id": f"{path.stem}-{i:02}", "metadata": {}, **more})
                # As Jupyter writes it: whoever saves it again changes nothing.
                self.assertEqual(text, json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


@unittest.skipIf(MISSING, f"no {', '.join(MISSING)} (tools/bootstrap python)")
class Run(unittest.TestCase):
    def setUp(self):
        """A kernel of this Python, with nothing of what its user has set up for Jupyter, IPython and matplotlib."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        own = pathlib.Path(folder.name)
        startup, kernel = own / "ipython" / "profile_default" / "startup", own / "kernels" / "this-python"
        startup.mkdir(parents=True)
        kernel.mkdir(parents=True)
        (startup / "offline.py").write_text(OFFLINE, encoding="utf-8")
        command = [sys.executable, "-B", "-m", "ipykernel_launcher", "-f", "{connection_file}",
                   "--InteractiveShell.colors=NoColor"]
        (kernel / "kernel.json").write_text(
            json.dumps({"argv": command, "display_name": "this Python", "language": "python"}), encoding="utf-8")
        places = {"JUPYTER_PATH": "", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython",
                  "MPLCONFIGDIR": "matplotlib"}
        patched = mock.patch.dict(os.environ, {name: str(own / place) for name, place in places.items()},
                                  PYDEVD_DISABLE_FILE_VALIDATION="1")   # no remarks on debugging
        patched.start()
        self.addCleanup(patched.stop)
        os.environ.pop("MPLBACKEND", None)      # a kernel's own puts figures into the notebook
        # It looks at all fonts, and if that takes long it says so on stderr.
        subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], check=True, stderr=subprocess.DEVNULL)

    def outputs_of(self, path):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(LAST))
        with tempfile.TemporaryDirectory() as folder:
            nbclient.NotebookClient(notebook, kernel_name="this-python", timeout=LONGEST,
                                    resources={"metadata": {"path": folder}}).execute()
            self.assertEqual(os.listdir(folder), [])
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.assertEqual([cell.execution_count for cell in cells], list(range(1, len(cells) + 1)))
        self.assertEqual(cells[-1].outputs[0].text, f"{sys.executable} {polhode.__file__} []\n")
        return [output for cell in cells for output in cell.outputs]

    def test_whole(self):
        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                begin = time.monotonic()
                outputs = self.outputs_of(path)
                print(f"{path.stem}: {time.monotonic() - begin:.0f} s", flush=True)
                streams = [output for output in outputs if output.output_type == "stream"]
                self.assertEqual([output.text for output in streams if output.name == "stderr"], [])
                self.assertTrue([output for output in outputs if "image/png" in output.get("data", {})], "no figure")


if __name__ == "__main__":
    unittest.main()
