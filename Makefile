# "make help" lists what there is. A machine needs git, make and Python 3.11 or later.
SHELL := /bin/bash
export PYTHONDONTWRITEBYTECODE =
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

VENV ?= .venv
PYTHON := $(VENV)/bin/python
READY := $(VENV)/.ready
FIND_PYTHON = for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$p && break; done

.DEFAULT_GOAL := help
.PHONY: help book chapter serve test lint format lock clean

help: ## Show this list
	@grep -E '^[a-z]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 12

book: $(READY) ## Execute what changed and build the site into _build/html (FORCE=1: everything)
	@$(PYTHON) -m book build

chapter: $(READY) ## Execute and build one chapter: make chapter C=measure/ece-and-mce
	@$(PYTHON) -m book chapter $(C) $(addprefix -p ,$(P))

serve: book ## Show the site at http://localhost:8000
	@$(PYTHON) -m http.server --bind localhost --directory _build/html 8000

lint: $(READY) ## Check the code, the chapters' code cells and the table of contents
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m book check

format: $(READY) ## Mend what lint can mend
	@$(PYTHON) -m ruff check --fix
	@$(PYTHON) -m ruff format
	@$(PYTHON) -m book check --fix

lock: $(READY) ## Write requirements.lock from pyproject.toml
	@$$(command -v uv || echo $(VENV)/bin/uv) pip compile --quiet --universal --python-version 3.11.5 --all-extras --no-annotate \
		--custom-compile-command "make lock" -o requirements.lock pyproject.toml

clean: ## Remove what was built; the environment stays
	rm -rf _build

$(READY): requirements.lock pyproject.toml
	@set -e; \
	test -x $(PYTHON) || { python=$$($(FIND_PYTHON)); \
		test -n "$$python" || { echo "Python 3.11 or later is needed" >&2; exit 1; }; \
		echo "making $(VENV) with $$python"; $$python -m venv $(VENV); }; \
	uv=$$(command -v uv || true); \
	test -n "$$uv" || { $(PYTHON) -m pip install --quiet uv && uv=$(VENV)/bin/uv || true; }; \
	if test -n "$$uv"; \
		then install="$$uv pip install --quiet --compile-bytecode --python $(PYTHON)"; \
		else install="$(PYTHON) -m pip install --quiet"; fi; \
	$$install -r $<; $$install --no-deps --no-build-isolation -e .; \
	touch $@
