# The doors to Pliant. Each one installs what is missing, builds what is stale, then does its job.
# PLIANT_MODELS in the environment may name a folder of further models for the tests.

BUILD := build
CORES := $(shell nproc 2>/dev/null || echo 2)
PYTHON := .venv/bin/python

.PHONY: help demo test test-full lint thread-test build build-tests build-dev build-fuzz bench gpu-models gpu-module gpu-compile \
  gpu-check gpu-test compat docs wheel soak clean deps
.DEFAULT_GOAL := help

help:
	@echo "make demo         build what it needs, then run the scenes in models/, predicted and simulated; out/demo/index.html"
	@echo "make test         build, then lint and all quick tests; the last line is 'N passed, N failed'"
	@echo "make test-full    all tests, the slow ones too, under sanitizers, and fuzzing for PLIANT_FUZZ_SECONDS per target"
	@echo "                  (120; clang; about two hours on 2 cores); ends with a table of what it did"
	@echo "make lint         format, clang-tidy, ruff, and what new kinds of things touch (part of make test)"
	@echo "make build        build/pliant, build/libpliant.a and the Python package for .venv"
	@echo "make bench        benchmark beside the reference; results in out/"
	@echo "make compat       the tests inside the reference's wheel on pliant.mujoco, beside the reference; own environment"
	@echo "make docs         the documentation as a site: out/site/index.html"
	@echo "make wheel        wheels for pip in out/wheels, for .venv's and other Pythons that are here, tried in fresh environments"
	@echo "make soak         bad inputs and random control for HOURS (1), resumed where it ended; docs/reliability.md"
	@echo "make thread-test  threads on one model under the thread sanitizer (part of test-full)"
	@echo "make gpu-compile  compile all code for GPUs, where there is nvcc; needs no GPU"
	@echo "make gpu-models   compile models for make gpu-test into out/gpu; run it where the loader is built"
	@echo "make gpu-test     GPU checks and benchmark with the models in out/gpu; needs nvcc and a GPU only"
	@echo "make gpu-module   the Python package for make gpu-check, with everything but kernels, into out/gpu-module"
	@echo "make gpu-check    compile its kernels, link it, and check pliant.Batch and pliant.envs; needs nvcc, a GPU and Python >= 3.12"
	@echo "make clean        remove build/ and out/"

deps:
	@scripts/install-deps

# What a user needs: the command line (and with it the library) and the Python module. No tests.
build: deps
	@scripts/build pliant_cli _pliant

# Everything of build/: the same, the examples, the tests and the fuzz targets as a plain program.
build-tests: deps
	@scripts/build

build-dev: deps
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev

build-fuzz: deps
	@scripts/install-deps --fuzz
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz

demo: build
	@$(PYTHON) scripts/demo

lint: deps
	@$(PYTHON) scripts/lint

test: build-tests
	@$(PYTHON) scripts/run-tests

# run-tests builds, so that its table has those minutes, too.
test-full: deps
	@$(PYTHON) scripts/run-tests --full

bench: build
	@$(PYTHON) bench/run.py
	@$(PYTHON) bench/step.py --smooth
	@$(PYTHON) bench/step.py --stages
	@$(PYTHON) bench/collision.py
	@$(PYTHON) bench/rays.py
	@$(PYTHON) bench/rollout.py
	@$(PYTHON) bench/solver.py
	@$(PYTHON) bench/solver_curves.py --plot out/solver_curves.svg
	@$(PYTHON) bench/mimic_cost.py
	@$(PYTHON) bench/discrete_cost.py

# Tests of the reference's wheel and packages from PyPI, unmodified, on pliant.mujoco; tables are in out/compat.md and
# tests/compat/results.json.
compat: build
	@$(PYTHON) scripts/compat
	@$(PYTHON) scripts/compat-packages

# Pages of docs/, references from stubs and headers, a gallery; read it offline.
docs: build
	@scripts/install-deps --docs
	@$(PYTHON) scripts/make-site

wheel: deps
	@scripts/install-deps --wheel
	@$(PYTHON) scripts/make-wheel --pythons --test

# Totals go to docs/soak-totals.json and docs/reliability.md, findings to out/soak.
HOURS := 1
soak: build-tests
	@$(PYTHON) scripts/soak --hours $(HOURS)

# The robots of the benchmark, where PLIANT_MODELS has them, and scenes of our own.
gpu-models: build
	@$(PYTHON) scripts/make-gpu-models out/gpu

# No loader, no Python, no network: what moves compiled models, and the GPU part.
GPU_OPTIONS := -DCMAKE_BUILD_TYPE=Release -DPLIANT_ENGINE_ONLY=ON -DPLIANT_CUDA=ON -DPLIANT_BUILD_PYTHON=OFF \
  -DPLIANT_BUILD_TESTS=OFF -DPLIANT_BUILD_EXAMPLES=OFF -DPLIANT_BUILD_APPS=OFF --log-level=WARNING

gpu-compile:
	@cmake -S . -B $(BUILD)/gpu $(GPU_OPTIONS)
	@cmake --build $(BUILD)/gpu --parallel $(CORES) --target pliant_gpu_test pliant_gpu_constrained pliant_device_pairs

gpu-test:
	@cmake -S . -B $(BUILD)/gpu $(GPU_OPTIONS)
	@cmake --build $(BUILD)/gpu --parallel $(CORES) --target pliant_gpu_test pliant_gpu_constrained
	@ls out/gpu/*.plm >/dev/null 2>&1 || { echo "out/gpu has no models: run make gpu-models where the loader is built"; exit 1; }
	@$(BUILD)/gpu/pliant_gpu_test out/gpu/*.plm
	@$(BUILD)/gpu/pliant_gpu_constrained out/gpu/*.plm

# The Python package with the GPU part for a machine without the loader's libraries: `gpu-module` where they are, and then,
# on that machine, `gpu-check`, which compiles the kernels, links and checks. bench/gpu.py runs with it, too.
gpu-module: gpu-models
	@$(PYTHON) scripts/gpu-module pack out/gpu/*.plm

gpu-check:
	@python3 scripts/gpu-module link
	@PYTHONPATH=out/gpu-module/module python3 scripts/gpu-check out/gpu-module/models/*.plm

# The engine alone under the thread sanitizer, with compiled models of our own scenes.
thread-test: build
	@cmake -S . -B $(BUILD)/tsan -G Ninja -DCMAKE_BUILD_TYPE=Debug -DPLIANT_ENGINE_ONLY=ON -DPLIANT_CUDA=OFF \
	  -DPLIANT_SANITIZE_THREADS=ON -DPLIANT_BUILD_PYTHON=OFF -DPLIANT_BUILD_TESTS=OFF -DPLIANT_BUILD_EXAMPLES=OFF \
	  -DPLIANT_BUILD_APPS=OFF --log-level=WARNING
	@cmake --build $(BUILD)/tsan --target pliant_thread_race
	@$(BUILD)/pliant compile models/quadruped.xml $(BUILD)/tsan/quadruped.plm
	@$(BUILD)/pliant compile models/gripper.xml $(BUILD)/tsan/gripper.plm
	@$(BUILD)/tsan/pliant_thread_race $(BUILD)/tsan/quadruped.plm $(BUILD)/tsan/gripper.plm

clean:
	rm -rf build out
