"""The Python module, for pip; CMake compiles it, in the tree that `make build` uses.

    python3 -m venv --system-site-packages .venv
    .venv/bin/pip install --no-build-isolation --no-index --no-deps .

Compiler and libraries are those of the whole project: tools/bootstrap python installs them on Debian.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"VERSION ([0-9.]+)", (HERE / "CMakeLists.txt").read_text().split("project(")[1]).group(1)


class CompiledByCMake(build_ext):
    def build_extension(self, extension):
        def cmake(*words):
            subprocess.run(["cmake", *words], cwd=HERE, check=True)
        jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
        try:
            cmake("--preset", "release", "--log-level=NOTICE", f"-DPOLHODE_PYTHON_EXECUTABLE={base_python()}")
            cmake("--build", "--preset", "release", "-j", jobs, "--target", "polhode_python")
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"polhode: the compiled part could not be built ({error}); tools/bootstrap python installs what it "
                     "needs on Debian")
        made = list((HERE / "build" / "release" / "python" / "polhode").glob("_core.*.so"))
        to = pathlib.Path(self.get_ext_fullpath(extension.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made[0], to)


def base_python():
    """The interpreter that a virtual environment is of: it has the headers."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


class WithExperiments(build_py):
    """polhode.reproduce() needs the experiments beside the code."""

    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib) / "polhode" / "experiments"
        shutil.copytree(HERE / "experiments", folder, dirs_exist_ok=True,
                        ignore=lambda at, names: [n for n in names if not pathlib.Path(at, n).is_dir()
                                                  and pathlib.Path(n).suffix not in (".toml", ".csv", ".md")])


(HERE / "build").mkdir(exist_ok=True)
setup(
    name="polhode",
    version=VERSION,
    description="Time integration of rigid-body rotation",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"pictures": ["matplotlib"], "rotations": ["scipy"]},
    package_dir={"": "python"},
    packages=find_packages("python"),
    package_data={"polhode": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("polhode._core", sources=[])],
    cmdclass={"build_ext": CompiledByCMake, "build_py": WithExperiments},
    options={"egg_info": {"egg_base": "build"}},
    zip_safe=False,
)
