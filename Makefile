# Two commands set up everything from a fresh clone: `make demo` and `make test`.
# They need Python 3.11 or newer with its venv module; all else is installed into $(VENV).

VENV ?= .venv
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && { echo $$p; break; }; done)
BIN := $(VENV)/bin
PACKAGES := crawler learner extractor benchmarks examples webstem.py

.PHONY: demo test lint types unit real gate clean
.DEFAULT_GOAL := test

# Serve the demo site, crawl, learn, crawl its second edition, show the articles.
demo: $(VENV)/installed-demo
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m examples.demo

# All that .ci/run checks.
test: lint types unit gate

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-test
	$(BIN)/mypy $(PACKAGES)

# worksteal: the tests of a file stay on one worker, with what they share, until another has none.
PYTEST := PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pytest -n 3 --dist worksteal

unit: $(VENV)/installed-test
	$(PYTEST) --durations 20

# Of the tests those that need real sites, which they skip without.
real: $(VENV)/installed-test
	$(PYTEST) -m real

# Quality floors on real sites; they are not part of the repository.
gate: $(VENV)/installed-test
	@if [ ! -f benchmarks/gate.py ]; then echo "gate: benchmarks/gate.py is missing, skipped"; \
	elif [ ! -d ../shared/sites ]; then echo "gate: no sites in ../shared/sites, skipped"; \
	else $(BIN)/python -m benchmarks.gate; fi

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "make: expected Python 3.11 or newer on the PATH, found none;" \
		"install it (Debian: apt-get install python3 python3-venv)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' || { echo "make: $(PYTHON) has no venv module;" \
		"install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# $(VENV)/installed-EXTRA: the project with one set of extra dependencies, as pyproject.toml has them.
$(VENV)/installed-%: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
