# The front door: a thin layer over the presets of CMakePresets.json, where the settings are.
#
# Each preset builds in build/<preset>; build/polhode, build/polhode-demo and build/bench lead into the one built last.

PRESET ?= release
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

tree    := build/$(PRESET)
group   := test
sources  = $(shell find include src apps tests bench examples tools cuda -name '*.hpp' -o -name '*.cpp' -o -name '*.cu')
units    = $(shell find src apps -name '*.cpp')
say      = @printf '==> %s\n'

.DEFAULT_GOAL := help
.PHONY: help demo test build release python cuda bench reproduce references packs soak sanitize cuda-check format tidy clean configure links
.NOTPARALLEL:

help: ## list these targets
	@echo 'Polhode: integrators for the rotation of rigid bodies'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
	@echo
	@echo '  PRESET=dev|release|sanitize sets the preset (now $(PRESET)), JOBS=n the number of jobs (now $(JOBS)).'

demo: group := demo
demo: configure ## install what is missing, build, run the demonstration; results in out/demo/
	$(say) 'building library and demonstration ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target polhode_demo
	@$(MAKE) --no-print-directory links
	$(say) 'running the demonstration'
	@build/polhode-demo

test: configure ## install what is missing, build everything, run every test
	$(say) 'building library, program and tests ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@$(MAKE) --no-print-directory links
	$(say) 'running the tests ($(JOBS) jobs)'
	@ctest --preset $(PRESET) -j $(JOBS)

build: configure ## build the library and the program; leaves it at build/polhode
	$(say) 'building library and program ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target apps/all
	@$(MAKE) --no-print-directory links

python: group := python
python: configure ## the Python module, in build/<preset>/python, and its tests
	$(say) 'building the Python module ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target polhode_python apps/all
	@$(MAKE) --no-print-directory links
	$(say) 'running its tests; to use it: PYTHONPATH=$(tree)/python python3'
	@ctest --preset $(PRESET) -j $(JOBS) -L python

cuda: ## the program with kernels for a graphics card (needs nvcc), and their tests, which need a card
	$(say) 'looking for compiler and libraries'
	@tools/bootstrap test
	$(say) 'configuring $(tree) with POLHODE_CUDA'
	@cmake --preset $(PRESET) --log-level=NOTICE -DPOLHODE_CUDA=ON
	$(say) 'building the program and the kernels ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target apps/all ensemble_tests
	@$(MAKE) --no-print-directory links
	$(say) 'running the tests on the card; they are skipped where there is none'
	@ctest --preset $(PRESET) -R ensemble_card

release: ## the same with the release preset, whatever PRESET says
	@$(MAKE) --no-print-directory build PRESET=release

bench: group := bench
bench: configure ## build and run the cost of a step of every method, and of errors beside other libraries
	$(say) 'building the benchmarks ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target bench/all
	@$(MAKE) --no-print-directory links
	$(say) 'running build/bench/step_cost'
	@build/bench/step_cost
	$(say) 'running build/bench/engine'
	@build/bench/engine
	$(say) 'running build/bench/work_precision (some minutes)'
	@build/bench/work_precision

reproduce: group := demo
reproduce: build ## the papers' tables, figures and claims; report in out/reproduce/. SET=--quick or --long for less or more
	$(say) 'measuring the papers again'
	@build/polhode reproduce $(SET) --output out/reproduce

references: configure ## make data/references again; PROBLEMS='NAME...' for some of them only
	$(say) 'building the maker of the references ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target references
	$(say) 'integrating every problem twice (some minutes)'
	@$(tree)/references $(PROBLEMS)

packs: configure ## that bodies side by side have the bits that each has alone: every method, width and field (some minutes)
	$(say) 'building all packs ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target packs_of_2 packs_of_4 packs_of_8
	@for width in 2 4 8; do $(tree)/tests/packs_of_$$width --gtest_brief=1 || exit; done

soak: configure ## long runs: the step for games (a minute), and a hundred thousand calls of the Python module with nonsense
	$(say) 'building the long runs ($(PRESET), $(JOBS) jobs)'
	@cmake --build --preset $(PRESET) -j $(JOBS) --target engine_soak
	@$(tree)/tests/engine_soak
	@if [ -e $(tree)/python/polhode ]; then \
	  cmake --build --preset $(PRESET) -j $(JOBS) --target polhode_python && \
	  POLHODE_FUZZ_EXAMPLES=100000 PYTHONPATH=$(tree)/python /usr/bin/python3 -B tests/module/fuzz_test.py; fi

sanitize: ## build and run every test under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory test PRESET=sanitize

cuda-check: ## compile every method for a device, with clang and nvcc where they are installed; no card is needed
	@tools/cuda-check

format: ## lay out all C++ sources with clang-format
	@tools/bootstrap format
	$(say) 'formatting $(words $(sources)) files'
	@clang-format -i $(sources)

tidy: group := tidy
tidy: configure ## check the sources with clang-tidy
	$(say) 'checking $(words $(units)) files with clang-tidy ($(JOBS) jobs)'
	@printf '%s\0' $(units) | xargs -0 -n 1 -P $(JOBS) clang-tidy --quiet -p $(tree)

clean: ## remove build/ and out/
	$(say) 'removing build/ and out/'
	@rm -rf build out

configure:
	$(say) 'looking for compiler and libraries'
	@tools/bootstrap $(group)
	$(say) 'configuring $(tree)'
	@cmake --preset $(PRESET) --log-level=NOTICE

# Relative links, so that the tree may be moved. A program that this preset does not build keeps no stale link.
links:
	@for name in polhode polhode-demo bench; do \
	  rm -rf build/$$name; \
	  if [ -e $(tree)/$$name ]; then ln -s $(PRESET)/$$name build/$$name; fi; \
	done
