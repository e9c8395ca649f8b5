# Evenhand: `make run` to see it, `make test` to check it. Only Python 3.11+ (with venv) and make are needed.

PYTHON ?= python3
VENV ?= .venv
# Training needs torch (`make models`; tests train too), running does not. It is installed first and by itself: asked
# for together with the rest, pip would be free to pick the default build, which brings gigabytes of CUDA libraries.
# Point pip at CPU wheels (PIP_INDEX_URL or PIP_FIND_LINKS); the pin then accepts 2.13.0+cpu.
TORCH := torch==2.13.0

# Tests run side by side, those of one file one after the other; files with slow tests come first (tests/conftest.py).
WORKERS ?= 2
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# The locks are complete. rapidocr-onnxruntime, of which only the models are used, objects to Python 3.13.
LOCKED := $(PIP) install --require-hashes --no-deps --ignore-requires-python
RUNTIME := $(VENV)/.runtime
MODELS := $(VENV)/.models
DEV := $(VENV)/.dev
PACKAGE := $(VENV)/.package

.DEFAULT_GOAL := help
.PHONY: help run models test lab coverage check bench docs lock clean tesseract peers browser compiled

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: $(PACKAGE)  ## set everything up, build the demo and serve it on http://127.0.0.1:8000
	@$(BIN)/evenhand demo

models: $(MODELS) $(PACKAGE)  ## add what training needs: torch and transformers

test: $(DEV) $(PACKAGE) tesseract browser compiled check  ## set everything up, then linters, types, layers and all tests
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	@echo "All checks and tests passed."

lab: $(DEV) $(PACKAGE) tesseract peers compiled  ## the lab's tests with the long ones, needed after a change of the lab
	LAB=all $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder tests/lab
	@$(BIN)/python -m tests.lab.inputs > tests/lab/passed.sha256
	@echo "Recorded in tests/lab/passed.sha256: while the lab stays as it is, make test leaves its long tests out."

coverage: $(DEV) $(PACKAGE) tesseract browser compiled  ## all tests again, half as fast, counting the lines they reach
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check: $(DEV) $(PACKAGE)  ## linters, types and layers only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers $(WORKERS)
	$(BIN)/lint-imports

bench: $(PACKAGE)  ## measure: make bench NAME=read DATA=folder (no NAME lists the benchmarks)
	@$(BIN)/evenhand bench $(NAME) $(if $(DATA),--data $(DATA))

docs: $(DEV) $(PACKAGE)  ## write the parts of docs/ that come from the code
	$(BIN)/python tools/make_docs.py

lock: $(RUNTIME)  ## pin today's versions in requirements.lock and requirements-dev.lock
	$(BIN)/python tools/make_lock.py
	@echo "The next make installs the new versions."

clean:  ## remove everything that make made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.* *.egg-info

# The environment is made anew when a lock changes: what an older lock left behind could hide a missing package.
$(RUNTIME): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Evenhand needs Python 3.11 or newer. Name one with: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make virtual environments. On Debian or Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(LOCKED) -r requirements.lock
	@touch $@

$(MODELS): requirements-models.lock $(RUNTIME)
	@$(PIP) install "$(TORCH)"
	@$(LOCKED) -r requirements-models.lock
	@touch $@

$(DEV): requirements-dev.lock $(MODELS)
	@$(LOCKED) -r requirements-dev.lock
	@touch $@

# Again when a C source changes. Without a compiler the package installs all the same and uses Python's loops.
$(PACKAGE): pyproject.toml lab/pyproject.toml $(wildcard evenhand/documents/pdf/*.c) $(RUNTIME)
	@$(PIP) install --no-deps --no-build-isolation --editable . --editable lab
	@touch $@

# Tests that want the optional tesseract program say so when they skip; continuous integration runs them all.
tesseract:
	@if [ "$$CI" = true ] && [ "$$(id -u)" = 0 ] && ! command -v tesseract >/dev/null && command -v apt-get >/dev/null; \
	then apt-get update -qq && apt-get install -yqq --no-install-recommends tesseract-ocr >/dev/null || \
		echo "tesseract could not be installed; the tests that need it will be skipped"; fi

# Long tests of the lab compare with these programs.
peers:
	@if ! command -v soffice >/dev/null || ! command -v pdftotext >/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
		then echo "Installing LibreOffice and pdftotext for the tests of the lab ..."; apt-get update -qq && \
			apt-get install -yqq --no-install-recommends libreoffice-writer-nogui poppler-utils >/dev/null; \
		else echo "Install LibreOffice (soffice) and pdftotext first: make lab must skip nothing."; exit 1; fi; fi

# Tests start a thousand processes, and confined ones keep nothing: without this each would compile what it imports.
compiled: $(DEV)
	@$(BIN)/python -m compileall -q evenhand lab

# Pages are tested in a real Chromium: the system's own where there is one, else Debian's or Playwright's.
browser: $(DEV)
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; \
	then echo "Installing a browser for the tests ..."; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
		then apt-get update -qq && apt-get install -yqq --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
		else $(BIN)/playwright install chromium; fi; fi
