# Two commands do everything on a fresh machine with Python 3.11 or newer and make: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
GOITA  := $(VENV)/node/node_modules/goita-core/package.json

.PHONY: run test lint format help wheel docs bench study-oracles study-threats study-goita playthroughs clean
.DEFAULT_GOAL := help

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

# The root of the repository is the package, so its name in site-packages is a link to the root. (An editable install
# alone works at run time, but type checkers cannot see through its import hook.)
$(VENV)/.core: pyproject.toml constraints.txt
	@echo "installing narabe into $(VENV) (some minutes the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@ln -sfn "$(CURDIR)" "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/narabe"
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "installing what the tests need"
	@$(PIP) --editable '.[dev]'
	@touch $@

# Another implementation of Goita for the tests, which go without it where npm or the network is missing.
$(GOITA): | $(VENV)/.dev
	@if command -v npm >/dev/null; then npm install --prefix $(VENV)/node --no-save --no-audit --no-fund --silent \
		--fetch-retries=1 --fetch-timeout=20000 goita-core@0.2.3 || echo "no goita-core: its tests are skipped"; fi

run: $(VENV)/.core  ## the main job: a small tournament with a rating table at its end
	@$(BIN)/narabe tournament --game omok --size 9 --agents random uct:sims=200 uct:sims=800 uct:sims=3200 greedy --games 20 --seed 7 --workers 2 --out runs/first

test: $(VENV)/.dev $(GOITA)  ## all tests
	@$(BIN)/python -m pytest -n auto -q

lint: $(VENV)/.dev  ## style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/.dev  ## bring the code into the common form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

wheel: $(VENV)/.dev  ## build the wheel, install it into an empty environment, import every module
	@$(BIN)/python tests/wheel_check.py

docs: $(VENV)/.core  ## build the site to build/site (open build/site/index.html), from the pages, docstrings and notebooks
	@$(PIP) --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

bench: $(VENV)/.dev  ## measure, with the peers' figures beside ours
	@$(PIP) --editable '.[peers]'
	@$(BIN)/narabe bench --out runs/bench.json

study-oracles: $(VENV)/.dev  ## the laws against the naive oracles, ten times as long as the tests
	@$(BIN)/python -m narabe.experiments.study_oracles

study-threats: $(VENV)/.dev  ## the threat searches against brute force, fifty times as long as the tests
	@$(BIN)/python -m narabe.experiments.study_threats --out runs/study_threats.jsonl

study-goita: $(VENV)/.dev $(GOITA)  ## the law of Goita against goita-core, five times as long as the tests
	@$(BIN)/python -m narabe.experiments.study_goita

playthroughs: $(VENV)/.dev  ## write the sample games and the large counts anew, after a wanted change of a rule or a new variant
	@$(BIN)/python -m narabe.tests.playthroughs.regenerate
	@$(BIN)/python -m narabe.tests.laws.deep_perft

clean:  ## remove the environment and what was built
	rm -rf $(VENV) build dist *.egg-info
