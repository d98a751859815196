"""Build the wheel, install it with its core dependencies into an empty environment, and import every module.

A sub-package forgotten in pyproject.toml does not show in the checkout; it shows here. Run by `make wheel`.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[1]
IMPORT_ALL = """
import importlib, pathlib, pkgutil, sys
import narabe
root = pathlib.Path(narabe.__file__).parent
assert "site-packages" in str(root), root
names = ["narabe"] + [m.name for m in pkgutil.walk_packages([str(root)], "narabe.")]
extras = {  # modules that say what to install beside the core
    "narabe.envs.adapters.aec": "narabe[pettingzoo]",
    "narabe.experiments.executor_ray": "narabe[ray]",
    "narabe.experiments.plots": "matplotlib",  # here those who call say it
    "narabe.experiments.odds_plots": "matplotlib",
}
for name in names:
    try:
        importlib.import_module(name)
    except Exception as error:
        assert name in extras and extras[name] in str(error), (name, error)
print(len(names))
"""


def modules() -> set[str]:
    """Every module of the checkout that belongs into the wheel."""
    rooms = ("agents", "envs", "experiments", "search")
    files = [f for room in rooms for f in (ROOT / room).rglob("*.py")]
    names = {"narabe." + ".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for f in files}
    return names | {"narabe"}


def main() -> None:
    shutil.rmtree(ROOT / "build", ignore_errors=True)  # an earlier build would bring back what was removed since
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--outdir", folder, str(ROOT)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        wheel = next(pathlib.Path(folder).glob("*.whl"))
        home = pathlib.Path(folder) / "venv"
        venv.create(home, with_pip=True)
        python = str(home / "bin" / "python")
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)], check=True
        )
        done = subprocess.run([python, "-c", IMPORT_ALL], check=True, capture_output=True, text=True, cwd=folder)
        subprocess.run([str(home / "bin" / "narabe"), "--help"], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    found, expected = int(done.stdout), len(modules())
    if found != expected:
        sys.exit(f"the wheel holds {found} modules, the checkout {expected}: see [tool.setuptools] packages")
    print(f"the wheel installs into an empty environment and imports all {found} modules")


if __name__ == "__main__":
    main()
