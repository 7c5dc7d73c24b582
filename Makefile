# "make help" lists what there is. A machine needs git, make and Python 3.11 or later.
SHELL := /bin/bash
export PYTHONDONTWRITEBYTECODE =
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

VENV ?= .venv
PYTHON := $(VENV)/bin/python
READY := $(VENV)/.ready
FIND_PYTHON = for p in $(BASE_PYTHON) python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$p && break; done

LIBRARY_TESTS = $$(grep -LE '(from|import) (helpers|book|data)\b' tests/test_*.py)
CALIB_TESTS = $$(grep -lE '^(from|import) calib\b' tests/test_*.py | xargs grep -L '\bSITE\b')

EACH_PART = start/how-sure-are-you measure/ece-and-mce recalibrate/decisions promises/a-moving-world \
	language/repair replicate/evidence use/changes

.DEFAULT_GOAL := help
.PHONY: help book runtime pdf slides student teacher handouts grading chapter serve test check coverage nbval oldest lint format \
	references notebooks fuzz bench peers sources results arena arena-peers zoo lock clean

help: ## Show this list
	@grep -E '^[a-z]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 12

book: $(READY) ## Execute what changed and build the site into _build/html (FORCE=1: everything)
	@$(PYTHON) -m book build

teacher: book ## Write _build/teacher.zip: solutions, labs to print, an exam with its key (SEED=7)
	@$(PYTHON) -m teaching archive --seed $(or $(SEED),1)

handouts: book .venv-bare/.ready ## Run every notebook that students get, in a bare environment
	@cd / && $(CURDIR)/.venv-bare/bin/python $(CURDIR)/teaching/handed_out.py

grading: book .venv-grading/.ready ## Make assignments of the labs; grade right, empty, cheating and learned submissions
	@.venv-grading/bin/python -m teaching.grading

chapter: $(READY) ## Execute and build one chapter: make chapter C=measure/ece-and-mce
	@$(PYTHON) -m book chapter $(C) $(addprefix -p ,$(P))

pdf: $(READY) ## Print the whole book to _build/book.pdf and link it from the site (needs Chromium)
	@$(PYTHON) -m book pdf

slides: $(READY) ## Build the eight lectures, with PDF, into _build/slides; the next build links them
	@$(PYTHON) -m book slides

student: $(READY) ## Build the site without solutions into _build/student/html
	@$(PYTHON) -m book student

serve: book ## Show the site at http://localhost:8000
	@$(PYTHON) -m http.server --bind localhost --directory _build/html 8000

test: book ## Run everything: units, docstring examples, reference notebooks, pages in a browser
	@$(PYTHON) -m pytest -n 3 --dist loadfile --no-loadscope-reorder --ignore tests/peers --ignore tests/benchmarks \
		--nbval --nbval-current-env --nbval-sanitize-with tests/reference/sanitize.cfg

oldest: .venv-oldest/.ready ## Run the tests of the library with the oldest versions that pyproject.toml allows
	@.venv-oldest/bin/python -m pytest -W default calib $(LIBRARY_TESTS)

check: lint ## Lint and the quick tests of the library: what to run while you work
	@$(PYTHON) -m pytest -n 2 -m "not slow" calib $(LIBRARY_TESTS)

coverage: $(READY) ## Run the tests that import calib; show the lines that they miss, fail below the floor
	@$(PYTHON) -m pytest -n 2 -m "not shared" --cov calib calib $(CALIB_TESTS)

nbval: book ## Execute a chapter of each part anew, as Jupyter does, and compare every output
	@CALIB_DATA=$(CURDIR)/data PYTHONPATH=$(CURDIR) PYTHONSTARTUP=$(CURDIR)/book/startup.py \
		$(PYTHON) -m pytest -n 2 --dist loadfile --nbval --nbval-current-env \
		--nbval-sanitize-with tests/reference/sanitize.cfg $(EACH_PART:%=_build/executed/%.ipynb)

fuzz: $(READY) ## Bad arguments, changed files, killed runs, long; counts go to tests/fuzz/README.md (N=1000)
	@$(PYTHON) -m tests.fuzz.kills
	@PYTHONPATH=tests $(PYTHON) -m tests.fuzz $(or $(N),1000)
	@PYTHONPATH=tests FUZZ_EXAMPLES=100 $(PYTHON) -m pytest -q tests/fuzz/test_properties.py

lint: $(READY) ## Check the code, its types, the chapters' code cells and the table of contents
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy
	@$(PYTHON) -m book check

format: $(READY) ## Mend what lint can mend
	@$(PYTHON) -m ruff check --fix
	@$(PYTHON) -m ruff format
	@$(PYTHON) -m book check --fix

runtime: $(READY) ## Fetch Python for the pages, so that their cells run in the browser (needs npm)
	@$(PYTHON) -m book python

references: $(READY) ## Execute the reference notebooks of the tests anew
	@$(PYTHON) -m book references

notebooks: $(READY) ## Put the executed notebooks beside their chapters, for Binder and Colab
	@$(PYTHON) -m book notebooks

bench: .venv-peers/.ready ## Time calib beside other libraries: all, or make bench F=metrics
	@.venv-peers/bin/python tests/benchmarks/table.py $(F)

peers: .venv-peers/.ready ## Compare calib with other libraries, in an environment of their own
	@.venv-peers/bin/python -m pytest tests/peers

sources: $(READY) ## Download and verify the public predictions
	@$(PYTHON) -m book.evidence.sources

results: sources ## Compute data/results from the public predictions and the zoo; compare the ledger
	@$(PYTHON) -m data.results
	@$(PYTHON) -m data.results.kind
	@$(PYTHON) -m data.results.refits
	@$(PYTHON) -m data.results.zoo
	@$(PYTHON) -m data.results.details
	@$(PYTHON) -m data.results.curves
	@$(PYTHON) -m data.results.diagrams
	@$(PYTHON) -m data.results.classes
	@$(PYTHON) -m data.results.guo
	@$(PYTHON) -m data.results.sizes
	@$(PYTHON) -m data.results.split_half
	@$(PYTHON) -m data.results.psce_edge
	@$(PYTHON) -m data.results.interval_coverage
	@$(PYTHON) -m data.results.report_coverage
	@$(PYTHON) -m data.results.language
	@$(PYTHON) -m data.results.people
	@$(PYTHON) -m data.results.groups
	@$(PYTHON) -m data.results.sets
	@$(PYTHON) -m data.results.worlds
	@$(PYTHON) -m book.evidence.claims

arena: sources ## Fit every map to every prediction set of the arena: a quarter of an hour of one core (what is done is kept)
	@$(PYTHON) -m data.results.arena
	@$(PYTHON) -m data.results.bundle
	@$(PYTHON) -m data.results.calarena

arena-peers: sources .venv-peers/.ready ## Fit other libraries' maps to a part of the arena: a quarter of an hour
	@.venv-peers/bin/python -m data.results.arena_peers
	@.venv-peers/bin/python -m data.results.calarena --peers
	@$(PYTHON) -m data.results.arena --tables

zoo: .venv-zoo/.ready ## Train the networks that data/zoo lacks, in an environment of their own
	@.venv-zoo/bin/python -m data.training

.venv-oldest/.ready: pyproject.toml
	@set -e; uv=$$(command -v uv || echo $(VENV)/bin/uv); python=$$($(FIND_PYTHON)); \
	$$uv venv --quiet --clear --python $$python $(@D); \
	$$uv pip compile --quiet --resolution lowest-direct --python $(@D)/bin/python \
		$(addprefix --extra ,report sklearn study files onnx dask) pyproject.toml -o $(@D)/requirements.txt; \
	$$uv pip install --quiet --python $(@D)/bin/python -r $(@D)/requirements.txt hypothesis numpydoc pytest; \
	touch $@

.venv-bare/.ready: pyproject.toml
	@set -e; python=$$($(FIND_PYTHON)); $$python -m venv --clear $(@D); \
	$(@D)/bin/python -m pip install --quiet '.[exercises]' nbclient; touch $@

.venv-grading/.ready: teaching/requirements.txt pyproject.toml
	@set -e; python=$$($(FIND_PYTHON)); test -d $(@D) || $$python -m venv $(@D); \
	$(@D)/bin/python -m pip install --quiet -r $< -e '.[exercises]'; touch $@

.venv-zoo/.ready: data/training/requirements.txt
.venv-peers/.ready: tests/peers/requirements.txt
.venv-zoo/.ready .venv-peers/.ready:
	@set -e; python=$$($(FIND_PYTHON)); test -d $(@D) || $$python -m venv $(@D); \
	$(@D)/bin/python -m pip install --quiet torch==2.13.0; \
	$(@D)/bin/python -m pip install --quiet -r $<; \
	case $(@D) in *peers) $(@D)/bin/python -m pip install --quiet --no-deps \
		--ignore-requires-python dirichletcal==0.5.3;; esac; touch $@

lock: $(READY) ## Write requirements.lock from pyproject.toml
	@$$(command -v uv || echo $(VENV)/bin/uv) pip compile --quiet --universal --python-version 3.11 --all-extras --no-annotate \
		--custom-compile-command "make lock" -o requirements.lock pyproject.toml

clean: ## Remove what was built; the environment stays
	rm -rf _build

$(READY): requirements.lock pyproject.toml
	@set -e; \
	uv=$$(command -v uv || true); \
	test -x $(PYTHON) || { python=$$($(FIND_PYTHON)); \
		test -n "$$python" || { echo "Python 3.11 or later is needed" >&2; exit 1; }; \
		echo "making $(VENV) with $$python"; \
		if test -n "$$uv"; then $$uv venv --quiet --python $$python $(VENV); \
		else $$python -m venv $(VENV); fi; }; \
	test -n "$$uv" || { $(PYTHON) -m pip install --quiet uv && uv=$(VENV)/bin/uv || true; }; \
	if test -n "$$uv"; \
		then install="$$uv pip install --quiet --compile-bytecode --python $(PYTHON)"; \
		else install="$(PYTHON) -m pip install --quiet"; fi; \
	$$install -r $<; $$install --no-deps --no-build-isolation --config-settings editable_mode=compat -e .; \
	touch $@
