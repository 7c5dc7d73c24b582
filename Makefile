# "make help" lists what there is. A machine needs git, make and Python 3.11 or later.
SHELL := /bin/bash
export PYTHONDONTWRITEBYTECODE =
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

VENV ?= .venv
PYTHON := $(VENV)/bin/python
READY := $(VENV)/.ready
export BASE_PYTHON
MARKS = $(or $(TESTS),slow or not slow)
# what needs torch, or other libraries, is imported in environments of its own
DOCTESTED = evidence --ignore evidence/training --ignore evidence/conformance/libraries.py
NBVAL = --nbval --nbval-current-env --nbval-sanitize-with tests/reference/sanitize.cfg
EACH_PART = start/how-sure-are-you measure/ece-and-mce recalibrate/decisions promises/a-moving-world \
	language/repair replicate/evidence use/changes

.DEFAULT_GOAL := help
.PHONY: $(shell grep -oE '^[a-z-]+:' $(firstword $(MAKEFILE_LIST)) | tr -d :)

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 14

book: $(READY) ## Execute what changed and build the site into _build/html (FORCE=1: everything)
	@$(PYTHON) -m book build

chapter: $(READY) ## Execute and build one chapter: make chapter C=measure/ece-and-mce
	@$(PYTHON) -m book chapter $(C) $(addprefix -p ,$(P))

paper-tables: $(READY) ## Recompute one paper's tables (CSV) and figures (SVG): make paper-tables P=guo2017 WITH="bins=10"
	@$(PYTHON) -m book tables $(or $(P),$(error name a paper: make paper-tables P=guo2017)) $(addprefix -p ,$(WITH))

serve: book ## Show the site at http://localhost:8000
	@$(PYTHON) -m http.server --bind localhost --directory _build/html 8000

pdf slides student: $(READY)
	@$(PYTHON) -m book $@
pdf: ## Print the whole book to _build/book.pdf and link it from the site (needs Chromium)
slides: ## Build the eight lectures, with PDF, into _build/slides; the next build links them
student: ## Build the site without solutions into _build/student/html

paper: $(READY) .venv-paper/.ready ## Compute the numbers of the two papers and typeset them into _build/paper
	@PYTHONPATH=$$(echo .venv-paper/lib/python*/site-packages) $(PYTHON) -m paper.typeset

runtime: $(READY) ## Fetch Python for the pages, so that their cells run in the browser (needs npm)
	@$(PYTHON) -m book python

references: $(READY) ## Execute the reference notebooks of the tests anew
	@$(PYTHON) -m jupytext --quiet --to ipynb --execute tests/reference/*.md

course: book ## Make a course in a folder of its own, or what it lacks: make course FOLDER=../my-course
	@$(PYTHON) -m teaching course $(or $(FOLDER),$(error name a folder: make course FOLDER=../my-course))

handouts: book .venv-bare/.ready ## Run every notebook that students get, in a bare environment
	@cd / && $(CURDIR)/.venv-bare/bin/python $(CURDIR)/teaching/try_handouts.py

check: lint ## Lint, and the tests of library and application: what to run while you work
	@$(PYTHON) -m pytest -n 2

test: $(READY) ## Run everything: units, docstring examples, reference notebooks, pages in a browser
	@$(PYTHON) -m book execute
	@$(MAKE) --no-print-directory -j2 book library
	@$(PYTHON) -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "$(MARKS)" calib_report evidence/imports.py \
		$(DOCTESTED) book/show teaching tests/house tests/report tests/evidence tests/book tests/teaching tests/fuzz tests/reference $(NBVAL)

library: $(READY) ## Test the library alone
	@$(PYTHON) -m pytest -m "$(MARKS)" calib tests/calib

lint: $(READY) ## Check the code, its types, the chapters' code cells and the table of contents
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy
	@$(PYTHON) -m book check

format: $(READY) ## Mend what lint can mend
	@$(PYTHON) -m ruff check --fix
	@$(PYTHON) -m ruff format
	@$(PYTHON) -m book check --fix

coverage: $(READY) ## Run the tests of library and application; show the lines that they miss, fail below the floor
	@$(PYTHON) -m pytest -n 2 -m "not shared" --cov calib --cov calib_report

oldest: .venv-oldest/.ready ## Run these tests with the oldest versions that pyproject.toml allows
	@.venv-oldest/bin/python -m pytest -W default -m "not browser and not shared"

drawn: .venv-drawn/.ready ## Run them with versions drawn by lot among those that it allows (SEED=1)
	@.venv-drawn/bin/python -m pytest -W default -m "not slow and not browser and not shared" tests/calib tests/report tests/house

sbom: .venv-runtime/.ready .venv-sbom/.ready ## Write what an installed wheel brings along, as CycloneDX, to _build/sbom.json
	@mkdir -p _build && .venv-sbom/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type library \
		--output-reproducible --of JSON -o _build/sbom.json .venv-runtime/bin/python

nbval: book ## Execute a chapter of each part anew, as Jupyter does, and compare every output
	@CALIB_DATA=$(CURDIR)/data PYTHONPATH=$(CURDIR) PYTHONSTARTUP=$(CURDIR)/book/build/startup.py \
		$(PYTHON) -m pytest -n 2 --dist loadfile $(NBVAL) $(EACH_PART:%=_build/executed/%.ipynb)

fuzz: $(READY) ## Bad arguments, changed files, killed runs, long: bad_arguments, killed_runs and changed_files of data/results/software
	@$(PYTHON) -m evidence.studies bad_arguments killed_runs changed_files
	@FUZZ_EXAMPLES=100 $(PYTHON) -m pytest -q tests/fuzz

golden files gate costs: $(READY)
golden: ## Save maps and a memory as this version saves them, once a format, for later versions to read
	@PYTHONPATH=.:tests/parts $(PYTHON) tests/calib/write_golden.py
	@PYTHONPATH=. $(PYTHON) tests/report/gating/write_golden.py

files: ## Read each file of evidence/files_with_truth: data/results/software/reading_of_files.csv
	@$(PYTHON) -m evidence.studies reading_of_files

gate: ## Simulate what the command and the report promise about chance: data/results/software/promises_about_chance.csv
	@$(PYTHON) -m evidence.studies promises_about_chance

costs: ## Measure time and memory of each metric and map: data/results/software/time_and_memory.csv
	@$(PYTHON) -m evidence.studies time_and_memory

bench: .venv-peers/.ready ## Time calib beside other libraries: all, or make bench F=metrics
	@.venv-peers/bin/python tests/benchmarks/times.py $(F)

peers: .venv-peers/.ready ## Compare calib with other libraries, in an environment of their own
	@.venv-peers/bin/python -m pytest tests/peers

conformance: .venv-peers/.ready ## Write the cases of data/conformance, and what other libraries make of them
	@.venv-peers/bin/python -m evidence.conformance.write_cases
	@.venv-peers/bin/python -m evidence.conformance.libraries

conformance-package: $(READY) ## Build the cases as a package with a pytest fixture, _build/calibration-conformance
	@$(PYTHON) -m evidence.conformance.package

sources: $(READY) ## Download and verify the public predictions
	@$(PYTHON) -m evidence.sources

results: sources ## Compute data/results from the public predictions and the zoo; compare the ledger
	@$(PYTHON) -m evidence.language
	@$(PYTHON) -m evidence.studies
	@$(PYTHON) -m evidence.claims

promises: $(READY) ## Simulate long what the library promises about chance, and judge it: an hour of one core
	@$(PYTHON) -m evidence.studies promises_of_the_library paired_coverage report_coverage agreement_of_processors promises_about_chance
	@$(PYTHON) -m pytest -m "$(MARKS)" tests/evidence/studies/software/test_promises_of_the_library.py tests/evidence/derived/test_promises_kept.py

arena: sources ## Fit every map to every prediction set of the arena: a quarter of an hour of one core (what is done is kept)
	@$(PYTHON) -m evidence.studies arena arena_ranking arena_decisions
	@$(PYTHON) -m evidence.arena.bundle
	@$(PYTHON) -m evidence.studies calarena_audit

arena-peers: sources .venv-peers/.ready ## Fit other libraries' maps to a part of the arena: a quarter of an hour
	@.venv-peers/bin/python -m evidence.studies arena_peers
	@.venv-peers/bin/python -m evidence.studies calarena_peers
	@$(PYTHON) -m evidence.studies arena_ranking arena_decisions

dataset: $(READY) ## Write the outputs as a data set that stands alone, _build/dataset and its zip
	@$(PYTHON) -m evidence.release.data_set

zoo: .venv-zoo/.ready ## Train the networks that data/zoo lacks, in an environment of their own
	@.venv-zoo/bin/python -m evidence.training

lock: $(READY) ## Write requirements.lock from pyproject.toml
	@$$(command -v uv || echo $(VENV)/bin/uv) pip compile --quiet --universal --python-version 3.11 --all-extras --no-annotate --no-emit-index-url --generate-hashes \
		--custom-compile-command "make lock" -o requirements.lock pyproject.toml

clean: ## Remove what was built; the environment stays
	rm -rf _build

$(READY): requirements.lock pyproject.toml
	@.ci/environment $(@D)
.venv-zoo/.ready: evidence/training/requirements.txt
.venv-peers/.ready: tests/peers/requirements.txt
.venv-paper/.ready: paper/requirements.txt
.venv-%/.ready: pyproject.toml
	@.ci/environment $(@D)
